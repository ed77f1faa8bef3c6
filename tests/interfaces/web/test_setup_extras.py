"""Castling rights and en passant, set up without a browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.interfaces.web.pages import FakePage, serve


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with serve() as client:
        yield client


def placed(**pieces: str) -> list[dict[str, str]]:
    return [{"cell": cell, "piece": piece} for cell, piece in pieces.items()]


ROOKS = placed(e1="K", h1="R", e8="k", a8="r")


def choices(extras: list[dict[str, Any]]) -> dict[str, list[str]]:
    return {one["name"]: one["choices"] for one in extras}


def test_the_editor_starts_with_the_extras_of_the_position(page: FakePage) -> None:
    fen = "4k3/8/8/3pP3/8/8/8/4K2R w - d6 0 1"
    extras = page.request("setup", type="setup", game="chess", position=fen)["extras"]
    assert [one["value"] for one in extras] == ["no", "no", "d6"]
    assert page.request("setup", type="setup", game="checkers")["extras"] == []


def test_a_sketch_offers_what_the_pieces_allow(page: FakePage) -> None:
    sketch = page.request("sketch", type="sketch", game="chess", pieces=ROOKS, side=0)
    assert choices(sketch["extras"]) == {
        "White castling": ["O-O", "no"],
        "Black castling": ["O-O-O", "no"],
        "En passant": ["no"],
    }
    pawns = [*ROOKS, *placed(d5="p", e5="P")]
    sketch = page.request("sketch", type="sketch", game="chess", pieces=pawns, side=0)
    assert choices(sketch["extras"])["En passant"] == ["no", "d6"]
    half = page.request("sketch", type="sketch", game="chess", pieces=placed(e1="K"), side=0)
    assert half["extras"] is None


def test_the_position_has_the_chosen_extras(page: FakePage) -> None:
    chosen = [{"name": "White castling", "value": "no"}]
    message = {"type": "arrange", "game": "chess", "pieces": ROOKS, "side": 0, "extras": chosen}
    assert page.request("position", **message)["position"] == "r3k3/8/8/8/8/8/8/4K2R w q - 0 1"


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("Black castling", "O-O", "Black castling: 'O-O' is not possible in this position"),
        ("Luck", "yes", "'Luck' is not an extra of Chess"),
    ],
)
def test_wrong_extras_are_refused(page: FakePage, name: str, value: str, reason: str) -> None:
    chosen = [{"name": name, "value": value}]
    message = {"type": "arrange", "game": "chess", "pieces": ROOKS, "side": 0, "extras": chosen}
    assert reason in page.request("error", **message)["text"]
