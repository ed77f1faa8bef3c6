"""A hand-written C++ search of checkers: table, history, deepening, the same evaluation.

Both sides visit the same nodes: the leaves, the interior nodes and the value of every iteration
are compared before anything is timed.  The twin knows its rules, options and sides at compile
time; ours reads its options from memory.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import plyforge
from benchmarks.clock import Contender, MeasurementError, Sample, Settings, run_child
from benchmarks.compare import compare
from benchmarks.cpp_twin import FOLDER, NATIVE, PORTABLE, compiler
from benchmarks.positions import position_texts
from benchmarks.table import Row
from plyforge.search.hashtable import HashTable
from plyforge.search.options import Options
from plyforge.search.request import SearchRequest, root_of
from plyforge.search.searcher import Searcher

SOURCE = FOLDER / "checkers_search.cpp"
SAME_BITS = "-ffp-contract=off"
"""Fused multiply-adds would round evaluations differently."""
ENTRIES = 1 << 20
INFINITY = float("inf")

OPTIONS = Options.preset("exact").changed(
    off=["all", "cycles"],
    on=["table", "table-move", "history", "deepening", "prefetch"],
    settings={"replace": "newer", "history-penalty": 0, "depth-step": 1},
)


@dataclass(frozen=True)
class Iteration:
    """The result of one depth of one position."""

    leaves: int
    interior: int
    value: float

    @property
    def nodes(self) -> int:
        return self.leaves + self.interior


@dataclass(frozen=True)
class Case:
    """Positions to search, each from an empty table."""

    name: str
    positions: tuple[str, ...]
    depth: int


START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


def cases(quick: bool) -> list[Case]:
    midgame = tuple(position_texts("checkers"))
    if quick:
        return [Case("start", (START,), 11), Case("3 midgames", midgame[:3], 9)]
    return [Case("start", (START,), 16), Case("20 midgames", midgame, 12)]


class OurSearch:
    """Our kernel with the twin's options."""

    def __init__(self) -> None:
        self.game = plyforge.load("checkers")
        self.searcher = Searcher(self.game, OPTIONS, HashTable(ENTRIES), specialised=True)

    def iterations(self, case: Case) -> tuple[list[Iteration], float]:
        """Return every iteration of every position, and the CPU seconds of the searches."""
        searcher, iterations, seconds = self.searcher, [], 0.0
        for text in case.positions:
            searcher.clear()
            root = root_of(self.game.history(self.game.parse(text)), self.game)
            for depth in range(1, case.depth + 1):
                searcher.reset_counts()
                start = time.process_time()
                result = searcher.search(SearchRequest.of(root, -INFINITY, INFINITY, depth))
                seconds += time.process_time() - start
                counts = searcher.counts
                iterations.append(Iteration(counts.leaves, counts.interior, result.value))
        return iterations, seconds

    def contender(self, case: Case) -> Contender:
        def sample() -> Sample:
            iterations, seconds = self.iterations(case)
            return Sample(sum(iteration.nodes for iteration in iterations), seconds)

        return sample


def build(folder: Path, flags: Sequence[str]) -> Path:
    """Compile the twin into the folder; raise `MeasurementError` without a compiler."""
    command = compiler()
    if command is None:
        raise MeasurementError("no C++ compiler")
    program = folder / f"{SOURCE.stem}{''.join(flags)}"
    run_child([command, "-std=c++17", *flags, SAME_BITS, str(SOURCE), "-o", str(program)])
    return program


def twin_iterations(program: Path, case: Case) -> tuple[list[Iteration], float]:
    """Return the same for the twin, which times itself."""
    command = [str(program), str(case.depth), str(ENTRIES), *case.positions]
    *lines, seconds = run_child(command).output.splitlines()
    rows = [line.split() for line in lines]
    return [Iteration(int(a), int(b), float(c)) for a, b, c in rows], float(seconds)


def same_float32(mine: float, theirs: float) -> bool:
    """Whether a value and its nine printed digits are the same float32."""
    return f"{mine:.9g}" == f"{theirs:.9g}"


def difference(mine: Sequence[Iteration], theirs: Sequence[Iteration], depth: int) -> str:
    """Return the first difference of the two searches; empty if there is none."""
    for place, (one, other) in enumerate(zip(mine, theirs, strict=True)):
        counts = (one.leaves, one.interior) == (other.leaves, other.interior)
        if not counts or not same_float32(one.value, other.value):
            position, at = divmod(place, depth)
            return f"position {position + 1}, depth {at + 1}: {one} but the twin {other}"
    return ""


def prepare(folder: Path, flags: Sequence[str], case: Case, mine: Sequence[Iteration]) -> Contender:
    """Build the twin, and check that it visits the same nodes."""
    program = build(folder, flags)
    theirs, _ = twin_iterations(program, case)
    message = difference(mine, theirs, case.depth)
    if message:
        raise MeasurementError(message)

    def sample() -> Sample:
        again, seconds = twin_iterations(program, case)
        return Sample(sum(iteration.nodes for iteration in again), seconds)

    return sample


def rows(settings: Settings) -> Iterator[Row]:
    ours = OurSearch()
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(settings.quick):
            mine, _ = ours.iterations(case)
            for flags in (NATIVE, PORTABLE):
                yield compare(
                    "search_twin",
                    "checkers",
                    f"{case.name} d{case.depth}, g++ {' '.join(flags)}",
                    rival=partial(prepare, Path(folder), flags, case, mine),
                    ours=partial(ours.contender, case),
                    depth=case.depth,
                    nodes=sum(iteration.nodes for iteration in mine),
                    settings=settings,
                    note="leaves, interior nodes and values of all iterations agree",
                )
