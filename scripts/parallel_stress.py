"""Compare parallel searches of random trees and positions with searches of one thread.

Every search uses real threads, 2 to 8 of them, a random method and driver, and a tiny table, under
exact options: its value has to be that of plain minimax (trees), or of one thread (positions).

    python scripts/parallel_stress.py --trees 10000 --positions 100 --seed 1

It takes about 15 seconds of compiling for each game.  The exit code is 1 if a value was wrong.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import plyforge
from plyforge import Engine, Game
from plyforge.compilation.notices import SilentNotices
from plyforge.core.randomness import Stream
from plyforge.engine import DRIVERS
from plyforge.search.parallel.methods import METHODS

KINDS = ("uniform", "incremental", "ordered", "layered", "skipping")
MAX_LEAVES = 5_000
MAX_NODES = 20_000
_PRUNING = [name for name, driver in DRIVERS.items() if driver.prunes]


def make_engine(game: Game, draw: Stream) -> tuple[Engine, str]:
    """Return an engine with random threads, method, driver and splits, and what was drawn."""
    how: dict[str, Any] = {
        "threads": 2 + draw.below(7),
        "parallel": draw.choice(list(METHODS)),
        "driver": draw.choice(_PRUNING),
        "entries": draw.choice([256, 512, 4096]),
    }
    settings = {
        "specialise": "no",
        "split-depth": draw.below(4),
        "split-choice": draw.choice(["most-work", "queue"]),
        "master-depth": 1 + draw.below(4),
    }
    engine = Engine(game, settings=settings, notices=SilentNotices(), **how)
    return engine, f"{how} {settings}"


def tree_depth(game: Game, limit: int) -> int:
    """Return the greatest depth, up to a limit, to which a tree has few leaves."""
    plies, root = 1, game.initial()
    while plies < limit and game.perft(root, plies + 1) <= MAX_LEAVES:
        plies += 1
    return plies


def trees(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Search random trees; yield the method, and an error or nothing."""
    for number in range(count):
        draw = Stream(seed * 1_000_003 + number)
        options = f"seed={draw.below(10**9)},values={draw.choice([0, 4, 5, 101])}"
        shape = f"{draw.choice(KINDS)},{2 + draw.below(3)},{3 + draw.below(7)}"
        game = plyforge.load(f"tree:{shape},{options}")
        depth = tree_depth(game, 3 + draw.below(6))
        minimax = Engine(game, driver="minimax", off=["cycles"], entries=256)
        expected = minimax.analyse(depth=depth).score
        engine, how = make_engine(game, draw)
        found = engine.analyse(depth=depth).score
        wrong = f"{game.name} depth {depth} {how}: {found}, not {expected}"
        yield engine.parallel, "" if found == expected else wrong


def positions(name: str, count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Search random positions of a game; yield the method, and an error or nothing."""
    game = plyforge.load(name)
    for number in range(count):
        draw = Stream(seed * 1_000_033 + number)
        history = game.history()
        for _ in range(draw.below(21)):
            child = history.copy()
            child.play(draw.choice(child.legal_moves()))
            if child.verdict().over:
                break
            history = child
        one = Engine(game, settings={"specialise": "no"}, entries=4096)
        result = one.analyse(history, nodes=MAX_NODES)
        depth = max(result.depth, 1)
        expected = one.analyse(history, depth=depth).score
        engine, how = make_engine(game, draw)
        found = engine.analyse(history, depth=depth).score
        moves = " ".join(map(str, history.moves))
        wrong = f"{name} after {moves} depth {depth} {how}: {found}, not {expected}"
        yield engine.parallel, "" if found == expected else wrong


def run(title: str, results: Iterator[tuple[str, str]]) -> int:
    """Count results, and print errors as they come; return the number of errors."""
    counts: Counter[str] = Counter()
    errors, shown = 0, time.monotonic()
    try:
        for method, error in results:
            counts[method] += 1
            if error:
                errors += 1
                print(f"WRONG {error}", flush=True)
            if time.monotonic() > shown + 30:
                shown = time.monotonic()
                print(f"{title}: {counts.total():,} so far, {errors} wrong", flush=True)
    finally:
        by_method = ", ".join(f"{method} {count:,}" for method, count in sorted(counts.items()))
        print(f"{title}: {counts.total():,} searches, {errors} wrong ({by_method})", flush=True)
    return errors


def default_games() -> list[str]:
    """Return the games that several threads can search: chance is searched by one."""
    others = [name for name in plyforge.names() if name != "tree"]
    return [name for name in others if not plyforge.load(name).has_chance()]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--trees", type=int, default=10_000)
    parser.add_argument("--positions", type=int, default=100, help="of each game")
    parser.add_argument("--games", nargs="*", default=default_games())
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    errors = run("trees", trees(chosen.trees, chosen.seed))
    for name in chosen.games:
        errors += run(name, positions(name, chosen.positions, chosen.seed))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
