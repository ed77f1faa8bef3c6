"""OpenSpiel's alpha-beta on its C++ connect four, compared with ours without enhancements.

`open_spiel.python.algorithms.minimax.alpha_beta_search` is the one that pyspiel offers: the C++
algorithm of the same name has no binding.  All its wins have the same value, while ours are worth
more the shorter they are; in the trees chosen here each side wins at one ply only, so this makes no
difference.  A game state that counts its visits counts the nodes.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.clock import Contender, MeasurementError, Settings, in_process
from benchmarks.compare import compare
from benchmarks.plain_search import plain_search
from benchmarks.table import Row


@dataclass(frozen=True)
class Case:
    """A tree from the start position, and its known size."""

    depth: int
    nodes: int


CASES = (Case(8, 12_574),)
QUICK_CASES = (Case(6, 1_249),)


class CountingState:
    """A state of OpenSpiel that counts calls of `is_terminal`: one per node."""

    def __init__(self, state: Any, visits: list[int]) -> None:
        self._state, self._visits = state, visits

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    def clone(self) -> CountingState:
        return CountingState(self._state.clone(), self._visits)

    def is_terminal(self) -> bool:
        self._visits[0] += 1
        return bool(self._state.is_terminal())


def zero_evaluation(state: Any) -> float:
    return 0.0


def prepare(case: Case, settings: Settings) -> Contender:
    """Prepare OpenSpiel's search, and count its nodes."""
    try:
        pyspiel = importlib.import_module("pyspiel")
        minimax = importlib.import_module("open_spiel.python.algorithms.minimax")
    except ImportError as error:
        raise MeasurementError("open_spiel is not installed") from error
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()

    def search(root: Any) -> None:
        minimax.alpha_beta_search(
            game, root, value_function=zero_evaluation, maximum_depth=case.depth
        )

    visits = [0]
    search(CountingState(state, visits))

    def count() -> int:
        search(state)
        return visits[0]

    return in_process(count, settings.min_seconds)


def rows(settings: Settings) -> Iterator[Row]:
    for case in QUICK_CASES if settings.quick else CASES:
        yield compare(
            "search_spiel",
            "connect4",
            f"start d{case.depth}, no evaluation",
            rival=partial(prepare, case, settings),
            ours=partial(plain_search, case.depth, settings),
            depth=case.depth,
            nodes=case.nodes,
            settings=settings,
        )
