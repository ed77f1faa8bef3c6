"""The cost of a probe, in nanoseconds, and won positions for matches.

`python -m benchmarks.databases probe GAME FOLDER` times probes of random positions, with blocks in
the cache and not.  `python -m benchmarks.databases positions GAME FOLDER --count N --seed S` prints
won positions, one a line, for `plyforge match --openings file:FILE`.
"""

import argparse
import random
import time
from statistics import median
from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import pointer, unindex
from plyforge.compilation.kernel import Kernel, build
from plyforge.core.scores import ONGOING
from plyforge.database.folder import Database
from plyforge.database.kernels.probing import database_value
from plyforge.database.ranking import with_index
from plyforge.database.slices import position_at
from plyforge.games import load

ROUNDS = 7
TRIES = 100_000


def probe_all(root: Any, count: int, probes: int, numbers: Any, database: Any) -> int:
    """Make positions from numbers, and probe each of them `probes` times."""
    words, table = pointer(numbers), pointer(database)
    hits = 0
    for place in range(count):
        position = unindex(root, words[place])
        for _ in range(probes):
            if database_value(position, table) != ONGOING:
                hits += 1
    return hits


PROBES = Kernel("probes", probe_all, "int64(position, int64, int64, address, address)")


def time_probes(database: Database, count: int, seed: int) -> None:
    """Print the time of a probe: the second of two for blocks in the cache, else the first."""
    game = database.game
    kernel = build(PROBES, game.rules, game.position_type, "compiled")
    stream = np.random.default_rng(seed)
    headers = [file.header for file in database.files.values()]
    sizes = np.array([header.size for header in headers], np.float64)
    chosen = stream.choice(len(headers), count, p=sizes / sizes.sum())
    numbers = np.array(
        [headers[i].slice.number(int(stream.integers(headers[i].size))) for i in chosen], np.int64
    )
    for label, data in (("random order", numbers), ("in order", np.sort(numbers))):
        table = database.table("compiled")
        words = table.words
        times: dict[int, list[float]] = {0: [], 1: [], 2: []}
        for _ in range(ROUNDS):
            for probes in times:
                began = time.process_time()
                addresses = data.ctypes.data, words.ctypes.data
                kernel.call(game.initial(), count, probes, *addresses)
                times[probes].append((time.process_time() - began) / count * 1e9)
        zero, one, two = (median(times[probes]) for probes in (0, 1, 2))
        print(
            f"{label}: {count:,} positions of {len(headers)} slices, {database.blocks:,} blocks:"
            f" making a position {zero:.0f} ns, its first probe {one - zero:.0f} ns, the second"
            f" {two - one:.0f} ns; {table.blocks_loaded:,} blocks decoded"
        )


def time_decoding(database: Database) -> None:
    """Print the time of decoding a block: probes of one place a block, with an empty cache."""
    game = database.game
    kernel = build(PROBES, game.rules, game.position_type, "compiled")
    headers = [file.header for file in database.files.values()]
    numbers = np.array(
        [h.slice.number(block * h.block) for h in headers for block in range(h.blocks)], np.int64
    )
    times = []
    for _ in range(ROUNDS):
        table = database.table("compiled")
        addresses = numbers.ctypes.data, table.words.ctypes.data
        spans = []
        for _ in range(2):
            began = time.process_time()
            kernel.call(game.initial(), len(numbers), 1, *addresses)
            spans.append(time.process_time() - began)
        times.append((spans[0] - spans[1]) / max(table.blocks_loaded, 1) * 1e6)
    print(
        f"{database.blocks:,} blocks of {sum(h.size for h in headers):,} places:"
        f" {median(times):.1f} µs to decode one"
    )


def print_positions(
    database: Database, count: int, seed: int, pieces: int, low: int, high: int
) -> None:
    """Print won positions in which both sides have pieces, and a win takes some plies."""
    game, stream, found = database.game, random.Random(seed), set()
    headers = [file.header for file in database.files.values()]
    headers = [h for h in headers if sum(c.isalpha() for c in h.name) == pieces and h.wins]
    for _ in range(TRIES):
        if len(found) == count:
            break
        header = stream.choice(headers)
        position = position_at(game, header.slice.number(stream.randrange(header.size)))
        known = None if position is None else database.probe(position)
        if known is not None and known.outcome == "win" and low <= (known.distance or 0) <= high:
            found.add(game.text(position))
    for text in sorted(found):
        print(f"position {text}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=["probe", "positions"])
    parser.add_argument("game")
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pieces", type=int, default=4)
    parser.add_argument("--low", type=int, default=21)
    parser.add_argument("--high", type=int, default=61)
    options = parser.parse_args()
    database = Database.open(options.folder, with_index(load(options.game)))
    if options.task == "probe":
        time_probes(database, options.count, options.seed)
        time_decoding(database)
    else:
        print_positions(
            database, options.count, options.seed, options.pieces, options.low, options.high
        )


if __name__ == "__main__":
    main()
