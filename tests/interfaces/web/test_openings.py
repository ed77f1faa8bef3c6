"""Names of openings on the pages, without a browser."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.interfaces.web.pages import FakePage, serve


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with serve() as client:
        yield client


def test_the_opening_is_named_while_playing_and_analysing(page: FakePage) -> None:
    state = page.request("state", type="new", game="checkers", side="both")
    assert state["opening"] is None
    state = page.request("state", type="move", text="9-14", ply=0)
    assert state["opening"] == "Double Corner"
    moves = ["e4", "c5"]
    look = page.request("position", type="look", game="chess", moves=moves)
    assert look["opening"] == "Sicilian Defence"
