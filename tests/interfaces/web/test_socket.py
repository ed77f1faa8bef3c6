"""One page's socket never harms another's, however slow or greedy it is."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from anyio.from_thread import start_blocking_portal

from plyforge.interfaces.web import analyse
from plyforge.interfaces.web.socket import OUTBOX_BYTES, Outbox
from plyforge.interfaces.web.state import Bounds
from tests.interfaces.web.pages import PATIENCE, open_page, served

MIB = 1 << 20
T = TypeVar("T")


def _apart(work: Callable[[], Awaitable[T]]) -> T:
    """Run in a loop of another thread: a browser's tests leave one running in this."""
    with start_blocking_portal() as portal:
        return portal.call(work)


class Deaf:
    """A page that never takes anything."""

    def __init__(self) -> None:
        self.offered = 0

    async def send_text(self, text: str) -> None:
        self.offered += 1
        await asyncio.Event().wait()


def test_a_page_that_takes_nothing_is_let_go_before_it_costs_much_memory() -> None:
    async def posted() -> int:
        deaf: Any = Deaf()
        outbox = Outbox(deaf)
        running = asyncio.create_task(outbox.run())
        count = 0
        while not running.done() and count < 100:
            outbox.post({"type": "tree", "svg": "x" * MIB})
            count += 1
            await asyncio.sleep(0)
        await asyncio.wait_for(running, PATIENCE)
        assert deaf.offered == 1
        return count

    assert _apart(posted) <= OUTBOX_BYTES // MIB + 3


def test_one_message_may_be_as_large_as_it_is() -> None:
    class Eager:
        def __init__(self) -> None:
            self.taken = asyncio.Event()

        async def send_text(self, text: str) -> None:
            self.taken.set()

    async def sent() -> None:
        eager: Any = Eager()
        outbox = Outbox(eager)
        running = asyncio.create_task(outbox.run())
        outbox.post({"type": "tree", "svg": "x" * 2 * OUTBOX_BYTES})
        await asyncio.wait_for(eager.taken.wait(), PATIENCE)
        running.cancel()

    _apart(sent)


def test_messages_that_take_long_keep_no_player_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, answered, ended = (threading.Event() for _ in range(3))
    in_time: list[bool] = []

    def slow(client: Any, given: dict[str, Any]) -> None:
        begun.set()
        in_time.append(answered.wait(PATIENCE))
        ended.set()

    monkeypatch.setitem(analyse.MESSAGES, "look", replace(analyse.MESSAGES["look"], handler=slow))
    bounds = Bounds(fast_workers=1, slow_workers=1)
    with served(bounds=bounds) as client, open_page(client) as greedy, open_page(client) as player:
        greedy.send(type="look", game="tictactoe")
        assert begun.wait(PATIENCE)
        assert player.request("state", type="new", game="tictactoe", side="both")["moves"] == []
        answered.set()
        assert ended.wait(PATIENCE)
    assert in_time == [True]
