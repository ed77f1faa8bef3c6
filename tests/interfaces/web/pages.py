"""A page without a browser: what it sends, and what it hears."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.state import Bounds, ServerState

HOST = "http://127.0.0.1"
SOCKET = "ws://127.0.0.1/socket"
PATIENCE = 120.0
"""Seconds until a test takes silence for a fault; a kernel may have to be compiled."""


class FakePage:
    """A WebSocket of the application."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self._socket = socket

    def send(self, **message: Any) -> None:
        self._socket.send_text(json.dumps(message))

    def send_text(self, text: str) -> None:
        self._socket.send_text(text)

    def receive_any(self) -> dict[str, Any]:
        """The next message."""
        timer = threading.Timer(PATIENCE, self._socket.close)
        timer.start()
        try:
            return dict(json.loads(self._socket.receive_text()))
        finally:
            timer.cancel()

    def receive(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of the kinds; others are passed over, errors are not."""
        while (message := self.receive_any())["type"] not in kinds:
            assert message["type"] != "error", message["text"]
        return message

    def request(self, *kinds: str, **message: Any) -> dict[str, Any]:
        """Send, and hear the answer."""
        self.send(**message)
        return self.receive(*kinds)


@contextmanager
def served(*games: str, bounds: Bounds | None = None) -> Iterator[TestClient]:
    """An application and a client that knows its name."""
    app = application(ServerState(games, bounds))
    with TestClient(app, base_url=HOST) as client:
        yield client


@contextmanager
def open_page(client: TestClient) -> Iterator[FakePage]:
    """An open page."""
    with client.websocket_connect(SOCKET) as socket:
        yield FakePage(socket)
