"""Shared by the pages of stored results: JSON endpoints, paging, a cache for slow answers.

Nothing here writes.  Numbers of matches, games and runs come from the page, file names never do.
"""

import functools
import re
import shlex
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.game.game import Game
from plyforge.games import names
from plyforge.interfaces.web.catalog import GameCatalog
from plyforge.interfaces.web.state import ServerState
from plyforge.match.tables import Table

MAX_ROWS: Final = 100
"""Rows of one answer, or of one table in it."""
_DEFAULT_ROWS: Final = 25
_MAX_NUMBER: Final = 10**12
"""Maximum number of a match, game or run, and of a first row."""
_SVG: Final = "image/svg+xml"
_SVG_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
"""A plot is styled by its own attributes; it may load nothing."""
_MAX_AGE: Final = 3600
_RULES_PATH: Final = re.compile(r"(?:.*[/\\])?([^/\\]+)\.py(:.*)?", re.DOTALL)
T = TypeVar("T")


class LruCache(Generic[T]):
    """The most recent results of slow work.

    One result is made at a time, and a limited number of requests may wait.
    """

    def __init__(self, size: int, max_waiting: int = 8) -> None:
        self._size = size
        self._results: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = threading.Lock()
        self._working = threading.Lock()
        self._slots = threading.BoundedSemaphore(max_waiting)

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result for a key; make it if it is not cached."""
        if (result := self._find(key)) is not None:
            return result
        if not self._slots.acquire(blocking=False):
            raise PlyforgeError("the server is busy with other requests; try again in a moment")
        try:
            with self._working:
                result = self._find(key)  # another thread may have made it meanwhile
                if result is None:
                    result = make()
                    self._put(key, result)
            return result
        finally:
            self._slots.release()

    def _find(self, key: Hashable) -> T | None:
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
            return self._results.get(key)

    def _put(self, key: Hashable, result: T) -> None:
        with self._lock:
            self._results[key] = result
            while len(self._results) > self._size:
                self._results.popitem(last=False)


PLOTS: Final[LruCache[bytes]] = LruCache(64)
"""Plots by what they show; matplotlib is slow, and threads share its settings."""


def server_of(request: Request) -> ServerState:
    """Return the state of the server that answers a request."""
    server: ServerState = request.app.state.server
    return server


def json_endpoint(answer: Callable[[Request], dict[str, Any]]) -> Callable[[Request], Response]:
    """Return an endpoint that answers with JSON; it runs in a thread, so it may be slow."""

    @functools.wraps(answer)
    def endpoint(request: Request) -> Response:
        return JSONResponse(answer(request))

    return endpoint


def svg_endpoint(answer: Callable[[Request], bytes]) -> Callable[[Request], Response]:
    """Return an endpoint that answers with a plot.

    Browsers may cache it, because its address changes with what it shows.
    """

    @functools.wraps(answer)
    def endpoint(request: Request) -> Response:
        headers = {
            "Content-Security-Policy": _SVG_POLICY,
            "Cache-Control": f"private, max-age={_MAX_AGE}",
        }
        return Response(answer(request), media_type=_SVG, headers=headers)

    return endpoint


@contextmanager
def explaining_errors(file: Path) -> Iterator[None]:
    """Explain errors from a file whose tables have the right names but other contents."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        reason = clip(f"{type(error).__name__}: {error}")
        raise PlyforgeError(
            f"{file.name} has contents that Plyforge did not write ({reason}); use another file"
        ) from error


def file_identity(file: Path) -> tuple[int, int]:
    """Return what distinguishes a file from another one that has replaced it."""
    status = file.stat()
    return status.st_dev, status.st_ino


def requested_rows(request: Request) -> tuple[int, int]:
    """Return the first row and the number of rows, as in `?from=50&limit=25`."""
    begin = query_number(request, "from", 0, 0, _MAX_NUMBER)
    return begin, query_number(request, "limit", _DEFAULT_ROWS, 1, MAX_ROWS)


def query_number(request: Request, name: str, default: int, low: int, high: int) -> int:
    """Return a number in the query of a request."""
    text = request.query_params.get(name)
    return default if text is None else read_integer(name, text, low, high)


def path_number(request: Request, name: str) -> int:
    """Return a number in the path of a request."""
    return read_integer(name, request.path_params[name])


def read_integer(name: str, text: str, low: int = 0, high: int = _MAX_NUMBER) -> int:
    """Return an integer that a request contains; raise an error if it is out of range."""
    # int() alone would accept the digits of all alphabets, and any number of them.
    if not re.fullmatch(r"[0-9]{1,15}", text) or not low <= int(text) <= high:
        raise PlyforgeError(
            f"{name} must be an integer between {low} and {high}, not '{clip(text, 40)}'"
        )
    return int(text)


def table_fields(table: Table) -> dict[str, Any]:
    """Return a table for a page, with the number of rows that are left out."""
    return {
        **asdict(table),
        "rows": table.rows[:MAX_ROWS],
        "more": max(0, len(table.rows) - MAX_ROWS),
    }


def command(text: str, file: Path | None) -> str:
    """Return the command that stores results in a file."""
    return text if file is None else f"{text} --db {shlex.quote(str(file))}"


def find_game(catalog: GameCatalog, name: str) -> Game:
    """Return the game of a stored result: a built-in one, or one named on the command line.

    Of a stored path only the name is used: nothing in a database is executed.
    """
    path = _RULES_PATH.fullmatch(name)
    try:
        if path is None or path[1] not in names():
            return catalog.game(page_name(name))
    except UnknownName:
        pass
    raise PlyforgeError(
        f"the game '{clip(name)}' is not on this server; start it with"
        f" 'plyforge serve {clip(name)}'"
    )


def page_name(name: str) -> str:
    """Return the name by which pages ask for the game of a stored result, with its variant."""
    path = _RULES_PATH.fullmatch(name)
    return name if path is None else path[1] + (path[2] or "")


def find_title(catalog: GameCatalog, name: str) -> str:
    """Return a game's title, or its name if the server does not have it."""
    try:
        game = find_game(catalog, name)
    except PlyforgeError:
        return name
    return game.title + (f" ({game.variant})" if game.variant else "")
