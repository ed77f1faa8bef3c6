"""Two players are watched: a move at a time, within bounds, and without code from the page."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from plyforge.core.errors import PlyforgeError
from plyforge.games import names
from plyforge.interfaces.web import watch
from plyforge.interfaces.web.players import MOVE_SECONDS, choices, described, seat
from plyforge.interfaces.web.state import Bounds, ServerState
from plyforge.interfaces.web.watch import Watched, watched
from plyforge.interfaces.web.workers import Sent, Stop, Task
from tests.interfaces.web.pages import PATIENCE, FakePage, open_page, served


@pytest.fixture(scope="module")
def server() -> Iterator[ServerState]:
    made = ServerState()
    yield made
    made.close()


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with served(bounds=Bounds(analysis_seconds=1e6)) as made:
        yield made


def begun(server: ServerState, first: str, second: str, **more: Any) -> Watched:
    given = {
        "game": "tictactoe",
        "players": [first, second],
        "opening": 0,
        "seed": 0,
        "moves": None,
    }
    return watched(server, given | more)


def moved(game: Watched, stop: Stop | None = None) -> dict[str, Any]:
    (told,) = game.move(stop or Stop(), len(game.session.history.moves))
    return dict(told)


# Players


@pytest.mark.parametrize(
    "told",
    ["python:x.py", "python:/etc/passwd", " python:x.py", "python", "python:x.py,name=engine"],
)
def test_a_page_cannot_have_a_file_executed(told: str) -> None:
    with pytest.raises(PlyforgeError, match="cannot have the server execute a file"):
        described(told)


@pytest.mark.parametrize(
    "told",
    [
        *(
            "engine:depth=3,evaluation=x.py",
            "engine:depth=3,hash=100000",
            "engine:depth=3,threads=99",
        ),
        *(
            "engine:depth=3,entries=9999999",
            "random:depth=3",
            "textbook:minimax,time=3",
            "stockfish",
        ),
    ],
)
def test_settings_that_take_files_or_memory_are_refused(told: str) -> None:
    with pytest.raises(PlyforgeError, match="unknown"):
        described(told)


@pytest.mark.parametrize(
    "told",
    [
        *(
            "engine:time=5.01",
            "engine:time=inf",
            "engine:time=nan",
            "engine:time=0",
            "engine:depth=41",
        ),
        *("engine:nodes=5000001", "engine:level=21", "engine:level=0", "textbook:depth=9"),
    ],
)
def test_limits_have_bounds(told: str) -> None:
    with pytest.raises(PlyforgeError, match="goes from"):
        described(told)


def test_an_engine_needs_a_limit() -> None:
    with pytest.raises(PlyforgeError, match="has no limit"):
        described("engine:driver=mtdf")


def test_an_engine_that_only_has_a_depth_is_held_to_the_time(server: ServerState) -> None:
    game = server.game("tictactoe")
    made = seat(server, game, "engine:depth=40").player
    assert made is not None
    assert made.prepare().seconds == MOVE_SECONDS  # type: ignore[attr-defined]


def test_choices_name_what_there_is() -> None:
    found = choices()
    for driver in found["drivers"]:
        described(f"engine:depth=2,driver={driver}")
    assert "alpha-beta" in found["algorithms"]
    assert found["bounds"]["engine"]["time"][1] == MOVE_SECONDS


# Games


def test_a_game_goes_on_to_its_end_a_move_at_a_time(server: ServerState) -> None:
    game = begun(server, "random", "textbook:negamax,depth=2")
    assert game.state()["end"] is None
    told = moved(game)
    for ply in range(2, 10):
        assert told["ply"] == ply - 1
        assert told["move"]["side"] == ply % 2
        assert told["board"].count('class="piece ') == ply - 1
        if told["end"] is not None:
            break
        told = moved(game)
    assert told["end"]["result"] in ("1-0", "0-1", "1/2-1/2")
    after = moved(game)
    assert after["type"] == "watch"
    assert after["end"] == told["end"]


@pytest.mark.parametrize("name", names())
def test_every_game_can_be_watched(server: ServerState, name: str) -> None:
    game = begun(server, "random", "random", game=name)
    for _ in range(6):
        told = moved(game)
        assert told["board"].startswith("<svg")
        if told["end"] is not None:
            return


def test_a_player_tells_its_score(server: ServerState) -> None:
    game = begun(server, "textbook:alpha-beta,depth=1", "random")
    assert moved(game)["move"]["score"] is not None
    assert moved(game)["move"]["score"] is None


def test_the_same_seed_gives_the_same_opening_to_exchanged_players(server: ServerState) -> None:
    one = begun(server, "random", "textbook:depth=1", opening=3, seed=5)
    other = begun(server, "textbook:depth=1", "random", opening=3, seed=5)
    assert len(one.state()["moves"]) == 3
    assert [board.count('class="piece ') for board in one.state()["boards"]] == [0, 1, 2, 3]
    assert one.state()["moves"] == other.state()["moves"]
    assert one.state()["players"] == other.state()["players"][::-1]


def test_a_lost_game_goes_on_from_the_moves_that_were_seen(server: ServerState) -> None:
    game = begun(server, "random", "random", moves=["b2", "a1", "c3"])
    assert [move["text"] for move in game.state()["moves"]] == ["b2", "a1", "c3"]
    assert moved(game)["ply"] == 4
    with pytest.raises(PlyforgeError, match="b2"):
        begun(server, "random", "random", moves=["b2", "b2"])


def test_a_page_that_is_behind_is_told_the_whole_game(server: ServerState) -> None:
    game = begun(server, "random", "random")
    moved(game)
    (told,) = game.move(Stop(), 0)
    assert told["type"] == "watch"
    assert len(told["moves"]) == 1


@pytest.mark.parametrize("players", [[], ["random"], ["random", "python:x.py"]])
def test_two_safe_players_are_needed(server: ServerState, players: list[str]) -> None:
    with pytest.raises(PlyforgeError):
        begun(server, "random", "random", players=players)


def test_a_stop_ends_a_search_that_would_take_long(server: ServerState) -> None:
    game = begun(server, "textbook:minimax,depth=8", "random", game="chess")
    stop = Stop()
    threading.Timer(0.3, stop.set).start()
    told = moved(game, stop)
    assert told["move"] is None
    assert "smaller depth" in told["end"]["reason"]


# Messages


def test_a_page_watches_a_game(page: FakePage) -> None:
    assert page.request("watch-choices", type="watch-choices")["drivers"]
    told = page.request("watch", type="watch-begin", game="tictactoe", players=["random", "random"])
    assert told["sides"] == ["X", "O"]
    seen = 0
    while told["end"] is None:
        told = page.request("watch-move", type="watch-move", ply=seen)
        seen += 1
        assert told["ply"] == seen
        page.receive("done")
    assert 5 <= seen <= 9


def test_a_page_is_refused_what_would_run_code(page: FakePage) -> None:
    told = page.request(
        "error", type="watch-begin", game="tictactoe", players=["random", "python:x.py"]
    )
    assert "execute a file" in told["text"]
    told = page.request("error", type="watch-begin", game="x.py", players=["random", "random"])
    assert "unknown game" in told["text"]
    assert "begin one" in page.request("error", type="watch-move", ply=0)["text"]


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No move ends by its time: whatever ends it is what the test does."""
    monkeypatch.setattr(watch, "MOVE_SECONDS", 1e6)


@pytest.mark.usefixtures("patient")
def test_stop_ends_the_job_and_the_game(client: TestClient) -> None:
    server: ServerState = client.app.state.server  # type: ignore[attr-defined]
    with open_page(client) as page:
        slow = "textbook:minimax,depth=8"
        page.request("watch", type="watch-begin", game="chess", players=[slow, slow])
        page.receive("done")
        page.request("working", type="watch-move", ply=0)
        page.request("watch-stopped", type="watch-stop")
        _idle(server)
        assert "begin one" in page.request("error", type="watch-move", ply=0)["text"]


@pytest.mark.usefixtures("patient")
def test_a_page_that_goes_away_ends_its_search(client: TestClient) -> None:
    server: ServerState = client.app.state.server  # type: ignore[attr-defined]
    with open_page(client) as page:
        slow = "textbook:minimax,depth=8"
        page.request("watch", type="watch-begin", game="chess", players=[slow, slow])
        page.receive("done")
        page.request("working", type="watch-move", ply=0)
    _idle(server)


def _idle(server: ServerState) -> None:
    """Wait until every thread takes new work: a job that does not end is a fault."""
    all_here = threading.Barrier(server.bounds.move_workers + 1)

    def job(stop: Stop) -> Iterator[Sent]:
        all_here.wait(PATIENCE)
        yield {}

    for _ in range(server.bounds.move_workers):
        server.move_workers.submit(Task(job, lambda message: None, 2 * PATIENCE))
    all_here.wait(PATIENCE)
