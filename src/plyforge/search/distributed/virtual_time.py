"""A distributed search in virtual time, as a searcher."""

from typing import Any

from plyforge.game.game import Game
from plyforge.search.distributed.machines import ClusterTimes, Machines
from plyforge.search.distributed.member import split_plies
from plyforge.search.distributed.simulated import SimulatedSearcher
from plyforge.search.distributed.virtual_cluster import VirtualCluster
from plyforge.search.hashtable import HashTable
from plyforge.search.kernels.context import ONE_PLY
from plyforge.search.options import Options
from plyforge.search.parallel.methods import PARTITIONED_TABLE, TDSAB
from plyforge.search.request import SearchRequest
from plyforge.search.searcher import Searcher


class VirtualSearcher(SimulatedSearcher):
    """A search by several processes in virtual time."""

    def __init__(
        self,
        game: Game,
        options: Options,
        table: HashTable | None = None,
        *,
        processes: int,
        machines: Machines,
        method: str = TDSAB,
        seed: int = 0,
        **more: Any,
    ) -> None:
        """The table is that of one process; `seed` chooses who is asked for work."""
        network = "direct" if method == PARTITIONED_TABLE else "none"
        super().__init__(
            game,
            options,
            table,
            processes=processes,
            seed=seed,
            method=method,
            network=network,
            **more,
        )
        for member in self._members:
            member.use_peers(self._members)
        self._machines = machines
        self.times = ClusterTimes.none(processes)
        """The virtual times of all searches."""

    def _run(self, request: SearchRequest) -> float:
        self._searches += 1
        plies = split_plies(self.options, request.depth)
        alone = request.depth <= plies * ONE_PLY
        members = self._members[:1] if alone else self._members
        for member in members:
            if member is not self:
                Searcher.reset_stop(member)
            member.start_search(
                request,
                search=self._searches,
                split_plies=plies,
                node_limit=None,
                size=len(members),
            )
        cluster = VirtualCluster(members, self._machines, self._seed + self._searches)
        times = cluster.run()
        times.works += (0.0,) * (len(self._members) - len(members))
        self.times = self.times.plus(times)
        for member in members:
            member.note_account()
            member.note_learning()
        return float(self.process.value)
