"""OpenSpiel's alpha-beta on its C++ connect four, against ours without enhancements.

`open_spiel.python.algorithms.minimax.alpha_beta_search` is the one that pyspiel's users have: the
algorithm of the same name in C++ is not among its bindings.  Its wins are all worth the same, ours
more the sooner they come; the trees are so chosen that each side wins at one ply only, where this
makes no difference.  A game state that counts its visits tells how many nodes it searches.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.clock import Contender, Missing, Settings, in_process
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


class Counted:
    """A state of OpenSpiel that counts how often a search asks whether it is terminal: once a
    node."""

    def __init__(self, state: Any, visits: list[int]) -> None:
        self._state, self._visits = state, visits

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    def clone(self) -> Counted:
        return Counted(self._state.clone(), self._visits)

    def is_terminal(self) -> bool:
        self._visits[0] += 1
        return bool(self._state.is_terminal())


def worthless(state: Any) -> float:
    return 0.0


def prepare(case: Case, settings: Settings) -> Contender:
    """OpenSpiel's search, and how many nodes it visits."""
    try:
        pyspiel = importlib.import_module("pyspiel")
        minimax = importlib.import_module("open_spiel.python.algorithms.minimax")
    except ImportError as error:
        raise Missing("open_spiel is not installed") from error
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()

    def search(root: Any) -> None:
        minimax.alpha_beta_search(game, root, value_function=worthless, maximum_depth=case.depth)

    visits = [0]
    search(Counted(state, visits))

    def count() -> int:
        search(state)
        return visits[0]

    return in_process(count, settings.least_seconds)


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
