"""Hand-written C++ perfts, with the same rules and the same counting.

Both sides generate the complete move list of every position, the parents of the last ply
included, and count the last ply as the length of its list. No popcount at the leaves, no table.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.clock import Contender, MeasurementError, Sample, Settings, run_child
from benchmarks.compare import compare
from benchmarks.table import Row

FOLDER = Path(__file__).with_name("twins")
NATIVE = ("-O3", "-march=native")
PORTABLE = ("-O2",)


@dataclass(frozen=True)
class Twin:
    """A C++ program, and the trees from the start position that both sides count."""

    game: str
    depth: int
    nodes: int
    quick_depth: int
    quick_nodes: int

    @property
    def source(self) -> Path:
        return FOLDER / f"{self.game}_perft.cpp"


CHECKERS = Twin("checkers", 11, 85_242_128, 9, 3_963_680)
OTHELLO = Twin("othello", 10, 24_571_284, 9, 3_005_288)
TWINS = (CHECKERS, OTHELLO)


def compiler() -> str | None:
    """Return the C++ compiler: `$CXX`, or g++ if it is on the path."""
    return shutil.which(os.environ.get("CXX") or "g++")


def build(twin: Twin, folder: Path, flags: Sequence[str]) -> Path:
    """Compile the twin into the folder; raise `MeasurementError` without a compiler."""
    command = compiler()
    if command is None:
        raise MeasurementError("no C++ compiler")
    program = folder / f"{twin.source.stem}{''.join(flags)}"
    run_child([command, "-std=c++17", *flags, str(twin.source), "-o", str(program)])
    return program


def count(program: Path, depth: int, position: str | None = None) -> Sample:
    """Run the twin. It times itself, without its start-up."""
    root = [] if position is None else [position]
    nodes, seconds = run_child([str(program), str(depth), *root]).output.split()
    return Sample(int(nodes), float(seconds))


def prepare(twin: Twin, folder: Path, flags: Sequence[str], depth: int) -> Contender:
    """Build the twin, to count from the start position."""
    return partial(count, build(twin, folder, flags), depth)


def rows(settings: Settings) -> Iterator[Row]:
    """Yield rows for the fastest build for this machine and for a portable one."""
    with tempfile.TemporaryDirectory() as folder:
        for twin in TWINS:
            depth = twin.quick_depth if settings.quick else twin.depth
            for flags in (NATIVE, PORTABLE):
                yield compare(
                    "cpp_twin",
                    twin.game,
                    f"start d{depth}, g++ {' '.join(flags)}",
                    rival=partial(prepare, twin, Path(folder), flags, depth),
                    depth=depth,
                    nodes=twin.quick_nodes if settings.quick else twin.nodes,
                    settings=settings,
                )
