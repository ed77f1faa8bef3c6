"""Drivers on pages: built-in ones and those of the command line, never a file that a page names."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from plyforge.core.errors import PlyforgeError
from plyforge.engine import DRIVERS
from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.drivers import DriverCatalog
from plyforge.interfaces.web.incoming import WatchBegin
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.watch import make_game
from plyforge.interfaces.web.workers import Stop
from tests.interfaces.web.pages import HOST, FakePage, open_page

MINE = """
SUMMARY = "mine & yours"
def find_value(windows, guess):
    return windows.search(-1e9, 1e9)
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("trap.py").write_text("open('sprung', 'w')")
    path = tmp_path / "with, comma.py"
    path.write_text(MINE + "NAME = 'mine'\n")
    return str(path)


@pytest.fixture
def client(file: str) -> Iterator[TestClient]:
    with TestClient(application(ServerState(drivers=[file])), base_url=HOST) as client:
        yield client


@pytest.fixture
def page(client: TestClient) -> Iterator[FakePage]:
    with open_page(client) as page:
        yield page


def test_a_driver_of_the_command_line_is_offered_and_used(
    client: TestClient, page: FakePage
) -> None:
    offered = client.get("/api/choices").json()["drivers"]
    assert {"name": "mine", "summary": "mine & yours"} in offered
    assert {one["name"] for one in offered} == {*DRIVERS, "mine"}
    assert "mine" in page.request("watch-choices", type="watch-choices")["drivers"]
    page.send(type="search", game="tictactoe", how={"driver": "mine"}, seconds=20)
    while not page.receive("info")["last"]:
        pass


@pytest.mark.parametrize("name", ["trap.py", "./trap.py", "with, comma.py", "/etc/passwd"])
def test_a_page_cannot_name_a_file(page: FakePage, name: str) -> None:
    page.send(type="search", game="tictactoe", how={"driver": name}, seconds=1)
    while (message := page.receive_any())["type"] != "error":
        pass
    assert f"unknown driver '{name}'" in message["text"]
    assert not Path("sprung").exists()


def test_a_watched_player_uses_a_driver_of_the_command_line(file: str) -> None:
    server = ServerState(drivers=[file])
    try:
        player = "engine:depth=2,driver=mine"
        game = make_game(server, WatchBegin(game="tictactoe", players=(player, "random")))
        game.prepare(Stop())
        assert game.state().players[0] == player
        with pytest.raises(PlyforgeError, match=r"unknown driver 'trap\.py'"):
            make_game(
                server,
                WatchBegin(game="tictactoe", players=("engine:depth=2,driver=trap.py", "random")),
            )
    finally:
        server.close()
    assert not Path("sprung").exists()


def test_two_drivers_with_one_name_are_refused(file: str) -> None:
    Path("mine.py").write_text(MINE)
    with pytest.raises(PlyforgeError, match="two drivers are named 'mine'"):
        DriverCatalog([file, "mine.py"])
    assert "mine" in DriverCatalog([file, file]).names
    assert DriverCatalog(["mtdf"]).names == list(DRIVERS)
