"""Stored matches on a page: read only, page by page, and with an error for other files."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

import plyforge
from plyforge.match.store import Store
from tests.interfaces.web.archives import make_database, play_match, serve_files

EXAMPLE = Path(__file__).parents[3] / "examples" / "breakthrough.py"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("matches") / "matches.db"
    play_match(file, "tictactoe", 2, 30)
    play_match(file, "connect4:5x4", 3, 6)
    return file


@pytest.fixture(scope="module")
def client(file: Path) -> Iterator[TestClient]:
    with serve_files(file) as client:
        yield client


def test_matches_are_listed_the_newest_first(client: TestClient) -> None:
    reply = client.get("/api/matches").json()
    assert reply["total"] == 2
    newest, oldest = reply["matches"]
    assert (newest["id"], oldest["id"]) == (2, 1)
    assert oldest["title"] == "Tic-tac-toe"
    assert oldest["games"] == 30
    assert {player["name"] for player in oldest["players"]} == {"random", "<b>other</b>"}
    points = [float(player["points"]) for player in oldest["players"]]
    assert sum(points) == 30
    assert points[0] >= points[1]
    assert oldest["lead"].startswith("+")
    assert newest["lead"] is None


def test_a_match_has_standings_and_with_three_players_a_cross_table(client: TestClient) -> None:
    two, three = (client.get(f"/api/matches/{number}").json() for number in (1, 2))
    assert [table["headings"][0] for table in two["tables"]] == ["player"]
    assert two["tables"][0]["headings"][1:3] == ["Elo", "±"]
    assert three["tables"][1]["headings"] == ["player", "1", "2", "3", "points"]
    assert any("30 games" in remark for remark in two["remarks"])


def test_a_plot_is_a_picture_that_loads_nothing(client: TestClient) -> None:
    answer = client.get("/api/matches/1/plot.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert ElementTree.fromstring(answer.content).tag.endswith("svg")


def test_games_come_in_pages(client: TestClient) -> None:
    first = client.get("/api/matches/1/games?limit=20").json()
    rest = client.get("/api/matches/1/games?from=20&limit=20").json()
    numbers = [game["number"] for game in first["games"] + rest["games"]]
    assert numbers == list(range(1, 31))
    assert first["total"] == 30
    assert client.get("/api/matches/1/games?from=1000").json()["games"] == []
    assert {"players", "result", "reason", "plies"} <= first["games"][0].keys()


@pytest.mark.parametrize(
    "query",
    [
        "limit=101",
        "limit=0",
        "limit=-1",
        "from=-1",
        "limit=x",
        "from=1e3",
        "limit=٣",
        "from=" + "9" * 99,
    ],
)
def test_bad_page_numbers_are_refused(client: TestClient, query: str) -> None:
    answer = client.get(f"/api/matches?{query}")
    assert answer.status_code == 400
    assert "must be an integer between" in answer.json()["error"]


@pytest.mark.parametrize(
    "path",
    [
        *("9", "x", "-1", "1%20OR%201", "9" * 5000, "..%2f..%2fetc", "1/games/99", "1/games/0"),
        *("1/games/1/boards/999", "1/games/x", "9/plot.svg", "9/games"),
    ],
)
def test_missing_rows_are_refused(client: TestClient, path: str) -> None:
    answer = client.get(f"/api/matches/{path}")
    assert 400 <= answer.status_code < 500


def test_a_game_is_shown_move_by_move(client: TestClient) -> None:
    game = client.get("/api/matches/1/games/1").json()
    assert game["sides"] == ["X", "O"]
    assert len(game["colours"]) == 2
    assert game["players"] == ["random", "<b>other</b>"]
    boards = [
        client.get(f"/api/matches/1/games/1/boards/{ply}").json()["board"]
        for ply in range(len(game["moves"]) + 1)
    ]
    pieces = [board.count('class="piece ') for board in boards]
    assert pieces == list(range(len(boards)))
    assert game["moves"][0]["side"] == 0


def test_a_game_can_be_downloaded_and_read_again(client: TestClient) -> None:
    shown = client.get("/api/matches/1/games/1").json()
    assert (shown["game"], shown["start"]) == ("tictactoe", None)
    text = client.get("/api/matches/1/games/1/record").json()["text"]
    (record,) = plyforge.load("tictactoe").read_games(text)
    assert record.result == shown["result"]
    assert len(record.moves) == len(shown["moves"])
    assert client.get("/api/matches/1/games/999/record").status_code == 400


def test_every_column_of_a_match_is_explained(client: TestClient) -> None:
    for match in (1, 2):
        shown = client.get(f"/api/matches/{match}").json()
        for table in shown["tables"]:
            named = [head for head in table["headings"] if not head.isdecimal()]
            assert set(named) - {"player"} <= set(shown["columns"])


def test_a_match_shows_its_new_games(tmp_path: Path) -> None:
    file = tmp_path / "m.db"
    play_match(file, "tictactoe", 2, 2)
    with serve_files(file) as client:
        assert client.get("/api/matches").json()["matches"][0]["games"] == 2
        with Store(file) as store:
            games = store.games(1)
            store.connection.execute("DELETE FROM game WHERE number = 1")
            store.connection.commit()
        assert len(games) == 2
        assert client.get("/api/matches/1").json()["games"] == 1
        assert "1 games" in client.get("/api/matches/1").json()["remarks"][1]


def test_reading_changes_no_file(tmp_path: Path) -> None:
    file = tmp_path / "m.db"
    play_match(file, "tictactoe", 2, 4)
    before = file.read_bytes(), sorted(path.name for path in tmp_path.iterdir())
    with serve_files(file, tmp_path / "none.db") as client:
        for path in ("/api/matches", "/api/matches/1", "/api/matches/1/games/1", "/api/lab"):
            assert client.get(path).status_code == 200
    assert (file.read_bytes(), sorted(path.name for path in tmp_path.iterdir())) == before


def test_a_missing_file_is_an_empty_list_with_the_command_that_makes_one(tmp_path: Path) -> None:
    file = tmp_path / "my games.db"
    with serve_files(file) as client:
        reply = client.get("/api/matches").json()
        assert client.get("/api/matches/1").status_code == 400
    assert reply["total"] == 0
    assert reply["command"].startswith("plyforge match ")
    assert f"'{file}'" in reply["command"]
    assert not file.exists()


def test_a_match_without_games_has_an_empty_plot(tmp_path: Path) -> None:
    file = tmp_path / "m.db"
    play_match(file, "tictactoe", 2, 0)
    with serve_files(file) as client:
        assert client.get("/api/matches").json()["matches"][0]["games"] == 0
        assert client.get("/api/matches/1").json()["games"] == 0
        assert client.get("/api/matches/1/plot.svg").status_code == 200


@pytest.mark.parametrize(
    ("schema", "error"),
    [
        ("", "holds no matches"),
        ("CREATE TABLE run (id)", "holds no matches"),
        (
            "CREATE TABLE match (x); CREATE TABLE opening (x); CREATE TABLE game (x)",
            "no such column",
        ),
        (
            "CREATE TABLE match (id, plan, created); CREATE TABLE opening (x);"
            "CREATE TABLE game (match); INSERT INTO match VALUES (1, '[]', '')",
            "did not write",
        ),
        (
            "CREATE TABLE match (id, plan, created); CREATE TABLE opening (x);"
            "CREATE TABLE game (match); INSERT INTO match VALUES (1, 'no json', 7)",
            "did not write",
        ),
    ],
)
def test_another_database_is_refused(tmp_path: Path, schema: str, error: str) -> None:
    with serve_files(make_database(tmp_path / "x.db", schema)) as client:
        answer = client.get("/api/matches")
        assert answer.status_code == 400
        assert error in answer.json()["error"]


def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    file.write_text("Dear diary, " * 100)
    with serve_files(file) as client:
        assert "not a database" in client.get("/api/matches").json()["error"]


def test_a_file_that_another_program_writes_to_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "m.db"
    play_match(file, "tictactoe", 2, 2)
    with Store(file) as writer, serve_files(file) as client:
        writer.claim()
        writer.connection.execute("BEGIN IMMEDIATE")
        writer.connection.execute("DELETE FROM game")
        assert client.get("/api/matches").json()["matches"][0]["games"] == 2
        writer.connection.rollback()


def test_a_locked_file_is_refused_without_a_long_wait(tmp_path: Path) -> None:
    file = tmp_path / "m.db"
    play_match(file, "tictactoe", 2, 2)
    locker = sqlite3.connect(file)
    locker.execute("PRAGMA locking_mode = EXCLUSIVE")
    locker.execute("BEGIN EXCLUSIVE")
    locker.execute("UPDATE match SET created = 'x'")
    try:
        with serve_files(file) as client:
            answer = client.get("/api/matches")
        assert answer.status_code == 400
        assert "try again in a moment" in answer.json()["error"]
    finally:
        locker.close()


def test_a_game_of_a_file_is_shown_only_if_the_server_offers_it(tmp_path: Path) -> None:
    file = tmp_path / "m.db"
    play_match(file, str(EXAMPLE), 2, 2)
    with serve_files(file) as client:
        assert client.get("/api/matches/1").json()["title"] == str(EXAMPLE)
        reply = client.get("/api/matches/1/games/1").json()["error"]
        assert "plyforge serve" in reply
        assert str(EXAMPLE) in reply
    with serve_files(file, None, str(EXAMPLE)) as client:
        assert client.get("/api/matches/1").json()["title"] != str(EXAMPLE)
        assert client.get("/api/matches/1/games/1").json()["moves"]


def test_a_stored_path_is_never_executed(tmp_path: Path) -> None:
    trap, file = tmp_path / "trap.py", tmp_path / "m.db"
    play_match(file, "tictactoe", 2, 2)
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')")
    with Store(file) as store, store.connection:
        plan = store.list_matches()[0].plan | {"game": str(trap)}
        store.connection.execute("UPDATE match SET plan = ?", (json.dumps(plan),))
    with serve_files(file) as client:
        assert client.get("/api/matches").status_code == 200
        assert client.get("/api/matches/1/games/1").status_code == 400
    assert not (tmp_path / "sprung").exists()
