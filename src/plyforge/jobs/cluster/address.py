"""The address of a cluster's head node, and whether something answers there."""

import re
import socket
from dataclasses import dataclass
from typing import Final

from plyforge.core.errors import PlyforgeError, clip

DEFAULT_PORT: Final = 6379
"""The port of a Ray head node unless its user has chosen another one."""
CLIENT_PORT: Final = 10001
"""The port of Ray Client, a server that works for programs outside the cluster."""
PREFIX: Final = "ray://"
_TIMEOUT: Final = 3.0
"""Seconds to wait for an answer."""
_QUICK_TIMEOUT: Final = 1.0
_HELLO: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
"""The first bytes of an HTTP/2 client with empty settings; a head node answers with its own."""
_FRAME_BYTES: Final = 9
_SETTINGS_FRAME: Final = 4


@dataclass(frozen=True)
class Address:
    """The host and the port of a head node."""

    host: str
    port: int = DEFAULT_PORT

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can use it."""
        return self.host.lower() in ("localhost", "::1") or self.host.startswith("127.")

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """Parse `HOST:PORT` or `ray://HOST:PORT`; the port is 6379 by default.

    >>> str(parse_address("ray://10.0.0.1")), str(parse_address("head:7000"))
    ('10.0.0.1:6379', 'head:7000')
    """
    found = re.fullmatch(
        r"(?:ray://)?(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::([0-9]{1,5}))?/?", text
    )
    port = DEFAULT_PORT if found is None or found[3] is None else int(found[3])
    if found is None or not 1 <= port <= 65535:
        raise PlyforgeError(
            f"'{clip(text)}' is not the address of a head node; write ray://HOST:PORT, such as"
            f" ray://192.168.0.2:{DEFAULT_PORT}"
        )
    return Address(found[1] or found[2], port)


def check_head(address: Address) -> None:
    """Raise an error if no head node answers at an address.

    Ray itself tries for most of a minute.
    """
    remedy = "start it with 'ray start --head', or correct the address"
    if address.port == CLIENT_PORT:
        remedy = (
            f"{CLIENT_PORT} is the port of Ray Client, which is not supported: give the port of"
            f" the head node itself, {DEFAULT_PORT} by default"
        )
    try:
        with socket.create_connection((address.host, address.port), _TIMEOUT) as connection:
            connection.settimeout(_TIMEOUT)
            connection.sendall(_HELLO)
            answer = connection.recv(_FRAME_BYTES)
    except OSError as error:
        reason = "no answer" if isinstance(error, TimeoutError) else error.strerror or str(error)
        raise PlyforgeError(f"no head node at {address} ({reason}); {remedy}") from None
    except UnicodeError:  # a host name that no encoding of the network allows
        raise PlyforgeError(f"no head node at {address} (not a host name); {remedy}") from None
    if len(answer) < _FRAME_BYTES or answer[3] != _SETTINGS_FRAME:
        raise PlyforgeError(
            f"what answers at {address} is not the head node of a Ray cluster; {remedy}"
        )


def is_listening(host: str, port: int) -> bool:
    """Return whether a server accepts connections there."""
    try:
        with socket.create_connection((host, port), _QUICK_TIMEOUT):
            return True
    except OSError:
        return False


def is_port_free(port: int, host: str = "") -> bool:
    """Return whether a server can listen on a port of this machine."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True
