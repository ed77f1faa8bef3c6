"""`plyforge serve`."""

import os
import sys
import threading
import time
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine.engine import MAX_THREADS, validate_threads
from plyforge.interfaces.cli.exits import INTERRUPTED
from plyforge.interfaces.cli.output import console
from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.game_file import default_file
from plyforge.interfaces.web.memory import collect_seldom
from plyforge.interfaces.web.server import listen, make_server
from plyforge.interfaces.web.state import Databases, ServerLimits, ServerState
from plyforge.jobs.choosing import check_name

_MIN_THREADS: Final = 3
"""Threads for analyses even on one processor: two analyses and a comparison."""
_ANALYSIS_NICE: Final = 15
"""How much lower the priority of analyses is than that of players' moves."""
_BROWSER_DELAY: Final = 0.5
"""Seconds until the browser is opened, so that the server is ready to answer."""
_SHUTDOWN_SECONDS: Final = 1.0
"""Seconds that threads have to end after Ctrl-C."""
_POLL_INTERVAL: Final = 0.05


def run(
    games: list[str],
    host: str,
    port: int,
    open_browser: bool,
    allowed: list[str],
    matches: Path,
    lab: Path,
    learning: Path,
    played: Path | None,
    drivers: list[str],
    steps: list[str],
    analysis_threads: int,
    total_analysis_threads: int | None,
    executor: str,
    books: list[str],
) -> None:
    """Serve the pages until Ctrl-C."""
    check_name(executor)
    limits = ServerLimits(
        analysis_threads=validate_threads(analysis_threads),
        total_analysis_threads=_total_threads(analysis_threads, total_analysis_threads),
        analysis_nice=_ANALYSIS_NICE,
    )
    listening, address = listen(host, port)
    with listening:
        databases = Databases(matches, lab, learning, played or default_file())
        server = ServerState(
            games,
            limits,
            databases=databases,
            drivers=drivers,
            steps=steps,
            executor=executor,
            books=books,
        )
        app = application(server, names=[*allowed, host], public=address.public)
        out = console()
        out.print(f"Plyforge is at {address.url}  (press Ctrl-C to stop)", highlight=False)
        if address.public:
            out.print(
                "Other machines can reach it, and use this machine's processor.",
                highlight=False,
            )
        if open_browser:
            timer = threading.Timer(_BROWSER_DELAY, _open, [address.url])
            timer.daemon = True
            timer.start()
        collect_seldom()
        before = set(threading.enumerate())
        try:
            make_server(app, server.limits.message_bytes).run(sockets=[listening])
        finally:  # with SIGINT ignored, as for background jobs, no KeyboardInterrupt is raised
            _wait_for_threads(before)


def _total_threads(each: int, total: int | None) -> int:
    """Return the limit for all analyses: by default room for two, or for all processors."""
    if total is None:
        return max(2 * each, os.cpu_count() or 1, _MIN_THREADS)
    if not each <= total <= MAX_THREADS:
        raise PlyforgeError(
            f"--total-analysis-threads must be between --analysis-threads, which is {each}, and"
            f" {MAX_THREADS}, not {total}"
        )
    return total


def _wait_for_threads(before: set[threading.Thread]) -> None:
    """Wait for threads to end, and exit without those that never do.

    A game file's endless loop would otherwise keep the process alive after Ctrl-C.
    """
    deadline = time.monotonic() + _SHUTDOWN_SECONDS
    while running := [
        thread for thread in threading.enumerate() if thread not in before and not thread.daemon
    ]:
        if time.monotonic() > deadline:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(INTERRUPTED)
        running[0].join(_POLL_INTERVAL)


def _open(url: str) -> None:
    """Open the page; failures do not matter, because the address was printed."""
    with suppress(Exception):
        webbrowser.open(url)
