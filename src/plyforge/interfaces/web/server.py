"""The listening socket, opened before its address is printed, and the server on it."""

import asyncio
import socket
from dataclasses import dataclass
from typing import Final

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from plyforge.core.errors import PlyforgeError

_LOCAL: Final = ("127.0.0.1", "::1", "localhost")
_ALL_ADDRESSES: Final = ("0.0.0.0", "::", "")
_BACKLOG: Final = 128
MAX_PORT: Final = 65_535
_MAX_HEADERS: Final = 1 << 14
"""Bytes of a request's headers."""
REQUEST_SECONDS: Final = 10.0
"""Seconds in which a request must have arrived."""
_IDLE_SECONDS: Final = 20
_SHUTDOWN_SECONDS: Final = 1


@dataclass(frozen=True)
class Address:
    """The address on which the server listens."""

    host: str
    port: int

    @property
    def public(self) -> bool:
        """Whether other machines can reach it."""
        return self.host not in _LOCAL

    @property
    def url(self) -> str:
        """The URL to open in a browser on this machine."""
        host = "127.0.0.1" if self.host in _ALL_ADDRESSES else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"


class _TimedProtocol(H11Protocol):
    """HTTP that closes connections whose requests do not arrive completely in time."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        upgraded = self.transport.get_protocol() is not self  # it is a WebSocket now
        if not upgraded and self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._expect_request()
        else:
            self._cancel_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_timer()
        super().connection_lost(exc)

    def _expect_request(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(REQUEST_SECONDS, self.transport.close)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _SocketProtocol(WebSocketsSansIOProtocol):
    """WebSockets that compress messages only for other machines.

    Compressing takes about a tenth of the processor time of a turn.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if self.client is not None and self.client[0] in _LOCAL:
            self.conn.available_extensions = []


def listen(host: str, port: int) -> tuple[socket.socket, Address]:
    """Open a listening socket; port 0 chooses a free port."""
    if not 0 <= port <= MAX_PORT:
        raise PlyforgeError(f"port must be between 0 and {MAX_PORT}, not {port}")
    try:
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.create_server(
            (host, port), family=family, backlog=_BACKLOG, reuse_port=False
        )
    except OSError as error:
        remedy = "choose another with --port, or 0 for a free one"
        raise PlyforgeError(f"cannot listen on {host}:{port}: {error.strerror}; {remedy}") from None
    return listening, Address(host, listening.getsockname()[1])


def make_server(app: Starlette, message_bytes: int) -> uvicorn.Server:
    """Make a server for an application; `run(sockets=[...])` serves until it is interrupted."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            http=_TimedProtocol,
            ws=_SocketProtocol,
            ws_max_size=2 * message_bytes,
            h11_max_incomplete_event_size=_MAX_HEADERS,
            timeout_keep_alive=_IDLE_SECONDS,
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
            server_header=False,
            access_log=False,
        )
    )
