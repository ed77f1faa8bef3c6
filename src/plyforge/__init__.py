"""Plyforge: write the rules of a two-player game in plain Python, search it at native speed.

>>> import plyforge
>>> game = plyforge.load("connect4:5x4")
>>> game.perft(game.initial(), 5)
3120
"""

# Nothing is imported until it is used: `import plyforge` loads no NumPy, and Ctrl-C while the
# command line starts prints no traceback from here.  The imports below are for type checkers and
# hide no cycle: at run time `__getattr__` finds the names in `_MODULES`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from plyforge.core.errors import PlyforgeError
    from plyforge.engine import (
        Clock,
        Driver,
        Engine,
        Info,
        Parameter,
        SearchResult,
        WindowSearch,
    )
    from plyforge.game.display import Picture
    from plyforge.game.game import Game, History
    from plyforge.game.history import Verdict
    from plyforge.games import load, names

__version__ = "0.1.0"

_MODULES = {
    "Clock": "plyforge.engine",
    "Driver": "plyforge.engine",
    "Engine": "plyforge.engine",
    "Info": "plyforge.engine",
    "Parameter": "plyforge.engine",
    "SearchResult": "plyforge.engine",
    "WindowSearch": "plyforge.engine",
    "Game": "plyforge.game.game",
    "History": "plyforge.game.game",
    "Picture": "plyforge.game.display",
    "PlyforgeError": "plyforge.core.errors",
    "Verdict": "plyforge.game.history",
    "load": "plyforge.games",
    "names": "plyforge.games",
}
__all__ = [
    "Clock",
    "Driver",
    "Engine",
    "Game",
    "History",
    "Info",
    "Parameter",
    "Picture",
    "PlyforgeError",
    "SearchResult",
    "Verdict",
    "WindowSearch",
    "__version__",
    "load",
    "names",
]


def __getattr__(name: str) -> object:
    """Import an exported name when it is first used."""
    import importlib

    if name not in _MODULES:
        raise AttributeError(f"module 'plyforge' has no attribute '{name}'")
    return getattr(importlib.import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
