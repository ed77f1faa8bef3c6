"""Compare the processor time of a node with different evaluations.

    python scripts/node_times.py checkers own patterns
    python scripts/node_times.py chess own tuned.npz net.npz --nodes 20000

All evaluations search the same positions of random games in turn, with the preset `play`; the time
is that of the search kernel alone.  To let evaluations play at equal time on a busy machine, give
each a number of nodes in inverse proportion.
"""

import argparse

from plyforge.engine import Engine
from plyforge.evaluate import random_positions


def main() -> None:
    """Measure, and print a line for each evaluation."""
    parser = argparse.ArgumentParser(description="Compare the time of a node.")
    parser.add_argument("game")
    parser.add_argument("evaluations", nargs="+")
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    engines = [Engine(options.game, preset="play", evaluation=name) for name in options.evaluations]
    positions = random_positions(engines[0].game, options.positions)
    for engine in engines:
        engine.analyse(positions[0], nodes=100)  # compiles
    times: list[list[float]] = [[] for _ in engines]
    for _ in range(options.rounds):
        for place, engine in enumerate(engines):
            times[place].append(node_time(engine, positions, options.nodes))
    first = min(times[0])
    for name, found in zip(options.evaluations, times, strict=True):
        rounds = ", ".join(f"{one * 1e9:.0f}" for one in found)
        print(f"{name}: {min(found) * 1e9:.0f} ns a node ({rounds}), {min(found) / first:.2f}")


def node_time(engine: Engine, positions: list[object], nodes: int) -> float:
    """Return the mean time of a node, in seconds."""
    seconds = count = 0.0
    for position in positions:
        if engine.game.history(position).verdict().over:
            continue
        engine.clear()
        found = engine.analyse(position, nodes=nodes, line_budget=0)
        seconds += found.kernel_seconds
        count += found.nodes
    return seconds / count


if __name__ == "__main__":
    main()
