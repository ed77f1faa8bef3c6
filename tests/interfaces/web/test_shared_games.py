"""SharedGames outlive their guests, but hold nothing for those who have gone."""

import gc
import threading
import time
import weakref
from collections.abc import Iterator

import pytest

from plyforge.interfaces.web.app import messages
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.opponents import LazyPlayer
from plyforge.interfaces.web.shared_games import SharedGame
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.workers import Sent

PATIENCE = 30.0


@pytest.fixture
def server() -> Iterator[ServerState]:
    made = ServerState()
    yield made
    made.close()


def _begun(client: Client, side: str) -> SharedGame:
    message = messages()["new"]
    message.handler(client, message.read({"game": "tictactoe", "side": side, "level": 1}))
    shared = client.server.shared_games.find(client.begun[-1])
    assert shared is not None
    return shared


def test_a_page_that_went_while_its_game_began_is_no_guest(server: ServerState) -> None:
    heard: list[Sent] = []
    client = Client(server, heard.append)
    client.leave()
    shared = _begun(client, "none")
    assert client.shared_game is None
    assert shared.empty_for > 0
    assert shared.session.history.moves == []


def test_an_empty_room_keeps_its_game_but_not_its_players_tables(server: ServerState) -> None:
    heard: list[Sent] = []
    client = Client(server, heard.append)
    shared = _begun(client, "first")
    player = shared.session.seats[1].player
    assert isinstance(player, LazyPlayer)
    made = weakref.ref(player.prepare())
    shared.session.play_text("b2")
    client.leave()
    until = time.monotonic() + PATIENCE
    while made() is not None:  # the thread that prepares players may hold it for a moment
        assert time.monotonic() < until
        gc.collect()
    assert len(shared.session.history.moves) == 1
    assert shared.session.reply() is not None
    assert len(shared.session.history.moves) == 2


def test_a_room_whose_rules_never_return_keeps_nobody_from_other_rooms(server: ServerState) -> None:
    heard: list[Sent] = []
    stuck = _begun(Client(server, heard.append), "both")
    asked: list[float] = []
    asking = threading.Thread(target=lambda: asked.append(stuck.empty_for), daemon=True)
    with stuck.lock:
        asking.start()
        asking.join(PATIENCE)
        assert asked == [0.0]
