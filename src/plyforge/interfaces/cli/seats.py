"""From the options of `plyforge play` to who has which side."""

from dataclasses import dataclass, field, replace
from typing import Final

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.game.game import Game
from plyforge.match.players import Description, Kind, MoveLimits, player
from plyforge.match.session import Seat

DEFAULT_LEVEL: Final = 5
SIDES: Final = {"first": [0], "second": [1], "both": [0, 1], "none": []}
"""The sides that people have, by what `--side` says."""
_LIMITS: Final = {Kind.ENGINE: ("depth", "nodes", "time"), Kind.TEXTBOOK: ("depth",)}
"""What a player's description may say of its limits."""


@dataclass(frozen=True)
class SeatOptions:
    """Which sides people have, and who the others are."""

    side: str | None = None
    opponents: list[str] = field(default_factory=list)
    level: int | None = None
    limits: MoveLimits = MoveLimits()

    def __post_init__(self) -> None:
        given = {"--opponent": bool(self.opponents), "--level": self.level is not None}
        if all(given.values()):
            raise PlyforgeError("--opponent and --level both say who plays; give one")
        if given["--level"] and self.limits.any:
            raise PlyforgeError(
                "--level has limits of its own; leave --depth, --nodes and --time out"
            )

    def people(self, game: Game) -> list[int] | None:
        """The sides that people have; None if nothing is said of it."""
        if self.side is None:
            return None
        named = {name.lower(): [side] for side, name in enumerate(game.players)}
        known = SIDES | {name: sides for name, sides in named.items() if name not in SIDES}
        if self.side.lower() not in known:
            raise UnknownName("side", self.side, known)
        return known[self.side.lower()]

    def seats(self, game: Game, people: list[int]) -> tuple[Seat, Seat]:
        """Who sits on either side."""
        described = self._descriptions(2 - len(people))
        first, second = (
            Seat() if side in people else self._player(game, described.pop(0)) for side in (0, 1)
        )
        return first, second

    def _descriptions(self, wanted: int) -> list[str]:
        given = list(self.opponents)
        if len(given) > wanted:
            told = "--side none has two players" if wanted else "--side both has none"
            raise PlyforgeError(f"--opponent '{given[wanted]}': no side is left for it; {told}")
        if not given:
            level = DEFAULT_LEVEL if self.level is None else self.level
            given = ["engine" if self.limits.any else level_description(level)]
        return given if len(given) == 2 else given * 2

    def _player(self, game: Game, text: str) -> Seat:
        description = self._limited(Description.parse(text))
        return Seat(player(game, description, self.limits), str(description))

    def _limited(self, description: Description) -> Description:
        """The description with the limits that it leaves to the options, so that it tells all."""
        if {"level", *_LIMITS[Kind.ENGINE]} & set(description.settings):
            return description
        found = {name: getattr(self.limits, name) for name in _LIMITS.get(description.kind, ())}
        given = {name: str(value) for name, value in found.items() if value is not None}
        return replace(description, settings={**description.settings, **given})


def level_description(level: int) -> str:
    return f"engine:level={level}"


def level_seat(game: Game, level: int) -> Seat:
    """The engine at a level."""
    return SeatOptions(level=level).seats(game, [0])[1]
