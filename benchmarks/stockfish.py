"""Stockfish's `go perft`, which counts the last ply from its move list as we do."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from benchmarks.clock import ChildResult, Contender, MeasurementError, Sample, Settings, run_child
from benchmarks.compare import compare
from benchmarks.table import Row

STARTUP_RUNS = 3


@dataclass(frozen=True)
class Case:
    """A standard perft position; `fen` is the start position when `None`.

    A small tree is counted several times in one process, so that start-up matters less.
    """

    name: str
    depth: int
    nodes: int
    times: int
    fen: str | None = None


KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
NUMBER_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"

CASES = (
    Case("start", 6, 119_060_324, 2),
    Case("Kiwipete", 5, 193_690_690, 1, KIWIPETE),
    Case("no. 4", 5, 15_833_292, 10, NUMBER_4),
)
QUICK_CASES = (
    Case("start", 5, 4_865_609, 6),
    Case("Kiwipete", 4, 4_085_603, 6, KIWIPETE),
    Case("no. 4", 5, 15_833_292, 2, NUMBER_4),
)


def program() -> str:
    """Return the path of Stockfish; raise `MeasurementError` if it is not installed."""
    # Debian installs games outside the path of build tools and cron.
    path = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
    if path is None:
        raise MeasurementError("stockfish is not installed")
    return path


def run_perft(depth: int, fen: str | None, times: int = 1) -> ChildResult:
    """Start Stockfish, let it count one tree `times` times, and end it."""
    count = f"go perft {depth}\n" * times
    position = "startpos" if fen is None else f"fen {fen}"
    return run_child([program()], stdin=f"position {position}\n{count}quit\n")


def prepare(case: Case) -> Contender:
    """Prepare Stockfish; its start-up (tables, network file) is measured and subtracted."""
    startup = min(run_perft(1, case.fen).cpu for _ in range(STARTUP_RUNS))

    def sample() -> Sample:
        done = run_perft(case.depth, case.fen, case.times)
        counts = re.findall(r"Nodes searched: (\d+)", done.output)
        if len(counts) != case.times or len(set(counts)) != 1:
            raise MeasurementError(f"stockfish printed the node counts {counts}")
        return Sample(int(counts[0]), max(done.cpu - startup, 1e-6) / case.times)

    return sample


def build_facts() -> str:
    """Return version and instruction sets of the binary: a generic build is slower."""
    try:
        text = run_child([program()], stdin="compiler\nquit\n").output
    except MeasurementError:
        return ""
    name = re.search(r"^(Stockfish \S+)", text, re.MULTILINE)
    sets = re.search(r"settings include:(.*)", text)
    return " ".join(match[1].strip() for match in (name, sets) if match)


def rows(settings: Settings) -> Iterator[Row]:
    """Yield one row per position."""
    facts = build_facts()
    for case in QUICK_CASES if settings.quick else CASES:
        yield compare(
            "stockfish",
            "chess",
            f"{case.name} d{case.depth}",
            rival=partial(prepare, case),
            depth=case.depth,
            nodes=case.nodes,
            position=case.fen,
            settings=settings,
            note=facts,
        )
