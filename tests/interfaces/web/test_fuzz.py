"""Any message and any request gets an answer or a readable error."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from plyforge.interfaces.web.app import handlers
from plyforge.interfaces.web.protocol import type_name
from plyforge.interfaces.web.state import ServerLimits
from plyforge.interfaces.web.workers import FAILED
from tests.games.tiers import examples
from tests.interfaces.web.pages import FakePage, serve

LIMITS = ServerLimits(
    analysis_seconds=0.1, move_seconds=0.1, messages_per_second=1e9, burst=10**9, shared_games=10**6
)
FIELDS = {type_name(message): message.__struct_fields__ for message in handlers()}
NAMES = sorted({name for names in FIELDS.values() for name in names})
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
    examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with serve(limits=LIMITS) as client:
        yield client


@st.composite
def typical_messages(draw: st.DrawFn) -> dict[str, Any]:
    """A message of a known type, mostly with its own fields."""
    kind = draw(st.sampled_from(sorted(FIELDS)))
    names = draw(st.sets(st.sampled_from(sorted(FIELDS[kind]) or NAMES)))
    fields = {name: draw(VALUES) for name in sorted(names)}
    if "game" in FIELDS[kind] and draw(st.integers(0, 4)):
        fields["game"] = draw(st.sampled_from(["tictactoe", "connect4:4x4", "tree"]))
    return {"type": kind, **fields}


def _receive_all(page: FakePage) -> list[dict[str, Any]]:
    """Receive messages up to the answer to one more message, of an unknown type."""
    page.send(type="are you there")
    messages = []
    while True:
        message = page.receive_any()
        messages.append(message)
        if message["type"] == "error" and "are you there" in message["text"]:
            return messages


def _check_no_failure(messages: list[dict[str, Any]], capsys: Any) -> None:
    assert FAILED not in [message.get("text") for message in messages]
    assert "Traceback" not in capsys.readouterr().err


@SETTINGS
@given(st.lists(typical_messages(), min_size=1, max_size=4))
def test_typical_messages_are_answered(page: FakePage, capsys: Any, data: list[Any]) -> None:
    for message in data:
        page.send_text(json.dumps(message))
    _check_no_failure(_receive_all(page), capsys)


@SETTINGS
@given(VALUES)
def test_any_json_is_answered(page: FakePage, capsys: Any, data: Any) -> None:
    page.send_text(json.dumps(data))
    _check_no_failure(_receive_all(page), capsys)


@SETTINGS
@given(st.text(max_size=200))
def test_any_text_is_answered(page: FakePage, capsys: Any, data: str) -> None:
    page.send_text(data.encode(errors="replace").decode())
    _check_no_failure(_receive_all(page), capsys)


@pytest.mark.parametrize("data", ["[" * 100_000, '{"type":' * 50_000, '"' * 600_000, "1e999", "{}"])
def test_deep_and_long_texts_are_refused(page: FakePage, capsys: Any, data: str) -> None:
    page.send_text(data)
    messages = _receive_all(page)
    assert messages[0]["type"] == "error"
    _check_no_failure(messages, capsys)


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
    ["..%2fapp.py", "app.py", "frame.html", "%2e%2e%2fstate.py", "../app.py", "x.js",
     "x" * 300 + ".js", "%00.js", "..%5capp.js"],
)  # fmt: skip
def test_only_files_of_pages_are_served(client: TestClient, name: str) -> None:
    assert client.get(f"http://127.0.0.1/static/{name}").status_code == 404
