"""Players that a page may describe: those that run no code of its own, and end in time."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.engine.drivers import DRIVERS
from plyforge.engine.levels import LEVELS
from plyforge.game.game import Game
from plyforge.interfaces.web.opponents import LazyPlayer
from plyforge.interfaces.web.state import ServerState
from plyforge.match.players import Description, Kind, MoveLimits
from plyforge.match.session import Seat
from plyforge.search.options import PRESETS
from plyforge.search.textbook.algorithms import ALGORITHMS

MOVE_SECONDS: Final = 5.0
"""The longest that a player may think about a move."""
SAFE: Final = (Kind.ENGINE, Kind.RANDOM, Kind.TEXTBOOK)
_MIB: Final = 2
"""Table of each engine: many pages may have some."""
_BOUNDS: Final[Mapping[Kind, Mapping[str, tuple[float, float]]]] = {
    Kind.ENGINE: {
        "level": (1, LEVELS),
        "depth": (1, 40),
        "nodes": (1, 5_000_000),
        "time": (0.01, MOVE_SECONDS),
    },
    Kind.TEXTBOOK: {"depth": (1, 8)},
}
"""Limits that a page may give, from least to most."""
_WORDS: Final[Mapping[Kind, tuple[str, ...]]] = {Kind.ENGINE: ("driver", "preset", "on", "off")}
"""Other settings that a page may give: none of them names a file or takes memory."""


def described(told: str) -> Description:
    """A player that a page may have, or an error that says why it may not."""
    found = Description.parse(told)
    if found.kind not in SAFE:
        raise PlyforgeError(
            f"player '{clip(str(found))}': a page cannot have the server execute a file; take"
            f" one of {', '.join(SAFE)}"
        )
    bounds = _BOUNDS.get(found.kind, {})
    known = [*bounds, *_WORDS.get(found.kind, ()), "name"]
    for name in found.settings:
        if name not in known:
            raise UnknownName(f"setting of a player '{found.kind}' on a page", name, known)
    for name, (low, high) in bounds.items():
        value = found.number(name)
        if value is not None and (math.isnan(value) or not low <= value <= high):
            raise PlyforgeError(
                f"player '{clip(str(found))}': {name} goes from {low:g} to {high:,} here"
            )
    if found.kind is Kind.ENGINE and not set(bounds) & set(found.settings):
        raise PlyforgeError(f"player '{found}' has no limit: give it one, as engine:level=5")
    return found


def seat(server: ServerState, game: Game, told: str) -> Seat:
    """A described player, held to the time and the memory that it may take."""
    found = described(told)
    return Seat(LazyPlayer(server, game, str(_limited(found)), MoveLimits()), found.name)


def _limited(found: Description) -> Description:
    if found.kind is not Kind.ENGINE:
        return found
    own = {"hash": str(_MIB)}
    if not {"level", "time"} & set(found.settings):
        own["time"] = f"{MOVE_SECONDS:g}"
    return replace(found, settings={**found.settings, **own})


def choices() -> dict[str, Any]:
    """What a page offers for a player."""
    return {
        "drivers": list(DRIVERS),
        "presets": list(PRESETS),
        "algorithms": list(ALGORITHMS),
        "bounds": {str(kind): dict(bounds) for kind, bounds in _BOUNDS.items()},
    }
