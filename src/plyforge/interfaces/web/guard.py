"""Protection against other sites: the server answers only its own pages, under its own names.

A page of another site could send requests here with the visitor's browser, or point its own name
at this address (DNS rebinding).  So the `Host` header must name this machine, and the `Origin`
header of a WebSocket, which browsers always send, must name the same scheme and host.
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
_HTTP_SCHEMES: Final = {"ws": "http", "wss": "https", "http": "http", "https": "https"}
"""The scheme of the pages that may send a request of a scheme."""
_REFUSED: Final = 1008


class Guard:
    """Rejects requests from other sites, and adds headers that protect the server's own pages.

    `names` are further host names that are allowed.  With `public` any IP address of the machine
    is allowed, but still no name that is not listed.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str] = (), public: bool = False) -> None:
        self._app = app
        self._names = {*OWN_NAMES, *(name.lower() for name in names)}
        self._public = public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        reason = self._reason(scope)
        if reason is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": _REFUSED, "reason": reason})
        else:
            code = 405 if scope["method"] not in METHODS else 403
            response = PlainTextResponse(reason, code, HEADERS)
            await response(scope, receive, send)

    def _reason(self, scope: Scope) -> str | None:
        """Return why a request is rejected; None if it is not."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_allowed(hosts[0]):
            return (
                "this server does not answer to that name; use the address that it printed,"
                " or start it with --allow-host NAME"
            )
        if scope["type"] == "http" and scope["method"] not in METHODS:
            return f"{scope['method']} is not allowed here"
        scheme = _HTTP_SCHEMES.get(scope["scheme"], scope["scheme"])
        own_site = f"{scheme}://{hosts[0].lower()}"
        if any(_site(origin) != own_site for origin in headers.getlist("origin")):
            return "requests from pages of other sites are not answered"
        return None

    def _is_allowed(self, host: str) -> bool:
        name = _host_name(host)
        if name is None:
            return False
        if name in self._names:
            return True
        return self._public and _is_address(name)


def _host_name(host: str) -> str | None:
    """Return the name or address in a `Host` header, without its port."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    if parts.username is not None or parts.path or parts.query or parts.fragment:
        return None
    return parts.hostname


def _site(origin: str) -> str:
    """Return scheme, host and port of an origin; empty if it has none, like `null`."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return ""
    known = parts.scheme in _HTTP_SCHEMES.values()
    return f"{parts.scheme}://{parts.netloc.lower()}" if known else ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers
