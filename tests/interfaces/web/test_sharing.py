"""Searches that a master shares out, on the page for analysis."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.state import ServerState
from tests.interfaces.web.pages import HOST, FakePage, open_page

HOW = {"driver": "pvs", "preset": "exact"}


def message(**fields: Any) -> dict[str, Any]:
    return {
        "type": "share",
        "game": "tictactoe",
        "how": HOW,
        "workers": 3,
        "seconds": 20.0,
    } | fields


def share(page: FakePage, **fields: Any) -> list[dict[str, Any]]:
    """Start a shared search and receive what it sends until it is done."""
    page.send(**message(**fields))
    found = []
    while (reply := page.receive("shared", "done"))["type"] == "shared":
        found.append(reply)
    return found


def workers_in(node: dict[str, Any]) -> list[int]:
    return node["workers"] + [one for child in node["children"] for one in workers_in(child)]


def test_a_solved_game_ends_with_its_tree_and_workers(page: FakePage) -> None:
    *_, last = share(page, moves=["b2"])
    assert (last["last"], last["ply"], last["player"]) == (True, 1, "O")
    assert (last["value"]["score"], last["value"]["proved"]) == ("0", True)
    assert last["tree"]["move"] == ""
    texts = [child["move"] for child in last["tree"]["children"]]
    assert last["line"][0] in texts
    assert [worker["number"] for worker in last["workers"]] == [1, 2, 3]
    assert sum(worker["nodes"] for worker in last["workers"]) == last["nodes"]
    assert last["tree"]["nodes"] == last["nodes"]


def test_values_are_for_the_side_to_move_at_the_root_and_the_best_comes_first(
    page: FakePage,
) -> None:
    tree = "[[[3,9],[12,1],8],[2,[4,4],6],[[14,1],5,2]]"
    *_, last = share(page, game="tree", position=tree)
    children = last["tree"]["children"]
    values = [(child["move"], child["value"]["score"], child["best"]) for child in children]
    assert last["value"] == last["tree"]["value"]
    assert (last["player"], last["value"]["score"]) == ("MAX", "+8")
    assert values[0] == ("1", "+8", True)
    assert {value[1:] for value in values[1:]} == {("+2", False)}
    assert {child["value"]["bound"] for child in children} <= {"exact", "upper"}


def test_messages_show_progress_and_every_worker_once(page: FakePage) -> None:
    found = share(page, game="connect4", workers=5, seconds=2.5)
    assert len(found) > 3
    nodes = [one["nodes"] for one in found]
    assert nodes == sorted(set(nodes[:-1])) + nodes[-1:]
    for one in found:
        busy = [worker["number"] for worker in one["workers"] if worker["path"] is not None]
        assert sorted(workers_in(one["tree"])) == busy == [1, 2, 3, 4, 5]
    assert [one["last"] for one in found] == [False] * (len(found) - 1) + [True]


def test_moves_are_written_as_on_the_board(page: FakePage) -> None:
    *_, last = share(page, game="chess", position="7k/8/8/8/8/8/R7/K7 w - - 0 1", seconds=0.5)
    texts = [child["move"] for child in last["tree"]["children"]]
    assert len(texts) >= 2
    assert {text[0] for text in [*texts, last["line"][0]]} <= {"R", "K"}


def test_a_search_after_a_move_of_the_tree_continues_with_its_part(page: FakePage) -> None:
    *_, before = share(page, game="connect4", workers=6, seconds=1.5)
    best = before["tree"]["children"][0]
    first, *_ = share(page, game="connect4", workers=6, seconds=0.5, moves=[best["move"]])
    assert first["tree"]["nodes"] == best["nodes"] + first["nodes"]
    other, *_ = share(page, game="connect4", workers=5, seconds=0.5, moves=[best["move"]])
    assert other["tree"]["nodes"] == other["nodes"]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"workers": 0}, "workers must be an integer between 1 and 32, not 0"),
        ({"workers": 33}, "workers must be an integer between 1 and 32, not 33"),
        ({"workers": 2.5}, "workers must be an integer between 1 and 32, not 2.5"),
        ({"seconds": 0}, "seconds must be a number between 0.05 and 110, not 0"),
        ({"how": {**HOW, "threads": 2}}, "each worker has one thread, not 2; set Threads to 1"),
        ({"moves": ["a1", "a2", "b1", "b2", "c1"]}, "nothing to search"),
        ({"game": "kuhn"}, "kuhn has hidden information, which a search would see"),
    ],
)
def test_bad_requests_are_refused_with_the_reason(
    page: FakePage, fields: dict[str, Any], reason: str
) -> None:
    assert reason in page.request("error", **message(**fields))["text"]
    *_, last = share(page, moves=["b2", "a1"])
    assert last["value"]["proved"]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"how": {**HOW, "off": ["deepening"]}}, "cannot search without the switch 'deepening'"),
        ({"how": {**HOW, "driver": "pvz"}}, "unknown driver 'pvz'; did you mean 'pvs'?"),
        ({"game": "pig"}, "a master with workers does not go with a game of chance"),
    ],
)
def test_searches_that_cannot_start_end_with_the_reason(
    page: FakePage, fields: dict[str, Any], reason: str
) -> None:
    assert reason in page.request("error", **message(**fields))["text"]
    assert page.receive("done")
    *_, last = share(page, moves=["b2", "a1"])
    assert last["value"]["proved"]


@pytest.fixture(scope="module")
def page_of_absent_cluster() -> Iterator[FakePage]:
    app = application(ServerState(executor="ray://127.0.0.1:1"))
    with TestClient(app, base_url=HOST) as client, open_page(client) as page:
        yield page


def test_a_cluster_that_is_not_there_is_named(page_of_absent_cluster: FakePage) -> None:
    pytest.importorskip("ray")
    page = page_of_absent_cluster
    text = page.request("error", **message())["text"]
    # Where Ray is imported already, the error names the address of this machine.
    assert re.search(r"no head node at [0-9.]+:1 \(Connection refused\)", text)
    assert page.receive("done")
