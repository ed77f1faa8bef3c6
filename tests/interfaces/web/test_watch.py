"""Two players are watched move by move, within limits, and without code from the page."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from plyforge.core.errors import PlyforgeError
from plyforge.games import names
from plyforge.interfaces.web import watch
from plyforge.interfaces.web.drivers import DriverCatalog
from plyforge.interfaces.web.incoming import WatchBegin
from plyforge.interfaces.web.outgoing import Done, WatchMoveMade, WatchState
from plyforge.interfaces.web.players import MOVE_SECONDS, choices, make_seat, read_description
from plyforge.interfaces.web.protocol import Outgoing
from plyforge.interfaces.web.state import ServerLimits, ServerState
from plyforge.interfaces.web.watch import WatchedGame, make_game
from plyforge.interfaces.web.workers import Stop, Task
from tests.interfaces.web.pages import TIMEOUT, FakePage, open_page, serve


@pytest.fixture(scope="module")
def server() -> Iterator[ServerState]:
    server = ServerState()
    yield server
    server.close()


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with serve(limits=ServerLimits(analysis_seconds=1e6)) as client:
        yield client


def start(server: ServerState, *players: str, game: str = "tictactoe", **more: Any) -> WatchedGame:
    return make_game(server, WatchBegin(game=game, players=players, **more))


def next_move(game: WatchedGame, stop: Stop | None = None) -> WatchMoveMade:
    (message,) = game.move(stop or Stop(), len(game.session.history.moves))
    assert isinstance(message, WatchMoveMade)
    return message


# Players


@pytest.mark.parametrize(
    "text",
    [
        *("python:x.py", "python:/etc/passwd", " python:x.py", "python", "python:x.py,name=engine"),
        *("uci:sh", 'uci:"touch x",depth=1'),
    ],
)
def test_a_page_cannot_make_the_server_execute_a_file(text: str) -> None:
    with pytest.raises(PlyforgeError, match="cannot make the server execute a file"):
        read_description(text, DriverCatalog())


@pytest.mark.parametrize(
    "text",
    [
        *(
            "engine:depth=3,evaluation=x.py",
            "engine:depth=3,hash=100000",
            "engine:depth=3,threads=99",
            "engine:depth=3,driver=x.py",
        ),
        *(
            "engine:depth=3,entries=9999999",
            "random:depth=3",
            "textbook:minimax,time=3",
            "stockfish",
        ),
    ],
)
def test_settings_that_take_files_or_memory_are_refused(text: str) -> None:
    with pytest.raises(PlyforgeError, match="unknown"):
        read_description(text, DriverCatalog())


@pytest.mark.parametrize(
    "text",
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
def test_limits_have_bounds(text: str) -> None:
    with pytest.raises(PlyforgeError, match="must be between"):
        read_description(text, DriverCatalog())


def test_an_engine_needs_a_limit() -> None:
    with pytest.raises(PlyforgeError, match="has no limit"):
        read_description("engine:driver=mtdf", DriverCatalog())


def test_an_engine_that_only_has_a_depth_is_held_to_the_time(server: ServerState) -> None:
    game = server.catalog.game("tictactoe")
    player = make_seat(server, game, "engine:depth=40").player
    assert player is not None
    assert player.prepare().seconds == MOVE_SECONDS  # type: ignore[attr-defined]


def test_choices_are_accepted() -> None:
    drivers = DriverCatalog()
    offered = choices(drivers)
    for driver in offered.drivers:
        read_description(f"engine:depth=2,driver={driver}", drivers)
    assert "alpha-beta" in offered.algorithms
    assert offered.bounds["engine"]["time"][1] == MOVE_SECONDS


# Games


def test_a_game_is_played_to_its_end_move_by_move(server: ServerState) -> None:
    game = start(server, "random", "textbook:negamax,depth=2")
    assert game.state().end is None
    message = next_move(game)
    for ply in range(1, 9):
        assert message.ply == ply
        assert message.move is not None
        assert message.move.side == (ply + 1) % 2
        assert message.board.count('class="piece ') == ply
        if message.end is not None:
            break
        message = next_move(game)
    assert message.end is not None
    assert message.end.result in ("1-0", "0-1", "1/2-1/2")
    (after,) = game.move(Stop(), message.ply)
    assert isinstance(after, WatchState)
    assert after.end == message.end


@pytest.mark.parametrize("name", names())
def test_every_game_can_be_watched(server: ServerState, name: str) -> None:
    game = start(server, "random", "random", game=name)
    for _ in range(6):
        message = next_move(game)
        assert message.board.startswith("<svg")
        if message.end is not None:
            return


def test_a_player_reports_its_score(server: ServerState) -> None:
    game = start(server, "textbook:alpha-beta,depth=1", "random")
    moves = [next_move(game).move, next_move(game).move]
    assert [move is not None and move.score is not None for move in moves] == [True, False]


def test_the_same_seed_gives_the_same_opening_with_swapped_players(server: ServerState) -> None:
    one = start(server, "random", "textbook:depth=1", opening=3, seed=5)
    other = start(server, "textbook:depth=1", "random", opening=3, seed=5)
    assert len(one.state().moves) == 3
    assert [board.count('class="piece ') for board in one.state().boards] == [0, 1, 2, 3]
    assert one.state().moves == other.state().moves
    assert one.state().players == other.state().players[::-1]


def test_a_game_resumes_from_the_moves_that_the_page_has_seen(server: ServerState) -> None:
    game = start(server, "random", "random", moves=("b2", "a1", "c3"))
    assert [move.text for move in game.state().moves] == ["b2", "a1", "c3"]
    assert next_move(game).ply == 4
    with pytest.raises(PlyforgeError, match="b2"):
        start(server, "random", "random", moves=("b2", "b2"))


def test_a_page_that_is_behind_receives_the_whole_game(server: ServerState) -> None:
    game = start(server, "random", "random")
    next_move(game)
    (message,) = game.move(Stop(), 0)
    assert isinstance(message, WatchState)
    assert len(message.moves) == 1


@pytest.mark.parametrize("players", [[], ["random"], ["random", "python:x.py"]])
def test_two_safe_players_are_needed(server: ServerState, players: list[str]) -> None:
    with pytest.raises(PlyforgeError):
        start(server, *players)


def test_a_stop_ends_a_search_that_would_take_long(server: ServerState) -> None:
    game = start(server, "textbook:minimax,depth=8", "random", game="chess")
    stop = Stop()
    threading.Timer(0.3, stop.set).start()
    message = next_move(game, stop)
    assert message.move is None
    assert message.end is not None
    assert "smaller depth" in message.end.reason


# Messages


def test_a_page_watches_a_game(page: FakePage) -> None:
    assert page.request("watch-choices", type="watch-choices")["drivers"]
    message = page.request(
        "watch", type="watch-begin", game="tictactoe", players=["random", "random"]
    )
    assert message["sides"] == ["X", "O"]
    ply = 0
    while message["end"] is None:
        message = page.request("watch-move", type="watch-move", ply=ply)
        ply += 1
        assert message["ply"] == ply
        page.receive("done")
    assert 5 <= ply <= 9


def test_a_page_is_refused_what_would_run_code(page: FakePage) -> None:
    message = page.request(
        "error", type="watch-begin", game="tictactoe", players=["random", "python:x.py"]
    )
    assert "execute a file" in message["text"]
    message = page.request("error", type="watch-begin", game="x.py", players=["random", "random"])
    assert "unknown game" in message["text"]
    assert "start one" in page.request("error", type="watch-move", ply=0)["text"]


@pytest.fixture
def no_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no move end because of its time limit."""
    monkeypatch.setattr(watch, "MOVE_SECONDS", 1e6)


@pytest.mark.usefixtures("no_time_limit")
def test_stop_ends_the_job_and_the_game(client: TestClient) -> None:
    server: ServerState = client.app.state.server  # type: ignore[attr-defined]
    with open_page(client) as page:
        slow = "textbook:minimax,depth=8"
        page.request("watch", type="watch-begin", game="chess", players=[slow, slow])
        page.receive("done")
        page.request("working", type="watch-move", ply=0)
        page.request("watch-stopped", type="watch-stop")
        _wait_until_idle(server)
        assert "start one" in page.request("error", type="watch-move", ply=0)["text"]


@pytest.mark.usefixtures("no_time_limit")
def test_a_page_that_goes_away_ends_its_search(client: TestClient) -> None:
    server: ServerState = client.app.state.server  # type: ignore[attr-defined]
    with open_page(client) as page:
        slow = "textbook:minimax,depth=8"
        page.request("watch", type="watch-begin", game="chess", players=[slow, slow])
        page.receive("done")
        page.request("working", type="watch-move", ply=0)
    _wait_until_idle(server)


def _wait_until_idle(server: ServerState) -> None:
    """Wait until every worker accepts a new job."""
    barrier = threading.Barrier(server.limits.move_workers + 1)

    def job(stop: Stop) -> Iterator[Outgoing]:
        barrier.wait(TIMEOUT)
        yield Done()

    for _ in range(server.limits.move_workers):
        server.move_workers.submit(Task(job, lambda message: None, 2 * TIMEOUT))
    barrier.wait(TIMEOUT)
