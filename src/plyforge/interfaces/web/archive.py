"""What the pages of stored results have in common: answers as JSON, pages of rows, slow work kept.

Nothing here writes.  Numbers of matches, games and runs come from the page, names of files never.
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
from plyforge.interfaces.web.state import ServerState
from plyforge.match.tables import Table

MAX_ROWS: Final = 100
"""Rows of one answer, or of one table in it."""
_ROWS: Final = 25
_LAST: Final = 10**12
"""No number of a row is greater."""
_SVG: Final = "image/svg+xml"
_SVG_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
"""A plot is dressed by its own style attributes; it may load nothing."""
_KEEP_SECONDS: Final = 3600
_PATH_OF_RULES: Final = re.compile(r"(?:.*[/\\])?([^/\\]+)\.py(:.*)?", re.DOTALL)
T = TypeVar("T")


class LruCache(Generic[T]):
    """The latest answers of slow work: one is made at a time, and few may wait for their turn."""

    def __init__(self, most: int, waiting: int = 8) -> None:
        self._most = most
        self._found: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = threading.Lock()
        self._working = threading.Lock()
        self._places = threading.BoundedSemaphore(waiting)

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The answer of this key, made if it is not kept."""
        if (found := self._known(key)) is not None:
            return found
        if not self._places.acquire(blocking=False):
            raise PlyforgeError("the server is reckoning for others; try again in a moment")
        try:
            with self._working:
                found = self._known(key)  # maybe somebody else has waited for the same
                if found is None:
                    found = make()
                    self._keep(key, found)
            return found
        finally:
            self._places.release()

    def _known(self, key: Hashable) -> T | None:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def _keep(self, key: Hashable, found: T) -> None:
        with self._lock:
            self._found[key] = found
            while len(self._found) > self._most:
                self._found.popitem(last=False)


PICTURES: Final[LruCache[bytes]] = LruCache(64)
"""Plots by what they show; matplotlib is slow, and has settings that threads share."""


def server_state(request: Request) -> ServerState:
    """The server's games and files."""
    server: ServerState = request.app.state.server
    return server


def answered(answer: Callable[[Request], dict[str, Any]]) -> Callable[[Request], Response]:
    """An endpoint that tells JSON; it is called in a thread, so it may take its time."""

    @functools.wraps(answer)
    def endpoint(request: Request) -> Response:
        return JSONResponse(answer(request))

    return endpoint


def pictured(answer: Callable[[Request], bytes]) -> Callable[[Request], Response]:
    """An endpoint that tells a plot; its address changes with what it shows, so it may be kept."""

    @functools.wraps(answer)
    def endpoint(request: Request) -> Response:
        headers = {
            "Content-Security-Policy": _SVG_POLICY,
            "Cache-Control": f"private, max-age={_KEEP_SECONDS}",
        }
        return Response(answer(request), media_type=_SVG, headers=headers)

    return endpoint


@contextmanager
def understood(file: Path) -> Iterator[None]:
    """Words for a file whose tables have the right names but hold what Plyforge never wrote."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        told = clip(f"{type(error).__name__}: {error}")
        raise PlyforgeError(
            f"{file.name} holds what Plyforge did not write ({told}); give another file"
        ) from error


def rows_asked(request: Request) -> tuple[int, int]:
    """From which row on, and how many, as `?from=50&most=25` says."""
    begin = _asked(request, "from", 0, 0, _LAST)
    return begin, _asked(request, "most", _ROWS, 1, MAX_ROWS)


def _asked(request: Request, name: str, default: int, low: int, high: int) -> int:
    text = request.query_params.get(name)
    return default if text is None else _whole(name, text, low, high)


def number_of(request: Request, name: str) -> int:
    """A number in the path."""
    return _whole(name, request.path_params[name], 0, _LAST)


def _whole(name: str, text: str, low: int, high: int) -> int:
    # Not int() alone, which takes the digits of all alphabets, and not too many of them.
    if not re.fullmatch(r"[0-9]{1,15}", text) or not low <= int(text) <= high:
        raise PlyforgeError(f"{name} '{clip(text, 40)}': give a whole number from {low} to {high}")
    return int(text)


def table_fields(table: Table) -> dict[str, Any]:
    """A table for a page, which is told how many rows it does not get."""
    return {
        **asdict(table),
        "rows": table.rows[:MAX_ROWS],
        "more": max(0, len(table.rows) - MAX_ROWS),
    }


def command(text: str, file: Path | None) -> str:
    """What to type to have results in a file."""
    return text if file is None else f"{text} --db {shlex.quote(str(file))}"


def game_called(server: ServerState, name: str) -> Game:
    """The game of a stored result: a built-in one, or one that the command line names.

    A stored path is only looked at for its name: nothing that a database says is executed.
    """
    path = _PATH_OF_RULES.fullmatch(name)
    try:
        if path is None:
            return server.game(name)
        if path[1] not in names():
            return server.game(path[1] + (path[2] or ""))
    except UnknownName:
        pass
    raise PlyforgeError(
        f"the game '{clip(name)}' is not on this server; 'plyforge serve {clip(name)}' offers it"
    )


def title_of(server: ServerState, name: str) -> str:
    """A game's title, or its name where the server does not have it."""
    try:
        game = game_called(server, name)
    except PlyforgeError:
        return name
    return game.title + (f" ({game.variant})" if game.variant else "")
