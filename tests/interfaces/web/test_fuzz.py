"""Whatever a page sends, it gets an answer or an error that it can read, and nothing breaks."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from plyforge.interfaces.web.app import messages
from plyforge.interfaces.web.state import Bounds
from plyforge.interfaces.web.workers import FAILED
from tests.interfaces.web.pages import FakePage, served

BOUNDS = Bounds(
    analysis_seconds=0.1, move_seconds=0.1, messages_per_second=1e9, burst=10**9, shared_games=10**6
)
KINDS = messages()
NAMES = sorted({name for message in KINDS.values() for name in message.fields})
WORDS = st.sampled_from(
    ["tictactoe", "connect4:4x4", "b2", "a1", "1", "first", "both", "none", "pvs", "mtdf",
     "history", "minimax", "alpha-beta", ".../.X./... O", "engine:depth=1",
     "python:x.py", "../..", "\x00", ""]
)  # fmt: skip
PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 300), st.integers(), st.floats(), WORDS,
    st.text(max_size=12),
)  # fmt: skip
VALUES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=6,
)
SETTINGS = settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with served(bounds=BOUNDS) as made:
        yield made


@st.composite
def likely(draw: st.DrawFn) -> dict[str, Any]:
    """A message of a known type, mostly with its own fields, as they might come."""
    kind = draw(st.sampled_from(sorted(KINDS)))
    names = draw(st.sets(st.sampled_from(sorted(KINDS[kind].fields) or NAMES)))
    found = {name: draw(VALUES) for name in sorted(names)}
    if "game" in KINDS[kind].fields and draw(st.integers(0, 4)):
        found["game"] = draw(st.sampled_from(["tictactoe", "connect4:4x4", "tree"]))
    return {"type": kind, **found}


def _answered(page: FakePage) -> list[dict[str, Any]]:
    """All that comes until the server says that it does not know a type: the last thing asked."""
    page.send(type="are you there")
    heard = []
    while True:
        message = page.receive_any()
        heard.append(message)
        if message["type"] == "error" and "are you there" in message["text"]:
            return heard


def _unbroken(heard: list[dict[str, Any]], capsys: Any) -> None:
    assert FAILED not in [message.get("text") for message in heard]
    assert "Traceback" not in capsys.readouterr().err


@SETTINGS
@given(st.lists(likely(), min_size=1, max_size=4))
def test_likely_messages_are_answered(page: FakePage, capsys: Any, sent: list[Any]) -> None:
    for message in sent:
        page.send_text(json.dumps(message))
    _unbroken(_answered(page), capsys)


@SETTINGS
@given(VALUES)
def test_any_json_is_answered(page: FakePage, capsys: Any, sent: Any) -> None:
    page.send_text(json.dumps(sent))
    _unbroken(_answered(page), capsys)


@SETTINGS
@given(st.text(max_size=200))
def test_any_text_is_answered(page: FakePage, capsys: Any, sent: str) -> None:
    page.send_text(sent.encode(errors="replace").decode())
    _unbroken(_answered(page), capsys)


@pytest.mark.parametrize("sent", ["[" * 100_000, '{"type":' * 50_000, '"' * 600_000, "1e999", "{}"])
def test_deep_and_long_texts_are_refused(page: FakePage, capsys: Any, sent: str) -> None:
    page.send_text(sent)
    heard = _answered(page)
    assert heard[0]["type"] == "error"
    _unbroken(heard, capsys)


_PATHS = st.lists(
    st.sampled_from(
        ["api", "static", "games", "matches", "lab", "socket", "..", ".", "%2e%2e", "common.js",
         "1", "-1", "99999999999999999999", "null", "%00", "analyse", "tree", "x", "drawing.css"]
    ) | st.text(alphabet="abc/%.?&=#;:@ \u00e9", max_size=8),
    max_size=5,
).map("/".join)  # fmt: skip


@SETTINGS
@given(_PATHS, st.sampled_from(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"]))
def test_no_request_breaks_the_server(client: TestClient, path: str, method: str) -> None:
    answer = client.request(method, "http://127.0.0.1/" + path, follow_redirects=False)
    assert answer.status_code < 500
    assert method in ("GET", "HEAD") or answer.status_code == 405


@pytest.mark.parametrize(
    "name",
    ["..%2fapp.py", "app.py", "frame.html", "%2e%2e%2fschema.py", "../app.py", "x.js",
     "x" * 300 + ".js", "%00.js", "..%5capp.js"],
)  # fmt: skip
def test_only_files_for_pages_are_given_out(client: TestClient, name: str) -> None:
    assert client.get(f"http://127.0.0.1/static/{name}").status_code == 404
