"""What the page of search trees may ask, and what it is told."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

import plyforge
from plyforge import PlyforgeError
from plyforge.interfaces.drawing import treeplan
from plyforge.interfaces.web import trees
from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.workers import Stop
from plyforge.search.textbook.tracing import CHOICES, MAX_DEPTH, TraceRequest
from tests.search.textbook.figures import AIMA


class DirectClient(Client):
    """A client that does its work at once and keeps what it is told."""

    def __init__(self, server: ServerState) -> None:
        self.heard: list[Any] = []
        super().__init__(server, self.heard.append)

    def work(self, job: Any, seconds: float | None = None, pool: Any = None) -> None:
        self.heard += list(job(Stop()))

    def ask(self, kind: str, **fields: Any) -> list[Any]:
        """The answers to a message."""
        self.heard.clear()
        message = trees.MESSAGES[kind]
        message.handler(self, message.read(fields))
        json.dumps(self.heard, allow_nan=False)
        return list(self.heard)


@pytest.fixture(scope="module")
def server() -> Iterator[ServerState]:
    made = ServerState()
    yield made
    made.close()


@pytest.fixture
def page(server: ServerState) -> DirectClient:
    return DirectClient(server)


def test_trees_are_sent_side_by_side_with_their_numbers(page: DirectClient) -> None:
    *drawn, least = page.ask(
        "trees", game="tree", position=AIMA, algorithms=["minimax", "alpha-beta", "mtdf"]
    )
    assert [(d["type"], d["place"], d["value"]) for d in drawn] == [
        ("tree", 0, "3"), ("tree", 1, "3"), ("tree", 2, "3"),
    ]  # fmt: skip
    assert [d["counts"]["leaves"] for d in drawn] == [9, 7, 7]
    for one in drawn:
        ET.fromstring(one["svg"])
    assert least == {"type": "minimal", "leaves": 5, "note": ""}


def test_a_node_can_be_collapsed_and_expanded(page: DirectClient) -> None:
    first = page.ask("trees", game="tree", position=AIMA, algorithms=["alpha-beta"])[0]
    (shut,) = page.ask("drawing", place=0, collapsed=[1])
    assert shut["svg"].count("data-visit") == first["svg"].count("data-visit") - 3
    (opened,) = page.ask("drawing", place=0, collapsed=[])
    assert opened["svg"] == first["svg"]


def test_more_than_can_be_drawn_is_refused(
    page: DirectClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(treeplan.choose_collapsed, "__defaults__", (frozenset(), 5))
    page.ask("trees", game="tree", position=AIMA, algorithms=["alpha-beta"])
    with pytest.raises(PlyforgeError, match="collapse others first"):
        page.ask("drawing", place=0, collapsed=[])


def test_a_visit_is_told_with_its_board(page: DirectClient) -> None:
    page.ask("trees", game="connect4", moves="4", depth=2, algorithms=["alpha-beta"])
    (told,) = page.ask("visit", place=0, visit=2)
    game = plyforge.load("connect4")
    assert told["path"] == "1 1"
    assert told["side"].startswith("MIN, ")
    assert told["depth"] == 0
    assert told["explanation"].startswith("visit 2, move 1: ")
    assert 'class="cell last"' in told["board"]
    game.parse(told["position"])
    (root,) = page.ask("visit", place=0, visit=0)
    assert root["path"] == ""


def test_a_tree_to_its_ends_tells_no_depth(page: DirectClient) -> None:
    page.ask("trees", game="tree", algorithms=["alpha-beta"])
    (told,) = page.ask("visit", place=0, visit=5)
    assert told["depth"] is None
    assert told["side"] == "MIN"
    assert told["value"] == "at most 2"
    assert told["unseen"] == "2 3"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"game": "tree", "position": "[[1,x]]", "algorithms": ["mtdf"]}, "'x' is not a number"),
        ({"game": "tre", "algorithms": ["mtdf"]}, "unknown game 'tre'"),
        ({"game": "connect4", "moves": "9", "algorithms": ["mtdf"]}, "legal: 1, 2"),
        ({"game": "tree", "algorithms": []}, "choose at least one"),
        ({"game": "tree", "algorithms": ["best"]}, "must be one of minimax"),
        ({"game": "tree", "algorithms": ["mtdf"] * 5}, "at most 4"),
        ({"game": "tree", "algorithms": ["mtdf"], "depth": 0}, "from 1 to 62"),
        ({"game": "tree", "algorithms": ["mtdf"], "position": "[" * 30_000}, "at most 20,000"),
    ],
)
def test_what_is_wrong_is_told(page: DirectClient, fields: dict[str, Any], told: str) -> None:
    with pytest.raises(PlyforgeError, match=told):
        page.ask("trees", **fields)


def test_questions_about_trees_that_are_not_there_are_answered(page: DirectClient) -> None:
    with pytest.raises(PlyforgeError, match="draw them again"):
        page.ask("visit", place=0, visit=0)
    page.ask("trees", game="tree", algorithms=["alpha-beta"])
    with pytest.raises(PlyforgeError, match="there is no tree 1"):
        page.ask("drawing", place=1, collapsed=[])
    with pytest.raises(PlyforgeError, match="there is no visit 11; the last is 10"):
        page.ask("visit", place=0, visit=11)


def test_a_stop_ends_the_job(page: DirectClient) -> None:
    game = plyforge.load("connect4")
    wish = TraceRequest(game.history(), MAX_DEPTH, ("minimax",), False)
    stop = Stop()
    stop.set()
    assert list(trees.trees(page, wish)(stop)) == []


@pytest.mark.parametrize("example", trees.EXAMPLES, ids=lambda example: example["title"])
def test_every_example_can_be_drawn(page: DirectClient, example: dict[str, Any]) -> None:
    fields = {name: value for name, value in example.items() if name != "title"}
    told = page.ask("trees", **fields)
    notes = [one["note"] for one in told if one["type"] == "tree"]
    assert notes == [""] * len(fields["algorithms"])
    assert sum(one["type"] == "minimal" for one in told) == 1


def test_the_deep_cut_is_deep(page: DirectClient) -> None:
    """MAX's 5 at the root cuts a node of MIN three plies below, which its parent's window hides."""
    example = next(e for e in trees.EXAMPLES if "deep cut" in e["title"])
    page.ask("trees", **{name: value for name, value in example.items() if name != "title"})
    _, (_, plain) = page.server.trees.get(page.kept[trees.KEPT])
    deep = [v for v in plain.trace.visits if v.ply == 3 and v.unseen]
    assert len(deep) == 1
    assert "MAX, who has 5 already" in trees.explain(deep[0])


def test_the_page_and_its_choices_are_served(server: ServerState) -> None:
    with TestClient(application(server), base_url="http://localhost") as web:
        page = web.get("/tree")
        assert page.status_code == 200
        assert 'id="panes"' in page.text
        for name in ("tree.js", "treepane.js", "tree.css"):
            assert web.get(f"/static/{name}").status_code == 200
        choices = web.get("/api/trees").json()
        assert [row["name"] for row in choices["algorithms"]] == list(CHOICES)
        assert choices["most"] == trees.MAX_TREES
