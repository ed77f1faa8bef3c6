import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from plyforge.interfaces.web.guard import HEADERS, Guard


def _hello(request: Request) -> Response:
    return PlainTextResponse("hello")


async def _echo(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text("hello")
    await websocket.close()


def _client(**options: object) -> TestClient:
    app = Starlette(
        routes=[Route("/", _hello, methods=["GET", "POST"]), WebSocketRoute("/s", _echo)]
    )
    return TestClient(Guard(app, **options), base_url="http://127.0.0.1:8000")  # type: ignore[arg-type]


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "LOCALHOST", "[::1]:8000"])
def test_the_server_answers_to_its_own_names(host: str) -> None:
    assert _client().get("/", headers={"host": host}).text == "hello"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil", "10.0.0.5",
     "user@localhost", "localhost:x", "", "localhost/", "a b", "[::1", "127.0.0.1:99999999"],
)  # fmt: skip
def test_other_names_are_refused(host: str) -> None:
    answer = _client().get("/", headers={"host": host})
    assert answer.status_code == 403
    assert "--allow-host" in answer.text


def test_an_allowed_name_is_accepted() -> None:
    client = _client(names=["Games.example"])
    assert client.get("/", headers={"host": "games.example:8000"}).status_code == 200


def test_a_public_server_answers_to_addresses_but_not_to_names() -> None:
    client = _client(public=True)
    assert client.get("/", headers={"host": "192.168.1.7:8000"}).status_code == 200
    assert client.get("/", headers={"host": "evil.example:8000"}).status_code == 403


def test_other_methods_are_refused() -> None:
    assert _client().post("/").status_code == 405


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:9000", "file://", "http://[", "javascript:1",
     "http://127.0.0.1:8000.evil.example", "https://127.0.0.1:8000"],
)  # fmt: skip
def test_pages_of_other_sites_are_refused(origin: str) -> None:
    client = _client()
    assert client.get("/", headers={"origin": origin}).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect("ws://127.0.0.1:8000/s", headers={"origin": origin}),
    ):
        pass
    assert refused.value.code == 1008


def test_own_pages_get_a_socket() -> None:
    headers = {"origin": "http://127.0.0.1:8000", "host": "127.0.0.1:8000"}
    with _client().websocket_connect("ws://127.0.0.1:8000/s", headers=headers) as socket:
        assert socket.receive_text() == "hello"


def test_every_response_has_the_protective_headers() -> None:
    for host in ("127.0.0.1", "evil.example"):
        answer = _client().get("/", headers={"host": host})
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS


@given(st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126), max_size=30))
def test_no_host_header_breaks_the_guard(host: str) -> None:
    answer = _client().get("/", headers={"host": host})
    assert answer.status_code in (200, 403)
