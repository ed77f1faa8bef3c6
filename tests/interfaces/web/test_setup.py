"""Setting up pieces without a browser: what may be put, what is drawn, what the game says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

import plyforge
from tests.interfaces.web.pages import FakePage, served

EXAMPLES = Path(__file__).parents[3] / "examples"
OWN = [str(EXAMPLES / f"{name}.py") for name in ("breakthrough", "dodgem")]
ARRANGED = [name for name in plyforge.names() if name != "tree"]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with served(*OWN) as made:
        yield made


def listed(**pieces: str) -> list[dict[str, str]]:
    return [{"cell": cell, "piece": piece} for cell, piece in pieces.items()]


def standing(board: str) -> dict[str, str]:
    """The pieces in a picture."""
    root = ElementTree.fromstring(board)
    found = [g for g in root.iter() if "piece" in g.get("class", "").split()]
    return {g.attrib["data-cell"]: g.attrib["data-piece"] for g in found}


@pytest.mark.parametrize("game", [*ARRANGED, "breakthrough"])
def test_a_board_that_is_not_touched_is_the_position_it_was(page: FakePage, game: str) -> None:
    told = page.request("setup", type="setup", game=game)
    assert told["palette"] or told["counted"]
    again = page.request(
        "position", type="arrange", game=game, pieces=told["pieces"], side=told["side"]
    )
    assert again["arranged"]
    assert again["position"] == page.request("position", type="look", game=game)["position"]


@pytest.mark.parametrize("game", ARRANGED)
def test_pieces_stand_in_the_sketch(page: FakePage, game: str) -> None:
    told = page.request("setup", type="setup", game=game)
    start = {one["cell"]: one["piece"] for one in told["start"]}
    assert standing(told["board"]) == start
    again = page.request("sketch", type="sketch", game=game, pieces=told["start"])
    assert standing(again["board"]) == start


def test_the_palette_shows_every_piece_with_its_name(page: FakePage) -> None:
    told = page.request("setup", type="setup", game="chess")
    assert [one["piece"] for one in told["palette"]] == list("PNBRQKpnbrqk")
    assert told["palette"][1]["name"] == "White knight"
    for one in told["palette"]:
        assert ElementTree.fromstring(one["picture"]).get("aria-label") == one["name"]
    assert not told["counted"]


def test_seeds_are_counted_and_empty_pits_hold_none(page: FakePage) -> None:
    told = page.request("setup", type="setup", game="kalah:3,2")
    assert told["counted"]
    assert told["palette"] == []
    drawn = page.request("sketch", type="sketch", game="kalah:3,2", pieces=listed(a1="11"))
    assert standing(drawn["board"]) == {
        **dict.fromkeys(("a2", "a3", "b1", "b2", "b3", "A", "B"), "0"),
        "a1": "11",
    }
    made = page.request(
        "position", type="arrange", game="kalah:3,2", pieces=listed(a1="11", b3="1"), side=1
    )
    assert made["position"] == "0,0,1/0 11,0,0/0 N"


def test_a_sketch_need_not_be_a_position(page: FakePage) -> None:
    drawn = page.request("sketch", type="sketch", game="chess", pieces=listed(a8="P", a1="P"))
    assert standing(drawn["board"]) == {"a8": "P", "a1": "P"}


def test_setting_up_begins_with_the_position_on_the_page(page: FakePage) -> None:
    told = page.request("setup", type="setup", game="tictactoe", moves=["b2"])
    assert told["pieces"] == listed(b2="X")
    assert (told["start"], told["side"]) == ([], 1)


def test_the_board_is_as_large_as_that_of_the_position(page: FakePage) -> None:
    made: dict[str, Any] = page.request(
        "position",
        type="arrange",
        game="hex",
        position=".../.../... R",
        pieces=listed(c3="R"),
        side=1,
    )
    assert made["position"] == ".../.../..R B"


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"game": "chess", "pieces": listed(e4="Q")}, "White has 0 kings"),
        ({"game": "chess", "pieces": listed(e4="1")}, "'1' on e4 is not a piece of Chess"),
        ({"game": "chess", "pieces": listed(e9="K")}, "cell 'e9' is not on the board"),
        ({"game": "kalah", "pieces": listed(a1="-3")}, "'-3' on a1 is not a piece of Kalah"),
        ({"game": "kalah", "pieces": listed(a1="999")}, "not a number of seeds"),
        ({"game": "tree", "pieces": []}, "has no 'arrange'"),
        ({"game": "dodgem", "pieces": []}, "has no 'arrange'"),
        ({"game": "chess", "pieces": [], "side": 2}, "whole number from 0 to 1"),
        ({"game": "chess", "pieces": [{"cell": "e4"}]}, "'pieces[0].piece' is missing"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_is_told(page: FakePage, message: dict[str, Any], reason: str) -> None:
    told = page.request("error", **{"type": "arrange", "side": 0, **message})
    assert reason in told["text"]


def test_a_page_knows_whether_pieces_can_be_set_up(page: FakePage) -> None:
    assert page.request("position", type="look", game="breakthrough")["arrangeable"]
    assert not page.request("position", type="look", game="dodgem")["arrangeable"]
    assert "has no 'arrange'" in page.request("error", type="setup", game="tree")["text"]
