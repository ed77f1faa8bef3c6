import threading
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from plyforge.games import tictactoe
from plyforge.interfaces.web.state import ServerLimits
from tests.interfaces.web.pages import SOCKET, FakePage, open_page, serve

THINKING = "connect4"
"""A game that the engine plays with the kernel of its analyses, which other tests compile."""


def _start_game(page: FakePage, game: str, **more: Any) -> dict[str, Any]:
    return page.request("state", type="new", game=game, side="both", **more)


def test_two_people_play_and_take_back(page: FakePage) -> None:
    state = _start_game(page, "tictactoe")
    assert len(state["legal"]) == 9
    assert state["turn"] == 0
    state = page.request("state", type="move", text="b2", ply=0)
    assert [move["text"] for move in state["moves"]] == ["b2"]
    assert state["turn"] == 1
    assert state["can"]["undo"]
    state = page.request("state", type="undo")
    assert state["moves"] == []
    assert page.request("state", type="redo")["moves"] != []


def test_the_engine_answers(page: FakePage) -> None:
    page.request("state", type="new", game="tictactoe", side="first", level=3)
    thinking = page.request("state", type="move", text="b2", ply=0)
    assert thinking["thinking"]
    assert thinking["legal"] == []
    answered = page.receive("state")
    assert len(answered["moves"]) == 2
    assert answered["turn"] == 0


def test_the_engine_begins_where_the_person_is_second(page: FakePage) -> None:
    page.request("state", type="new", game="tictactoe", side="second", seconds=0.05)
    assert len(page.receive("state")["moves"]) == 1


def test_a_whole_game_between_engines_comes_to_an_end(page: FakePage) -> None:
    state = page.request("state", type="new", game="tictactoe", side="none", level=1)
    while state["end"] is None:
        state = page.receive("state")
    assert state["end"]["result"] in ("1-0", "0-1", "1/2-1/2")


def test_dice_are_rolled_and_shown(page: FakePage) -> None:
    _start_game(page, "pig", seed=4)
    state = page.request("state", type="move", text="roll", ply=0)
    assert len(state["moves"]) == 2
    assert state["rolled"] == state["moves"][-1]["text"]
    assert not state["chance"]
    again = page.request("state", type="undo")
    assert again["moves"] == []
    assert page.request("state", type="move", text="roll", ply=0)["rolled"] == state["rolled"]


def test_people_can_enter_what_their_dice_show(page: FakePage) -> None:
    _start_game(page, "pig", chance="enter")
    state = page.request("state", type="move", text="roll", ply=0)
    assert state["chance"]
    assert [move["text"] for move in state["legal"]] == ["1", "2", "3", "4", "5", "6"]
    state = page.request("state", type="move", text="5", ply=1)
    assert state["position"] == "0 0 5 First"
    assert state["rolled"] == "5"


def test_an_illegal_move_is_refused_and_the_game_continues(page: FakePage) -> None:
    _start_game(page, "checkers")
    reply = page.request("error", type="move", text="1-5", ply=0)
    assert "1-5" in reply["text"]
    assert len(page.request("state", type="move", text="11-15", ply=0)["moves"]) == 1


def test_a_move_for_an_earlier_position_only_shows_the_present_one(page: FakePage) -> None:
    _start_game(page, "tictactoe")
    page.request("state", type="move", text="b2", ply=0)
    again = page.request("state", type="move", text="a1", ply=0)
    assert len(again["moves"]) == 1
    page.request("state", type="new", game=THINKING, side="first", seconds=20)
    page.request("state", type="move", text="4", ply=0)
    again = page.request("state", type="move", text="5", ply=0)  # while the engine thinks
    assert len(again["moves"]) == 1


def test_a_page_resumes_its_game_after_a_reconnect(client: TestClient) -> None:
    with open_page(client) as first:
        key = _start_game(first, "tictactoe")["key"]
        first.request("state", type="move", text="b2", ply=0)
    with open_page(client) as second:
        state = second.request("state", type="join", key=key)
        assert [move["text"] for move in state["moves"]] == ["b2"]


def test_a_player_thinks_again_when_a_page_comes_back(client: TestClient) -> None:
    with open_page(client) as first:
        key = first.request("state", type="new", game=THINKING, side="second", seconds=20)["key"]
    with open_page(client) as second:
        state = second.request("state", type="join", key=key)
        assert state["thinking"]
        assert second.request("state", type="resign")["end"]["winner"] == 0


def test_two_pages_see_the_same_game(client: TestClient) -> None:
    with open_page(client) as first, open_page(client) as second:
        key = _start_game(first, "tictactoe")["key"]
        second.request("state", type="join", key=key)
        second.send(type="move", text="b2", ply=0)
        assert len(first.receive("state")["moves"]) == 1


def test_an_unknown_game_is_gone(page: FakePage) -> None:
    assert page.request("gone", type="join", key="nowhere")["key"] == "nowhere"


def test_resigning_ends_the_game(page: FakePage) -> None:
    _start_game(page, "checkers")
    end = page.request("state", type="resign")["end"]
    assert end["winner"] == 1
    assert "resigned" in end["reason"]
    assert "is over" in page.request("error", type="resign")["text"]


def test_resigning_while_the_engine_thinks_drops_its_move(page: FakePage) -> None:
    page.request("state", type="new", game=THINKING, side="first", seconds=20)
    page.request("state", type="move", text="4", ply=0)
    state = page.request("state", type="resign")
    assert state["end"]["winner"] == 1
    assert len(state["moves"]) == 1


def test_a_clock_that_runs_out_loses(page: FakePage) -> None:
    state = _start_game(page, "tictactoe", minutes=0.05, increment=0)
    assert state["clocks"]["running"] == 0
    assert 0 < state["clocks"]["left"][0] <= 3.0
    end = page.receive("state")["end"]
    assert end["winner"] == 1
    assert "no time" in end["reason"]


def test_a_hint_names_a_legal_move_and_shows_it(page: FakePage) -> None:
    state = _start_game(page, "tictactoe")
    hint = page.request("hint", type="hint")
    assert hint["text"] in [move["text"] for move in state["legal"]]
    assert "arrow" in hint["board"]


def test_a_game_is_saved_and_loaded(page: FakePage) -> None:
    _start_game(page, "checkers")
    page.request("state", type="move", text="11-15", ply=0)
    text = page.request("record", type="save")["text"]
    assert "11-15" in text
    page.request("state", type="undo")
    assert len(page.request("state", type="open", text=text)["moves"]) == 1
    assert "no game" in page.request("error", type="open", text="")["text"]


def test_a_record_of_another_game_is_loaded_as_a_new_game(page: FakePage) -> None:
    before = _start_game(page, "connect4")["key"]
    options = {"game": "chess", "side": "both"}
    state = page.request("state", type="open", text="1. e4 e5 *", new=options)
    assert state["key"] != before
    assert state["game"] == "chess"
    assert [move["text"] for move in state["moves"]] == ["e4", "e5"]


@pytest.mark.parametrize("text", ["nonsense", "1. e4 e4 *", ""])
def test_a_bad_record_starts_no_game(client: TestClient, text: str) -> None:
    with open_page(client) as fresh:
        assert fresh.request("error", type="open", text=text, new={"game": "chess", "side": "both"})
        assert "start one" in fresh.request("error", type="save")["text"]


def test_a_state_has_the_colours_of_the_sides(page: FakePage) -> None:
    assert _start_game(page, "hex:5")["colours"] == ["red", "blue"]
    assert _start_game(page, "connect4")["colours"] == ["light", "dark"]


def test_the_board_is_turned_for_a_person_whose_pieces_are_above(page: FakePage) -> None:
    state = page.request("state", type="new", game="checkers", side="first", player="random")
    assert state["turned"]
    assert not page.request("state", type="turn")["turned"]


def test_a_game_from_a_position(page: FakePage) -> None:
    state = _start_game(page, "checkers", position="B:W21:B17")
    assert [move["text"] for move in state["legal"]] != []
    reply = page.request("error", type="new", game="checkers", side="both", position="nonsense")
    assert "nonsense" in reply["text"]


@pytest.mark.parametrize(
    "name", ["chekers", "../secret", "/etc/passwd", "mine.py", "checkers.py", "", ":", "hex:0x7"]
)
def test_only_games_of_the_server_are_played(page: FakePage, name: str) -> None:
    assert page.request("error", type="new", game=name, side="both")["text"]


def test_without_a_game_there_is_nothing_to_move(client: TestClient) -> None:
    with open_page(client) as fresh:
        for kind in ("undo", "redo", "resign", "claim", "hint", "save"):
            assert "start one" in fresh.request("error", type=kind)["text"]


def test_a_full_server_refuses_games() -> None:
    with (
        serve(limits=ServerLimits(shared_games=2)) as client,
        open_page(client) as page,
        open_page(client) as other,
    ):
        _start_game(page, "tictactoe")
        _start_game(other, "tictactoe")
        with open_page(client) as third:
            reply = third.request("error", type="new", game="tictactoe", side="both")
            assert "2 games" in reply["text"]


def test_a_page_that_starts_many_games_displaces_no_other_page() -> None:
    with (
        serve(limits=ServerLimits(shared_games=6)) as client,
        open_page(client) as page,
        open_page(client) as other,
    ):
        keys = [_start_game(page, "tictactoe")["key"] for _ in range(10)]
        key = _start_game(other, "tictactoe")["key"]
        page.request("gone", type="join", key=keys[0])
        assert page.request("state", type="join", key=keys[-2])["key"] == keys[-2]
        assert other.request("state", type="join", key=key)["key"] == key


def test_too_many_pages_are_refused() -> None:
    with (
        serve(limits=ServerLimits(clients=1)) as client,
        open_page(client) as page,
        client.websocket_connect(SOCKET) as refused,
    ):
        assert refused.receive()["code"] == 1013
        assert _start_game(page, "tictactoe")["moves"] == []


def test_a_page_that_sends_too_much_is_disconnected_and_others_are_not() -> None:
    limits = ServerLimits(messages_per_second=0.001, burst=20)
    with serve(limits=limits) as client, open_page(client) as quiet:
        _start_game(quiet, "tictactoe")
        with client.websocket_connect(SOCKET) as loud:
            for _ in range(40):
                loud.send_text("{}")
            messages = [loud.receive() for _ in range(21)]
            assert "too many messages" in messages[-1]["text"]
            assert loud.receive()["type"] == "websocket.close"
        assert len(quiet.request("state", type="move", text="b2", ply=0)["moves"]) == 1


def test_games_of_many_pages_at_once_do_not_mix(client: TestClient) -> None:
    moves: dict[int, list[str]] = {}

    def play(number: int) -> None:
        with open_page(client) as page:
            _start_game(page, "tictactoe")
            cells = ["a1", "b1", "c1", "a2", "b2", "c2"][number % 3 :][:3]
            for ply, cell in enumerate(cells):
                page.request("state", type="move", text=cell, ply=ply)
                time.sleep(0.01)
            state = page.request("state", type="undo")
            moves[number] = [move["text"] for move in state["moves"]]

    threads = [threading.Thread(target=play, args=[number]) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert moves == {
        number: ["a1", "b1", "c1", "a2", "b2", "c2"][number % 3 :][:2] for number in range(6)
    }


def test_an_engine_that_cannot_be_made_is_reported_and_loses(tmp_path: Path) -> None:
    file = tmp_path / "odd.py"
    source = Path(tictactoe.__file__).read_text()
    file.write_text(source + "\nSEARCH = {'nonsense': 1}\n")
    with serve(str(file)) as client, open_page(client) as page:
        page.request("state", type="new", game="odd", side="first", level=1)
        assert "nonsense" in page.receive("error")["text"]
        page.request("state", type="move", text="b2", ply=0)
        assert "nonsense" in page.receive("state")["end"]["reason"]


def test_no_move_is_taken_back_once_the_time_is_over(page: FakePage) -> None:
    _start_game(page, "tictactoe", minutes=0.05, increment=0)
    page.request("state", type="move", text="b2", ply=0)
    state = page.receive("state")
    assert state["end"]["winner"] == 0
    assert not state["can"]["undo"]
    assert "no time" in page.request("error", type="undo")["text"]


def test_a_game_from_a_position_has_its_start(page: FakePage) -> None:
    assert _start_game(page, "checkers")["start"] is None
    assert _start_game(page, "checkers", position="B:W21:B17")["start"].startswith("B:W21:B17")
