"""Check a game in another process, which may hang or crash without harm."""

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from plyforge.check.report import Problem, Report, Statistics
from plyforge.core.errors import PlyforgeError

_BOOT = """
import json, sys
request = json.loads(sys.argv[1])
sys.path[:] = request["path"]
from plyforge.check.child import main
main(request)
"""
_TIMEOUT = 20.0
"""Seconds without a message after which the process is killed."""
_COMPILE_TIMEOUT = 600.0


Observer = Callable[[str, int], object]
"""Called with what the check does (loading, compiling, playing) and the games played so far."""


def check(
    game: str | os.PathLike[str],
    *,
    seed: int = 0,
    games: int = 100,
    seconds: float = 20.0,
    limit: float | None = None,
    observer: Observer = lambda doing, games: None,
) -> Report:
    """Look for mistakes in a game's rules, in at most `games` random games and `seconds` of play.

    `game` is a name, optionally with a variant, or a path, as for `plyforge.load`.  A call into
    the rules that takes longer than `limit` seconds counts as endless.  `observer` is called when
    something else begins, and after each game.
    """
    game = os.fspath(game)
    if games < 1:
        raise PlyforgeError(f"games must be at least 1, not {games}")
    if not seconds > 0:
        raise PlyforgeError(f"time must be more than 0 seconds, not {seconds:g}")
    call_limit = limit if limit is not None else min(5.0, max(1.0, seconds / 4))
    with tempfile.TemporaryDirectory(
        prefix="plyforge-check-", ignore_cleanup_errors=True
    ) as folder:
        request = {
            "game": game,
            "seed": seed,
            "games": games,
            "seconds": seconds,
            "limit": call_limit,
            "cache": folder,
            "path": sys.path,
        }
        return _Supervisor(game, call_limit, observer).run(request, Path(folder))


class _Supervisor:
    def __init__(self, game: str, limit: float, observer: Observer) -> None:
        self.report = Report(game)
        self._observer = observer
        self._limit = limit
        self._doing = "loading"
        self._position: str | None = None
        self._silent = False

    def run(self, request: dict[str, Any], folder: Path) -> Report:
        with (folder / "stderr").open("wb") as output, _process(request, output) as process:
            self._observer(self._doing, 0)
            for line in self._lines(process):
                self._handle(json.loads(line))
                if self.report.complete:
                    break
            hung = process.poll() is None and not self.report.complete and self._silent
        if hung:
            self._report_silence()
        elif not self.report.complete and process.returncode:
            self._report_crash(process.returncode)
        return self.report

    def _lines(self, process: "subprocess.Popen[str]") -> Iterator[str]:
        """Yield lines as they arrive, until the process ends or sends nothing for too long."""
        lines: queue.Queue[str | None] = queue.Queue()
        assert process.stdout is not None
        reader = threading.Thread(target=_read, args=(process.stdout, lines), daemon=True)
        reader.start()
        while True:
            compiling = self._doing != "playing"
            timeout = _COMPILE_TIMEOUT if compiling else max(_TIMEOUT, 4 * self._limit)
            try:
                line = lines.get(timeout=timeout)
            except queue.Empty:
                self._silent = True
                return
            if line is None:
                process.wait()
                return
            yield line

    def _handle(self, event: dict[str, Any]) -> None:
        kind = event["kind"]
        if kind == "problem":
            self.report.problems.append(Problem(**event["problem"]))
        elif kind == "doing":
            if event["what"] != self._doing:
                self._observer(event["what"], 0)
            self._doing = event["what"]
            self._position = event.get("position")
        elif kind == "so far":
            self.report.statistics = Statistics(**event["statistics"])
            self._count(event["times"])
            if self._doing == "playing":
                self._observer(self._doing, self.report.statistics.games)
        elif kind == "error":
            raise PlyforgeError(event["message"])
        elif kind == "failure":
            raise RuntimeError(f"the check itself failed:\n{event['traceback']}")
        elif kind == "end":
            self.report.complete = True

    def _count(self, times: list[int]) -> None:
        problems = self.report.problems
        for index, (problem, count) in enumerate(zip(problems, times, strict=False)):
            problems[index] = replace(problem, times=count)

    def _report_silence(self) -> None:
        self.report.problems.append(
            Problem(
                "problem",
                "rules",
                f"the process stopped answering while {self._doing}; a call into the rules does not"
                " return and cannot be interrupted",
                self._position,
            )
        )

    def _report_crash(self, code: int) -> None:
        how = f"code {code}"
        if code < 0 and -code in set(signal.Signals):
            how = signal.Signals(-code).name
        self.report.problems.append(
            Problem(
                "problem",
                "rules",
                f"the process crashed ({how}) while {self._doing}; do compiled rules write or read"
                " outside of an array?",
                self._position,
            )
        )


def _read(stream: IO[str], lines: "queue.Queue[str | None]") -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


@contextmanager
def _process(request: dict[str, Any], output: IO[bytes]) -> Iterator["subprocess.Popen[str]"]:
    """Start the checking process, and end it with this block."""
    process = subprocess.Popen(
        [sys.executable, "-c", _BOOT, json.dumps(request)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=output,
        text=True,
        encoding="utf-8",
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
