"""Setting up pieces without a browser: the palette, the drawing, the position."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

import plyforge
from tests.interfaces.web.pages import FakePage, serve

EXAMPLES = Path(__file__).parents[3] / "examples"
OWN = [str(EXAMPLES / f"{name}.py") for name in ("breakthrough", "dodgem")]
ARRANGED = [name for name in plyforge.names() if name not in ("backgammon", "pig", "tree")]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with serve(*OWN) as client:
        yield client


def to_list(**pieces: str) -> list[dict[str, str]]:
    return [{"cell": cell, "piece": piece} for cell, piece in pieces.items()]


def drawn_pieces(board: str) -> dict[str, str]:
    """Return the pieces in a picture."""
    root = ElementTree.fromstring(board)
    groups = [g for g in root.iter() if "piece" in g.get("class", "").split()]
    return {g.attrib["data-cell"]: g.attrib["data-piece"] for g in groups}


@pytest.mark.parametrize("game", [*ARRANGED, "breakthrough"])
def test_an_unchanged_board_is_the_same_position(page: FakePage, game: str) -> None:
    reply = page.request("setup", type="setup", game=game)
    assert reply["palette"] or reply["counted"]
    again = page.request(
        "position", type="arrange", game=game, pieces=reply["pieces"], side=reply["side"]
    )
    assert again["arranged"]
    assert again["position"] == page.request("position", type="look", game=game)["position"]


@pytest.mark.parametrize("game", ARRANGED)
def test_the_sketch_shows_the_pieces(page: FakePage, game: str) -> None:
    reply = page.request("setup", type="setup", game=game)
    start = {one["cell"]: one["piece"] for one in reply["start"]}
    assert drawn_pieces(reply["board"]) == start
    again = page.request("sketch", type="sketch", game=game, pieces=reply["start"])
    assert drawn_pieces(again["board"]) == start


def test_the_palette_shows_every_piece_with_its_name(page: FakePage) -> None:
    reply = page.request("setup", type="setup", game="chess")
    assert [one["piece"] for one in reply["palette"]] == list("PNBRQKpnbrqk")
    assert reply["palette"][1]["name"] == "White knight"
    for one in reply["palette"]:
        assert ElementTree.fromstring(one["picture"]).get("aria-label") == one["name"]
    assert not reply["counted"]


def test_pits_hold_numbers(page: FakePage) -> None:
    reply = page.request("setup", type="setup", game="kalah:3,2")
    assert reply["counted"]
    assert reply["palette"] == []
    drawn = page.request("sketch", type="sketch", game="kalah:3,2", pieces=to_list(a1="11"))
    assert drawn_pieces(drawn["board"]) == {
        **dict.fromkeys(("a2", "a3", "b1", "b2", "b3", "A", "B"), "0"),
        "a1": "11",
    }
    made = page.request(
        "position", type="arrange", game="kalah:3,2", pieces=to_list(a1="11", b3="1"), side=1
    )
    assert made["position"] == "0,0,1/0 11,0,0/0 N"


def test_a_sketch_need_not_be_a_position(page: FakePage) -> None:
    drawn = page.request("sketch", type="sketch", game="chess", pieces=to_list(a8="P", a1="P"))
    assert drawn_pieces(drawn["board"]) == {"a8": "P", "a1": "P"}


def test_setting_up_starts_from_the_position_on_the_page(page: FakePage) -> None:
    reply = page.request("setup", type="setup", game="tictactoe", moves=["b2"])
    assert reply["pieces"] == to_list(b2="X")
    assert (reply["start"], reply["side"]) == ([], 1)


def test_the_board_has_the_size_of_the_position(page: FakePage) -> None:
    made: dict[str, Any] = page.request(
        "position",
        type="arrange",
        game="hex",
        position=".../.../... R",
        pieces=to_list(c3="R"),
        side=1,
    )
    assert made["position"] == ".../.../..R B"


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"game": "chess", "pieces": to_list(e4="Q")}, "White has 0 kings"),
        ({"game": "chess", "pieces": to_list(e4="1")}, "'1' on e4 is not a piece of Chess"),
        ({"game": "chess", "pieces": to_list(e9="K")}, "cell 'e9' is not on the board"),
        ({"game": "kalah", "pieces": to_list(a1="-3")}, "'-3' on a1 is not a piece of Kalah"),
        ({"game": "kalah", "pieces": to_list(a1="999")}, "not a number of seeds"),
        ({"game": "tree", "pieces": []}, "has no 'arrange'"),
        ({"game": "dodgem", "pieces": []}, "has no 'arrange'"),
        (
            {"game": "chess", "pieces": [], "side": 2},
            "side must be an integer between 0 and 1, not 2",
        ),
        ({"game": "chess", "pieces": [{"cell": "e4"}]}, "'pieces[0].piece' is missing"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_bad_request_is_explained(page: FakePage, message: dict[str, Any], reason: str) -> None:
    reply = page.request("error", **{"type": "arrange", "side": 0, **message})
    assert reason in reply["text"]


def test_a_page_knows_whether_pieces_can_be_set_up(page: FakePage) -> None:
    assert page.request("position", type="look", game="breakthrough")["arrangeable"]
    assert not page.request("position", type="look", game="dodgem")["arrangeable"]
    assert "has no 'arrange'" in page.request("error", type="setup", game="tree")["text"]
