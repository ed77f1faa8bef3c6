import threading

import pytest

import plyforge
from plyforge.compilation.notices import Notices
from plyforge.engine.clock import Clock
from plyforge.game.game import History
from plyforge.interfaces.web import opponents
from plyforge.interfaces.web.catalog import GameCatalog
from plyforge.interfaces.web.opponents import LazyPlayer
from plyforge.match.players import Choice, MoveLimits
from plyforge.match.players.computer import LevelPlayer

TIMEOUT = 30.0
SOON = 0.2
"""Seconds in which a second search would have started if it could."""


class Thinker:
    """A player that thinks until it is closed, and cannot do two things at a time."""

    seconds = None

    def __init__(self) -> None:
        self.searches = threading.Semaphore(0)
        self.closed = threading.Semaphore(0)
        self.seeds: list[int] = []
        self.overlaps = 0
        self._busy = threading.Lock()

    def warm_up(self) -> None:
        pass

    def begin(self, seed: int) -> None:
        self.overlaps += self._busy.locked()
        self.seeds.append(seed)

    def choose(self, history: History, clock: Clock | None) -> Choice:
        alone = self._busy.acquire(blocking=False)
        self.overlaps += not alone
        self.searches.release()
        assert self.closed.acquire(timeout=TIMEOUT)
        if alone:
            self._busy.release()
        return Choice(0)

    def close(self) -> None:
        self.closed.release()


def test_a_second_request_waits_until_the_first_search_has_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thinker, game = Thinker(), plyforge.load("tictactoe")
    monkeypatch.setattr(opponents, "player", lambda *_: thinker)
    lazy = LazyPlayer(GameCatalog([], Notices()), game, "engine:level=1", MoveLimits())
    requests = [
        threading.Thread(target=lazy.choose, args=[game.history(), None], daemon=True)
        for _ in range(2)
    ]
    requests[0].start()
    assert thinker.searches.acquire(timeout=TIMEOUT)
    lazy.begin(7)  # a game loaded while it thinks
    requests[1].start()
    thinker.searches.acquire(timeout=SOON)
    for thread in requests:
        lazy.close()
        thread.join(SOON)
    while any(thread.is_alive() for thread in requests):
        lazy.close()
        requests[1].join(SOON)
    assert thinker.overlaps == 0
    assert thinker.seeds == [0, 7]


def test_players_of_one_kind_share_a_kernel_but_no_memory() -> None:
    game = plyforge.load("tictactoe", backend="python")
    catalog = GameCatalog([], Notices())
    lazy = [LazyPlayer(catalog, game, "engine:level=3", MoveLimits()) for _ in range(2)]
    first, second = (one.prepare() for one in lazy)
    assert isinstance(first, LevelPlayer)
    assert isinstance(second, LevelPlayer)
    assert second is not first
    assert len(catalog.players) == 1
    other = LazyPlayer(catalog, game, "engine:level=4", MoveLimits()).prepare()
    assert len(catalog.players) == 2
    elsewhere = LazyPlayer(GameCatalog([], Notices()), game, "engine:level=3", MoveLimits())
    moves = []
    for one in (*lazy, elsewhere):
        one.begin(5)
        moves.append(one.choose(game.history(), None).move)
    assert moves[0] == moves[1] == moves[2]
    del first, second, other
