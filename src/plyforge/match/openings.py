"""Openings: the positions from which the games of a match begin.

They are random moves from a seed, those among them that a search finds balanced, or lines of a
file.  All lead to different positions, because deterministic players repeat a game from the same
one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.core.randomness import Stream
from plyforge.engine import Engine
from plyforge.game.chance import draw_outcome
from plyforge.game.game import Game, History
from plyforge.jobs.user_files import read_bytes

KINDS: Final = ("random", "balanced", "file")
BALANCE: Final = 0.4
"""A position is balanced within this share of `Game.ahead`: by default 2 % of the range."""
BALANCE_NODES: Final = 50_000
"""The nodes of the search of each candidate."""
_MAX_REPEATED: Final = 2000
"""Random openings in a row without a new one after which the search for more ends."""
_BALANCE_MIB: Final = 16
_MAX_UNBALANCED: Final = 1000
"""Unbalanced candidates in a row after which the search for more ends."""


@dataclass(frozen=True)
class Opening:
    """A start position (None for the initial one) and moves from it."""

    moves: tuple[int, ...] = ()
    start: str | None = None

    def history(self, game: Game) -> History:
        """Return the game after the opening."""
        history = game.history(None if self.start is None else game.parse(self.start))
        for move in self.moves:
            history.play(move)
        return history

    def text(self, game: Game) -> str:
        """Return the opening as a line of an openings file."""
        history = game.history(None if self.start is None else game.parse(self.start))
        words = []
        for move in self.moves:
            words.append(game.move_text(history.position, move))
            history.play(move)
        parts = [] if self.start is None else [f"{_POSITION}{self.start}"]
        parts += [" ".join(words)] if words else []
        # An empty line would not be read as an opening.
        return _MOVES.join(parts) or f"{_POSITION}{game.text(history.position)}"


_POSITION: Final = "position "
_MOVES: Final = " moves "


@dataclass(frozen=True)
class OpeningSource:
    """The source of openings: `random:6`, `balanced:6` or `file:PATH`.

    >>> OpeningSource.parse("random:6")
    OpeningSource(kind='random', plies=6, file=None)
    """

    kind: str = "random"
    plies: int = 4
    file: str | None = None

    @classmethod
    def parse(cls, text: str) -> "OpeningSource":
        """Parse a source."""
        kind, colon, rest = text.partition(":")
        if kind not in KINDS:
            raise UnknownName("source of openings", kind, KINDS)
        if kind == "file":
            if not rest:
                raise PlyforgeError("openings 'file' need a path, as file:openings.txt")
            return cls(kind, 0, rest)
        try:
            plies = int(rest) if colon else cls.plies
        except ValueError:
            plies = -1
        if not 0 <= plies <= 1000:
            raise PlyforgeError(
                f"openings '{clip(text)}': the plies must be an integer between 0 and 1000, as"
                f" {kind}:6"
            )
        return cls(kind, plies)

    def __str__(self) -> str:
        return f"{self.kind}:{self.file if self.kind == 'file' else self.plies}"

    def openings(self, game: Game, seed: int) -> Iterator[Opening]:
        """Yield the openings; the same seed gives the same ones in the same order."""
        if self.kind == "file":
            return iter(read_file(game, Path(str(self.file))))
        candidates = random_openings(game, self.plies, seed)
        return select_balanced(game, candidates) if self.kind == "balanced" else candidates

    def take(self, game: Game, seed: int, count: int) -> list[Opening]:
        """Return the first `count` openings; raise an error if there are fewer."""
        openings = list(islice(self.openings(game, seed), count))
        if len(openings) < count:
            raise PlyforgeError(
                f"openings '{self}': there are only {len(openings)} different ones, not {count};"
                " ask for fewer, or use longer openings"
            )
        return openings


def random_openings(game: Game, plies: int, seed: int) -> Iterator[Opening]:
    """Yield random openings after which the game is not over; each position once."""
    seen: set[int] = set()
    stream = Stream(seed).split("openings")
    failures = 0
    while failures < _MAX_REPEATED:
        history = game.history()
        while len(history.moves) < plies and (legal := history.legal_moves()):
            outcomes = history.chance_outcomes()
            move = draw_outcome(outcomes, stream) if outcomes else stream.choice(legal)
            history.play(move)
        if plies == 0 and game.has_chance():
            yield Opening(())  # chance makes the games different
            continue
        key = game.key(history.position)
        if len(history.moves) < plies or history.verdict().over or key in seen:
            failures += 1
            continue
        failures = 0
        seen.add(key)
        yield Opening(tuple(history.moves))
        if plies == 0:
            return


def select_balanced(game: Game, candidates: Iterator[Opening]) -> Iterator[Opening]:
    """Yield the candidates whose score is close to 0, without those that are proved draws."""
    if game.has_chance():
        raise PlyforgeError(
            "openings 'balanced' do not go with a game of chance, where the value before a roll is"
            " not that after it; use random:0, which lets chance make the games different"
        )
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
        elif failures == _MAX_UNBALANCED:
            return


def read_file(game: Game, file: Path) -> list[Opening]:
    """Read the openings of a file: one per line, as moves or as `position P moves M`.

    `#` begins a comment.  Openings that lead to the same position are read once.
    """
    try:
        text = read_bytes(file).decode("utf-8-sig")
    except (OSError, ValueError) as error:  # not text, or not a file name
        raise PlyforgeError(f"openings file {file}: cannot be read ({error})") from None
    openings: dict[int, Opening] = {}
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
        openings.setdefault(game.key(history.position), opening)
    if not openings:
        raise PlyforgeError(f"openings file {file} contains no opening")
    return list(openings.values())


def _read_line(game: Game, line: str) -> Opening:
    start: str | None = None
    moves = line
    if line.startswith(_POSITION):
        start, _, moves = line.removeprefix(_POSITION).partition(_MOVES)
    history = game.history(None if start is None else game.parse(start))
    history.play_text(moves)
    return Opening(tuple(history.moves), start)
