"""The page for analysis before it has a position or a connection, and between two positions."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.interfaces.web.browser.conftest import Opener

JOBS = ("start", "compare", "share", "judge")
"""Buttons that start searches; each has a note beside it."""
OTHERS = ("first", "back", "forward", "last", "flip", "comment", "variant", "position", "set")
OTHERS += ("copy", "reset", "line", "follow", "open", "save")
STARTING = "Starting … The first search of a game compiles it, which takes some seconds."
LATE_SOCKET = """
const Socket = WebSocket;
const waiting = [];
window.openSockets = () => { while (waiting.length) waiting.shift()(); };
window.WebSocket = class extends EventTarget {
  static OPEN = Socket.OPEN;
  readyState = Socket.CONNECTING;
  constructor(address) {
    super();
    waiting.push(() => {
      this.socket = new Socket(address);
      const repeat = (event) => {
        this.readyState = this.socket.readyState;
        this.dispatchEvent(new event.constructor(event.type, event));
      };
      for (const type of ["open", "message", "close"]) this.socket.addEventListener(type, repeat);
    });
  }
  send(text) { this.socket.send(text); }
};
"""
"""A connection that is not open until the test calls `openSockets`."""


class Gate:
    """Keeps back messages of the server, by type, or refuses connections."""

    def __init__(self, page: Page) -> None:
        self.closed_to: set[str] = set()
        self.refuses = False
        self._sockets: list[WebSocketRoute] = []
        self._waiting: list[tuple[str, Callable[[], None]]] = []
        page.route_web_socket("**/socket", self._route)

    def _route(self, socket: WebSocketRoute) -> None:
        if self.refuses:
            socket.close()
            return
        self._sockets.append(socket)

        def receive(text: str | bytes) -> None:
            if (kind := json.loads(text)["type"]) in self.closed_to:
                self._waiting.append((kind, lambda: socket.send(text)))
            else:
                socket.send(text)

        socket.connect_to_server().on_message(receive)

    def open(self, *types: str) -> None:
        """Let messages of some types through, in the order in which they came."""
        self.closed_to -= set(types)
        waiting, self._waiting = self._waiting, []
        for kind, send in waiting:
            if kind in types:
                send()
            else:
                self._waiting.append((kind, send))

    def disconnect(self) -> None:
        """Close the connection, and refuse others."""
        self.refuses = True
        while self._sockets:
            self._sockets.pop().close()


def open_analysis(open_page: Opener, link: str) -> tuple[Page, Gate]:
    page = open_page(f"/analyse#{link}")
    gate = Gate(page)
    page.reload()
    page.locator("#board svg").wait_for()
    show_buttons(page)
    return page, gate


def show_buttons(page: Page) -> None:
    page.click('text="Compare search options"')
    page.click('text="Share the search out"')


def expect_unavailable(page: Page, reason: str) -> None:
    for name in JOBS:
        expect(page.locator(f"#{name}")).to_be_disabled()
        expect(page.locator(f"#{name}-note")).to_be_visible()
        expect(page.locator(f"#{name}-note")).to_have_text(reason)


def expect_available(page: Page) -> None:
    for name in JOBS:
        expect(page.locator(f"#{name}")).to_be_enabled()
        expect(page.locator(f"#{name}-note")).to_be_hidden()


def expect_shared_result(page: Page, player: str) -> None:
    expect(page.locator("#shared-workers tbody tr")).to_have_count(4)
    expect(page.locator("#shared-result")).to_be_visible()
    expect(page.locator("#shared-player")).to_have_text(player)


def test_a_click_before_the_connection_is_open_waits_for_the_position(open_page: Opener) -> None:
    page = open_page("/analyse#game=tictactoe&moves=b2")
    page.add_init_script(LATE_SOCKET)
    page.reload()
    page.click('text="Share the search out"')
    button = page.locator("#share")
    button.click(force=True)
    page.locator("#game option").first.wait_for(state="attached")  # the page is complete
    assert button.is_disabled()
    expect(page.locator("#share-note")).to_have_text("Loading the position …")
    page.evaluate("openSockets()")
    expect(page.locator("#moves .move")).to_have_text(["b2"])
    expect(page.locator("#share-note")).to_be_hidden()
    button.click()
    expect_shared_result(page, "O")


@pytest.mark.long
@pytest.mark.parametrize("path", ["api/choices", "api/games"])
def test_nothing_can_be_used_before_the_lists_are_loaded(open_page: Opener, path: str) -> None:
    page = open_page("/analyse#game=connect4&moves=4%0A4")
    page.locator("#board svg").wait_for()
    requests = []
    page.route(f"**/{path}", lambda route: requests.append(route))
    with page.expect_request(f"**/{path}"):
        page.reload()
    show_buttons(page)
    expect_unavailable(page, "Loading the position …")
    for name in OTHERS:
        expect(page.locator(f"#{name}")).to_be_disabled()
    page.keyboard.press("Home")
    requests.pop().continue_()
    expect_available(page)
    expect(page.locator("#moves .move")).to_have_text(["4", "4"])
    expect(page.locator("#news")).to_be_empty()
    for name in set(OTHERS) - {"forward", "last"}:
        expect(page.locator(f"#{name}")).to_be_enabled()


@pytest.mark.long
def test_a_page_that_cannot_be_loaded_says_so_beside_its_buttons(open_page: Opener) -> None:
    page = open_page("/analyse#game=tictactoe")
    page.route("**/api/choices", lambda route: route.fulfill(json={}))
    page.reload()
    for name in JOBS:
        expect(page.locator(f"#{name}-note")).to_contain_text("The page could not be loaded: ")
        expect(page.locator(f"#{name}")).to_be_disabled()


@pytest.mark.long
@pytest.mark.parametrize(
    ("button", "result"), [("share", "shared-workers"), ("start", "variations")]
)
def test_a_search_that_is_started_before_a_move_is_shown_continues_after_it(
    open_page: Opener, button: str, result: str
) -> None:
    page, gate = open_analysis(open_page, "game=connect4")
    gate.closed_to = {"position"}
    page.locator(".cell").first.click()
    page.click(f"#{button}")
    expect(page.locator(f"#{button}")).to_have_text("Stop")
    gate.open("position")
    expect(page.locator("#moves .move")).to_have_count(1)
    expect(page.locator(f"#{result}")).to_be_visible()
    expect(page.locator(f"#{result}").locator("li, tbody tr").first).to_be_visible()
    expect(page.locator(f"#{button}")).to_have_text("Stop")
    page.click(f"#{button}")
    expect(page.locator(f"#{button}")).not_to_have_text("Stop")


@pytest.mark.long
@pytest.mark.parametrize(
    ("button", "summary", "message"),
    [("share", "shared-summary", "shared"), ("start", "summary", "info")],
)
def test_the_page_says_that_a_search_starts_until_it_has_a_result(
    open_page: Opener, button: str, summary: str, message: str
) -> None:
    page, gate = open_analysis(open_page, "game=connect4")
    before = page.locator(f"#{summary}").inner_text()
    page.fill("#seconds", "2")
    gate.closed_to = {"position", message, "done"}
    page.select_option("#game", "tictactoe")
    page.click(f"#{button}")
    expect(page.locator(f"#{summary}")).to_have_text(STARTING)
    gate.open("position")
    expect(page.locator("#title")).to_have_text("Tic-tac-toe")
    expect(page.locator(f"#{summary}")).to_have_text(STARTING)
    gate.open(message, "done")
    expect(page.locator(f"#{summary}")).to_contain_text("for X")
    expect(page.locator(f"#{button}")).not_to_have_text("Stop")
    page.select_option("#game", "connect4")
    expect(page.locator("#title")).to_have_text("Connect four")
    expect(page.locator(f"#{summary}")).to_have_text(before)


@pytest.mark.long
def test_without_a_connection_nothing_is_started_and_moves_wait(open_page: Opener) -> None:
    page, gate = open_analysis(open_page, "game=tictactoe")
    expect_available(page)
    page.click("#share")
    expect(page.locator("#share")).to_have_text("Stop")
    gate.disconnect()
    expect_unavailable(page, "Not connected to the server.")
    expect(page.locator("#share")).to_have_text("Share out")
    page.locator('.cell[data-cell="b2"]').click()
    gate.refuses = False
    expect_available(page)
    expect(page.locator("#moves .move")).to_have_text(["b2"])
    page.click("#share")
    expect_shared_result(page, "O")


@pytest.mark.long
def test_buttons_that_cannot_be_used_have_the_reason_beside_them(open_page: Opener) -> None:
    page, _ = open_analysis(open_page, "game=tictactoe&moves=a1%0Aa2%0Ab1%0Ab2%0Ac1")
    for name in ("start", "share"):
        expect(page.locator(f"#{name}")).to_be_disabled()
        expect(page.locator(f"#{name}-note")).to_have_text("The game is over.")
    expect(page.locator("#judge")).to_be_enabled()
    page.click("#back")
    expect_available(page)
    page.click("#set-up")
    expect_unavailable(page, "Finish setting up the pieces first.")
    page.click("#setup-cancel")
    expect_available(page)
