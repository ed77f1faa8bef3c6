"""The web application: pages, their files, one WebSocket, and what features add."""

from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web import (
    analyse,
    laboratory,
    matches,
    play,
    replay,
    review,
    setup,
    trees,
    watch,
)
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.guard import Guard
from plyforge.interfaces.web.layout import PAGES, STATIC, Page, page_html
from plyforge.interfaces.web.schema import Message
from plyforge.interfaces.web.socket import Sockets
from plyforge.interfaces.web.state import ServerState

FEATURES: Final = (play, analyse, setup, review, trees, matches, replay, watch, laboratory)
"""Modules with MESSAGES, ROUTES or both."""
_DRAWING: Final = files("plyforge.interfaces.drawing").joinpath("drawing.css")


def application(server: ServerState, names: Iterable[str] = (), public: bool = False) -> Starlette:
    """The application of a server; `names` and `public` say by which hosts it may be called."""
    fast_workers = ThreadPoolExecutor(server.bounds.fast_workers, "plyforge-fast")
    slow_workers = ThreadPoolExecutor(server.bounds.slow_workers, "plyforge-slow")
    sockets = Sockets(server, messages(), fast_workers, slow_workers)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        server.close()
        for threads in (fast_workers, slow_workers):
            threads.shutdown(wait=False, cancel_futures=True)

    routes = [
        *(Route(page.path, _page(page)) for page in PAGES),
        Route("/static/drawing.css", _drawing),
        Route("/static/{name}", _static),
        Route("/api/games", _games),
        *(route for feature in FEATURES for route in getattr(feature, "ROUTES", ())),
        WebSocketRoute("/socket", sockets.serve),
    ]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, names=names, public=public)],
        exception_handlers={PlyforgeError: _told},
        lifespan=lifespan,
    )
    app.state.server = server
    return app


def messages() -> dict[str, Message]:
    """Every type of message that a page may send."""
    found = {"stop": Message({}, _stop)}
    for feature in FEATURES:
        found |= getattr(feature, "MESSAGES", {})
    return found


def _stop(client: Client, given: dict[str, Any]) -> None:
    client.finish()


def _page(page: Page) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        return HTMLResponse(page_html(page))

    return answer


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if not name.endswith(_KINDS) or name not in _statics():
        return Response("there is no such file", 404, media_type="text/plain")
    file = STATIC.joinpath(name)
    return Response(file.read_bytes(), media_type=_MEDIA[name.rpartition(".")[2]])


@cache
def _statics() -> frozenset[str]:
    """The files there are: a name is looked up here, so that it never makes a path of its own."""
    return frozenset(file.name for file in STATIC.iterdir() if file.is_file())


def _drawing(request: Request) -> Response:
    return Response(_DRAWING.read_bytes(), media_type=_MEDIA["css"])


def _games(request: Request) -> Response:
    server: ServerState = request.app.state.server
    return JSONResponse({"games": server.offered()})


def _told(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 400)


_MEDIA: Final = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
_KINDS: Final = tuple(f".{kind}" for kind in _MEDIA)
