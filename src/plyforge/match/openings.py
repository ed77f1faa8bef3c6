"""Openings: where the games of a match begin.

Random ones from a seed, balanced ones found by search among those, or those of a file.  All are
different positions, because two deterministic players repeat a game from the same one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.core.randomness import Stream
from plyforge.engine import Engine
from plyforge.game.game import Game, History

KINDS: Final = ("random", "balanced", "file")
BALANCE: Final = 0.4
"""A position is balanced within this share of what would put a side ahead: 2 % of the range."""
BALANCE_NODES: Final = 50_000
"""How long a search looks at each candidate."""
_TRIES: Final = 2000
"""So many random games in a row that bring no new opening, and there are no more."""
_BALANCE_MIB: Final = 16
_UNBALANCED: Final = 1000
"""So many candidates in a row that are not even, and the search for more is given up."""


@dataclass(frozen=True)
class Opening:
    """A start position (None for the game's own) and moves from it."""

    moves: tuple[int, ...] = ()
    start: str | None = None

    def history(self, game: Game) -> History:
        """The game so far."""
        history = game.history(None if self.start is None else game.parse(self.start))
        for move in self.moves:
            history.play(move)
        return history

    def text(self, game: Game) -> str:
        """The opening as a line of an openings file."""
        history = game.history(None if self.start is None else game.parse(self.start))
        words = []
        for move in self.moves:
            words.append(game.move_text(history.position, move))
            history.play(move)
        parts = [] if self.start is None else [f"{_POSITION}{self.start}"]
        parts += [" ".join(words)] if words else []
        # A line without anything would be none.
        return _MOVES.join(parts) or f"{_POSITION}{game.text(history.position)}"


_POSITION: Final = "position "
_MOVES: Final = " moves "


@dataclass(frozen=True)
class OpeningSource:
    """Where openings come from, as `random:6`, `balanced:6` or `file:PATH`.

    >>> OpeningSource.read("random:6")
    OpeningSource(kind='random', plies=6, file=None)
    """

    kind: str = "random"
    plies: int = 4
    file: str | None = None

    @classmethod
    def read(cls, text: str) -> "OpeningSource":
        kind, colon, rest = text.partition(":")
        if kind not in KINDS:
            raise UnknownName("source of openings", kind, KINDS)
        if kind == "file":
            if not rest:
                raise PlyforgeError("openings 'file' needs a path, as file:openings.txt")
            return cls(kind, 0, rest)
        try:
            plies = int(rest) if colon else cls.plies
        except ValueError:
            plies = -1
        if not 0 <= plies <= 1000:
            raise PlyforgeError(f"openings '{clip(text)}': give the plies, as {kind}:6")
        return cls(kind, plies)

    def __str__(self) -> str:
        return f"{self.kind}:{self.file if self.kind == 'file' else self.plies}"

    def openings(self, game: Game, seed: int) -> Iterator[Opening]:
        """The openings, the same ones in the same order for the same seed."""
        if self.kind == "file":
            return iter(read_file(game, Path(str(self.file))))
        found = random_openings(game, self.plies, seed)
        return balanced(game, found) if self.kind == "balanced" else found

    def take(self, game: Game, seed: int, count: int) -> list[Opening]:
        """The first openings, or an error if there are not so many."""
        found = list(islice(self.openings(game, seed), count))
        if len(found) < count:
            raise PlyforgeError(
                f"openings '{self}': there are only {len(found)} different ones, and {count} are"
                " needed; play fewer games, or take longer openings"
            )
        return found


def random_openings(game: Game, plies: int, seed: int) -> Iterator[Opening]:
    """Positions after random moves, in which the game goes on; each once."""
    seen: set[int] = set()
    stream = Stream(seed).split("openings")
    failures = 0
    while failures < _TRIES:
        history = game.history()
        while len(history.moves) < plies and (legal := history.legal_moves()):
            history.play(stream.choice(legal))
        key = game.key(history.position)
        if len(history.moves) < plies or history.verdict().over or key in seen:
            failures += 1
            continue
        failures = 0
        seen.add(key)
        yield Opening(tuple(history.moves))
        if plies == 0:
            return


def balanced(game: Game, candidates: Iterator[Opening]) -> Iterator[Opening]:
    """Those candidates that a search thinks even, and does not know to be drawn."""
    engine = Engine(game, hash=_BALANCE_MIB)
    limit = BALANCE * game.ahead
    failures = 0
    for opening in candidates:
        engine.clear()
        result = engine.analyse(opening.history(game), nodes=BALANCE_NODES)
        failures += 1
        if abs(result.score) <= limit and not result.proved:
            failures = 0
            yield opening
        elif failures == _UNBALANCED:
            return


def read_file(game: Game, file: Path) -> list[Opening]:
    """The openings of a file: one a line, as moves, or as `position P moves M`; # begins a remark.

    A position that was there before is left out.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:  # no text, or no file's name
        raise PlyforgeError(f"openings file {file}: it cannot be read ({error})") from None
    found: dict[int, Opening] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        try:
            opening = _read_line(game, words)
            history = opening.history(game)
        except PlyforgeError as error:
            raise PlyforgeError(f"openings file {file}, line {number}: {error}") from None
        if history.verdict().over:
            raise PlyforgeError(f"openings file {file}, line {number}: the game is over there")
        found.setdefault(game.key(history.position), opening)
    if not found:
        raise PlyforgeError(f"openings file {file} holds no opening")
    return list(found.values())


def _read_line(game: Game, line: str) -> Opening:
    start: str | None = None
    moves = line
    if line.startswith(_POSITION):
        start, _, moves = line.removeprefix(_POSITION).partition(_MOVES)
    history = game.history(None if start is None else game.parse(start))
    history.play_text(moves)
    return Opening(tuple(history.moves), start)
