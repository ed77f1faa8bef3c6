"""What the treatment of cycles costs df-pn in checkers endings: nodes, wrong results, and time.

    python -m benchmarks.proof_cycles --pieces 3 --positions 60

Random endings of kings and men are solved four times: with the treatment, without simulation,
without any treatment (results that depend on the path are stored as if they did not), and with the
treatment but without the table of positions on the path, whose keys are compared one by one.
"""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

import plyforge
from plyforge.core.randomness import Stream
from plyforge.engine.proof import find_bounds
from plyforge.search.proof.prover import Prover
from plyforge.search.request import root_of

VARIANTS: dict[str, dict[str, Any]] = {
    "treated": {},
    "no simulation": {"simulate": False},
    "untreated": {"treat_cycles": False},
    "path scanned": {"scan_path": True},
}


def random_ending(game: Any, stream: Stream, pieces: int) -> Any:
    """Return an ending with `pieces` pieces in which the game is not over."""
    while True:
        squares = list(range(1, 33))
        stream.shuffle(squares)
        sides: dict[str, list[str]] = {"W": [], "B": []}
        for number, square in enumerate(squares[:pieces]):
            side = "WB"[number % 2]
            man = stream.below(3) == 0 and (square > 4 if side == "W" else square < 29)
            sides[side].append(f"{square}" if man else f"K{square}")
        text = f"{'WB'[stream.below(2)]}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"
        history = game.history(game.parse(text))
        if not history.verdict().over:
            return history


def main(
    pieces: Annotated[int, typer.Option()] = 3,
    positions: Annotated[int, typer.Option()] = 60,
    nodes: Annotated[int, typer.Option()] = 300_000,
    seed: Annotated[int, typer.Option()] = 1,
    game: Annotated[str, typer.Option()] = "checkers",
) -> None:
    """Solve random endings in all variants, each within a limit of nodes."""
    rules = plyforge.load(game)
    stream = Stream(seed)
    endings = [random_ending(rules, stream, pieces) for _ in range(positions)]
    found: dict[str, list[tuple[Any, int, float]]] = {}
    for name, options in VARIANTS.items():
        prover = Prover(rules, hash=64, **options)
        found[name] = []
        for ending in endings:
            prover.clear()
            prover.reset_stop()
            started = time.process_time()
            bounds, questions = find_bounds(prover, root_of(ending, rules), nodes)
            seconds = time.process_time() - started
            spent = sum(one.result.nodes for one in questions)
            found[name].append((bounds.lower if bounds.solved else None, spent, seconds))
    both = [
        index
        for index in range(positions)
        if all(found[name][index][0] is not None for name in VARIANTS)
    ]
    print(f"{positions} endings of {pieces} pieces in {game}, {len(both)} solved by all variants")
    base = found["treated"]
    for name, results in found.items():
        solved = sum(value is not None for value, _, _ in results)
        wrong = sum(results[index][0] != base[index][0] for index in both)
        spent = sum(results[index][1] for index in both)
        seconds = sum(results[index][2] for index in both)
        rate = 1e6 * seconds / max(spent, 1)
        print(
            f"{name:<14} solved {solved:>4}  other results {wrong:>3}  nodes {spent:>12,}"
            f"  {rate:6.2f} µs a node"
        )


if __name__ == "__main__":
    typer.run(main)
