"""Endings with one piece more than a database has, solved by search with it.

`python -m benchmarks.database_solving checkers FOLDER 5 --full FOLDER5 --count 1000 --time 10`
draws positions of each slice of five pieces, solves them by df-pn with the database in FOLDER and
compares the results with the database in FOLDER5.  Without `--full` it reports the share that is
solved.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from plyforge.compilation.interruptible import run
from plyforge.core.scores import outcome_name
from plyforge.database.folder import Database
from plyforge.database.ranking import with_index
from plyforge.database.slices import Slice, find_slices, position_at
from plyforge.engine.limits import Limits
from plyforge.engine.proof import find_bounds
from plyforge.game.game import Game
from plyforge.games import load
from plyforge.search.proof.prover import Prover
from plyforge.search.request import root_of

TRIES = 1000
PLURALS = {"win": "wins", "draw": "draws", "loss": "losses"}


def draw_positions(game: Game, one: Slice, count: int, stream: random.Random) -> Iterator[Any]:
    """Yield positions of a slice in which the game is not over, at most `count`."""
    for _ in range(count):
        for _ in range(TRIES):
            position = position_at(game, one.number(stream.randrange(one.size)))
            if position is not None and not game.verdict(position).over:
                yield position
                break


@dataclass(frozen=True)
class Limit:
    """The limit of a solution; on a busy machine, nodes are fairer than seconds."""

    seconds: float | None
    nodes: int | None


def solve_position(prover: Prover, position: Any, limit: Limit) -> str | None:
    """Return the result of a position by proof search; None if the limit was too low."""
    prover.clear()
    prover.reset_stop()
    root = root_of(prover.game.history(position), prover.game)
    with Limits(time=limit.seconds).alarm(0, prover.stop):
        bounds, _ = run(lambda: find_bounds(prover, root, limit.nodes), prover.stop)
    return outcome_name(bounds.lower) if bounds.solved else None


def solve_slice(
    prover: Prover, full: Database | None, positions: list[Any], limit: Limit
) -> Counter[str]:
    """Solve positions; count them, those that were solved and those that the database denies."""
    counts: Counter[str] = Counter()
    for position in positions:
        counts["positions"] += 1
        known = None if full is None else full.probe(position)
        if known is not None:
            counts[PLURALS[known.outcome]] += 1
        outcome = solve_position(prover, position, limit)
        if outcome is None:
            continue
        counts["solved"] += 1
        counts[f"solved {PLURALS[outcome]}"] += 1
        if known is not None and known.outcome != outcome:
            counts["wrong"] += 1
            print(f"wrong: {prover.game.text(position)}: {outcome}, not {known.outcome}")
    return counts


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("folder")
    parser.add_argument("slices", nargs="+")
    parser.add_argument("--full")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--time", type=float, help="seconds for a position")
    parser.add_argument("--nodes", type=int, help="nodes for a position")
    parser.add_argument("--hash", type=float, default=64.0, help="MiB for the table")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game = with_index(load(options.game))
    full = Database.open(options.full, game) if options.full else None
    prover = Prover(game, hash=options.hash, database=options.folder)
    limit = Limit(options.time, options.nodes)
    stream = random.Random(options.seed)
    total: Counter[str] = Counter()
    for text in options.slices:
        for one in find_slices(game, text):
            positions = list(draw_positions(game, one, options.count, stream))
            if not positions:
                continue
            began = time.process_time()
            counts = solve_slice(prover, full, positions, limit)
            counts["ms"] = round(1000 * (time.process_time() - began))
            total += counts
            print_counts(one.name, counts)
    print_counts("all", total)


def print_counts(name: str, counts: Counter[str]) -> None:
    """Print a line about a slice."""
    parts = []
    for kind in PLURALS.values():
        number = f"of {counts[kind]} " if counts[kind] else ""
        parts.append(f"{counts[f'solved {kind}']} {number}{kind}")
    print(
        f"{name}: {counts['solved']} of {counts['positions']} solved ({', '.join(parts)}),"
        f" {counts['wrong']} wrong; {counts['ms'] / 1000:.1f} s of processor time",
        flush=True,
    )


if __name__ == "__main__":
    main()
