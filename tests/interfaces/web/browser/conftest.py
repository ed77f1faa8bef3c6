"""A server and a browser for the tests of pages: one of each for all of them."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.server import listen, make_server
from plyforge.interfaces.web.state import Databases, ServerState
from scripts.browser import found
from tests.interfaces.web.archives import measure, play_match

EXAMPLES = Path(__file__).parents[4] / "examples"
PATIENCE = 90_000
"""Milliseconds until a test takes silence for a fault; a kernel may have to be compiled."""
OWN = ("breakthrough", "last_letter")
"""Games of a user's own files."""
DESKTOP = {"width": 1200, "height": 900}


@pytest.hookimpl(tryfirst=True)  # before xdist looks at the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of pages run in one process: they share its server and browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("browser"))


@contextmanager
def serving(*games: str, databases: Databases | None = None) -> Iterator[str]:
    """A server in a thread; gives its address."""
    server = ServerState(games, databases=databases)
    listening, address = listen("127.0.0.1", 0)
    running = make_server(application(server), server.bounds.message_bytes)
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
    measure(lab)
    own = (str(EXAMPLES / f"{name}.py") for name in ("breakthrough", "last_letter"))
    with serving(*own, databases=Databases(matches, lab)) as url:
        yield url


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    if found() is None:
        pytest.skip("no Chromium; 'make test' installs it where it can")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as made:
        yield made


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    # As root, as in a container, Chromium runs without its sandbox or not at all.
    with playwright.chromium.launch(executable_path=found(), args=["--no-sandbox"]) as made:
        yield made


Opener = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Opener]:
    """Opens a page at a path; at the end of the test nothing may have gone wrong in any of them."""
    faults: list[str] = []
    contexts = []

    def opening(path: str = "/", **options: object) -> Page:
        context = browser.new_context(
            **{"viewport": DESKTOP, "reduced_motion": "reduce", **options}
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda message: faults.append(message.text) if message.type == "error" else None,
        )
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith(
                    (address, address.replace("http", "ws"), "data:", "blob:")
                )
                else faults.append(f"a request to {request.url}")
            ),
        )
        page.goto(address + path.removeprefix("/"))
        return page

    yield opening
    for context in contexts:
        context.close()
    assert faults == []
