"""Several threads on one position: helpers that fill the table of the thread that answers.

Each helper iterates by itself until it is stopped, every other one a step of the deepening ahead:
an exact table answers only for the depth that was searched, and depths between the steps are not
needed.  With `lazy`, helpers differ more: up to three steps.  The threads share nothing but the
transposition table.  An entry is the same whichever thread writes it, so under exact options the
values stay exact.
"""

import math
import threading
from typing import Final

from plyforge.engine import deepening
from plyforge.game.game import Game
from plyforge.search.counts import Counts
from plyforge.search.parallel.account import Account
from plyforge.search.parallel.methods import LAZY, SHARED_TABLE
from plyforge.search.parameters import MAX_PLIES
from plyforge.search.request import SearchRequest, SearchRoot
from plyforge.search.searcher import Searcher

_LAZY_STEPS: Final = 4


class HelperThreads:
    """Searchers that share the table of a leader."""

    def __init__(self, leader: Searcher, threads: int, *, lazy: bool = False) -> None:
        self._leader = leader
        self._method = LAZY if lazy else SHARED_TABLE
        self._steps_ahead = _LAZY_STEPS if lazy else 2
        """Helpers are so many different numbers of steps ahead."""
        self._helpers = [
            Searcher(
                leader.game,
                leader.options,
                leader.table,
                backend=leader.backend,
                specialised=leader.specialised,
            )
            for _ in range(threads - 1)
        ]
        self._threads: list[threading.Thread] = []
        self._failures: list[BaseException] = []

    def start(self, root: SearchRoot, depth: int | None, moves: tuple[int, ...]) -> None:
        """Start the helpers on a position; `moves` are the root moves, none for all."""
        self._failures.clear()
        for number, helper in enumerate(self._helpers, start=1):
            helper.reset_stop()
            helper.reset_counts()
            thread = threading.Thread(
                target=self._work,
                args=(helper, number, root, depth, moves),
                name=f"plyforge-helper-{number}",
            )
            self._threads.append(thread)
            thread.start()

    def _work(
        self,
        helper: Searcher,
        number: int,
        root: SearchRoot,
        depth: int | None,
        moves: tuple[int, ...],
    ) -> None:
        ahead = int(helper.options.get("depth-step")) * (number % self._steps_ahead)
        try:
            end = helper.game.plies_left(root.position)
            for plies in deepening.depths_to_end(helper.options, depth, end, side=root.side):
                plies = min(plies + ahead, MAX_PLIES)
                request = SearchRequest.of(root, -math.inf, math.inf, plies, moves)
                if helper.search(request).stopped:
                    return
        except BaseException as error:  # raised by the thread that waits
            self._failures.append(error)
            self._leader.stop()

    def stop(self) -> None:
        """Stop the helpers and wait for them; raise the first error of any."""
        for helper in self._helpers:
            helper.stop()
        for thread in self._threads:
            thread.join()
        self._threads.clear()
        if self._failures:
            raise self._failures[0]

    def set_weights(self, game: Game) -> None:
        """Let the helpers search with the weights of a game; see `Searcher.set_weights`."""
        for helper in self._helpers:
            helper.set_weights(game)

    def clear(self) -> None:
        """Clear the helpers' histories and the shared table."""
        for helper in self._helpers:
            helper.clear()

    def account(self, seconds: float) -> Account:
        """Return what the threads did in so many seconds, the leader included."""
        searchers = (self._leader, *self._helpers)
        nodes = tuple(searcher.counts.nodes for searcher in searchers)
        return Account.of_helpers(self._method, nodes, len(nodes) * seconds)

    @property
    def counts(self) -> tuple[Counts, ...]:
        """The counts of each helper."""
        return tuple(helper.counts for helper in self._helpers)
