"""A game as Python callers see it: rules, history, pictures, files and counts behind one object.

Single calls run the author's functions as they are; only counting and searching compile.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from plyforge.compilation.kernel import Backend, build
from plyforge.compilation.notices import Notices
from plyforge.core.errors import PlyforgeError
from plyforge.core.rules import Rules
from plyforge.core.scores import ONGOING
from plyforge.game import arranging, files, replay
from plyforge.game.base import BaseGame
from plyforge.game.display import Picture, render
from plyforge.game.history import BaseHistory, Verdict
from plyforge.game.perft import PERFT, Count, Counter, validate_depth
from plyforge.records.record import GameRecord


class Game(BaseGame):
    """One game in one variant.

    >>> import plyforge
    >>> game = plyforge.load("tictactoe")
    >>> position = game.play(game.initial(), game.parse_move(game.initial(), "b2"))
    >>> game.text(position)
    '.../.X./... O'
    >>> len(game.moves(position))
    8
    """

    def __init__(
        self,
        rules: Rules,
        variant: str | None = None,
        backend: Backend | None = None,
        notices: Notices | None = None,
    ) -> None:
        super().__init__(rules, variant, backend, notices)
        self._counters: dict[Backend, Counter] = {}

    def legal_moves(self, position: Any) -> list[int]:
        """The moves that can be made; none once the game is over."""
        return [] if self.verdict(position).over else self.moves(position)

    def verdict(self, position: Any) -> Verdict:
        """How a position stands by itself, whatever came before it."""
        return History(self, position).verdict()

    def history(self, position: Any = None) -> "History":
        """A game in progress from a position (default: the start)."""
        return History(self, position)

    def arrange(self, position: Any, pieces: Mapping[str, Any], side: int) -> Any:
        """The position like this one, but with these pieces and that side (0 or 1) to move.

        `pieces` is as the method of that name gives it; of the position only sizes and variant
        matter.

        >>> import plyforge
        >>> game = plyforge.load("tictactoe")
        >>> game.text(game.arrange(game.initial(), {"b2": "X"}, 1))
        '.../.X./... O'
        """
        return arranging.arranged(self, position, pieces, side)

    def picture(
        self,
        position: Any,
        last: Iterable[str] = (),
        arrows: Iterable[tuple[str, str, int]] = (),
    ) -> Picture:
        """The board as a picture, which a notebook shows and `save` writes as SVG.

        Of a game in progress the last move is marked; else `last` are the cells to mark.  `arrows`
        go from a cell to a cell, with a rank: 0 for the strongest.
        """
        marked = tuple(last)
        if isinstance(position, History):
            if position.moves and not marked:
                marked = tuple(self.move_cells(position.positions[-2], position.moves[-1]))
            position = position.position
        return Picture(self, position, marked, tuple(arrows))

    # Records

    def replay(self, record: GameRecord) -> "History":
        """Play a record; an error names the move that cannot be made.

        Passes that the record leaves out are made.  A game may continue after a draw that its
        players would have had to claim: by repetition, or for lack of progress.
        """
        history = self.history(replay.start_position(self, record))
        replay.play_moves(history, record)
        return history

    def read_games(self, text: str) -> list[GameRecord]:
        """The games of a file's text, in the game's own format or in the plain one.

        Every move is played; an error names the game, the line and the move.
        """
        return files.read_games(self, text)

    def write_game(self, record: GameRecord) -> str:
        """A game as a file's text: in the game's own format if that can hold it, or the plain."""
        return files.write_games(self, [record])

    def write_games(self, records: Iterable[GameRecord]) -> str:
        """Several games as one file's text, all in the same format."""
        return files.write_games(self, records)

    # Counting

    def perft(
        self, position: Any, depth: int, backend: Backend | None = None, finished: int | None = None
    ) -> int:
        """The number of sequences of `depth` moves from a position; see `Counter.count`."""
        return self.counter(backend).count(position, depth, finished).nodes

    def divide(
        self, position: Any, depth: int, backend: Backend | None = None, finished: int | None = None
    ) -> dict[int, int]:
        """`perft` split by first move: move to count."""
        parts = self.divisions(position, depth, backend, finished)
        return {move: count.nodes for move, count in parts}

    def divisions(
        self, position: Any, depth: int, backend: Backend | None = None, finished: int | None = None
    ) -> Iterator[tuple[int, Count]]:
        """As `divide`, one move after the other."""
        if validate_depth(depth) < 1:
            raise PlyforgeError(f"depth {depth} cannot be divided by moves; it must be at least 1")
        counter = self.counter(backend)
        moves = [] if self.outcome(position) != ONGOING else self.moves(position)
        for move in moves:
            yield move, counter.count(self.play(position, move), depth - 1, finished)

    def counter(self, backend: Backend | None = None) -> Counter:
        """The compiled counter, built on first use."""
        chosen = backend or self.backend
        if chosen not in self._counters:
            kernel = build(PERFT, self.rules, self.position_type, chosen, notices=self.notices)
            self._counters[chosen] = Counter(kernel, chosen, self.rules)
        return self._counters[chosen]


class History(BaseHistory):
    """A start position and the moves made from it."""

    game: Game

    def _repr_svg_(self) -> str:
        """The board, with the last move marked, for a notebook."""
        return render(self)
