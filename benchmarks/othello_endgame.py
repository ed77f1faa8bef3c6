"""Othello's endgames: the FFO positions 40 to 44 beside Edax, and what each step saves.

Both programs solve exactly with one thread; their scores are compared with the published ones.  The
program of Edax is `$EDAX`, or `edax` on the path.  Without its file of weights, `data/eval.dat`
below its folder, it gets one with weights of 0, and orders moves without them.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import plyforge
from benchmarks.clock import MeasurementError, Sample, Settings, run_child
from benchmarks.positions import position_texts
from benchmarks.table import Row
from benchmarks.targets import Target

ALL_SECONDS = Target(600.0, at_least=False)
HARD = range(40, 45)
EASY = range(13, 20)
"""Sixteen empty cells each."""
QUICK = range(1, 4)
STEPS = ("finish", "fastest-first", "parity", "score-limit", "etc", "child-eval")
HASH_BITS = 22
_LINE = re.compile(r"^\s*\d+\|\s+\d+\s+([+-]\d+)\s+\S+\s+(\d+)", re.MULTILINE)
_CPU = re.compile(r"cpu =\s+(?:(\d+):)?(\d+):([\d.]+)")
_EVAL_HEADER = (0x45444158, 0x4556414C, 3, 2, 5, 0.0)
_EVAL_WEIGHTS = 114_364 * 61


@dataclass(frozen=True)
class Endgame:
    """A position with the published score of perfect play, for the side to move."""

    name: str
    position: str
    score: int

    @property
    def empties(self) -> int:
        return self.position.count("-")


def endgames(numbers: Sequence[int]) -> list[Endgame]:
    """Return FFO positions by their numbers."""
    found = {}
    for line in position_texts("othello-endgames"):
        position, score, name = line.split("; ")
        found[name] = Endgame(name, position, int(score))
    return [found[f"FFO {number}"] for number in numbers]


def edax() -> str:
    """Return the path of Edax; raise `MeasurementError` if it is not there."""
    path = os.environ.get("EDAX") or shutil.which("edax")
    if path is None or shutil.which(path) is None:
        raise MeasurementError("edax is not installed; set EDAX to its program")
    return path


def solve_by_edax(endgame: Endgame) -> tuple[Sample, str]:
    """Let Edax solve a position; return its nodes and CPU seconds, and a note."""
    program = edax()
    own = Path(program).resolve().parent.parent / "data" / "eval.dat"
    with tempfile.TemporaryDirectory() as folder:
        weights, note = own, ""
        if not own.exists():
            weights, note = Path(folder) / "eval.dat", ", without its weights"
            with weights.open("wb") as file:
                file.write(struct.pack("<IIIIId", *_EVAL_HEADER))
                file.write(bytes(2 * _EVAL_WEIGHTS))
        problem = Path(folder) / "problem.obf"
        problem.write_text(f"{endgame.position};\n", encoding="utf-8")
        command = [program, "-solve", str(problem), "-n", "1", "-l", "60", "-h", str(HASH_BITS)]
        done = run_child([*command, "-eval-file", str(weights)])
    line, cpu = _LINE.search(done.output), _CPU.search(done.output)
    if line is None or cpu is None:
        raise MeasurementError("edax printed no solution")
    _check(endgame, int(line[1]), "edax")
    seconds = int(cpu[1] or 0) * 3600 + int(cpu[2]) * 60 + float(cpu[3])
    return Sample(int(line[2]), max(seconds, 1e-3)), note


def solve(engine: plyforge.Engine, endgame: Endgame) -> Sample:
    """Solve a position with an empty table; return nodes and CPU seconds."""
    engine.clear()
    root = engine.game.history(engine.game.parse(f"{endgame.position} empties"))
    started = time.process_time()
    result = engine.analyse(root)
    seconds = time.process_time() - started
    if not result.proved:
        raise MeasurementError(f"{endgame.name} was not proved")
    _check(endgame, int(result.score), "plyforge")
    return Sample(result.nodes, seconds)


def _check(endgame: Endgame, score: int, program: str) -> None:
    if score != endgame.score:
        raise MeasurementError(
            f"{program} gives {endgame.name} the score {score:+d}, not {endgame.score:+d}"
        )


def new_engine(off: Sequence[str] = (), specialise: str = "auto") -> plyforge.Engine:
    """Return an engine that is compiled: its first search is over."""
    settings = {"specialise": specialise}
    engine = plyforge.Engine("othello", evaluation="patterns", hash=64, off=off, settings=settings)
    engine.analyse(depth=1)
    return engine


def rows(settings: Settings) -> Iterator[Row]:
    """Yield the positions beside Edax, then all of them together, then the steps."""
    chosen = endgames(QUICK if settings.quick else HARD)
    yield from beside_edax(chosen)
    yield from without_steps(endgames(QUICK if settings.quick else EASY))


def beside_edax(chosen: Sequence[Endgame]) -> Iterator[Row]:
    """Yield a row for each position, and one for all."""
    engine = new_engine()
    total, others = 0.0, 0.0
    nodes, all_by_edax = 0, True
    for endgame in chosen:
        ours = solve(engine, endgame)
        total, nodes = total + ours.seconds, nodes + ours.nodes
        case = f"{endgame.name}, {endgame.empties} empty"
        try:
            theirs, note = solve_by_edax(endgame)
        except MeasurementError as error:
            all_by_edax = False
            yield Row(
                "endgame", "othello", case, ours.nodes, ours.seconds, unit="s", note=f"{error}"
            )
            continue
        others += theirs.seconds
        yield Row(
            *("endgame", "othello", case, ours.nodes, ours.seconds, theirs.seconds, "s"),
            ratio=theirs.seconds / ours.seconds,
            note=f"edax: {theirs.nodes:,} nodes{note}",
        )
    name = f"{chosen[0].name} to {chosen[-1].name.removeprefix('FFO ')}"
    yield Row(
        *("endgame", "othello", name, nodes, total, others if all_by_edax else None, "s"),
        ratio=others / total if all_by_edax else None,
        target=ALL_SECONDS,
    )


def without_steps(chosen: Sequence[Endgame]) -> Iterator[Row]:
    """Yield the nodes and seconds of some positions together, with each step off in turn.

    All use the same kernel, which reads its options at run time.
    """
    name = f"{chosen[0].name} to {chosen[-1].name.removeprefix('FFO ')}"
    for off in ((), *((step,) for step in STEPS)):
        engine = new_engine(off, "no")
        samples = [solve(engine, endgame) for endgame in chosen]
        case = f"{name}, {f'without {off[0]}' if off else 'all steps'}"
        nodes, seconds = sum(s.nodes for s in samples), sum(s.seconds for s in samples)
        yield Row("endgame", "othello", case, nodes, seconds, unit="s")
