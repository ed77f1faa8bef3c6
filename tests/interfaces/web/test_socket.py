"""A slow or greedy page does not disturb others."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest
from anyio.from_thread import start_blocking_portal

from plyforge.interfaces.web import analyse
from plyforge.interfaces.web.handlers import Handler
from plyforge.interfaces.web.incoming import ShowPosition
from plyforge.interfaces.web.outgoing import SketchView
from plyforge.interfaces.web.socket import MAX_OUTBOX_BYTES, Outbox
from plyforge.interfaces.web.state import ServerLimits
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
