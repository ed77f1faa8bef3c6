"""easyAI's Negamax without its table, compared with ours without enhancements.

Both prefer shorter wins, so the trees are the same at any depth.  easyAI searches two versions of
the game: its own example, on a NumPy board, and one that is as fast as plain Python can be without
bitboards.  Before the timing, calls of the scoring function (leaves) and of `possible_moves`
(interior nodes) are counted once.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.clock import Contender, MeasurementError, Settings, in_process
from benchmarks.compare import compare
from benchmarks.plain_search import plain_search
from benchmarks.table import Row

COLUMNS, ROWS = 7, 6
LOST = -100


@dataclass(frozen=True)
class Case:
    """A tree from the start position, and its known size."""

    depth: int
    nodes: int


CASES = (Case(8, 12_574),)
QUICK_CASES = (Case(5, 564),)


def plain_game() -> Any:
    """Return connect four on lists, whose moves can be taken back."""
    base: Any = importlib.import_module("easyAI").TwoPlayerGame

    class ConnectFour(base):  # type: ignore[misc]
        def __init__(self, players: Any) -> None:
            self.players = players
            self.current_player = 1
            self.columns: list[list[int]] = [[] for _ in range(COLUMNS)]
            self.played: list[int] = []

        def possible_moves(self) -> list[int]:
            return [c for c, stones in enumerate(self.columns) if len(stones) < ROWS]

        def make_move(self, column: int) -> None:
            self.columns[column].append(self.current_player)
            self.played.append(column)

        def unmake_move(self, column: int) -> None:
            self.columns[column].pop()
            self.played.pop()

        def lose(self) -> bool:
            """Whether the last stone has made a line of four."""
            if not self.played:
                return False
            columns, column = self.columns, self.played[-1]
            stones = columns[column]
            owner, row = stones[-1], len(stones) - 1
            if stones[-4:] == [owner] * 4:
                return True
            for slope in (-1, 0, 1):
                length = 1
                for way in (-1, 1):
                    c, r = column + way, row + way * slope
                    while 0 <= c < COLUMNS and 0 <= r < len(columns[c]) and columns[c][r] == owner:
                        length += 1
                        c += way
                        r += way * slope
                if length >= 4:
                    return True
            return False

        def is_over(self) -> bool:
            return len(self.played) == COLUMNS * ROWS or self.lose()

        def scoring(self) -> int:
            return LOST if self.lose() else 0

    return ConnectFour([None, None])


def example_game() -> Any:
    """Return easyAI's own example."""
    return importlib.import_module("easyAI.games.ConnectFour").ConnectFour([None, None])


def prepare(make: Callable[[], Any], case: Case, settings: Settings) -> Contender:
    """Prepare easyAI's search, and count its nodes."""
    try:
        negamax = importlib.import_module("easyAI").Negamax
        game = make()
    except ImportError as error:
        raise MeasurementError("easyAI is not installed") from error
    visits = [0]

    def count_calls(method: Any) -> Any:
        def counted(*arguments: Any) -> Any:
            visits[0] += 1
            return method(*arguments)

        return counted

    kind = type(game)
    spy = type("Spy", (kind,), {"possible_moves": count_calls(kind.possible_moves)})
    game.__class__ = spy
    negamax(case.depth, count_calls(lambda state: state.scoring()))(game)
    game.__class__ = kind
    search = negamax(case.depth)

    def count() -> int:
        search(game)
        return visits[0]

    return in_process(count, settings.min_seconds)


def rows(settings: Settings) -> Iterator[Row]:
    for case in QUICK_CASES if settings.quick else CASES:
        for name, make in (("game on lists", plain_game), ("easyAI's own game", example_game)):
            yield compare(
                "search_easyai",
                "connect4",
                f"start d{case.depth}, {name}",
                rival=partial(prepare, make, case, settings),
                ours=partial(plain_search, case.depth, settings),
                depth=case.depth,
                nodes=case.nodes,
                settings=settings,
            )
