"""What exact values cost alpha-beta where positions recur: nodes, time, and values that differ.

    python -m benchmarks.search_cycles --pieces 3 --depth 13 --rule draw --repeats 2

Random endings of kings and men are searched to one depth with each `cycle-policy`: `fast` stores
results by position, as without any treatment, `safe` stores all by path, and `shared` stores them
by position and shares them where they hold on another path.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Annotated

import typer

import plyforge
from benchmarks.proof_cycles import random_ending
from plyforge import Engine, Game
from plyforge.core.randomness import Stream

POLICIES = ("fast", "safe", "shared")


def main(
    pieces: Annotated[int, typer.Option()] = 3,
    positions: Annotated[int, typer.Option()] = 60,
    depth: Annotated[int, typer.Option()] = 13,
    seed: Annotated[int, typer.Option()] = 1,
    game: Annotated[str, typer.Option()] = "checkers",
    rule: Annotated[str, typer.Option(help="draw, loss or illegal; the game's own if empty")] = "",
    repeats: Annotated[int, typer.Option(help="occurrences; 0 for the game's own rule")] = 0,
    entries: Annotated[int, typer.Option(help="entries of the table")] = 1 << 18,
) -> None:
    """Search random endings with all policies."""
    rules = plyforge.load(game)
    stream = Stream(seed)
    endings = [random_ending(rules, stream, pieces) for _ in range(positions)]
    if rule:
        constants = {**rules.rules.constants, "REPETITION": rule}
        rules = Game(replace(rules.rules, constants=constants))
    scores: dict[str, list[float]] = {}
    nodes: dict[str, int] = {}
    print(f"{positions} endings of {pieces} pieces in {game}, depth {depth}")
    for policy in POLICIES:
        settings = {"cycle-policy": policy, "repeats": repeats}
        engine = Engine(rules, entries=entries, settings=settings)
        engine.prepare()
        scores[policy], nodes[policy] = [], 0
        started = time.process_time()
        for ending in endings:
            engine.clear()
            result = engine.analyse(rules.history(ending.position), depth=depth)
            scores[policy].append(result.score)
            nodes[policy] += result.nodes
        seconds = time.process_time() - started
        rate = 1e6 * seconds / max(nodes[policy], 1)
        ratio = nodes[policy] / nodes["fast"]
        print(
            f"{policy:<6} nodes {nodes[policy]:>13,}  {ratio:6.2f} of fast  {seconds:6.2f} s "
            f" {rate:5.2f} µs a node",
            flush=True,
        )
    for policy in POLICIES:
        other = sum(a != b for a, b in zip(scores[policy], scores["safe"], strict=True))
        print(f"{policy:<6} {other} values other than those of safe")


if __name__ == "__main__":
    typer.run(main)
