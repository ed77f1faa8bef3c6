"""Games outlive the server on which they were played."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from plyforge.interfaces.web.state import Databases
from tests.interfaces.web.pages import FakePage, open_page, serve

KEY = "a-key-of-another-server"
NEW = {"game": "tictactoe", "side": "both"}


@contextmanager
def server_page(file: Path | None) -> Iterator[FakePage]:
    """Run a server with a file of games, and open a page on it."""
    with serve(databases=Databases(games=file)) as client, open_page(client) as page:
        yield page


def play(page: FakePage, *texts: str) -> dict[str, Any]:
    state: dict[str, Any] = {}
    for ply, text in enumerate(texts):
        state = page.request("state", type="move", text=text, ply=ply)
    return state


def moves_of(state: dict[str, Any]) -> list[str]:
    return [move["text"] for move in state["moves"]]


def test_an_unfinished_game_is_resumed_by_another_server(tmp_path: Path) -> None:
    file = tmp_path / "new folder" / "games.db"
    with server_page(file) as page:
        page.request("state", type="new", **NEW, minutes=3, increment=1)
        before = play(page, "b2", "a1")
    with server_page(file) as page:
        after = page.request("state", type="join", key=before["key"])
        for name in ("key", "moves", "seats", "position", "options", "turn", "end"):
            assert after[name] == before[name]
        assert max(after["clocks"]["left"]) <= 181 + 1
        assert min(after["clocks"]["left"]) < 181
        state = page.request("state", type="move", text="c3", ply=2)
        assert moves_of(state) == ["b2", "a1", "c3"]


def test_a_resigned_game_stays_resigned(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with server_page(file) as page:
        page.request("state", type="new", **NEW)
        play(page, "b2")
        before = page.request("state", type="resign")
    with server_page(file) as page:
        assert page.request("state", type="join", key=before["key"])["end"] == before["end"]


def test_comments_of_a_loaded_game_are_kept(tmp_path: Path) -> None:
    text = "Plyforge record 1: tictactoe\n1. b2\nnote: the centre\nresult: *\n"
    file = tmp_path / "games.db"
    with server_page(file) as page:
        before = page.request("state", type="open", text=text, new=NEW)
        assert before["comments"] == [{"ply": 1, "text": "the centre"}]
    with server_page(file) as page:
        page.request("state", type="join", key=before["key"])
        assert "note: the centre" in page.request("record", type="save")["text"]


def test_a_page_reopens_a_game_that_the_server_never_had() -> None:
    with server_page(None) as page:
        gone = page.request("gone", type="join", key=KEY)
        assert gone == {"type": "gone", "key": KEY, "reason": "the server does not have this game"}
        fields = {"key": KEY, "options": {**NEW, "minutes": 2}, "left": [30.0, 60.0]}
        state = page.request("state", type="reopen", **fields, moves=["b2", "a1"])
        assert (state["key"], moves_of(state)) == (KEY, ["b2", "a1"])
        assert state["clocks"]["left"] == pytest.approx([30, 60], abs=1)
        # A second page does not start the game again.
        again = page.request("state", type="reopen", key=KEY, options=NEW)
        assert moves_of(again) == ["b2", "a1"]


def test_a_game_that_cannot_be_reopened_is_gone_with_a_reason() -> None:
    with server_page(None) as page:
        for fields, reason in (
            ({"moves": ["b2", "b2"]}, "b2"),
            ({"options": {"game": "mygame", "side": "both"}}, "unknown game 'mygame'"),
            ({"start": "nothing"}, "nothing"),
        ):
            message: dict[str, Any] = {"key": KEY, "options": NEW, **fields}
            gone = page.request("gone", type="reopen", **message)
            assert gone["reason"].startswith("the game cannot be opened here: ")
            assert reason in gone["reason"]


def test_a_file_that_cannot_be_written_is_reported_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    with server_page(tmp_path / "file" / "games.db") as page:
        page.request("state", type="new", **NEW)
        assert moves_of(play(page, "b2")) == ["b2"]
        assert page.request("gone", type="join", key=KEY)
    assert capsys.readouterr().err.count("games are not stored") == 1


def test_a_damaged_file_hides_no_game_in_memory(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    file.write_bytes(b"not a database" * 100)
    with server_page(file) as page:
        state = page.request("state", type="new", **NEW)
        assert page.request("state", type="join", key=state["key"])["key"] == state["key"]
    assert file.read_bytes().startswith(b"not a database")
