import itertools
import math
import random
import re
import threading
import time
from contextlib import ExitStack
from typing import Any

import pytest
from starlette.testclient import TestClient

import plyforge
from plyforge.engine import Progress
from plyforge.interfaces.web.analyse import progress_view
from plyforge.interfaces.web.state import ServerLimits
from tests.interfaces.web.pages import TIMEOUT, FakePage, open_page, serve

ANNOTATED = """\
[Event "Summer cup"]
[Site "?"]
[Date "2024.07.01"]
[Round "?"]
[White "Anna"]
[Black "Ben"]
[Result "1-0"]
[ECO "C50"]

{a friendly game} 1. e4 $1 {best by test} 1... e5 2. Nf3 Nc6 3. Bc4 $6 1-0
"""

TREE = "tree:incremental,4,8,seed=5"
"""A game whose parallel kernels other tests use, too."""


def _infos(page: FakePage) -> list[dict[str, Any]]:
    """Receive the iterations of a search until it is done."""
    infos = []
    while (message := page.receive("info", "done"))["type"] == "info":
        infos.append(message)
    return infos


def test_a_position_has_its_moves_and_notation(page: FakePage) -> None:
    reply = page.request("position", type="look", game="tictactoe", moves=["b2"])
    assert reply["ply"] == 1
    assert reply["position"] == ".../.X./... O"
    assert len(reply["legal"]) == 8


def test_a_position_text_is_accepted(page: FakePage) -> None:
    reply = page.request("position", type="look", game="tictactoe", position="XX./OO./... X")
    assert {"text": "c3", "cells": ["c3"]} in reply["legal"]


def test_a_position_has_its_evaluation_and_terms(page: FakePage) -> None:
    reply = page.request("position", type="look", game="checkers", moves=["11-15"])
    evaluation = reply["evaluation"]
    game = plyforge.load("checkers")
    position = game.parse(reply["position"])
    assert evaluation["value"] == game.evaluation(position)
    assert [tuple(term.values()) for term in evaluation["terms"]] == game.terms(position)


def test_a_position_without_a_value_is_still_shown(
    page: FakePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(game: plyforge.Game, position: Any) -> float:
        raise plyforge.PlyforgeError("out of range")

    monkeypatch.setattr(plyforge.Game, "evaluation", fail)
    reply = page.request("position", type="look", game="tictactoe", moves=["b2"])
    assert (reply["evaluation"], reply["ply"]) == (None, 1)


def test_a_search_sends_every_iteration_and_ends(page: FakePage) -> None:
    page.send(type="search", game="tictactoe", how={}, seconds=20, lines=2)
    infos = _infos(page)
    assert infos[-1]["last"]
    assert infos[-1]["lines"][0]["proved"]
    assert infos[-1]["lines"][0]["score"] == "0"
    assert len(infos[-1]["lines"]) == 2
    assert "arrow" in infos[0]["board"]


def test_progress_is_sent_during_an_iteration(page: FakePage) -> None:
    """Without deepening nothing else is sent until the end."""
    page.send(type="search", game="checkers", how={"off": ["deepening"]}, depth=40, seconds=60)
    messages = [page.receive("progress", "info") for _ in range(3)]
    page.send(type="stop")
    assert [message["type"] for message in messages] == ["progress"] * 3
    assert {message["depth"] for message in messages} == {40}
    first, second, third = (message["nodes"] for message in messages)
    assert 0 < first < second < third
    assert all("board" not in message and message["speed"] > 0 for message in messages)
    assert all(b["seconds"] - a["seconds"] > 0.4 for a, b in itertools.pairwise(messages))
    assert _infos(page)[-1]["last"]


def test_a_search_ends_when_its_page_closes(client: TestClient) -> None:
    with open_page(client) as other:
        other.send(type="search", game="checkers", how={}, seconds=100)
        other.receive("progress")
    server = client.app.state.server  # type: ignore[attr-defined]
    end = time.monotonic() + TIMEOUT
    while server.search_workers.busy and time.monotonic() < end:
        time.sleep(0.01)
    assert not server.search_workers.busy
    assert "plyforge-analysis" not in [thread.name for thread in threading.enumerate()]


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        (-math.inf, math.inf, None),
        (-87.0, math.inf, "-87 or better"),
        (-math.inf, 3.5, "+3.5 or worse"),
        (-87.0, 9_999_993.0, "-87 to win in 7"),
    ],
)
def test_bounds_are_formatted(lower: float, upper: float, text: str | None) -> None:
    history = plyforge.load("tictactoe").history()
    assert progress_view(history, Progress(4, lower, upper, 10, 0.5)).known == text


def test_iterations_show_what_threads_did() -> None:
    with serve(limits=ServerLimits(analysis_threads=2)) as client, open_page(client) as page:
        choices = client.get("/api/choices").json()
        assert choices["max_threads"] == 2
        assert "ybwc" in [method["name"] for method in choices["methods"]]
        for parallel in ("ybwc", "shared-table"):
            how = {"preset": "exact", "threads": 2, "parallel": parallel}
            page.send(type="search", game=TREE, depth=6, seconds=30, how=how)
            infos = _infos(page)
            assert infos[-1]["last"]
            for info in infos:
                threads = info["threads"]
                assert threads["method"] == parallel
                assert len(threads["nodes"]) == 2
                assert sum(threads["nodes"]) == info["nodes"]
            shares = infos[-1]["threads"]["shares"]
            if parallel == "ybwc":
                assert sum(shares.values()) == pytest.approx(1)
            else:
                assert shares == {}


def test_one_thread_has_no_account(page: FakePage) -> None:
    page.send(type="search", game="tictactoe", seconds=30, how={"preset": "exact"})
    assert all(info["threads"] is None for info in _infos(page))


@pytest.mark.parametrize(
    "message",
    [
        {"type": "search", "seconds": 1, "how": {"threads": 2}},
        {"type": "compare", "depth": 1, "configurations": [{}, {"threads": 2}]},
    ],
)
def test_more_threads_than_allowed_are_refused(page: FakePage, message: dict[str, Any]) -> None:
    error = page.request("error", game="tictactoe", **message)["text"]
    assert "may use one thread on this server, not 2" in error
    assert "--analysis-threads 2" in error


def test_an_unknown_parallel_method_is_refused(page: FakePage) -> None:
    how = {"parallel": "ybw"}
    error = page.request("error", type="search", game="tictactoe", seconds=1, how=how)["text"]
    assert "unknown parallel method 'ybw'; did you mean 'ybwc'?" in error


def test_a_stopped_search_sends_its_result(page: FakePage) -> None:
    page.send(type="search", game="checkers", how={"driver": "mtdf"}, seconds=100)
    page.receive("info")
    page.send(type="stop")
    infos = _infos(page)
    assert [info["last"] for info in infos] == [False] * (len(infos) - 1) + [True]
    assert infos[-1]["lines"][0]["moves"]
    assert infos[-1]["seconds"] < 100


def test_a_stop_within_an_iteration_keeps_all_lines(page: FakePage) -> None:
    """Every line has its depth and bound, and none stands above a better one."""
    results = []
    for iterations in (1, 2, 3):
        page.send(type="search", game="checkers", how={}, seconds=100, lines=3)
        for _ in range(iterations):
            page.receive("info")
        page.send(type="stop")
        results.append(_infos(page)[-1])
    assert all(len(info["lines"]) == 3 for info in results)
    for info in results:
        lines = info["lines"]
        assert info["bound"] == lines[0]["bound"]
        assert all(line["depth"] >= info["depth"] for line in lines)
        assert all(line["bound"] == "exact" for line in lines if line["depth"] == info["depth"])
        shares = [line["first"] for line in lines]
        assert shares == sorted(shares, reverse=True)


def test_searches_of_many_pages_share_one_thread() -> None:
    """Every page gets lines although no search ends, and depths never go back."""
    with ExitStack() as stack:
        client = stack.enter_context(serve(limits=ServerLimits(search_workers=1)))
        pages = [stack.enter_context(open_page(client)) for _ in range(4)]
        for page in pages:
            page.send(type="search", game="checkers", how={}, seconds=100, lines=2)
        for page in pages:
            page.receive("info")
        for page in pages:
            page.send(type="stop")
        for page in pages:
            infos = _infos(page)
            depths = [info["depth"] for info in infos]
            assert depths == sorted(depths)
            nodes = [info["nodes"] for info in infos]
            assert nodes == sorted(nodes)


def test_a_judgement_and_a_comparison_let_each_other_run() -> None:
    with serve() as client, open_page(client) as judging, open_page(client) as comparing:
        moves = ["b2", "a1", "c1", "a3", "a2"]
        judging.send(type="judge", game="tictactoe", moves=moves, nodes=2000)
        configurations = [{}, {"driver": "mtdf"}, {"driver": "alphabeta"}]
        compare = {"type": "compare", "game": "tictactoe", "depth": 4}
        comparing.send(**compare, configurations=configurations)
        places = set()
        while (message := comparing.receive("row", "done"))["type"] == "row":
            places.add(message["place"])
        assert places == {0, 1, 2}
        assert [judging.receive("judged")["ply"] for _ in moves] == [1, 2, 3, 4, 5]


def test_positions_of_a_walk_are_those_of_whole_games(page: FakePage) -> None:
    game = plyforge.load("othello")
    history, chance = game.history(), random.Random(3)
    while len(history.moves) < 40:
        history.play(chance.choice(history.legal_moves()))
    texts = [
        game.move_text(position, move)
        for position, move in zip(history.positions, history.moves, strict=False)
    ]
    for ply in (40, 39, 12, 13, 40, 0, 5):
        view = page.request("position", type="look", game="othello", moves=texts[:ply])
        assert view["position"] == game.text(history.positions[ply])
    other = [*texts[:12], game.move_text(history.positions[12], history.at(12).legal_moves()[-1])]
    assert _texts(page.request("position", type="look", game="othello", moves=other)) == other


def test_a_second_search_replaces_the_first(page: FakePage) -> None:
    page.send(type="search", game="checkers", how={}, seconds=100)
    page.receive("info")
    page.send(type="search", game="tictactoe", how={}, seconds=20)
    assert _infos(page)[-1]["lines"][0]["proved"]  # checkers is not solved that fast


def test_configurations_are_compared(page: FakePage) -> None:
    ways = [{"driver": "minimax"}, {"driver": "alphabeta", "off": ["table"]}, {}]
    page.send(type="compare", game="tictactoe", moves=["b2", "a1"], configurations=ways, depth=5)
    rows: dict[int, dict[str, object]] = {}
    while (message := page.receive("row", "done"))["type"] == "row":
        rows[message["place"]] = message
    nodes = [rows[place]["nodes"] for place in range(3)]
    assert nodes[0] > nodes[1] > nodes[2]  # type: ignore[operator]
    assert all(rows[place]["complete"] for place in range(3))


def test_moves_are_judged_and_the_record_is_annotated(page: FakePage) -> None:
    moves = ["b2", "b1", "a1", "c2"]
    page.send(type="judge", game="tictactoe", moves=moves, nodes=2000)
    judged = [page.receive("judged") for _ in moves]
    assert [one["ply"] for one in judged] == [1, 2, 3, 4]
    assert judged[1]["mark"] == "??"
    assert "<svg" in judged[-1]["graph"]
    record = page.receive("record")
    assert record["annotated"]
    assert "??" in record["text"]


def test_chess_is_shown_in_standard_notation(page: FakePage) -> None:
    view = page.request("position", type="look", game="chess", moves=["e2e4", "e5", "g1f3"])
    assert _texts(view) == ["e4", "e5", "Nf3"]
    assert {"Nc6", "d6"} <= {move["text"] for move in view["legal"]}
    assert _texts(page.request("position", type="look", game="kalah", moves=["3", "a4"])) == [
        "a3",
        "a4",
    ]


def test_a_judgement_has_the_expected_score_of_the_first_side(page: FakePage) -> None:
    page.send(type="judge", game="tictactoe", moves=["b2", "b1"], nodes=2000)
    assert [page.receive("judged")["first"] for _ in range(2)] == [0.5, 1.0]


def test_the_games_of_a_file_are_listed(page: FakePage) -> None:
    text = page.request("record", type="write", game="checkers", moves=["11-15", "23-19"])["text"]
    listed = page.request("games", type="load", game="checkers", text=text + "\n" + text)
    assert [game["moves"] for game in listed["games"]] == [2, 2]
    assert _texts(page.receive("loaded")) == ["11-15", "23-19"]
    assert _texts(page.request("loaded", type="pick", number=2)) == ["11-15", "23-19"]
    assert "has 2 games" in page.request("error", type="pick", number=3)["text"]


def _texts(game: dict[str, Any]) -> list[str]:
    return [move["text"] for move in game["moves"]]


def test_only_the_game_that_is_opened_is_checked(page: FakePage) -> None:
    text = "1. e4 e5 *\n\n" * 300 + "1. e4 Ke4 *"
    listed = page.request("games", type="load", game="chess", text=text)
    assert (len(listed["games"]), listed["more"]) == (200, 101)
    assert len(page.receive("loaded")["moves"]) == 2
    assert "game 301, " in page.request("error", type="pick", number=301)["text"]


def _fields(game: dict[str, Any]) -> dict[str, Any]:
    """Return a loaded game as the fields of a message."""
    branch = {name: game[name] for name in ("comments", "marks")}
    variations = [{"number": one["number"], **_fields(one)} for one in game["variations"]]
    return branch | {"moves": _texts(game), "variations": variations}


VARIATIONS = """[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]

1. e4 (1. d4 d5 (1... Nf6 $1 {solid}) 2. c4) (1. c4) 1... e5 2. Nf3 *
"""


def test_variations_survive_loading_and_saving(page: FakePage) -> None:
    page.send(type="load", game="chess", text=VARIATIONS)
    game = page.receive("loaded")
    first, second = game["variations"]
    assert (first["number"], len(first["moves"]), len(second["moves"])) == (1, 3, 1)
    assert [move["side"] for move in first["variations"][0]["moves"]] == [1]
    text = page.request("record", type="write", game="chess", **_fields(game))["text"]
    assert text == VARIATIONS


def test_bad_variations_are_refused(page: FakePage) -> None:
    bad = {"number": 1, "moves": ["b2", "b2"]}
    message = {"type": "write", "game": "tictactoe", "moves": ["a1"], "variations": [bad]}
    assert "a variation: move 2, 'b2'" in page.request("error", **message)["text"]
    deep: dict[str, Any] = {"number": 1, "moves": ["b2"]}
    for _ in range(70):
        deep = {"number": 1, "moves": ["b2"], "variations": [deep]}
    text = page.request("error", **{**message, "variations": [deep]})["text"]
    assert "nested 60 deep at most" in text
    late = {**message, "variations": [{"number": 9, "moves": ["b2"]}]}
    assert "move 9" in page.request("error", **late)["text"]


def test_as_much_as_possible_of_a_wrong_position_is_shown(page: FakePage) -> None:
    look = {"type": "look", "game": "tictactoe", "partial": True}
    view = page.request("position", **look, moves=["b2", "zz", "a1"])
    assert _texts(view) == ["b2"]
    assert "move 2 and the moves after it are left out: " in view["problem"]
    view = page.request("position", **look, position="rubbish", moves=["b2"])
    assert (_texts(view), view["position"]) == ([], ".../.../... X")
    assert "rubbish" in view["problem"]
    assert page.request("position", **look, moves=["b2"])["problem"] is None


def test_a_board_is_turned(page: FakePage) -> None:
    upright = page.request("position", type="look", game="checkers")
    turned = page.request("position", type="look", game="checkers", turned=True)
    assert (upright["turned"], turned["turned"]) == (False, True)
    assert upright["board"] != turned["board"]


def test_tags_comments_and_marks_survive_loading_and_saving(page: FakePage) -> None:
    (listed,) = page.request("games", type="load", game="chess", text=ANNOTATED)["games"]
    assert listed["name"] == "Anna – Ben"
    game = page.receive("loaded")
    fields = {name: game[name] for name in ("tags", "result")} | _fields(game)
    text = page.request("record", type="write", game="chess", **fields)["text"]
    assert text == ANNOTATED


def test_judging_adds_to_comments_and_marks(page: FakePage) -> None:
    comments, marks = [{"ply": 1, "text": "the middle"}], [{"ply": 1, "mark": "!"}]
    tags = [{"name": "First", "value": "Anna"}]
    fields = {"moves": ["b2", "b1"], "tags": tags, "comments": comments, "marks": marks}
    judged = [page.request("judged", type="judge", game="tictactoe", nodes=2000, **fields)]
    judged.append(page.receive("judged"))
    text = page.receive("record")["text"]
    assert "tag First: Anna\n" in text
    assert "1.! b2\nnote: the middle; 0\n2.?? b1\nnote: 0 -> loss in" in text
    sent = [{name: one[name] for name in ("ply", "comment", "mark")} for one in judged]
    annotator = judged[0]["annotator"]
    saved = {"type": "write", "game": "tictactoe", "judged": sent, "annotator": annotator}
    assert page.request("record", **saved, **fields)["text"] == text


def test_an_impossible_result_is_not_written(page: FakePage) -> None:
    lost = {"moves": ["a1", "a2", "b1", "b2", "c1"], "result": "0-1"}
    text = page.request("record", type="write", game="tictactoe", **lost)["text"]
    assert text.endswith("result: 1-0\n")
    resigned = {"moves": ["a1"], "result": "0-1"}
    text = page.request("record", type="write", game="tictactoe", **resigned)["text"]
    assert text.endswith("result: 0-1\n")


def test_the_graph_of_a_judged_game_comes_from_its_comments(page: FakePage) -> None:
    texts = ["0", "good; 0 -> loss in 6, better b2"]
    comments = [{"ply": ply, "text": text} for ply, text in enumerate(texts, 1)]
    message = {"type": "graph", "game": "tictactoe", "moves": ["a1", "c2"]}
    drawn = page.request("graph", **message, comments=comments)["graph"]
    assert re.findall(r"ply \d: [^<]*", drawn) == ["ply 0: 0", "ply 1: 0", "ply 2: win in 6"]
    assert page.request("graph", **message, comments=[{"ply": 1, "text": "a"}])["graph"] is None


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ({"type": "look", "game": "tictactoe", "moves": ["z9"]}, "z9"),
        ({"type": "look", "game": "tictactoe", "position": "?"}, r"\?"),
        ({"type": "search", "game": "tictactoe", "how": {"driver": "x"}, "seconds": 1}, "driver"),
        ({"type": "search", "game": "tictactoe", "how": {"on": ["x"]}, "seconds": 1}, "x"),
        ({"type": "search", "game": "tictactoe", "how": {}, "seconds": 1e9}, "seconds"),
        ({"type": "search", "game": "tictactoe", "position": "XXX/OO./... O", "how": {},
          "seconds": 1}, "nothing to search"),
        ({"type": "judge", "game": "tictactoe"}, "no moves"),
        ({"type": "load", "game": "chess", "text": "1. e9"}, "e9"),
        ({"type": "write", "game": "tictactoe", "marks": [{"ply": 1, "mark": "x"}]}, r"marks\[0\]"),
        ({"type": "write", "game": "tictactoe", "comments": [{"ply": -1, "text": ""}]}, "ply"),
        ({"type": "write", "game": "tictactoe", "result": "2-0"}, "result"),
        ({"type": "nothing"}, "unknown type of message"),
    ],
)  # fmt: skip
def test_a_bad_request_is_explained(page: FakePage, message: dict[str, object], error: str) -> None:
    text = page.request("error", **message)["text"]
    assert re.search(error, text), text


def test_drivers_presets_and_switches_come_from_the_tables(client: TestClient) -> None:
    choices = client.get("/api/choices").json()
    assert "mtdf" in [driver["name"] for driver in choices["drivers"]]
    assert "exact" in choices["presets"]
    assert choices["preset"] == "play"
    assert "history" in [switch["name"] for switch in choices["switches"] if switch["on"]]
