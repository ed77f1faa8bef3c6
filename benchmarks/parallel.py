"""Several threads on one tree: how soon they stop, and how much sooner they reach a depth.

Times are wall times: only a quiet machine gives figures that mean something.  The searches of one
thread and of two take turns in one process, and the ratio is that of the medians.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from benchmarks.clock import MeasurementError, Settings, run_child
from benchmarks.table import Row
from benchmarks.targets import MANY_THREADS_STOP_SECONDS, STOP_SECONDS, TWO_THREADS_RATIO

GAMES = {"checkers": 19, "othello": 14, "chess": 9}
"""The depths to which games are searched: about ten seconds with one thread."""
QUICK_GAMES = {"checkers": 15}
METHODS = ("ybwc", "dynamic", "pv-split", "abdada", "aphid", "shared-table")

STOP = """
import json, statistics, sys, threading, time
import plyforge
from plyforge.compilation.notices import SilentNotices

seconds = []
engine = plyforge.Engine(
    "checkers", threads=int(sys.argv[1]), parallel="ybwc", notices=SilentNotices()
)
engine.analyse(depth=5)
for number in range(int(sys.argv[2])):
    ends = []
    work = lambda: (engine.analyse(depth=40), ends.append(time.perf_counter()))
    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.05 + 0.01 * (number % 7))
    start = time.perf_counter()
    engine.stop()
    thread.join()
    seconds.append(ends[0] - start)
seconds.sort()
print(json.dumps([statistics.median(seconds), seconds[-1]]))
"""

SPEED_UP = """
import json, statistics, sys, time
import plyforge

game, depth, rounds, methods = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
engines = {"one": plyforge.Engine(game, hash=256)}
engines |= {name: plyforge.Engine(game, hash=256, threads=2, parallel=name) for name in methods}
seconds, nodes = {name: [] for name in engines}, {}
for engine in engines.values():
    engine.analyse(depth=3)
for _ in range(rounds):
    for name, engine in engines.items():
        engine.clear()
        start = time.perf_counter()
        result = engine.analyse(depth=depth)
        seconds[name].append(time.perf_counter() - start)
        nodes.setdefault(name, []).append(result.counts.nodes)
median = statistics.median
print(json.dumps({name: [median(seconds[name]), median(nodes[name])] for name in engines}))
"""


def rows(settings: Settings) -> Iterator[Row]:
    """Yield the times to stop, then a row per game and method."""
    for threads, target in ((2, STOP_SECONDS), (8, MANY_THREADS_STOP_SECONDS)):
        case = f"stop {threads} threads, the slowest of 40"
        try:
            median, slowest = _run(STOP, str(threads), "10" if settings.quick else "40")
        except MeasurementError as missing:
            yield Row("parallel", "checkers", case, unit="s", note=str(missing))
            continue
        note = f"median {1000 * median:.1f} ms"
        yield Row("parallel", "checkers", case, None, slowest, unit="s", target=target, note=note)
    for game, depth in (QUICK_GAMES if settings.quick else GAMES).items():
        yield from _speed_ups(game, depth, settings)


def _speed_ups(game: str, depth: int, settings: Settings) -> Iterator[Row]:
    rounds = "1" if settings.quick else "3"
    try:
        figures = _run(SPEED_UP, game, str(depth), rounds, *METHODS)
    except MeasurementError as missing:
        yield Row("parallel", game, f"depth {depth}", unit="s", note=str(missing))
        return
    seconds, nodes = figures["one"]
    for method in METHODS:
        mine, visited = figures[method]
        yield Row(
            "parallel",
            game,
            f"{method}, two threads, depth {depth}",
            int(nodes),
            1 / mine,
            1 / seconds,
            "searches/s",
            ratio=seconds / mine,
            target=TWO_THREADS_RATIO if method == "ybwc" else None,
            note=f"{visited / nodes:.2f} of the nodes; one thread takes {seconds:.1f} s",
        )


def _run(code: str, *arguments: str) -> Any:
    output = run_child([sys.executable, "-c", code, *arguments]).output
    return json.loads(output.splitlines()[-1])
