"""Several threads on one position: helpers that fill the shared table for the one that answers.

Each helper iterates by itself until it is stopped, every other one a whole step of the deepening
ahead: exact tables answer only for the depth that was searched, and depths between the steps are
never asked for.  What a helper finds reaches the others through the transposition table alone,
whose entries are as true as if the answering thread had written them: under exact options its
values stay exact.
"""

import math
import threading

from plyforge.engine import deepening
from plyforge.game.game import History
from plyforge.search.counts import Counts
from plyforge.search.enhancements import MAX_PLIES
from plyforge.search.searcher import Searcher


class HelperThreads:
    """Helpers around a searcher that share its table."""

    def __init__(self, leader: Searcher, threads: int) -> None:
        self._leader = leader
        self._helpers = [
            Searcher(leader.game, leader.options, leader.table, backend=leader.backend)
            for _ in range(threads - 1)
        ]
        self._threads: list[threading.Thread] = []
        self._failures: list[BaseException] = []

    def start(self, root: History, depth: int | None, chosen: list[int] | None) -> None:
        """Let the helpers work on a position."""
        self._failures.clear()
        for number, helper in enumerate(self._helpers, start=1):
            helper.set_root(root)
            helper.choose(chosen)
            helper.ready()
            helper.reset_counts()
            work = threading.Thread(
                target=self._work, args=(helper, number, depth), name=f"plyforge-helper-{number}"
            )
            self._threads.append(work)
            work.start()

    def _work(self, helper: Searcher, number: int, depth: int | None) -> None:
        ahead = int(helper.options.get("step")) * (number % 2)
        try:
            for plies in deepening.depths(helper.options, depth, helper.root.turn):
                if helper.search(-math.inf, math.inf, min(plies + ahead, MAX_PLIES)).stopped:
                    return
        except BaseException as error:  # told by the thread that waits
            self._failures.append(error)
            self._leader.stop()

    def stop(self) -> None:
        """Stop the helpers and wait for them; raise what one of them has met."""
        for helper in self._helpers:
            helper.stop()
        for thread in self._threads:
            thread.join()
        self._threads.clear()
        if self._failures:
            raise self._failures[0]

    def clear(self) -> None:
        """Forget histories; the table is the leader's."""
        for helper in self._helpers:
            helper.clear()

    @property
    def counts(self) -> Counts:
        """What the helpers have counted."""
        total = Counts()
        for helper in self._helpers:
            total = total.plus(helper.counts)
        return total
