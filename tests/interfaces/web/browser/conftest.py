"""A server and a browser, shared by all tests of pages: they are a group of `tests/conftest.py`."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.server import listen, make_server
from plyforge.interfaces.web.state import Databases, ServerLimits, ServerState
from scripts.browser import find_browser
from tests.interfaces.web.archives import play_match, store_learning, store_run

EXAMPLES = Path(__file__).parents[4] / "examples"
TIMEOUT = 90_000
"""Milliseconds without a change after which a test fails; a kernel may have to be compiled."""
GAMES = ("breakthrough", "last_letter", "dots")
"""Examples served besides the built-in games."""
DESKTOP = {"width": 1200, "height": 900}


@contextmanager
def serve(*games: str, databases: Databases | None = None, port: int = 0) -> Iterator[str]:
    """Run a server in a thread, and return its address."""
    limits = ServerLimits(analysis_threads=2)
    server = ServerState(games, limits, databases=databases)
    listening, address = listen("127.0.0.1", port)
    running = make_server(application(server), server.limits.message_bytes)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield address.url
    finally:
        running.should_exit = True
        thread.join()
        listening.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("results")
    matches, lab = folder / "matches.db", folder / "lab.db"
    play_match(matches, "tictactoe", 2, 30)
    play_match(matches, "connect4", 3, 6)
    store_run(lab)
    learning = folder / "learn.db"
    store_learning(learning, "quick", 9)
    store_learning(learning, "slow", 12, weights=50, depth=3)
    games = (str(EXAMPLES / f"{name}.py") for name in GAMES)
    with serve(*games, databases=Databases(matches, lab, learning)) as url:
        yield url


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    if find_browser() is None:
        pytest.skip("no Chromium; 'make test' installs it where it can")
    expect.set_options(timeout=TIMEOUT)
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    # As root, as in a container, Chromium does not start with its sandbox.
    with playwright.chromium.launch(
        executable_path=find_browser(), args=["--no-sandbox"]
    ) as browser:
        yield browser


Opener = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Opener]:
    """Open pages at paths; no page may have an error, or a request to another host."""
    errors: list[str] = []
    contexts = []

    def open_path(path: str = "/", **options: object) -> Page:
        context = browser.new_context(
            **{"viewport": DESKTOP, "reduced_motion": "reduce", **options}
        )
        context.set_default_timeout(TIMEOUT)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda message: errors.append(message.text) if message.type == "error" else None,
        )
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith(
                    (address, address.replace("http", "ws"), "data:", "blob:")
                )
                else errors.append(f"a request to {request.url}")
            ),
        )
        page.goto(address + path.removeprefix("/"))
        return page

    yield open_path
    for context in contexts:
        context.close()
    assert errors == []
