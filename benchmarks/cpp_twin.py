"""A hand-written C++ perft of English checkers, with the same rules and the same counting.

Both sides generate the complete move list of every position, the parents of the last ply
included, and count the last ply as the length of its list. No popcount at the leaves, no table.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks.clock import Contender, Missing, Sample, Settings, run_child
from benchmarks.compare import compare
from benchmarks.table import Row

SOURCE = Path(__file__).with_name("twins") / "checkers_perft.cpp"
NATIVE = ("-O3", "-march=native")
PORTABLE = ("-O2",)

DEPTH, NODES = 11, 85_242_128
QUICK_DEPTH, QUICK_NODES = 9, 3_963_680


def compiler() -> str | None:
    """The C++ compiler: `$CXX`, or g++ when it is on the path."""
    return shutil.which(os.environ.get("CXX") or "g++")


def build(folder: Path, flags: Sequence[str]) -> Path:
    """Compile the twin into the folder; `Missing` without a compiler."""
    command = compiler()
    if command is None:
        raise Missing("no C++ compiler")
    program = folder / f"checkers_perft{''.join(flags)}"
    run_child([command, "-std=c++17", *flags, str(SOURCE), "-o", str(program)])
    return program


def count(program: Path, depth: int, fen: str | None = None) -> Sample:
    """Run the twin. It times itself, so that starting it costs nothing."""
    position = [] if fen is None else [fen]
    nodes, seconds = run_child([str(program), str(depth), *position]).output.split()
    return Sample(int(nodes), float(seconds))


def prepare(folder: Path, flags: Sequence[str], depth: int) -> Contender:
    """The twin, built and ready to count from the start position."""
    return partial(count, build(folder, flags), depth)


def rows(settings: Settings) -> Iterator[Row]:
    """The start position, against the fastest build for this machine and a portable one."""
    depth, nodes = (QUICK_DEPTH, QUICK_NODES) if settings.quick else (DEPTH, NODES)
    with tempfile.TemporaryDirectory() as folder:
        for flags in (NATIVE, PORTABLE):
            yield compare(
                "cpp_twin",
                "checkers",
                f"start d{depth}, g++ {' '.join(flags)}",
                rival=partial(prepare, Path(folder), flags, depth),
                depth=depth,
                nodes=nodes,
                settings=settings,
            )
