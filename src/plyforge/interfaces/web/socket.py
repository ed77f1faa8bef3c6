"""The WebSocket of a page: messages in, checked and handled in turn; messages out."""

import asyncio
import json
import traceback
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.interfaces.web.client import Client, TokenBucket
from plyforge.interfaces.web.schema import Message, SchemaError
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.workers import FAILED, Sent

OUTBOX: Final = 500
"""Messages that may wait for a slow page; with more it is let go."""
OUTBOX_BYTES: Final = 1 << 23
"""Bytes that may wait for it: a few trees, each of which has a megabyte or two."""
TOO_MANY: Final = 1013
"""Close code: try again later."""
AGAINST_RULES: Final = 1008
"""Close code: the page asked too much, or takes nothing."""


class Sockets:
    """All connections of a server."""

    def __init__(
        self,
        server: ServerState,
        messages: Mapping[str, Message],
        fast_workers: Executor,
        slow_workers: Executor,
    ) -> None:
        self._house, self._messages = server, messages
        self._clerks, self._readers = fast_workers, slow_workers
        self._clients: set[Client] = set()
        server.tell_all = self._tell_all

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
        outbox = Outbox(websocket)
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
        pace = TokenBucket(bounds.messages_per_second, bounds.burst)
        loop = asyncio.get_running_loop()
        with suppress(WebSocketDisconnect):
            while True:
                text = await _text(websocket)
                if not pace.allows():
                    client.send({"type": "error", "text": "too many messages; reload the page"})
                    await asyncio.sleep(_GRACE)
                    return
                rest = await loop.run_in_executor(self._clerks, self.handle, client, text)
                if rest is not None:
                    await loop.run_in_executor(self._readers, rest)

    def handle(self, client: Client, text: str) -> Callable[[], None] | None:
        """Do what a message asks; what may take long is given back, for a reader to do."""
        with _telling(client):
            message, fields = self._checked(text)
            if message.slow:
                return partial(self._answer, client, message, fields)
            message.handler(client, fields)
        return None

    def _answer(self, client: Client, message: Message, fields: dict[str, Any]) -> None:
        with _telling(client):
            message.handler(client, fields)

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


@contextmanager
def _telling(client: Client) -> Iterator[None]:
    """Whatever is wrong with a message is told, and harms nobody else."""
    try:
        yield
    except PlyforgeError as error:
        client.send({"type": "error", "text": clip(str(error), _MAX_ERROR)})
    except Exception:
        traceback.print_exc()
        client.send({"type": "error", "text": FAILED})


async def _text(websocket: WebSocket) -> str:
    """The next message; bytes are none of ours."""
    event = await websocket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(event.get("code", 1000))
    return event.get("text") or ""


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


class Outbox:
    """What waits to be sent to one page."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._queue: asyncio.Queue[str] = asyncio.Queue(OUTBOX)
        self._bytes = 0
        """What the queue holds, and what is being sent."""
        self._slow = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def post(self, message: Sent) -> None:
        """Queue a message, from any thread, which also writes it out: the loop has others."""
        text = json.dumps(message, allow_nan=False)
        with suppress(RuntimeError):  # the server is shutting down
            self._loop.call_soon_threadsafe(self._put, text)

    def _put(self, text: str) -> None:
        if self._slow.is_set():
            return
        # A page that has taken everything so far gets the largest message, too.
        if self._queue.full() or (self._bytes and self._bytes + len(text) > OUTBOX_BYTES):
            self._slow.set()
            while not self._queue.empty():
                self._queue.get_nowait()
        else:
            self._bytes += len(text)
            self._queue.put_nowait(text)

    async def run(self) -> None:
        """Send until the page goes or is too slow, though it may never take what it was sent."""
        sending = asyncio.create_task(self._send())
        waiting = asyncio.create_task(self._slow.wait())
        try:
            await asyncio.wait((sending, waiting), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sending.cancel()
            waiting.cancel()

    async def _send(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                text = await self._queue.get()
                await self._websocket.send_text(text)
                self._bytes -= len(text)


_GRACE: Final = 0.1
"""Seconds in which a last message may still go out."""
_MAX_ERROR: Final = 2000
