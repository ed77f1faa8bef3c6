"""The web application: pages, their files, one WebSocket, and the routes of the features."""

import hashlib
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web import (
    analyse,
    incoming,
    laboratory,
    learning,
    matches,
    matrix,
    play,
    replay,
    review,
    setup,
    sharing,
    trees,
    watch,
)
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.guard import Guard
from plyforge.interfaces.web.handlers import Handler, Handlers
from plyforge.interfaces.web.layout import PAGES, STATIC, Page, page_html
from plyforge.interfaces.web.protocol import Incoming
from plyforge.interfaces.web.socket import Sockets
from plyforge.interfaces.web.state import ServerState

FEATURES: Final = (
    *(play, analyse, sharing, setup, review, trees, matrix),
    *(matches, replay, watch, laboratory, learning),
)
"""Modules with HANDLERS, ROUTES or both."""
MIN_COMPRESSED: Final = 1000
"""Bytes from which a response is compressed."""
_DRAWING: Final = files("plyforge.interfaces.drawing").joinpath("drawing.css")
_MEDIA_TYPES: Final = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
_SUFFIXES: Final = tuple(f".{suffix}" for suffix in _MEDIA_TYPES)


def application(server: ServerState, names: Iterable[str] = (), public: bool = False) -> Starlette:
    """Return the application; `names` and `public` say which host names it answers to."""
    fast_workers = ThreadPoolExecutor(server.limits.fast_workers, "plyforge-fast")
    slow_workers = ThreadPoolExecutor(server.limits.slow_workers, "plyforge-slow")
    sockets = Sockets(server, handlers(), fast_workers, slow_workers)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        server.close()
        for workers in (fast_workers, slow_workers):
            workers.shutdown(wait=False, cancel_futures=True)

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
        middleware=[
            Middleware(Guard, names=names, public=public),
            Middleware(GZipMiddleware, minimum_size=MIN_COMPRESSED),
        ],
        exception_handlers={PlyforgeError: _error},
        lifespan=lifespan,
    )
    app.state.server = server
    return app


def handlers() -> Handlers:
    """Return the handlers of all types of messages."""
    table: dict[type[Incoming], Handler] = {incoming.Stop: Handler(_stop)}
    for feature in FEATURES:
        table |= getattr(feature, "HANDLERS", {})
    return table


def _stop(server: ServerState, client: Client, message: incoming.Stop) -> None:
    client.finish()


def _page(page: Page) -> Callable[[Request], Response]:
    def endpoint(request: Request) -> Response:
        return _with_tag(request, page_html(page).encode(), "text/html")

    return endpoint


def _with_tag(request: Request, content: bytes, media_type: str) -> Response:
    """Return a file, or that it has not changed since the browser stored it.

    The header `Cache-Control: no-cache` lets a browser keep files and ask for changes each time.
    """
    tag = f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"'
    known = request.headers.get("if-none-match", "")
    # A proxy may have marked the tag as weak; the content is compared byte by byte anyway.
    if tag in {one.strip().removeprefix("W/") for one in known.split(",")}:
        return Response(status_code=304, headers={"ETag": tag})
    return Response(content, media_type=media_type, headers={"ETag": tag})


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if not name.endswith(_SUFFIXES) or name not in _static_files():
        return Response("there is no such file", 404, media_type="text/plain")
    file = STATIC.joinpath(name)
    return _with_tag(request, file.read_bytes(), _MEDIA_TYPES[name.rpartition(".")[2]])


@cache
def _static_files() -> frozenset[str]:
    """The names of all files: a requested name is looked up here, never used as a path."""
    return frozenset(file.name for file in STATIC.iterdir() if file.is_file())


def _drawing(request: Request) -> Response:
    return _with_tag(request, _DRAWING.read_bytes(), _MEDIA_TYPES["css"])


def _games(request: Request) -> Response:
    server: ServerState = request.app.state.server
    limits = {"file_characters": incoming.MAX_FILE}
    return JSONResponse({"games": server.catalog.to_list(), "limits": limits})


def _error(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 400)
