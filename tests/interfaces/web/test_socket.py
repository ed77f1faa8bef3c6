"""A slow or greedy page does not disturb others."""

import asyncio
import socket
import threading
import time
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest
from anyio.from_thread import start_blocking_portal
from starlette.websockets import WebSocketDisconnect
from websockets.sync.client import connect

from plyforge.interfaces.web import analyse
from plyforge.interfaces.web import server as server_module
from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.handlers import Handler
from plyforge.interfaces.web.incoming import ShowPosition
from plyforge.interfaces.web.outgoing import SketchView
from plyforge.interfaces.web.server import Address, listen, make_server
from plyforge.interfaces.web.socket import MAX_OUTBOX_BYTES, TRY_AGAIN_LATER, Outbox
from plyforge.interfaces.web.state import ServerLimits, ServerState
from tests.interfaces.web.pages import TIMEOUT, open_page, serve

MIB = 1 << 20
T = TypeVar("T")


def _run_in_thread(work: Callable[[], Awaitable[T]]) -> T:
    """Run in another thread's event loop: browser tests leave one running in this thread."""
    with start_blocking_portal() as portal:
        return portal.call(work)


class BlockedPage:
    """A page that never receives anything."""

    def __init__(self) -> None:
        self.sends = 0

    async def send_text(self, text: str) -> None:
        self.sends += 1
        await asyncio.Event().wait()


def test_a_page_that_receives_nothing_is_dropped_before_it_costs_much_memory() -> None:
    async def count_posts() -> int:
        page: Any = BlockedPage()
        outbox = Outbox(page)
        running = asyncio.create_task(outbox.run())
        count = 0
        while not running.done() and count < 100:
            outbox.post(SketchView(board="x" * MIB))
            count += 1
            await asyncio.sleep(0)
        await asyncio.wait_for(running, TIMEOUT)
        assert page.sends == 1
        return count

    assert _run_in_thread(count_posts) <= MAX_OUTBOX_BYTES // MIB + 3


def test_a_single_message_may_be_larger_than_the_limit() -> None:
    class FastPage:
        def __init__(self) -> None:
            self.received = asyncio.Event()

        async def send_text(self, text: str) -> None:
            self.received.set()

    async def send() -> None:
        page: Any = FastPage()
        outbox = Outbox(page)
        running = asyncio.create_task(outbox.run())
        outbox.post(SketchView(board="x" * 2 * MAX_OUTBOX_BYTES))
        await asyncio.wait_for(page.received.wait(), TIMEOUT)
        running.cancel()

    _run_in_thread(send)


def test_slow_messages_do_not_delay_players(monkeypatch: pytest.MonkeyPatch) -> None:
    started, answered, ended = (threading.Event() for _ in range(3))
    in_time: list[bool] = []

    def slow(server: Any, client: Any, message: ShowPosition) -> None:
        started.set()
        in_time.append(answered.wait(TIMEOUT))
        ended.set()

    handlers: Any = analyse.HANDLERS
    monkeypatch.setitem(handlers, ShowPosition, Handler(slow, slow=True))
    limits = ServerLimits(fast_workers=1, slow_workers=1)
    with serve(limits=limits) as client, open_page(client) as greedy, open_page(client) as player:
        greedy.send(type="look", game="tictactoe")
        assert started.wait(TIMEOUT)
        assert player.request("state", type="new", game="tictactoe", side="both")["moves"] == []
        answered.set()
        assert ended.wait(TIMEOUT)
    assert in_time == [True]


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (ServerLimits(clients=2), "the server is full: 2 pages are open"),
        (ServerLimits(clients_per_address=2), "2 pages are open from your address"),
    ],
)
def test_a_page_that_is_not_served_is_told_why(limits: ServerLimits, reason: str) -> None:
    with serve(limits=limits) as client, open_page(client), open_page(client):
        with open_page(client) as third, pytest.raises(WebSocketDisconnect) as refused:
            third.receive_any()
        assert (refused.value.code, refused.value.reason) == (TRY_AGAIN_LATER, reason)


@contextmanager
def _impatient_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Address]:
    """Run a server that waits only a moment for requests."""
    monkeypatch.setattr(server_module, "REQUEST_SECONDS", 0.2)
    state = ServerState()
    listening, address = listen("127.0.0.1", 0)
    running = make_server(application(state), state.limits.message_bytes)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield address
    finally:
        running.should_exit = True
        thread.join()
        listening.close()


@pytest.mark.parametrize(
    "start", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"GET / HTTP/1.1\r\nContent-Le"]
)
def test_a_half_sent_request_times_out(monkeypatch: pytest.MonkeyPatch, start: bytes) -> None:
    with _impatient_server(monkeypatch) as address:
        with socket.create_connection(("127.0.0.1", address.port), TIMEOUT) as connection:
            connection.sendall(start)
            assert connection.recv(100) == b""  # the server has closed it
        with urllib.request.urlopen(address.url, timeout=TIMEOUT) as response:
            assert response.status == 200


def test_a_socket_may_be_silent_for_longer_than_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        _impatient_server(monkeypatch) as address,
        connect(f"ws://127.0.0.1:{address.port}/socket") as page,
    ):
        time.sleep(0.6)
        page.send('{"type": "look", "game": "tictactoe"}')
        assert '"type":"position"' in str(page.recv(TIMEOUT))


def test_a_game_that_nobody_watches_gives_way_at_once() -> None:
    with serve(limits=ServerLimits(shared_games=1)) as client:
        with open_page(client) as first:
            first.request("state", type="new", game="tictactoe", side="both")
            with open_page(client) as second:
                error = second.request("error", type="new", game="tictactoe", side="both")
                assert "the server is full: pages show all of its 1 games" in error["text"]
                first.request("position", type="look", game="tictactoe")
        deadline = time.monotonic() + TIMEOUT
        while len(client.app.state.server.clients):  # type: ignore[attr-defined]
            assert time.monotonic() < deadline
        with open_page(client) as third:
            new = {"type": "new", "game": "tictactoe", "side": "both"}
            answer = third.request("state", "error", **new)
            while answer["type"] == "error":  # the first page is still being closed
                assert time.monotonic() < deadline
                answer = third.request("state", "error", **new)


@pytest.mark.parametrize("local", [True, False])
def test_messages_are_compressed_only_for_other_machines(
    monkeypatch: pytest.MonkeyPatch, local: bool
) -> None:
    if not local:
        monkeypatch.setattr(server_module, "_LOCAL", ())
    with (
        _impatient_server(monkeypatch) as address,
        connect(f"ws://127.0.0.1:{address.port}/socket", open_timeout=TIMEOUT) as page,
    ):
        assert bool(page.protocol.extensions) != local
