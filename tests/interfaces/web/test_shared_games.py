"""Shared games outlive their pages, but hold no memory for pages that have gone."""

import gc
import threading
import time
import weakref
from collections.abc import Iterator

import pytest

from plyforge.interfaces.web import play
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.incoming import NewGame, People
from plyforge.interfaces.web.opponents import LazyPlayer
from plyforge.interfaces.web.shared_games import SharedGame
from plyforge.interfaces.web.state import ServerState

TIMEOUT = 30.0


@pytest.fixture
def server() -> Iterator[ServerState]:
    server = ServerState()
    yield server
    server.close()


def make_client(server: ServerState) -> Client:
    return server.new_client(lambda message: None)


def start_game(server: ServerState, client: Client, side: People) -> SharedGame:
    play.new(server, client, NewGame(game="tictactoe", side=side, level=1))
    game = server.shared_games.find(client.started_games[-1])
    assert game is not None
    return game


def test_a_page_that_closes_while_its_game_starts_does_not_join(server: ServerState) -> None:
    client = make_client(server)
    client.close()
    game = start_game(server, client, "none")
    assert client.shared_game is None
    assert game.idle_seconds > 0
    assert game.session.history.moves == []


def test_a_game_without_pages_frees_its_players_tables(server: ServerState) -> None:
    client = make_client(server)
    game = start_game(server, client, "first")
    player = game.session.seats[1].player
    assert isinstance(player, LazyPlayer)
    made = weakref.ref(player.prepare())
    game.session.play_text("b2")
    client.close()
    deadline = time.monotonic() + TIMEOUT
    while made() is not None:  # the thread that prepares players may hold it for a moment
        assert time.monotonic() < deadline
        gc.collect()
    assert len(game.session.history.moves) == 1
    assert game.session.reply() is not None
    assert len(game.session.history.moves) == 2


def test_a_game_whose_rules_never_return_does_not_block_others(server: ServerState) -> None:
    stuck = start_game(server, make_client(server), "both")
    answers: list[float] = []
    thread = threading.Thread(target=lambda: answers.append(stuck.idle_seconds), daemon=True)
    with stuck.lock:
        thread.start()
        thread.join(TIMEOUT)
        assert answers == [0.0]
