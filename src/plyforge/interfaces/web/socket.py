"""The WebSocket of a page: messages in, checked and handled in turn; messages out."""

import asyncio
import json
import traceback
from collections.abc import Mapping
from concurrent.futures import Executor
from contextlib import suppress
from typing import Any, Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from plyforge.core.errors import PlyforgeError, UnknownName, clipped
from plyforge.interfaces.web.client import Client, Pace
from plyforge.interfaces.web.house import House
from plyforge.interfaces.web.lanes import FAILED, Sent
from plyforge.interfaces.web.schema import Message, SchemaError

OUTBOX: Final = 500
"""Messages that may wait for a slow page; with more it is let go."""
TOO_MANY: Final = 1013
"""Close code: try again later."""
AGAINST_RULES: Final = 1008
"""Close code: the page asked too much, or takes nothing."""


class Sockets:
    """All connections of a house."""

    def __init__(self, house: House, messages: Mapping[str, Message], clerks: Executor) -> None:
        self._house, self._messages, self._clerks = house, messages, clerks
        self._clients: set[Client] = set()
        house.tell_all = self._tell_all

    def _tell_all(self, message: Sent) -> None:
        for client in list(self._clients):
            client.send(message)

    async def serve(self, websocket: WebSocket) -> None:
        """Serve one page until it goes."""
        if len(self._clients) >= self._house.bounds.clients:
            await websocket.accept()
            await websocket.close(TOO_MANY, "too many pages are open on this server")
            return
        await websocket.accept()
        outbox = _Outbox(websocket)
        client = Client(self._house, outbox.post)
        self._clients.add(client)
        sending = asyncio.create_task(outbox.run())
        reading = asyncio.create_task(self._read(websocket, client))
        # Whatever ends it, a page that goes or a server that closes, is no error of ours.
        with suppress(asyncio.CancelledError):
            await asyncio.wait((sending, reading), return_when=asyncio.FIRST_COMPLETED)
        self._clients.discard(client)
        with suppress(RuntimeError):  # no clerk is left when the server closes
            self._clerks.submit(client.leave)
        sending.cancel()
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(sending, reading, return_exceptions=True)
        with suppress(asyncio.CancelledError, RuntimeError, WebSocketDisconnect):
            await websocket.close(AGAINST_RULES)

    async def _read(self, websocket: WebSocket, client: Client) -> None:
        bounds = self._house.bounds
        pace = Pace(bounds.messages_per_second, bounds.burst)
        loop = asyncio.get_running_loop()
        with suppress(WebSocketDisconnect):
            while True:
                text = await _text(websocket)
                if not pace.allows():
                    client.send({"type": "error", "text": "too many messages; reload the page"})
                    await asyncio.sleep(_GRACE)
                    return
                await loop.run_in_executor(self._clerks, self.handle, client, text)

    def handle(self, client: Client, text: str) -> None:
        """Do what a message asks; whatever is wrong is told, and harms nobody else."""
        try:
            message, fields = self._checked(text)
            message.handler(client, fields)
        except PlyforgeError as error:
            client.send({"type": "error", "text": clipped(str(error), _MOST_ERROR)})
        except Exception:
            traceback.print_exc()
            client.send({"type": "error", "text": FAILED})

    def _checked(self, text: str) -> tuple[Message, dict[str, Any]]:
        if len(text.encode(errors="replace")) > self._house.bounds.message_bytes:
            most = self._house.bounds.message_bytes >> 10
            raise SchemaError(f"the message is too long; at most {most} KiB are taken")
        try:
            given = json.loads(text, parse_constant=_refuse)
        except (ValueError, RecursionError):
            raise SchemaError("the message is no JSON") from None
        if not isinstance(given, dict) or not isinstance(given.get("type"), str):
            raise SchemaError("a message is a JSON object with a 'type'")
        message = self._messages.get(given["type"])
        if message is None:
            raise UnknownName("type of message", given["type"], self._messages)
        return message, message.read(given)


async def _text(websocket: WebSocket) -> str:
    """The next message; bytes are none of ours."""
    event = await websocket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(event.get("code", 1000))
    return event.get("text") or ""


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


class _Outbox:
    """What waits to be sent to one page."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._queue: asyncio.Queue[Sent | None] = asyncio.Queue(OUTBOX)
        self._loop = asyncio.get_running_loop()

    def post(self, message: Sent) -> None:
        """Queue a message, from any thread."""
        with suppress(RuntimeError):  # the server is shutting down
            self._loop.call_soon_threadsafe(self._put, message)

    def _put(self, message: Sent) -> None:
        if self._queue.full():
            while not self._queue.empty():
                self._queue.get_nowait()
            self._queue.put_nowait(None)
        else:
            self._queue.put_nowait(message)

    async def run(self) -> None:
        """Send until the page goes or is too slow."""
        with suppress(WebSocketDisconnect, RuntimeError):
            while (message := await self._queue.get()) is not None:
                await self._websocket.send_text(json.dumps(message, allow_nan=False))


_GRACE: Final = 0.1
"""Seconds in which a last message may still go out."""
_MOST_ERROR: Final = 2000
