"""Converts the options of `plyforge play` to the players of both sides."""

from dataclasses import dataclass, field, replace
from typing import Final

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.game.game import Game
from plyforge.interfaces.cli.engines import EngineOptions
from plyforge.jobs.user_files import file_names
from plyforge.match.players import Description, Kind, MoveLimits, player, read_description
from plyforge.match.session import Seat
from plyforge.records.record import GameRecord

DEFAULT_LEVEL: Final = 5
SIDES: Final = {"first": [0], "second": [1], "both": [0, 1], "none": []}
"""The sides that people play, by the value of `--side`."""
_LIMITS: Final = {
    Kind.ENGINE: ("depth", "nodes", "time"),
    Kind.CLUSTER: ("depth", "nodes", "time"),
    Kind.TEXTBOOK: ("depth",),
    Kind.UCI: ("depth", "nodes", "time"),
}
"""The limits that a player's description may have."""


@dataclass(frozen=True)
class SeatOptions:
    """The sides that people play, and the players of the others."""

    side: str | None = None
    opponents: list[str] = field(default_factory=list)
    level: int | None = None
    limits: MoveLimits = MoveLimits()

    def __post_init__(self) -> None:
        if self.opponents and self.level is not None:
            raise PlyforgeError("give --opponent or --level, not both")
        if self.level is not None and self.limits.any:
            raise PlyforgeError(
                "a level sets its own limits; leave out --depth, --nodes and --time"
            )

    def people(self, game: Game) -> list[int] | None:
        """Return the sides that people play; None if the option is not given."""
        if self.side is None:
            return None
        named = {name.lower(): [side] for side, name in enumerate(game.players)}
        known = SIDES | {name: sides for name, sides in named.items() if name not in SIDES}
        if self.side.lower() not in known:
            raise UnknownName("side", self.side, known)
        return known[self.side.lower()]

    def with_recorded_players(
        self, game: Game, record: GameRecord, people: list[int]
    ) -> "SeatOptions":
        """Return the options with the players of a saved game, unless others are given.

        Only players without files are taken from a record: a file from elsewhere runs no program.
        """
        if self.opponents or self.level is not None or self.limits.any:
            return self
        names = [record.tags.get(game.players[side], "") for side in (0, 1) if side not in people]
        if not names or not all(_is_built_in(game, name) for name in names):
            return self
        return replace(self, opponents=names)

    def seats(self, game: Game, people: list[int]) -> tuple[Seat, Seat]:
        """Return who plays each side."""
        descriptions = self._descriptions(2 - len(people))
        first, second = (
            Seat() if side in people else self._player(game, descriptions.pop(0)) for side in (0, 1)
        )
        return first, second

    def _descriptions(self, needed: int) -> list[str]:
        texts = list(self.opponents)
        if len(texts) > needed:
            remedy = "--side none has two players" if needed else "--side both has none"
            raise PlyforgeError(f"--opponent '{texts[needed]}': no side is left for it; {remedy}")
        if not texts:
            level = DEFAULT_LEVEL if self.level is None else self.level
            texts = ["engine" if self.limits.any else level_description(level)]
        return texts if len(texts) == 2 else texts * 2

    def _player(self, game: Game, text: str) -> Seat:
        description = self._with_limits(_with_learned(game, read_description(game, text)))
        return Seat(player(game, description, self.limits), description.name)

    def _with_limits(self, description: Description) -> Description:
        """Return the description with the limits of the options, if it has none itself."""
        if {"level", *_LIMITS[Kind.ENGINE]} & set(description.settings):
            return description
        limits = {name: getattr(self.limits, name) for name in _LIMITS.get(description.kind, ())}
        texts = {name: str(value) for name, value in limits.items() if value is not None}
        return replace(description, settings={**description.settings, **texts})


def _with_learned(game: Game, description: Description) -> Description:
    """Return an engine with the weights beside the game's file, unless it names an evaluation."""
    if description.kind is not Kind.ENGINE:
        return description
    options = EngineOptions(evaluation=description.settings.get("evaluation")).with_learned(game)
    if options.evaluation is None:
        return description
    return replace(description, settings={**description.settings, "evaluation": options.evaluation})


def _is_built_in(game: Game, text: str) -> bool:
    """Return whether a text describes a player that needs no file or program."""
    try:
        description = read_description(game, text)
    except PlyforgeError:
        return False
    files = list(file_names([text, *description.settings.values()]))
    return description.kind in (Kind.ENGINE, Kind.RANDOM, Kind.TEXTBOOK) and not files


def level_description(level: int) -> str:
    return f"engine:level={level}"


def level_seat(game: Game, level: int) -> Seat:
    """Return the engine at a level."""
    return SeatOptions(level=level).seats(game, [0])[1]
