"""Players that a page may describe: they execute no files, and the time of a move is limited."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.engine.levels import LEVELS
from plyforge.game.game import Game
from plyforge.interfaces.web.drivers import DriverCatalog
from plyforge.interfaces.web.incoming import MAX_OPENING
from plyforge.interfaces.web.opponents import LazyPlayer
from plyforge.interfaces.web.outgoing import WatchChoicesView
from plyforge.interfaces.web.state import ServerState
from plyforge.match.players import Description, Kind, MoveLimits
from plyforge.match.session import Seat
from plyforge.search.options import PRESETS
from plyforge.search.textbook.algorithms import ALGORITHMS

MOVE_SECONDS: Final = 5.0
"""The time limit of a move."""
SAFE_KINDS: Final = (Kind.ENGINE, Kind.RANDOM, Kind.TEXTBOOK)
_MIB: Final = 2
"""Size of each engine's table in MiB; small, because many pages may have engines."""
_BOUNDS: Final[Mapping[Kind, Mapping[str, tuple[float, float]]]] = {
    Kind.ENGINE: {
        "level": (1, LEVELS),
        "depth": (1, 40),
        "nodes": (1, 5_000_000),
        "time": (0.01, MOVE_SECONDS),
    },
    Kind.TEXTBOOK: {"depth": (1, 8)},
}
"""Limits that a page may set: (minimum, maximum)."""
_OTHER_SETTINGS: Final[Mapping[Kind, tuple[str, ...]]] = {
    Kind.ENGINE: ("driver", "preset", "on", "off")
}
"""Other settings that a page may use: none of them names a file or takes memory."""


def read_description(
    text: str, drivers: DriverCatalog, named: Mapping[str, str] | None = None
) -> Description:
    """Read the description of a player, and reject one that a page may not use.

    `named` are the players that the game names; their own settings are not restricted, except for
    the limits.
    """
    named = named or {}
    description = Description.parse(text, named)
    kind, settings = description.kind, description.settings
    own = named.get(text.strip().partition(":")[0])
    trusted = {} if own is None else Description.parse(own).settings
    if kind not in SAFE_KINDS:
        raise PlyforgeError(
            f"player '{clip(str(description))}': a page cannot make the server execute a file or"
            f" start workers; use one of {', '.join(SAFE_KINDS)}"
        )
    if settings.get("driver") != trusted.get("driver"):
        drivers.find(settings["driver"])
    bounds = _BOUNDS.get(kind, {})
    known = [*bounds, *_OTHER_SETTINGS.get(kind, ()), "name"]
    for name in settings:
        if name not in known and settings[name] != trusted.get(name):
            raise UnknownName(f"setting of a player '{kind}' on a page", name, known)
    for name, (low, high) in bounds.items():
        value = description.number(name)
        if value is not None and (math.isnan(value) or not low <= value <= high):
            raise PlyforgeError(
                f"player '{clip(str(description))}': on a page, {name} must be between {low:g}"
                f" and {high:,}, not {settings[name]}"
            )
    if kind is Kind.ENGINE and not set(bounds) & set(settings):
        raise PlyforgeError(f"player '{description}' has no limit; set one, as in engine:level=5")
    return description


def make_seat(server: ServerState, game: Game, text: str) -> Seat:
    """Make a seat for a described player, with limits on its time and memory."""
    description = read_description(text, server.drivers, game.rules.constant("NAMED_PLAYERS"))
    player = LazyPlayer(server.catalog, game, _complete(description, server), MoveLimits())
    return Seat(player, description.name)


def _complete(description: Description, server: ServerState) -> Description:
    """Add the limits, and the files of a driver and of steps."""
    if description.kind is not Kind.ENGINE:
        return description
    settings = {**description.settings, "hash": str(_MIB), **server.steps.setting}
    if "driver" in settings:
        settings["driver"] = server.drivers.reference(settings["driver"])
    if not {"level", "time"} & set(description.settings):
        settings["time"] = f"{MOVE_SECONDS:g}"
    return replace(description, settings=settings)


def choices(drivers: DriverCatalog) -> WatchChoicesView:
    """Return what a page offers for a player."""
    return WatchChoicesView(
        drivers=drivers.names,
        presets=list(PRESETS),
        algorithms=list(ALGORITHMS),
        bounds={str(kind): dict(bounds) for kind, bounds in _BOUNDS.items()},
        opening=MAX_OPENING,
    )
