"""Solvers of connect four on the same positions, one after the other, by processor time.

    python -m benchmarks.connect4_solvers POSITIONS --pons PATH/c4solver

Each line of POSITIONS is a list of columns from 1 to 7; what follows it is ignored.  Scores are
those of Pons: 22 minus the number of stones that the winner has put on the board in the end,
negative if the side to move loses.  The solver of Pascal Pons is built from its public source
(github.com/PascalPons/connect4); BitBully comes from PyPI.  A solver that is missing is left out
with a message.
"""

from __future__ import annotations

import resource
import subprocess
import time
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

import plyforge
from plyforge import Engine
from plyforge.core.scores import SCORE_LIMIT, WIN
from plyforge.engine.solve import solve

CELLS = 42
ON = ("quick-value", "losing-moves", "priority", "symmetry")
OFF = ("child-eval", "deepening")
DRIVER = "mtd-bi"


class Outcome(NamedTuple):
    """The scores of a solver, in the order of the positions, and its processor time."""

    scores: list[int]
    seconds: float


def read_positions(file: Path, stones: tuple[int, int], count: int) -> list[str]:
    """Return the first `count` positions with so many stones."""
    words = [line.split()[0] for line in file.read_text().splitlines() if line.strip()]
    return [word for word in words if stones[0] <= len(word) <= stones[1]][:count]


def run_plyforge(positions: list[str], on: list[str], off: list[str], driver: str) -> Outcome:
    """Solve with plyforge; the time is that of the compiled search."""
    game = plyforge.load("connect4")
    engine = Engine(game, on=on, off=off, driver=driver, hash=128)
    engine.prepare()
    scores, seconds, nodes = [], 0.0, 0
    for moves in positions:
        history = game.history()
        history.play_text(" ".join(moves))
        started = time.process_time()
        result = solve(engine, history).result
        seconds += time.process_time() - started
        nodes += result.nodes
        scores.append(_score(result.score, len(moves)))
    print(f"plyforge: {nodes:,} nodes")
    return Outcome(scores, seconds)


def _score(value: float, stones: int) -> int:
    if abs(value) <= SCORE_LIMIT:
        return 0
    last = stones + int(WIN - abs(value))
    score = CELLS // 2 + 1 - (last + 1) // 2
    return score if value > 0 else -score


def run_pons(positions: list[str], program: Path | None) -> Outcome | None:
    """Solve with the solver of Pascal Pons."""
    if program is None or not program.exists():
        print("Pons: skipped, no program (--pons PATH/c4solver)")
        return None
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    answer = subprocess.run(
        [program.resolve()], input="\n".join(positions) + "\n", capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return Outcome([int(line.split()[-1]) for line in answer.stdout.splitlines()], seconds)


def run_bitbully(positions: list[str]) -> Outcome | None:
    """Solve with BitBully, without its opening book."""
    try:
        from bitbully.bitbully_core import BitBullyCore, BoardCore
    except ImportError:
        print("BitBully: skipped, not installed (pip install bitbully)")
        return None
    solver = BitBullyCore()
    scores = []
    started = time.process_time()
    for moves in positions:
        board = BoardCore()
        for column in moves:
            board.play(int(column) - 1)
        scores.append(int(solver.mtdf(board, 0)))
    return Outcome(scores, time.process_time() - started)


def main(
    positions: Path,
    pons: Annotated[Path | None, typer.Option()] = None,
    stones: Annotated[str, typer.Option()] = "12-15",
    count: Annotated[int, typer.Option()] = 100,
    on: Annotated[str, typer.Option()] = ",".join(ON),
    off: Annotated[str, typer.Option()] = ",".join(OFF),
    driver: Annotated[str, typer.Option()] = DRIVER,
) -> None:
    """Compare the solvers on the positions with these numbers of stones."""
    low, _, high = stones.partition("-")
    chosen = read_positions(positions, (int(low), int(high or low)), count)
    names = {
        "plyforge": run_plyforge(chosen, _split(on), _split(off), driver),
        "Pons": run_pons(chosen, pons),
        "BitBully": run_bitbully(chosen),
    }
    found = {name: outcome for name, outcome in names.items() if outcome is not None}
    ours = found["plyforge"]
    print(f"{len(chosen)} positions of {stones} stones from {positions.name}")
    for name, outcome in found.items():
        agrees = sum(a == b for a, b in zip(outcome.scores, ours.scores, strict=True))
        print(
            f"{name:<10} {1000 * outcome.seconds / len(chosen):9.2f} ms a position"
            f"  {ours.seconds / outcome.seconds:6.2f} times faster than plyforge"
            f"  {agrees} equal scores"
        )


def _split(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


if __name__ == "__main__":
    typer.run(main)
