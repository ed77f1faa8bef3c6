"""The WebSocket of a page: messages in, checked and answered in order; messages out."""

import asyncio
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from plyforge.core.errors import PlyforgeError, clip
from plyforge.interfaces.web.client import Client, TokenBucket
from plyforge.interfaces.web.handlers import Handlers
from plyforge.interfaces.web.memory import release_memory
from plyforge.interfaces.web.outgoing import Error
from plyforge.interfaces.web.protocol import MessageReader, Outgoing, encode
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.workers import FAILED

MAX_OUTBOX: Final = 500
"""Messages that may wait for a slow page; with more it is disconnected."""
MAX_OUTBOX_BYTES: Final = 1 << 23
"""Bytes that may wait for it: a few trees of one or two megabytes each."""
TRY_AGAIN_LATER: Final = 1013
POLICY_VIOLATION: Final = 1008
_GRACE: Final = 0.1
"""Seconds in which a last message may still be sent."""
_MAX_ERROR: Final = 2000


class Sockets:
    """All connections of a server."""

    def __init__(
        self,
        server: ServerState,
        handlers: Handlers,
        fast_workers: Executor,
        slow_workers: Executor,
    ) -> None:
        self._server, self._handlers = server, handlers
        self._fast_workers, self._slow_workers = fast_workers, slow_workers
        self._reader = MessageReader(handlers, server.limits.message_bytes)

    async def serve(self, websocket: WebSocket) -> None:
        """Serve one page until it disconnects."""
        clients = self._server.clients
        address = websocket.client.host if websocket.client else ""
        reason = self._reason_to_refuse(address)
        await websocket.accept()
        if reason is not None:
            await websocket.close(TRY_AGAIN_LATER, reason)
            return
        outbox = Outbox(websocket)
        client = self._server.new_client(outbox.post, address)
        clients.add(client)
        sending = asyncio.create_task(outbox.run())
        reading = asyncio.create_task(self._read(websocket, client))
        # A page that disconnects and a server that closes both end this; neither is an error.
        with suppress(asyncio.CancelledError):
            await asyncio.wait((sending, reading), return_when=asyncio.FIRST_COMPLETED)
        clients.remove(client)
        with suppress(RuntimeError):  # the workers are gone when the server closes
            self._fast_workers.submit(self._close, client)
        sending.cancel()
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(sending, reading, return_exceptions=True)
        with suppress(asyncio.CancelledError, RuntimeError, WebSocketDisconnect):
            await websocket.close(POLICY_VIOLATION)

    def _reason_to_refuse(self, address: str) -> str | None:
        """Return why another page is not served now; None if it is."""
        clients, limits = self._server.clients, self._server.limits
        if len(clients) >= limits.clients:
            return f"the server is full: {limits.clients} pages are open"
        if clients.count(address) >= limits.clients_per_address:
            return f"{limits.clients_per_address} pages are open from your address"
        return None

    def _close(self, client: Client) -> None:
        client.close()
        server = self._server
        if server.game_file is not None:
            server.shared_games.drop_idle(server.limits.idle_games)
        if not len(server.clients):  # nobody needs the tables of idle engines
            server.engines.clear()
            server.masters.clear()
            release_memory()

    async def _read(self, websocket: WebSocket, client: Client) -> None:
        limits = self._server.limits
        bucket = TokenBucket(limits.messages_per_second, limits.burst)
        loop = asyncio.get_running_loop()
        with suppress(WebSocketDisconnect):
            while True:
                text = await _receive_text(websocket)
                if not bucket.take():
                    client.send(Error(text="too many messages; reload the page"))
                    await asyncio.sleep(_GRACE)
                    return
                rest = await loop.run_in_executor(self._fast_workers, self.handle, client, text)
                if rest is not None:
                    await loop.run_in_executor(self._slow_workers, rest)

    def handle(self, client: Client, text: str) -> Callable[[], None] | None:
        """Answer a message; if that may take long, return a function for a slow worker to call."""
        with _reporting_errors(client):
            message = self._reader.read(text)
            handler = self._handlers[type(message)]
            answer = partial(handler.function, self._server, client, message)
            if handler.slow:
                return partial(_answer, client, answer)
            answer()
        return None


def _answer(client: Client, answer: Callable[[], None]) -> None:
    with _reporting_errors(client):
        answer()


@contextmanager
def _reporting_errors(client: Client) -> Iterator[None]:
    """Send errors to the page instead of raising them."""
    try:
        yield
    except PlyforgeError as error:
        client.send(Error(text=clip(str(error), _MAX_ERROR)))
    except Exception:
        traceback.print_exc()
        client.send(Error(text=FAILED))


async def _receive_text(websocket: WebSocket) -> str:
    """Return the next message; a binary one counts as empty."""
    event = await websocket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(event.get("code", 1000))
    return event.get("text") or ""


class Outbox:
    """The messages that wait to be sent to one page."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._queue: asyncio.Queue[str] = asyncio.Queue(MAX_OUTBOX)
        self._bytes = 0
        """Bytes in the queue, and of the message being sent."""
        self._too_slow = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def post(self, message: Outgoing) -> None:
        """Queue a message, from any thread; encode it there, to keep the event loop free."""
        text = encode(message)
        with suppress(RuntimeError):  # the server is shutting down
            self._loop.call_soon_threadsafe(self._put, text)

    def _put(self, text: str) -> None:
        if self._too_slow.is_set():
            return
        # A page that has taken everything so far also gets a message larger than the limit.
        if self._queue.full() or (self._bytes and self._bytes + len(text) > MAX_OUTBOX_BYTES):
            self._too_slow.set()
            while not self._queue.empty():
                self._queue.get_nowait()
        else:
            self._bytes += len(text)
            self._queue.put_nowait(text)

    async def run(self) -> None:
        """Send until the page disconnects or is too slow, even if a send never returns."""
        sending = asyncio.create_task(self._send())
        waiting = asyncio.create_task(self._too_slow.wait())
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
