"""Listening: a socket that is ours before anybody is told its address, and the server on it."""

import socket
from dataclasses import dataclass
from typing import Final

import uvicorn
from starlette.applications import Starlette

from plyforge.core.errors import PlyforgeError

_LOCAL: Final = ("127.0.0.1", "::1", "localhost")
_ANY: Final = ("0.0.0.0", "::", "")
_BACKLOG: Final = 128
MAX_PORT: Final = 65_535
_MAX_HEAD: Final = 1 << 14
"""Bytes of a request's head."""
_IDLE_SECONDS: Final = 20
_FAREWELL_SECONDS: Final = 1


@dataclass(frozen=True)
class Address:
    """Where the server listens."""

    host: str
    port: int

    @property
    def public(self) -> bool:
        """Whether other machines can reach it."""
        return self.host not in _LOCAL

    @property
    def url(self) -> str:
        """What to open in a browser on this machine."""
        host = "127.0.0.1" if self.host in _ANY else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"


def listen(host: str, port: int) -> tuple[socket.socket, Address]:
    """A listening socket; port 0 takes any that is free."""
    if not 0 <= port <= MAX_PORT:
        raise PlyforgeError(f"port {port} is out of range; ports go from 0 to {MAX_PORT}")
    try:
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.create_server(
            (host, port), family=family, backlog=_BACKLOG, reuse_port=False
        )
    except OSError as error:
        remedy = "give another with --port, or 0 for any that is free"
        raise PlyforgeError(f"cannot listen on {host}:{port}: {error.strerror}; {remedy}") from None
    return listening, Address(host, listening.getsockname()[1])


def make_server(app: Starlette, message_bytes: int) -> uvicorn.Server:
    """A server for an application; `run(sockets=[...])` serves until interrupted."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            ws="websockets-sansio",
            ws_max_size=2 * message_bytes,
            h11_max_incomplete_event_size=_MAX_HEAD,
            timeout_keep_alive=_IDLE_SECONDS,
            timeout_graceful_shutdown=_FAREWELL_SECONDS,
            server_header=False,
            access_log=False,
        )
    )
