"""Search on several processes by MPI: messages, stops, starts, and how much sooner it ends.

Times are wall times: only a quiet machine gives figures that mean something, and processes that
wait for each other need a core each.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.clock import MeasurementError, Settings, run_child
from benchmarks.table import Row
from benchmarks.targets import MESSAGE_SECONDS, PROCESSES_STOP_SECONDS

METHODS = ("tdsab", "partitioned-table")
STOP_PROCESSES = (2, 4, 8)
DEPTH, QUICK_DEPTH = 18, 13
"""The depth to which checkers is searched: some seconds with one process."""
_ALLOW = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

STOP = """
import json, statistics, sys, threading, time
import plyforge
from plyforge.compilation.notices import SilentNotices

method, processes, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
engine = plyforge.Engine(
    "checkers", processes=processes, parallel=method, hash=64, notices=SilentNotices()
)
engine.analyse(depth=9)
seconds = []
for number in range(count):
    ends = []
    work = lambda: (engine.analyse(depth=40), ends.append(time.perf_counter()))
    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.15 + 0.01 * (number % 7))
    start = time.perf_counter()
    engine.stop()
    thread.join()
    seconds.append(ends[0] - start)
engine.close()
seconds.sort()
print(json.dumps([statistics.median(seconds), seconds[-1]]))
"""

START = """
import json, statistics, sys, time
import plyforge
from plyforge.compilation.notices import SilentNotices

engine = plyforge.Engine(
    "checkers",
    processes=int(sys.argv[1]),
    parallel="tdsab",
    hash=64,
    settings={"split-depth": 1},
    notices=SilentNotices(),
)
root = engine.game.history()
seconds = []
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    engine.search(root, depth=2)
    seconds.append(time.perf_counter() - start)
engine.close()
print(json.dumps(statistics.median(seconds)))
"""

SPEED_UP = """
import json, statistics, sys, time
import plyforge

depth, rounds, methods = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
engines = {"one": plyforge.Engine("checkers", hash=64)}
engines |= {
    name: plyforge.Engine("checkers", hash=64, processes=2, parallel=name) for name in methods
}
seconds, nodes = {name: [] for name in engines}, {}
for engine in engines.values():
    engine.analyse(depth=9)
for _ in range(rounds):
    for name, engine in engines.items():
        engine.clear()
        start = time.perf_counter()
        result = engine.analyse(depth=depth)
        seconds[name].append(time.perf_counter() - start)
        nodes.setdefault(name, []).append(result.counts.nodes)
for engine in engines.values():
    engine.close()
median = statistics.median
print(json.dumps({name: [median(seconds[name]), median(nodes[name])] for name in engines}))
"""


def rows(settings: Settings) -> Iterator[Row]:
    """Yield the times of messages, stops and starts, then a row per method."""
    yield from _messages(settings)
    yield from _stops(settings)
    yield from _starts(settings)
    yield from _speed_ups(settings)


def _stops(settings: Settings) -> Iterator[Row]:
    count = 10 if settings.quick else 40
    for method in METHODS:
        for processes in STOP_PROCESSES:
            case = f"stop {method}, {processes} processes, the slowest of {count}"
            try:
                median, slowest = _run(STOP, method, str(processes), str(count))
            except MeasurementError as missing:
                yield Row("mpi", "checkers", case, unit="s", note=str(missing))
                continue
            note = f"median {1000 * median:.1f} ms"
            target = PROCESSES_STOP_SECONDS
            yield Row("mpi", "checkers", case, None, slowest, unit="s", target=target, note=note)


def _starts(settings: Settings) -> Iterator[Row]:
    for processes in STOP_PROCESSES:
        case = f"a search to depth 2 of {processes} processes"
        try:
            seconds = _run(START, str(processes), "100" if settings.quick else "1000")
        except MeasurementError as missing:
            yield Row("mpi", "checkers", case, unit="s", note=str(missing))
            continue
        yield Row("mpi", "checkers", case, None, seconds, unit="s", note="median")


def _speed_ups(settings: Settings) -> Iterator[Row]:
    depth = QUICK_DEPTH if settings.quick else DEPTH
    try:
        figures = _run(SPEED_UP, str(depth), "1" if settings.quick else "3", *METHODS)
    except MeasurementError as missing:
        yield Row("mpi", "checkers", f"depth {depth}", unit="s", note=str(missing))
        return
    seconds, nodes = figures["one"]
    for method in METHODS:
        mine, visited = figures[method]
        yield Row(
            "mpi",
            "checkers",
            f"{method}, two processes, depth {depth}",
            int(nodes),
            1 / mine,
            1 / seconds,
            "searches/s",
            ratio=seconds / mine,
            note=f"{visited / nodes:.2f} of the nodes; one process takes {seconds:.1f} s",
        )


def _run(code: str, *arguments: str) -> Any:
    output = run_child([sys.executable, "-c", code, *arguments]).output
    return json.loads(output.splitlines()[-1])


def _messages(settings: Settings) -> Iterator[Row]:
    """Yield the time of a message in a stream, and of one there and back."""
    command = [
        str(Path(sys.executable).with_name("mpiexec")),
        *("-n", "2", "--map-by", ":OVERSUBSCRIBE", "--bind-to", "none"),
        *("--mca", "mpi_yield_when_idle", "0", sys.executable, "-m", "mpi4py"),
        *("-m", "benchmarks.mpi_messages", "5" if settings.quick else "20", "20000"),
    ]
    try:
        output = run_child(command, env={**os.environ, **_ALLOW}).output
        stream, there_and_back = json.loads(output.splitlines()[-1])
    except MeasurementError as missing:
        yield Row("mpi", "", "message of 16 words", unit="s", note=str(missing))
        return
    case = "a message of 16 words in a stream"
    yield Row("mpi", "", case, None, stream, unit="s", target=MESSAGE_SECONDS, note="fastest round")
    yield Row("mpi", "", "a message there and back", None, there_and_back, unit="s")
