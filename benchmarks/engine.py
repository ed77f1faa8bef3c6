"""The whole engine: threads, solving, time to depth, memory, time to stop.

Threads and stopping are measured in wall-clock time, everything else in CPU time.
"""

from __future__ import annotations

import os
import signal
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import plyforge
from benchmarks.clock import Settings
from benchmarks.table import Row
from benchmarks.targets import RATIOS, STOP_SECONDS
from plyforge.core.randomness import Stream
from plyforge.engine.solve import solve
from plyforge.game.game import History

TO_DEPTH = {"checkers": 12, "othello": 10, "connect4": 14}
QUICK_TO_DEPTH = {"checkers": 9, "othello": 7, "connect4": 9}
MIB = 1 << 20
T = TypeVar("T")


def rows(settings: Settings) -> Iterator[Row]:
    """Yield all rows of the engine."""
    yield from _threads(settings)
    yield from _to_depth(settings)
    yield from _connect_four(settings)
    yield from _othello(settings)
    yield _memory()
    yield from _stopping(settings)


def _threads(settings: Settings) -> Iterator[Row]:
    """Compare two threads with one: nodes per second, and the time to a depth."""
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
        target=RATIOS["threads", "checkers"],
    )  # fmt: skip
    one, two = min(times[1]), min(times[2])
    yield Row(
        "threads", "checkers", f"time to depth {depth}, one over two", None, two, one, "s",
        ratio=one / two,
    )  # fmt: skip


def _to_depth(settings: Settings) -> Iterator[Row]:
    """Compare the defaults with plain alpha-beta, from the start position."""
    for name, depth in (QUICK_TO_DEPTH if settings.quick else TO_DEPTH).items():
        ours = plyforge.Engine(name)
        ours.analyse(depth=2)
        ours.clear()
        plain = plyforge.Engine(name, driver="alphabeta", off=["all"])
        plain.prepare()
        fast, result = _measure_cpu(lambda engine=ours, depth=depth: engine.analyse(depth=depth))
        slow, _ = _measure_cpu(lambda engine=plain, depth=depth: engine.analyse(depth=depth))
        yield Row(
            "to_depth", name, f"depth {depth} from the start", result.nodes, fast, slow, "s",
            ratio=slow / fast,
        )  # fmt: skip


def _connect_four(settings: Settings) -> Iterator[Row]:
    """Solve random positions by their number of stones."""
    engine = plyforge.Engine("connect4", hash=64)
    for stones in (20, 16) if settings.quick else (20, 18, 16, 14, 12, 10, 8):
        positions = _random_positions("connect4", stones, 3 if stones < 12 else 10)
        yield _solve_all(engine, "connect4", f"{stones} stones", positions)


def _othello(settings: Settings) -> Iterator[Row]:
    """Solve random endgames by their number of empty squares."""
    engine = plyforge.Engine("othello", hash=64)
    for empties in (10, 12) if settings.quick else (10, 12, 14, 16, 18):
        positions = _random_positions("othello", 60 - empties, 10 if empties < 16 else 3)
        yield _solve_all(engine, "othello", f"{empties} empties", positions)


def _solve_all(engine: plyforge.Engine, name: str, case: str, positions: list[History]) -> Row:
    """Solve positions, each from an empty table; return mean and maximum."""
    engine.prepare()
    nodes, seconds = [], []
    for root in positions:
        engine.clear()
        took, solution = _measure_cpu(lambda root=root: solve(engine, root))
        assert solution.solved
        nodes.append(solution.result.nodes)
        seconds.append(took)
    count = len(positions)
    note = (
        f"a position: mean {sum(nodes) // count:,} nodes, {sum(seconds) / count:.3f} s;"
        f" maximum {max(nodes):,} nodes, {max(seconds):.3f} s; {count} positions"
    )
    return Row("solve", name, case, sum(nodes), sum(nodes) / sum(seconds), note=note)


def _random_positions(name: str, plies: int, count: int) -> list[History]:
    """Return positions after random moves where the game is not over."""
    game, histories, seed = plyforge.load(name), [], 0
    while len(histories) < count:
        seed += 1
        stream, history = Stream(seed), game.history()
        while len(history.moves) < plies and (legal := history.legal_moves()):
            history.play(legal[stream.below(len(legal))])
        if not history.verdict().over:
            histories.append(history)
    return histories


def _memory() -> Row:
    """Compare the resident memory of a full table of 256 MiB with the requested size."""
    requested = 256.0
    before = _resident_bytes()
    engine = plyforge.Engine("connect4", hash=requested)
    engine.searcher.table.words.fill(1)
    grown = _resident_bytes() - before
    note = f"requested {requested:.0f} MiB, grew by {grown / MIB:.0f} MiB"
    return Row(
        "memory", "connect4", "MiB over requested MiB", None, grown / MIB, requested, "MiB",
        ratio=grown / MIB / requested, target=RATIOS["memory", "connect4"], note=note,
    )  # fmt: skip


def _resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def _stopping(settings: Settings) -> Iterator[Row]:
    """Measure the time from `stop`, Ctrl-C or the time limit to the result."""
    repeats = 5 if settings.quick else 40
    for way, measure in (
        ("stop", _stop_delay),
        ("Ctrl-C", _interrupt_delay),
        ("time", _time_limit_delay),
    ):
        engine = plyforge.Engine("checkers")
        engine.analyse(depth=2)
        delays = [measure(engine) for _ in range(repeats)]
        note = f"median of {repeats}; maximum: {max(delays) * 1e3:.1f} ms"
        yield Row(
            "stop", "checkers", f"from {way} to the result", None, statistics.median(delays), None,
            "s", target=STOP_SECONDS, note=note,
        )  # fmt: skip


def _stop_delay(engine: plyforge.Engine) -> float:
    return _delay(engine, engine.stop)


def _interrupt_delay(engine: plyforge.Engine) -> float:
    return _delay(engine, lambda: os.kill(os.getpid(), signal.SIGINT))


def _delay(engine: plyforge.Engine, stop: Callable[[], None]) -> float:
    """Return the seconds from a call of `stop` in another thread to the end of `analyse`."""
    called: list[float] = []

    def call() -> None:
        called.append(time.perf_counter())
        stop()

    timer = threading.Timer(0.05, call)
    timer.start()
    engine.analyse(depth=60, catch_interrupt=True)
    return time.perf_counter() - called[0]


def _time_limit_delay(engine: plyforge.Engine) -> float:
    limit, started = 0.05, time.perf_counter()
    engine.analyse(time=limit)
    return time.perf_counter() - started - limit


def _measure_cpu(work: Callable[[], T]) -> tuple[float, T]:
    started = time.process_time()
    result = work()
    return time.process_time() - started, result
