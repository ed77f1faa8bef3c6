"""The process in which a game is checked; it sends what it finds as lines of JSON.

It may hang or crash with the rules; `supervisor` keeps what it sent before.
"""

import json
import os
import signal
import sys
import threading
import time
import traceback
from dataclasses import asdict
from pathlib import Path
from typing import Any

import plyforge
from plyforge.check.examination import Budget, Examination
from plyforge.check.guard import Guard, Hang
from plyforge.check.report import Problem, Recorder
from plyforge.core.errors import PlyforgeError
from plyforge.game.game import Game

LOADING_LIMIT = 30.0
"""Seconds for importing the file; some games fill tables then."""
_ALIVE_INTERVAL = 0.2
_GRACE = 2.0
"""Seconds that the watching thread waits for the signal to interrupt Python code."""


class Channel:
    """The pipe to the supervisor.  Output of the author's code goes to standard error instead."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._file = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)

    def send(self, kind: str, **fields: Any) -> None:
        """Send one event."""
        with self._lock:
            self._file.write(json.dumps({"kind": kind, **fields}) + "\n")
            self._file.flush()

    def problem(self, problem: Problem) -> None:
        """Send a problem."""
        self.send("problem", problem=asdict(problem))


def main(request: dict[str, Any]) -> None:
    """Check the game that the request names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor ends this process
    channel = Channel()
    guard = Guard(Path(request["game"]).parent, LOADING_LIMIT)
    try:
        recorder = Recorder(channel.problem)
        threading.Thread(target=_watch, args=(guard, recorder, channel), daemon=True).start()
        game = _load(request["game"], guard, recorder)
        if game is not None:
            _examine(Examination(game, guard, recorder), guard, recorder, request, channel)
        channel.send("end")
    except PlyforgeError as error:
        channel.send("error", message=str(error))
    except BaseException:
        channel.send("failure", traceback=traceback.format_exc())
    # Threads that the author's code started must not keep the process alive.
    os._exit(0)


def _load(game: str, guard: Guard, recorder: Recorder) -> Game | None:
    try:
        with guard.interrupt_slow_calls():
            # By the public name, because this package does not import games.
            loaded: Game = guard.call("python", "import", plyforge.load, game)
    except Hang as hang:
        where = f"; it is still at line {hang.place.line}" if hang.place else ""
        recorder.problem(
            "rules",
            "import",
            f"importing the file does not end within {hang.seconds:g} s{where}",
            hang.place,
        )
        return None
    guard.folder = Path(loaded.rules.file).resolve().parent
    return loaded


def _examine(
    examination: Examination,
    guard: Guard,
    recorder: Recorder,
    request: dict[str, Any],
    channel: Channel,
) -> None:
    def send_progress() -> None:
        channel.send(
            "so far",
            statistics=asdict(examination.statistics),
            times=recorder.times,
        )

    guard.limit = request["limit"]
    channel.send("doing", what="compiling")
    examination.check_definitions()
    examination.compile(Path(request["cache"]))
    send_progress()
    channel.send("doing", what="playing")
    examination.play(
        Budget(request["seed"], request["games"], request["seconds"]),
        send_progress,
        announce=lambda text: channel.send("doing", what="playing", position=text),
    )
    send_progress()


def _watch(guard: Guard, recorder: Recorder, channel: Channel) -> None:
    """Show that the process is alive; end it when a call does not return."""
    while True:
        time.sleep(_ALIVE_INTERVAL)
        try:
            channel.send("alive")
        except OSError:  # the supervisor has ended
            os._exit(1)
        late = guard.seconds_overdue()
        if late > (0 if guard.backend == "compiled" else _GRACE):
            _report_hang(guard, recorder)
            os._exit(0)


def _report_hang(guard: Guard, recorder: Recorder) -> None:
    if guard.backend == "compiled":
        recorder.problem(
            guard.hook,
            "hang",
            f"'{guard.hook}' does not return within {guard.limit:g} s when compiled, though it does"
            " uncompiled; does a loop in it rely on integers beyond 64 bits?",
        )
    else:
        place = guard.main_thread_place()
        where = f": it is still at line {place.line}" if place else ""
        recorder.problem(
            guard.hook,
            "hang",
            f"'{guard.hook}' does not return within {guard.limit:g} s{where}",
            place,
        )


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
