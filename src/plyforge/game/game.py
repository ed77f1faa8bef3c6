"""`Game` and `History`: the rules, histories, pictures, files and counts of one game.

Calls for single positions run the author's functions uncompiled; only counts are compiled.
"""

import copy
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
from plyforge.game.opening_names import OpeningNames, read_openings
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
        self._openings: OpeningNames | None = None

    def with_rules(self, rules: Rules) -> "Game":
        """Return the game with rules that differ in their evaluation only."""
        game = copy.copy(self)
        game.rules = rules
        return game

    def legal_moves(self, position: Any) -> list[int]:
        """Return the legal moves; none if the game is over."""
        return [] if self.verdict(position).over else self.moves(position)

    def verdict(self, position: Any) -> Verdict:
        """Return the state of a position without regard to earlier ones."""
        return History(self, position).verdict()

    @property
    def openings(self) -> OpeningNames:
        """The names of openings by keys of positions, read once."""
        if self._openings is None:
            self._openings = read_openings(self)
        return self._openings

    def history(self, position: Any = None) -> "History":
        """Start a history from a position (default: the start position)."""
        return History(self, position)

    def arrange(self, position: Any, pieces: Mapping[str, Any], side: int) -> Any:
        """Return a position with these pieces and that side (0 or 1) to move.

        `pieces` maps cells to pieces, as the method `pieces` does.  `position` gives the size of
        the board and the variant.

        >>> import plyforge
        >>> game = plyforge.load("tictactoe")
        >>> game.text(game.arrange(game.initial(), {"b2": "X"}, 1))
        '.../.X./... O'
        """
        return arranging.arrange(self, position, pieces, side)

    def extras(self, position: Any) -> arranging.Extras:
        """Return what belongs to a position besides its pieces and the side to move.

        Each name has a value and the choices that the pieces allow.

        >>> import plyforge
        >>> game = plyforge.load("chess")
        >>> game.extras(game.initial())["White castling"]
        ('O-O, O-O-O', ('O-O, O-O-O', 'O-O', 'O-O-O', 'no'))
        """
        return arranging.extras(self, position)

    def with_extras(self, position: Any, values: Mapping[str, str]) -> Any:
        """Return a position with other extras; those that `values` does not name stay.

        >>> import plyforge
        >>> game = plyforge.load("chess")
        >>> game.text(game.with_extras(game.initial(), {"Black castling": "no"}))
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1'
        """
        return arranging.with_extras(self, position, values)

    def picture(
        self,
        position: Any,
        last: Iterable[str] = (),
        arrows: Iterable[tuple[str, str, int]] = (),
    ) -> Picture:
        """Return a picture of the board, which a notebook shows and `save` writes as SVG.

        `last` are cells to mark; by default those of the last move, if `position` is a `History`.
        `arrows` are triples of two cells and a rank, 0 for the strongest.
        """
        cells = tuple(last)
        if isinstance(position, History):
            if position.moves and not cells:
                cells = tuple(self.move_cells(position.positions[-2], position.moves[-1]))
            position = position.position
        return Picture(self, position, cells, tuple(arrows))

    # Records

    def replay(self, record: GameRecord) -> "History":
        """Play a record and return its history; an error names the illegal move.

        Passes that the record leaves out are made.  A game may continue after a draw that the
        players have to claim: by repetition, or for lack of progress.
        """
        history = self.history(replay.start_position(self, record))
        replay.play_moves(history, record)
        return history

    def read_games(self, text: str, variations: bool = False) -> list[GameRecord]:
        """Read the games of a text, in the game's own format or in the plain one.

        Every move is checked; an error names the game, the line and the move.  With `variations`,
        those of the file are checked and kept; without, they are skipped.
        """
        return files.read_games(self, text, variations)

    def write_game(self, record: GameRecord) -> str:
        """Return a game as text: in the game's own format if it can hold it, else in the plain."""
        return files.write_games(self, [record])

    def write_games(self, records: Iterable[GameRecord], plain_format: bool = False) -> str:
        """Return several games as one text, all in the same format.

        That is the game's own format if it can hold all of them, unless `plain_format` is set.
        """
        return files.write_games(self, records, plain_format)

    # Counting

    def perft(
        self, position: Any, depth: int, backend: Backend | None = None, finished: int | None = None
    ) -> int:
        """Count the sequences of `depth` moves from a position.

        `finished` is what a game that ends earlier adds: 0, or 1 to count it as one sequence; by
        default as the game declares.  Ctrl-C stops the count.
        """
        return self.counter(backend).count(position, depth, finished).nodes

    def divide(
        self, position: Any, depth: int, backend: Backend | None = None, finished: int | None = None
    ) -> dict[int, int]:
        """Return the count of `perft` for each first move."""
        parts = self.divisions(position, depth, backend, finished)
        return {move: count.nodes for move, count in parts}

    def divisions(
        self, position: Any, depth: int, backend: Backend | None = None, finished: int | None = None
    ) -> Iterator[tuple[int, Count]]:
        """Yield each first move with its count, as `divide`, as soon as it is known."""
        if validate_depth(depth) < 1:
            raise PlyforgeError(f"depth must be at least 1 to divide by moves, not {depth}")
        counter = self.counter(backend)
        moves = [] if self.outcome(position) != ONGOING else self.moves(position)
        for move in moves:
            yield move, counter.count(self.play(position, move), depth - 1, finished)

    def counter(self, backend: Backend | None = None) -> Counter:
        """Return the counter behind `perft`, compiled on first use."""
        backend = backend or self.backend
        if backend not in self._counters:
            kernel = build(PERFT, self.rules, self.position_type, backend, notices=self.notices)
            self._counters[backend] = Counter(kernel, backend, self.rules)
        return self._counters[backend]


class History(BaseHistory):
    """A start position and the moves made from it."""

    game: Game

    @property
    def opening(self) -> str | None:
        """The name of the opening: that of the latest position that has one.

        >>> import plyforge
        >>> history = plyforge.load("chess").history()
        >>> for text in ("c4", "e6", "d4", "d5", "h3"):
        ...     history.play_text(text)
        >>> history.opening
        "Queen's Gambit Declined"
        """
        if not self.moves and self.game.position_type.equal(self.position, self.game.initial()):
            return None  # without reading the names
        names = self.game.openings.by_key
        return next((names[key] for key in reversed(self._keys) if key in names), None)

    def _repr_svg_(self) -> str:
        """Draw the board for a notebook, with the last move marked."""
        return render(self)
