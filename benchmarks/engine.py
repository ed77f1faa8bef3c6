"""The engine as a whole: threads, solving, time to depth, memory, how soon it stops.

Threads and stopping are measured in wall-clock time, everything else in CPU time.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import plyforge
from benchmarks.bars import RATIOS
from benchmarks.clock import Settings
from benchmarks.table import Row
from plyforge.core.history import History
from plyforge.core.randomness import Stream
from plyforge.engine.solve import solve

TO_DEPTH = {"checkers": 12, "othello": 10, "connect4": 14}
QUICK_TO_DEPTH = {"checkers": 9, "othello": 7, "connect4": 9}
MIB = 1 << 20
T = TypeVar("T")


def rows(settings: Settings) -> Iterator[Row]:
    """All of it."""
    yield from _threads(settings)
    yield from _to_depth(settings)
    yield from _connect_four(settings)
    yield from _othello(settings)
    yield _memory()
    yield _stopping(settings)


def _threads(settings: Settings) -> Iterator[Row]:
    """Two threads against one: nodes a second, and the time to a depth."""
    depth = 14 if settings.quick else 18
    speeds: dict[int, list[float]] = {1: [], 2: []}
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(settings.rounds):
        for threads in (1, 2):
            engine = plyforge.Engine("checkers", threads=threads, hash=64)
            engine.analyse(depth=4)
            engine.clear()
            started = time.perf_counter()
            result = engine.analyse(depth=depth)
            seconds = time.perf_counter() - started
            speeds[threads].append(result.nodes / seconds)
            times[threads].append(seconds)
    one, two = max(speeds[1]), max(speeds[2])
    yield Row(
        "threads", "checkers", "nodes/s, two over one", None, two, one, ratio=two / one,
        bar=RATIOS["threads", "checkers"],
    )  # fmt: skip
    one, two = min(times[1]), min(times[2])
    yield Row(
        "threads", "checkers", f"time to depth {depth}, one over two", None, two, one, "s",
        ratio=one / two,
    )  # fmt: skip


def _to_depth(settings: Settings) -> Iterator[Row]:
    """The defaults against plain alpha-beta, from the start position."""
    for name, depth in (QUICK_TO_DEPTH if settings.quick else TO_DEPTH).items():
        ours = plyforge.Engine(name)
        ours.analyse(depth=2)
        ours.clear()
        plain = plyforge.Engine(name, driver="alphabeta", off=["all"])
        fast, result = _cpu(lambda engine=ours, depth=depth: engine.analyse(depth=depth))
        slow, _ = _cpu(lambda engine=plain, depth=depth: engine.analyse(depth=depth))
        yield Row(
            "to_depth", name, f"depth {depth} from the start", result.nodes, fast, slow, "s",
            ratio=slow / fast,
        )  # fmt: skip


def _connect_four(settings: Settings) -> Iterator[Row]:
    """Perfect play from random positions with so many stones."""
    engine = plyforge.Engine("connect4", hash=64)
    for stones in (20, 16) if settings.quick else (20, 18, 16, 14, 12, 10, 8):
        positions = _random("connect4", stones, 3 if stones < 12 else 10)
        yield _solved(engine, "connect4", f"{stones} stones", positions)


def _othello(settings: Settings) -> Iterator[Row]:
    """Exact endgames."""
    engine = plyforge.Engine("othello", hash=64)
    for empties in (10, 12) if settings.quick else (10, 12, 14, 16, 18):
        positions = _random("othello", 60 - empties, 10 if empties < 16 else 3)
        yield _solved(engine, "othello", f"{empties} empties", positions)


def _solved(engine: plyforge.Engine, name: str, case: str, positions: list[History]) -> Row:
    nodes, seconds = 0, 0.0
    for root in positions:
        engine.clear()
        took, solution = _cpu(lambda root=root: solve(engine, root))
        assert solution.solved
        nodes += solution.result.nodes
        seconds += took
    mean = seconds / len(positions)
    note = f"{nodes // len(positions):,} nodes and {mean:.3f} s a position, {len(positions)} solved"
    return Row("solve", name, case, nodes, nodes / seconds, note=note)


def _random(name: str, plies: int, count: int) -> list[History]:
    """Positions after random moves, none of them over."""
    game, found, seed = plyforge.load(name), [], 0
    while len(found) < count:
        seed += 1
        stream, history = Stream(seed), game.history()
        while len(history.moves) < plies and (legal := history.legal_moves()):
            history.play(legal[stream.below(len(legal))])
        if not history.verdict().over:
            found.append(history)
    return found


def _memory() -> Row:
    """Resident memory that a table of 256 MiB takes once it is full, over what was asked for."""
    asked = 256.0
    before = _resident()
    engine = plyforge.Engine("connect4", hash=asked)
    engine.searcher.table.words.fill(1)
    grown = _resident() - before
    note = f"asked for {asked:.0f} MiB, grew by {grown / MIB:.0f} MiB"
    return Row(
        "memory", "connect4", "MiB over MiB asked for", None, grown / MIB, asked, "MiB",
        ratio=grown / MIB / asked, note=note,
    )  # fmt: skip


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def _stopping(settings: Settings) -> Row:
    """From `stop` to the answer, the median of many."""
    engine = plyforge.Engine("checkers")
    late = []
    for _ in range(5 if settings.quick else 40):
        called: list[float] = []

        def stop(called: list[float] = called) -> None:
            called.append(time.perf_counter())
            engine.stop()

        timer = threading.Timer(0.05, stop)
        timer.start()
        engine.analyse(depth=60)
        late.append(time.perf_counter() - called[0])
    note = f"the worst of {len(late)}: {max(late) * 1e3:.1f} ms"
    return Row(
        "stop", "checkers", "ms from stop to answer", None, statistics.median(late) * 1e3, None,
        "ms", note=note,
    )  # fmt: skip


def _cpu(work: Callable[[], T]) -> tuple[float, T]:
    started = time.process_time()
    result = work()
    return time.process_time() - started, result
