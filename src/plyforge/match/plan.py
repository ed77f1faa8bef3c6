"""The plan of a match: everything that determines its games."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from plyforge.core.errors import PlyforgeError
from plyforge.games import game_file, load
from plyforge.jobs.user_files import UserFile, content_digest, read_user_file
from plyforge.match.openings import OpeningSource
from plyforge.match.players import Description, Kind, MoveLimits, read_description
from plyforge.match.ratings import Sprt
from plyforge.match.referee import MatchRules
from plyforge.match.schedule import Format, Pairing, meetings, pairings
from plyforge.match.user_files import read_user_files


@dataclass(frozen=True)
class Plan:
    """The players of a match, and the conditions under which they play."""

    game: str
    players: tuple[str, ...]
    games: int = 100
    """Games per meeting; an even number, because each opening is played with both sides."""
    form: Format = Format.ROUND_ROBIN
    openings: OpeningSource = OpeningSource()
    seed: int = 0
    limits: MoveLimits = MoveLimits()
    rules: MatchRules = MatchRules()
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", _with_named_players(self.game, self.players))
        if len(self.players) < 2:
            raise PlyforgeError("a match needs at least two players, as engine:depth=6 random")
        for name in self.names:
            if self.names.count(name) > 1:
                raise PlyforgeError(
                    f"two players are called '{name}'; give one of them another name, as"
                    " engine:depth=6,name=other"
                )
        if isinstance(self.games, bool) or not isinstance(self.games, int) or self.games < 1:
            raise PlyforgeError(f"games must be an even number, at least 2, not {self.games!r}")
        if self.games % 2:
            raise PlyforgeError(
                f"games must be an even number, not {self.games}: each opening is played with"
                " both sides"
            )
        if self.rules.max_plies < 1:
            raise PlyforgeError(f"limit of plies must be at least 1, not {self.rules.max_plies}")
        if self.sprt is not None and len(self.players) != 2:
            raise PlyforgeError("a sequential test compares two players; name two")

    @property
    def names(self) -> list[str]:
        """The players as tables call them."""
        return [Description.parse(text).name for text in self.players]

    @property
    def total(self) -> int:
        """The number of games of the whole match."""
        return self.games * len(meetings(len(self.players), self.form))

    def pairings(self) -> Iterator[Pairing]:
        """Yield all games in the order of the schedule."""
        return pairings(len(self.players), self.form, self.games // 2)

    def read_files(self) -> list[UserFile]:
        """Read the files of the user that the match uses."""
        openings = [] if self.openings.file is None else [read_user_file(self.openings.file)]
        return [*read_user_files(self.game, self.players), *openings]

    def settings(self, files: Iterable[UserFile] | None = None) -> dict[str, Any]:
        """Return what determines the games as plain data, including digests of files.

        The files are read if they are not given.  These names are stored: a changed name would give
        every stored match another identity.
        """
        return {
            "game": self.game,
            "players": list(self.players),
            "form": str(self.form),
            "openings": str(self.openings),
            "seed": self.seed,
            **conditions(self.limits, self.rules),
            "files": digests(self.game, self.read_files() if files is None else files),
        }


def _with_named_players(game: str, players: Iterable[str]) -> tuple[str, ...]:
    """Return descriptions, with those that the game gives in place of names of players."""
    kinds = list(Kind)
    return tuple(
        text if text.strip().partition(":")[0] in kinds else str(read_description(load(game), text))
        for text in players
    )


def conditions(limits: MoveLimits, rules: MatchRules) -> dict[str, Any]:
    """Return the limits of players and the rules of a match as plain data."""
    return {
        "limits": {
            "depth": limits.depth,
            "nodes": limits.nodes,
            "time": limits.time,
            "clock": _clock_values(limits.clock),
        },
        "rules": {
            "max_plies": rules.max_plies,
            "clock": _clock_values(rules.clock),
            "hang_timeout": rules.hang_timeout,
            "adjudicate_win": rules.adjudication.win,
            "adjudicate_draw": rules.adjudication.draw,
        },
    }


def digests(game: str, files: Iterable[UserFile]) -> dict[str, str]:
    """Return the digest of each file, and of the modules beside it that it imports."""
    found = {path: digest for file in files for path, digest in file.digests().items()}
    path = game_file(game)
    # The file of the game is stored under the game's name, which may have a variant.
    return {game if name == path else name: digest for name, digest in found.items()}


def identify(settings: dict[str, Any]) -> str:
    """Return the identity of a match: the same for the same games, however many are played."""
    return content_digest(json.dumps(settings, sort_keys=True).encode())


def changed_files(old: dict[str, Any], new: dict[str, Any]) -> list[str] | None:
    """Return the files that differ between two settings; None if anything else differs.

    A match that was stored without digests has no files to compare: the list is empty.
    """
    if "files" not in old:
        same = all(old.get(name) == new[name] for name in ("game", "players", "openings", "seed"))
        return [] if same else None
    if any(old.get(name) != value for name, value in new.items() if name != "files"):
        return None
    return [path for path, digest in new["files"].items() if old["files"].get(path) != digest]


def _clock_values(clock: Any) -> list[float | None] | None:
    return None if clock is None else [clock.left, clock.increment, clock.max_per_move]
