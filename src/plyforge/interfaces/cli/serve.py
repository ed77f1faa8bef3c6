"""`plyforge serve`."""

import os
import sys
import threading
import time
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Final

from plyforge.interfaces.cli.exits import INTERRUPTED
from plyforge.interfaces.cli.output import console
from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.server import listen, make_server
from plyforge.interfaces.web.state import Databases, ServerState

_PATIENCE: Final = 0.5
"""Seconds until the browser is opened: the server listens already, and then answers."""
_FAREWELL: Final = 1.0
"""Seconds in which work that was told to end may do so."""
_LOOK: Final = 0.05


def run(
    games: list[str],
    host: str,
    port: int,
    open_browser: bool,
    allowed: list[str],
    matches: Path,
    lab: Path,
) -> None:
    """Serve the pages until Ctrl-C."""
    listening, address = listen(host, port)
    with listening:
        server = ServerState(games, databases=Databases(matches, lab))
        app = application(server, names=[*allowed, host], public=address.public)
        out = console()
        out.print(f"Plyforge is at {address.url}  (Ctrl-C ends it)", highlight=False)
        if address.public:
            out.print(
                "Other machines can reach it: everybody who does can use this machine's time.",
                highlight=False,
            )
        if open_browser:
            timer = threading.Timer(_PATIENCE, _open, [address.url])
            timer.daemon = True
            timer.start()
        before = set(threading.enumerate())
        try:
            make_server(app, server.bounds.message_bytes).run(sockets=[listening])
        finally:  # no KeyboardInterrupt comes where a shell's "&" has Ctrl-C ignored
            _release(before)


def _release(before: set[threading.Thread]) -> None:
    """End without threads that never return, as in a game file's endless loop.

    Python would wait for them, and Ctrl-C would seem to do nothing.
    """
    until = time.monotonic() + _FAREWELL
    while begun := [
        thread for thread in threading.enumerate() if thread not in before and not thread.daemon
    ]:
        if time.monotonic() > until:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(INTERRUPTED)
        begun[0].join(_LOOK)


def _open(url: str) -> None:
    """Whatever the desktop does about it, the server goes on; its address was printed."""
    with suppress(Exception):
        webbrowser.open(url)
