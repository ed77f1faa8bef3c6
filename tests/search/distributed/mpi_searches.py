"""Many searches by MPI in one job, each compared with a search by one process.

    mpiexec -n 8 python -m mpi4py -m tests.search.distributed.mpi_searches METHOD COUNT SEED

Every process draws the same searches from the seed: random trees and graphs, and positions of games
after random moves, with 2 to 8 processes, random options and delays.  The first process prints
`N searches, all values equal`, or the first search whose value differs.
"""

import math
import random
import sys
import time
from dataclasses import dataclass
from typing import Any

from mpi4py import MPI

import plyforge
from plyforge import Game
from plyforge.compilation.mpi import load_library
from plyforge.search.distributed.member import Member
from plyforge.search.hashtable import HashTable
from plyforge.search.options import Options
from plyforge.search.request import SearchRequest, root_of
from plyforge.search.searcher import Searcher

KINDS = ("uniform", "incremental", "ordered", "layered", "skipping", "cyclic")
SWITCHES = ("pvs", "etc", "history", "killers", "continuation", "table-move")


@dataclass(frozen=True)
class Example:
    """One search."""

    game: str
    plies: int
    """Random moves before the root."""
    seed: int
    depth: int
    split_depth: int
    remote_depth: int
    processes: int
    delay: int
    off: tuple[str, ...]


def draw(stream: random.Random, most: int) -> Example:
    """Draw a search."""
    kind = stream.choice(KINDS)
    branching = stream.randint(2, 3 if kind == "cyclic" else 5)
    variant = f"{kind},{branching},{stream.randint(4, 9)},seed={stream.randrange(10**9)}"
    game = stream.choice(["connect4", *[f"tree:{variant}"] * 3])
    off = tuple(name for name in SWITCHES if stream.random() < 0.3)
    if stream.random() < 0.1:
        off = ("all",)
    return Example(
        game,
        stream.randint(0, 12) if game == "connect4" else 0,
        stream.randrange(10**9),
        stream.randint(4, 7),
        stream.choice([2, 2, 3]),
        stream.randint(1, 3),
        stream.randint(2, most),
        stream.choice([0, 2, 10, 50]),
        off,
    )


def root_history(example: Example, game: Game) -> Any:
    """Return the game after its random moves, or as long as it is not over."""
    stream, history = random.Random(example.seed), game.history()
    for _ in range(example.plies):
        longer = history.copy()
        longer.play(stream.choice(history.legal_moves()))
        if longer.verdict().over:
            break
        history = longer
    return history


def wait_for_all(communicator: Any) -> None:
    """Wait for all processes without using the processor."""
    request = communicator.Ibarrier()
    while not request.Test():
        time.sleep(50e-6)


def run(example: Example, method: str, number: int, channel: Any) -> tuple[float, float]:
    """Carry out a search; return the value, and that of one process, in the first process."""
    rank = MPI.COMM_WORLD.Get_rank()
    game = plyforge.load(example.game)
    settings = {"split-depth": example.split_depth, "remote-depth": example.remote_depth}
    options = Options.preset("exact").changed(off=example.off, settings=settings)
    root = root_of(root_history(example, game), game)
    request = SearchRequest.of(root, -math.inf, math.inf, example.depth)
    value = expected = 0.0
    if rank < example.processes:
        table = HashTable.sized(entries=1 << 12)
        sizes: dict[str, Any] = {"max_jobs": 256, "max_places": 64, "max_children": 256}
        sizes |= {"number": rank, "size": example.processes}
        member = Member(game, options, table, network="mpi", method=method, **sizes)
        member.use_communicator(channel.handle)
        member.process.delay = example.delay
        member.process.delay_state = example.seed + rank
        member.start_search(
            request, search=number, split_plies=example.split_depth, node_limit=None
        )
        member.run()
        value = float(member.process.value)
    if rank == 0:
        serial = Searcher(game, options, HashTable.sized(entries=1 << 12))
        expected = serial.search(request).value
    wait_for_all(MPI.COMM_WORLD)
    return value, expected


def main(method: str, count: int, seed: int) -> None:
    load_library()
    world = MPI.COMM_WORLD
    channel = world.Dup()
    first = world.Get_rank() == 0
    started = time.monotonic()
    for number in range(1, count + 1):
        example = draw(random.Random(seed * 1_000_003 + number), world.Get_size())
        value, expected = run(example, method, number, channel)
        if first and value != expected:
            print(f"search {number}: {value} instead of {expected}: {example}", flush=True)
            world.Abort(1)
        if first and number % 100 == 0:
            print(f"{number} searches, {time.monotonic() - started:.0f} s", flush=True)
    if first:
        print(f"{count} searches, all values equal", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
