"""A page without a browser: what it sends and receives."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.state import Databases, ServerLimits, ServerState

HOST = "http://127.0.0.1"
SOCKET = "ws://127.0.0.1/socket"
TIMEOUT = 120.0
"""Seconds without an answer after which a test fails; a kernel may have to be compiled."""


class FakePage:
    """A WebSocket of the application."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self._socket = socket

    def send(self, **message: Any) -> None:
        self._socket.send_text(json.dumps(message))

    def send_text(self, text: str) -> None:
        self._socket.send_text(text)

    def receive_any(self) -> dict[str, Any]:
        """Return the next message."""
        timer = threading.Timer(TIMEOUT, self._socket.close)
        timer.start()
        try:
            return dict(json.loads(self._socket.receive_text()))
        finally:
            timer.cancel()

    def receive(self, *types: str) -> dict[str, Any]:
        """Return the next message of one of the types; skip others, but fail on errors."""
        while (message := self.receive_any())["type"] not in types:
            assert message["type"] != "error", message["text"]
        return message

    def request(self, *types: str, **message: Any) -> dict[str, Any]:
        """Send a message, and return the reply of one of the types."""
        self.send(**message)
        return self.receive(*types)


@contextmanager
def serve(
    *games: str, limits: ServerLimits | None = None, databases: Databases | None = None
) -> Iterator[TestClient]:
    """Serve an application to a client that knows its name."""
    app = application(ServerState(games, limits, databases))
    with TestClient(app, base_url=HOST) as client:
        yield client


@contextmanager
def open_page(client: TestClient) -> Iterator[FakePage]:
    """Open a page."""
    with client.websocket_connect(SOCKET) as socket:
        yield FakePage(socket)
