import threading
from collections.abc import Iterator

import pytest

import plyforge
from plyforge.engine.clock import Clock
from plyforge.game.game import History
from plyforge.interfaces.web import opponents
from plyforge.interfaces.web.opponents import LazyPlayer
from plyforge.interfaces.web.state import ServerState
from plyforge.match.players import Choice, MoveLimits

PATIENCE = 30.0
SOON = 0.2
"""Seconds in which a second search would have begun if it could."""


class Thinker:
    """Thinks until it is closed, and cannot do two things at a time."""

    seconds = None

    def __init__(self) -> None:
        self.searches = threading.Semaphore(0)
        self.closed = threading.Semaphore(0)
        self.begun: list[int] = []
        self.overlaps = 0
        self._busy = threading.Lock()

    def begin(self, seed: int) -> None:
        self.overlaps += self._busy.locked()
        self.begun.append(seed)

    def choose(self, history: History, clock: Clock | None) -> Choice:
        alone = self._busy.acquire(blocking=False)
        self.overlaps += not alone
        self.searches.release()
        assert self.closed.acquire(timeout=PATIENCE)
        if alone:
            self._busy.release()
        return Choice(0)

    def close(self) -> None:
        self.closed.release()


@pytest.fixture
def server() -> Iterator[ServerState]:
    made = ServerState()
    yield made
    made.close()


def test_a_player_asked_again_before_it_has_ended_begins_after_it(
    server: ServerState, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinker, game = Thinker(), plyforge.load("tictactoe")
    monkeypatch.setattr(opponents, "player", lambda *_: thinker)
    late = LazyPlayer(server, game, "engine:level=1", MoveLimits())
    asked = [
        threading.Thread(target=late.choose, args=[game.history(), None], daemon=True)
        for _ in range(2)
    ]
    asked[0].start()
    assert thinker.searches.acquire(timeout=PATIENCE)
    late.begin(7)  # a game loaded while it thinks
    asked[1].start()
    thinker.searches.acquire(timeout=SOON)
    for thread in asked:
        late.close()
        thread.join(SOON)
    while any(thread.is_alive() for thread in asked):
        late.close()
        asked[1].join(SOON)
    assert thinker.overlaps == 0
    assert thinker.begun == [0, 7]
