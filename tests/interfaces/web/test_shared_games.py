"""Rooms outlive their guests, but hold nothing for those who have gone."""

import gc
import threading
import time
import weakref
from collections.abc import Iterator

import pytest

from plyforge.interfaces.web.app import messages
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.opponents import LazyPlayer
from plyforge.interfaces.web.shared_games import Room
from plyforge.interfaces.web.state import House
from plyforge.interfaces.web.workers import Sent

PATIENCE = 30.0


@pytest.fixture
def house() -> Iterator[House]:
    made = House()
    yield made
    made.close()


def _begun(client: Client, side: str) -> Room:
    message = messages()["new"]
    message.handler(client, message.read({"game": "tictactoe", "side": side, "level": 1}))
    room = client.house.rooms.find(client.begun[-1])
    assert room is not None
    return room


def test_a_page_that_went_while_its_game_began_is_no_guest(house: House) -> None:
    heard: list[Sent] = []
    client = Client(house, heard.append)
    client.leave()
    room = _begun(client, "none")
    assert client.room is None
    assert room.empty_for > 0
    assert room.session.history.moves == []


def test_an_empty_room_keeps_its_game_but_not_its_players_tables(house: House) -> None:
    heard: list[Sent] = []
    client = Client(house, heard.append)
    room = _begun(client, "first")
    player = room.session.seats[1].player
    assert isinstance(player, LazyPlayer)
    made = weakref.ref(player.prepare())
    room.session.play_text("b2")
    client.leave()
    until = time.monotonic() + PATIENCE
    while made() is not None:  # the thread that prepares players may hold it for a moment
        assert time.monotonic() < until
        gc.collect()
    assert len(room.session.history.moves) == 1
    assert room.session.reply() is not None
    assert len(room.session.history.moves) == 2


def test_a_room_whose_rules_never_return_keeps_nobody_from_other_rooms(house: House) -> None:
    heard: list[Sent] = []
    stuck = _begun(Client(house, heard.append), "both")
    asked: list[float] = []
    asking = threading.Thread(target=lambda: asked.append(stuck.empty_for), daemon=True)
    with stuck.lock:
        asking.start()
        asking.join(PATIENCE)
        assert asked == [0.0]
