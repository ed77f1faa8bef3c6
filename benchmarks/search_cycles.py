"""What storing results by path costs alpha-beta in checkers endings: nodes, and other values.

    python -m benchmarks.search_cycles --pieces 3 --depth 13

Random endings of kings and men are searched to one depth with `cycle-policy=safe`, which stores all
results by path, and with `fast`, which stores them by position, as without any treatment.
"""

from __future__ import annotations

import time
from typing import Annotated

import typer

import plyforge
from benchmarks.proof_cycles import random_ending
from plyforge import Engine
from plyforge.core.randomness import Stream

POLICIES = ("fast", "safe")


def main(
    pieces: Annotated[int, typer.Option()] = 3,
    positions: Annotated[int, typer.Option()] = 60,
    depth: Annotated[int, typer.Option()] = 13,
    seed: Annotated[int, typer.Option()] = 1,
    game: Annotated[str, typer.Option()] = "checkers",
) -> None:
    """Search random endings with both policies."""
    rules = plyforge.load(game)
    stream = Stream(seed)
    endings = [random_ending(rules, stream, pieces) for _ in range(positions)]
    scores: dict[str, list[float]] = {}
    nodes: dict[str, int] = {}
    print(f"{positions} endings of {pieces} pieces in {game}, depth {depth}")
    for policy in POLICIES:
        engine = Engine(rules, hash=256, settings={"cycle-policy": policy})
        engine.prepare()
        scores[policy], nodes[policy] = [], 0
        started = time.process_time()
        for ending in endings:
            engine.clear()
            result = engine.analyse(ending, depth=depth)
            scores[policy].append(result.score)
            nodes[policy] += result.nodes
        seconds = time.process_time() - started
        rate = 1e6 * seconds / max(nodes[policy], 1)
        print(f"{policy:<5} nodes {nodes[policy]:>13,}  {rate:5.2f} µs a node", flush=True)
    other = sum(a != b for a, b in zip(scores["fast"], scores["safe"], strict=True))
    print(f"safe / fast {nodes['safe'] / nodes['fast']:.3f}; other values {other}")


if __name__ == "__main__":
    typer.run(main)
