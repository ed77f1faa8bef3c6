"""Whole matches as files, without a browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import plyforge
from tests.interfaces.web.archives import play_match, serve_files


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    file: Path = tmp_path_factory.mktemp("matches") / "matches.db"
    play_match(file, "tictactoe", 2, 30)
    play_match(file, "checkers", 2, 2)
    with serve_files(file) as client:
        yield client


def test_games_come_in_parts_and_can_be_read_again(client: TestClient) -> None:
    parts = [client.get(f"/api/matches/1/records?from={n}&limit=20").json() for n in (0, 20)]
    assert [part["games"] for part in parts] == [20, 10]
    assert parts[0]["total"] == 30
    text = "\n".join(part["text"] for part in parts)
    records = plyforge.load("tictactoe").read_games(text)
    listed = client.get("/api/matches/1/games?limit=100").json()["games"]
    assert [record.result for record in records] == [game["result"] for game in listed]
    assert [len(record.moves) for record in records] == [game["plies"] for game in listed]


def test_a_game_with_a_format_of_its_own_uses_it_unless_the_plain_one_is_wanted(
    client: TestClient,
) -> None:
    own = client.get("/api/matches/2/records").json()
    assert own["own"]
    assert own["text"].count("[GameType ") == 2
    other = client.get("/api/matches/2/records?plain=1").json()
    assert not other["own"]
    assert other["text"].count("Plyforge record") == 2
    game = plyforge.load("checkers")
    moves = [[record.moves for record in game.read_games(one["text"])] for one in (own, other)]
    assert moves[0] == moves[1]


@pytest.mark.parametrize("address", ["9/records", "1/records?limit=101", "1/records?plain=2"])
def test_a_bad_request_is_explained(client: TestClient, address: str) -> None:
    answer = client.get(f"/api/matches/{address}")
    assert answer.status_code in (400, 404)
    assert answer.json()["error"]
