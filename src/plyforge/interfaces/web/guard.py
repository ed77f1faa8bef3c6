"""Who may talk to the server: pages that it has served itself, by the names it is known by.

A page of another site could send requests here with the visitor's browser, or point a name of its
own at this address (DNS rebinding).  So the `Host` header must name this machine, and the `Origin`
header of a WebSocket, which browsers always send, the same.
"""

import ipaddress
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

OWN_NAMES: Final = ("localhost", "127.0.0.1", "::1")
METHODS: Final = ("GET", "HEAD")
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none';"
        " form-action 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_REFUSED: Final = 1008


class Guard:
    """Refuses what does not come from this server's own pages, and sends headers that protect them.

    `names` are further host names that may be used; with `public` any address of the machine may,
    but still no name that is not listed.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str] = (), public: bool = False) -> None:
        self._app = app
        self._names = {*OWN_NAMES, *(name.lower() for name in names)}
        self._public = public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        fault = self._fault(scope)
        if fault is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": _REFUSED, "reason": fault})
        else:
            code = 405 if scope["method"] not in METHODS else 403
            response = PlainTextResponse(fault, code, HEADERS)
            await response(scope, receive, send)

    def _fault(self, scope: Scope) -> str | None:
        """Why a request is refused; None if it is not."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._known(hosts[0]):
            return (
                "this server is not known by that name; open it by the address that it printed,"
                " or start it with --allow-host NAME"
            )
        if scope["type"] == "http" and scope["method"] not in METHODS:
            return f"{scope['method']} is not taken here"
        origins = headers.getlist("origin")
        if any(_site(origin) != hosts[0].lower() for origin in origins):
            return "requests from pages of other sites are not answered"
        return None

    def _known(self, host: str) -> bool:
        name = _name(host)
        if name is None:
            return False
        if name in self._names:
            return True
        return self._public and _is_address(name)


def _name(host: str) -> str | None:
    """The name or address in a `Host` header, without its port."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    if parts.username is not None or parts.path or parts.query or parts.fragment:
        return None
    return parts.hostname


def _site(origin: str) -> str:
    """Host and port of an origin; empty if it is none, as `null`."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return ""
    return parts.netloc.lower() if parts.scheme in ("http", "https") else ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
