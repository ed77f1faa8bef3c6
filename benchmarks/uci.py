"""How soon the engine answers over UCI: at the start, to `stop` and `ponderhit`, and on time.

Each figure is the time from writing a command to reading the answer, as a client sees it.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from types import TracebackType

from benchmarks.clock import Settings
from benchmarks.table import Row
from benchmarks.targets import STOP_SECONDS, UCIOK_SECONDS, Target

ANSWERS, QUICK_ANSWERS = 40, 8
SEARCH_SECONDS = 0.2
"""How long a search runs before it is stopped."""
MOVE_SECONDS = 0.1


class Client:
    """The engine in another process."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "plyforge", "uci"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self.send("quit")
        self.process.wait(30)

    def send(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def answer_time(self, command: str, answer: str) -> float:
        """Send a command; return the seconds until a line begins with the answer."""
        started = time.perf_counter()
        self.send(command)
        self.wait_for(answer)
        return time.perf_counter() - started

    def wait_for(self, answer: str) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(answer):
                return
        raise RuntimeError(f"the engine ended without '{answer}'")


def rows(settings: Settings) -> Iterator[Row]:
    """Yield rows for the start and for the answers during a search."""
    count = QUICK_ANSWERS if settings.quick else ANSWERS
    starts, ready = [], []
    for _ in range(2 if settings.quick else 10):
        started = time.perf_counter()
        with Client() as client:
            client.answer_time("uci", "uciok")
            starts.append(time.perf_counter() - started)
            ready.append(client.answer_time("isready", "readyok"))
    yield _row("from the start of the process to uciok", starts[1:], UCIOK_SECONDS)
    yield _row("from isready to readyok, first time, kernel in the cache", ready[1:])
    with Client() as client:
        client.answer_time("isready", "readyok")
        client.send("position startpos moves e2e4 e7e5")
        stops, busy, hits, times = [], [], [], []
        for _ in range(count):
            client.send("go infinite")
            time.sleep(SEARCH_SECONDS)
            busy.append(client.answer_time("isready", "readyok"))
            stops.append(client.answer_time("stop", "bestmove"))
            client.send("go ponder depth 1")
            time.sleep(SEARCH_SECONDS / 4)
            hits.append(client.answer_time("ponderhit", "bestmove"))
            milliseconds = round(1000 * MOVE_SECONDS)
            late = client.answer_time(f"go movetime {milliseconds}", "bestmove") - MOVE_SECONDS
            times.append(late)
    yield _row("isready during a search", busy, STOP_SECONDS)
    yield _row("stop", stops, STOP_SECONDS)
    yield _row("ponderhit after the search has ended", hits, STOP_SECONDS)
    yield _row(f"answer to movetime {MOVE_SECONDS * 1000:.0f}, late by", times)


def _row(case: str, times: list[float], target: Target | None = None) -> Row:
    worst = f"{max(times) * 1e3:.1f} ms"
    return Row(
        "uci", "chess", case, ours=statistics.median(times), unit="s", target=target,
        note=f"median of {len(times)}; maximum: {worst}",
    )  # fmt: skip
