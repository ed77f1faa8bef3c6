"""Requests of the page of search trees, and the replies to them."""

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
from plyforge.interfaces.web.protocol import MessageReader, Outgoing, encode
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.workers import Stop
from plyforge.search.textbook.tracing import CHOICES
from tests.search.textbook.figures import AIMA

READER = MessageReader(trees.HANDLERS, 1 << 19)


class DirectClient(Client):
    """A client that does its work at once and keeps what it is sent."""

    def __init__(self, server: ServerState) -> None:
        self.server = server
        self.received: list[Outgoing] = []
        super().__init__(self.received.append, server.search_workers, 60.0)

    def start(self, job: Any, seconds: float | None = None, pool: Any = None) -> None:
        self.received += list(job(Stop()))

    def request(self, kind: str, **fields: Any) -> list[dict[str, Any]]:
        """Return the replies to a message."""
        self.received.clear()
        message = READER.read(json.dumps({"type": kind, **fields}))
        trees.HANDLERS[type(message)].function(self.server, self, message)
        return [json.loads(encode(reply)) for reply in self.received]


@pytest.fixture(scope="module")
def server() -> Iterator[ServerState]:
    server = ServerState()
    yield server
    server.close()


@pytest.fixture
def client(server: ServerState) -> DirectClient:
    return DirectClient(server)


def test_each_tree_is_sent_with_its_numbers(client: DirectClient) -> None:
    *drawn, minimal = client.request(
        "trees", game="tree", position=AIMA, algorithms=["minimax", "alpha-beta", "mtdf"]
    )
    assert [(d["type"], d["place"], d["value"]) for d in drawn] == [
        ("tree", 0, "3"), ("tree", 1, "3"), ("tree", 2, "3"),
    ]  # fmt: skip
    assert [d["counts"]["leaves"] for d in drawn] == [9, 7, 7]
    for reply in drawn:
        ET.fromstring(reply["svg"])
    assert minimal == {"type": "minimal", "leaves": 5, "note": ""}


def test_a_node_can_be_collapsed_and_expanded(client: DirectClient) -> None:
    first = client.request("trees", game="tree", position=AIMA, algorithms=["alpha-beta"])[0]
    (collapsed,) = client.request("drawing", place=0, collapsed=[1])
    assert collapsed["svg"].count("data-visit") == first["svg"].count("data-visit") - 3
    (expanded,) = client.request("drawing", place=0, collapsed=[])
    assert expanded["svg"] == first["svg"]


@pytest.mark.parametrize("file_format", ["svg", "png", "dot", "tikz"])
def test_a_file_has_the_visits_that_are_drawn(client: DirectClient, file_format: str) -> None:
    client.request("trees", game="tree", position=AIMA, algorithms=["alpha-beta"])
    fields = {"place": 0, "format": file_format}
    (whole,) = client.request("export", collapsed=[], **fields)
    (part,) = client.request("export", collapsed=[1], **fields)
    sign = {"dot": "label=", "tikz": "edge label="}.get(file_format, 'data-visit="')
    assert whole["text"].count(sign) > part["text"].count(sign)
    if file_format in ("svg", "png"):
        assert "<style" in whole["text"]
        ET.fromstring(whole["text"])
    else:
        assert "Alpha-beta: 8 of 11 visits" in part["text"]


def test_a_large_tree_is_collapsed_at_first(client: DirectClient) -> None:
    first = client.request("trees", game="connect4", depth=4, algorithms=["alpha-beta"])[0]
    assert first["svg"].count("data-visit") <= trees.FIRST_DRAWN < first["counts"]["visits"]
    (expanded,) = client.request("expand", place=0)
    assert expanded["svg"].count("data-visit") == first["counts"]["visits"]


def test_an_unknown_format_is_refused(client: DirectClient) -> None:
    client.request("trees", game="tree", position=AIMA, algorithms=["alpha-beta"])
    with pytest.raises(PlyforgeError, match="pdf"):
        client.request("export", place=0, collapsed=[], format="pdf")


def test_too_many_visits_are_not_drawn(
    client: DirectClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(treeplan.choose_collapsed, "__defaults__", (frozenset(), 5))
    client.request("trees", game="tree", position=AIMA, algorithms=["alpha-beta"])
    with pytest.raises(PlyforgeError, match="collapse others first"):
        client.request("drawing", place=0, collapsed=[])


def test_a_visit_has_its_board(client: DirectClient) -> None:
    client.request("trees", game="connect4", moves="4", depth=2, algorithms=["alpha-beta"])
    (visit,) = client.request("visit", place=0, visit=2)
    game = plyforge.load("connect4")
    assert visit["path"] == "1 1"
    assert visit["side"].startswith("MIN, ")
    assert visit["depth"] == 0
    assert visit["explanation"].startswith("visit 2, move 1: ")
    assert 'class="cell last"' in visit["board"]
    game.parse(visit["position"])
    (root,) = client.request("visit", place=0, visit=0)
    assert root["path"] == ""


def test_a_tree_to_its_ends_has_no_depth(client: DirectClient) -> None:
    client.request("trees", game="tree", algorithms=["alpha-beta"])
    (visit,) = client.request("visit", place=0, visit=5)
    assert visit["depth"] is None
    assert visit["side"] == "MIN"
    assert visit["value"] == "at most 2"
    assert visit["unseen"] == "2 3"


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"game": "tree", "position": "[[1,x]]", "algorithms": ["mtdf"]}, "'x' is not a number"),
        ({"game": "tre", "algorithms": ["mtdf"]}, "unknown game 'tre'"),
        ({"game": "connect4", "moves": "9", "algorithms": ["mtdf"]}, "legal: 1, 2"),
        ({"game": "tree", "algorithms": []}, "choose at least one"),
        ({"game": "tree", "algorithms": ["best"]}, "unknown algorithm 'best'"),
        ({"game": "tree", "algorithms": ["mtdf"] * 5}, "at most 4"),
        ({"game": "tree", "algorithms": ["mtdf"], "depth": 0}, "between 1 and 62"),
        ({"game": "tree", "algorithms": ["mtdf"], "position": "[" * 30_000}, "at most 20,000"),
    ],
)
def test_a_bad_request_is_explained(
    client: DirectClient, fields: dict[str, Any], error: str
) -> None:
    with pytest.raises(PlyforgeError, match=error):
        client.request("trees", **fields)


def test_a_request_for_a_missing_tree_or_visit_is_refused(client: DirectClient) -> None:
    with pytest.raises(PlyforgeError, match="draw them again"):
        client.request("visit", place=0, visit=0)
    client.request("trees", game="tree", algorithms=["alpha-beta"])
    with pytest.raises(PlyforgeError, match="there is no tree 1"):
        client.request("drawing", place=1, collapsed=[])
    with pytest.raises(PlyforgeError, match="there is no visit 11; the last is 10"):
        client.request("visit", place=0, visit=11)


@pytest.mark.parametrize("example", trees.EXAMPLES, ids=lambda example: example["title"])
def test_every_example_can_be_drawn(client: DirectClient, example: dict[str, Any]) -> None:
    fields = {name: value for name, value in example.items() if name != "title"}
    replies = client.request("trees", **fields)
    notes = [one["note"] for one in replies if one["type"] == "tree"]
    assert notes == [""] * len(fields["algorithms"])
    minimal = sum(one["type"] == "minimal" for one in replies)
    searched = trees.EQUILIBRIUM not in fields["algorithms"] and fields["game"] != "pig:20"
    assert minimal == searched  # trees with chance or hidden information have no minimal one


def test_the_deep_cut_is_deep(client: DirectClient) -> None:
    """MAX's 5 at the root cuts a node of MIN three plies below, which its parent's window hides."""
    example = next(e for e in trees.EXAMPLES if "deep cut" in e["title"])
    client.request("trees", **{name: value for name, value in example.items() if name != "title"})
    _, (_, alpha_beta) = client.server.traces.get(client.data[trees.TRACES])
    deep = [v for v in alpha_beta.trace.visits if v.ply == 3 and v.unseen]
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
        assert [row["name"] for row in choices["algorithms"]] == [*CHOICES, trees.EQUILIBRIUM]
        assert choices["max_trees"] == trees.MAX_TREES


PARALLEL_TREE = "tree:uniform,branching=3,depth=3,seed=41,values=21"


def test_a_parallel_search_names_the_worker_of_each_node(client: DirectClient) -> None:
    first, *_ = client.request("trees", game=PARALLEL_TREE, algorithms=["ybwc", "alpha-beta"])
    drawing = ET.fromstring(first["svg"])
    visits = [one for one in drawing.iter() if one.get("data-visit") is not None]
    assert {one.get("data-worker") for one in visits} == {"1", "2"}
    assert first["idea"].endswith("2 workers, seed 0: 6 splits, 4 joins, 1 stopped visit")
    steps = [step for one in visits for step in json.loads(one.get("data-steps") or "[]")]
    ends = [int(one.get(name) or 0) for one in visits for name in ("data-began", "data-ended")]
    assert sorted([*ends, *(number for number, _ in steps)]) == list(range(len(ends) + len(steps)))
    assert any("worker 2 joins worker 1 at visit 0, the root" in text for _, text in steps)
    (stopped,) = [one for one in visits if "stopped" in (one.get("class") or "").split()]
    (shown,) = client.request("visit", place=0, visit=int(stopped.get("data-visit") or 0))
    assert str(shown["worker"]) == stopped.get("data-worker")
    assert "stopped: a cut at visit" in shown["explanation"]


@pytest.mark.parametrize("file_format", ["svg", "dot", "tikz"])
def test_files_of_parallel_searches_keep_the_workers(
    client: DirectClient, file_format: str
) -> None:
    client.request("trees", game=PARALLEL_TREE, algorithms=["ybwc"], workers=3, seed=4)
    (reply,) = client.request("export", place=0, collapsed=[], format=file_format)
    for worker in (1, 2, 3):
        mark = f'data-worker="{worker}"' if file_format == "svg" else f"worker {worker}"
        assert mark in reply["text"]


@pytest.mark.parametrize("workers", [1, 5])
def test_too_few_or_too_many_workers_are_refused(client: DirectClient, workers: int) -> None:
    with pytest.raises(PlyforgeError, match="workers"):
        client.request("trees", game="tree", algorithms=["ybwc"], workers=workers)


def test_an_equilibrium_shows_information_sets_and_chance(client: DirectClient) -> None:
    (view,) = client.request("trees", game="kuhn", algorithms=["equilibrium"])
    assert view["value"] == "-0.0555555556"
    assert view["counts"]["visits"] == 58
    picture = ET.fromstring(view["svg"])
    classes = [one.get("class") or "" for one in picture.iter()]
    assert sum("information" in one.split() for one in classes) == 12
    assert sum("chance" in one.split() for one in classes) == 4
    (root,) = client.request("visit", place=0, visit=0)
    assert "the average of the outcomes of chance" in root["explanation"]
    (node,) = client.request("visit", place=0, visit=2)
    assert "First knows 'J' and cannot tell 2 nodes apart" in node["explanation"]


@pytest.mark.parametrize(("file_format", "sign"), [("dot", "style=dotted"), ("tikz", "[dotted")])
def test_files_have_dotted_lines_between_the_nodes_that_are_shown(
    client: DirectClient, file_format: str, sign: str
) -> None:
    client.request("trees", game="rps", algorithms=["equilibrium"])
    fields = {"place": 0, "format": file_format}
    (whole,) = client.request("export", collapsed=[], **fields)
    assert whole["text"].count(sign) == 2
    (part,) = client.request("export", collapsed=[0], **fields)
    assert part["text"].count(sign) == 0


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"game": "kuhn", "algorithms": ["minimax"]}, "hidden information, which minimax would"),
        ({"game": "kuhn", "algorithms": ["minimax", "equilibrium"]}, "choose it alone"),
        ({"game": "kuhn", "moves": "x", "algorithms": ["equilibrium"]}, "choose it alone"),
        ({"game": "liars-dice", "algorithms": ["equilibrium"]}, "more than 20,000 nodes"),
    ],
)
def test_requests_that_do_not_go_with_hidden_information(
    client: DirectClient, fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(PlyforgeError, match=message):
        client.request("trees", **fields)


def test_a_users_file_with_hidden_information_is_served() -> None:
    server = ServerState(["examples/hidden/red_black.py"])
    try:
        client = DirectClient(server)
        (view,) = client.request("trees", game="red_black", algorithms=["equilibrium"])
        assert view["value"] == "0.333333333"
    finally:
        server.close()
