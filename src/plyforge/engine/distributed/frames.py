"""Messages between the engine and the first of the processes that it has started.

Each is a frame: the length in four bytes, then MessagePack.
"""

import socket
import struct
from typing import Final

import msgspec

from plyforge.engine.distributed.ranks import Change, GroupReply

_LENGTH: Final = struct.Struct("<I")


class Start(msgspec.Struct, tag="start", array_like=True):
    """The first message: the processes are there."""

    token: str
    size: int


class Setup(msgspec.Struct, tag="setup", array_like=True):
    """What all searches have in common: a packed `SearchSetup`."""

    setup: bytes


class Task(msgspec.Struct, tag="task", array_like=True):
    """A request; an empty one ends the processes."""

    number: int
    changes: list[Change]
    request: bytes
    node_limit: int | None


class Stop(msgspec.Struct, tag="stop", array_like=True):
    """End a task as soon as possible."""

    number: int


class Answer(msgspec.Struct, tag="answer", array_like=True):
    """The answer to a task, or to the setup."""

    reply: GroupReply


Frame = Start | Setup | Task | Stop | Answer
_decode = msgspec.msgpack.Decoder(Frame).decode


def send(connection: socket.socket, frame: Frame | GroupReply) -> None:
    """Send a frame."""
    message = Answer(frame) if isinstance(frame, GroupReply) else frame
    data = msgspec.msgpack.encode(message)
    connection.sendall(_LENGTH.pack(len(data)) + data)


def receive(connection: socket.socket) -> Frame | None:
    """Wait for a frame; return None if the connection has ended."""
    head = _read(connection, _LENGTH.size)
    if head is None:
        return None
    data = _read(connection, _LENGTH.unpack(head)[0])
    return None if data is None else _decode(data)


def _read(connection: socket.socket, count: int) -> bytes | None:
    parts = []
    while count > 0:
        part = connection.recv(min(count, 1 << 16))
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
