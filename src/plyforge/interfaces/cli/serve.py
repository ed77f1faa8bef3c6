"""`plyforge serve`."""

import threading
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Final

from plyforge.interfaces.cli.output import console
from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.house import Databases, House
from plyforge.interfaces.web.server import listen, server

_PATIENCE: Final = 0.5
"""Seconds until the browser is opened: the server listens already, and then answers."""


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
        house = House(games, databases=Databases(matches, lab))
        app = application(house, names=[*allowed, host], public=address.public)
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
        server(app, house.bounds.message_bytes).run(sockets=[listening])


def _open(url: str) -> None:
    """Whatever the desktop does about it, the server goes on; its address was printed."""
    with suppress(Exception):
        webbrowser.open(url)
