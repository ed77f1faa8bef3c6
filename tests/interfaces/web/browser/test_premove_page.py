"""Moves that are chosen while the opponent thinks."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.interfaces.web.browser.conftest import Opener
from tests.interfaces.web.browser.playing import Player


class Gate:
    """Keeps back what the server says about the opponent's moves."""

    def __init__(self, page: Page) -> None:
        self._waiting: list[Callable[[], None]] = []
        self.closed = False
        page.route_web_socket("**/socket", self._route)
        page.reload()

    def _route(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def receive(text: str | bytes) -> None:
            message = json.loads(text)
            if self.closed and message["type"] == "state" and not message["thinking"]:
                self._waiting.append(lambda: socket.send(text))
            else:
                socket.send(text)

        server.on_message(receive)

    def open(self) -> None:
        """Let the opponent's move through, which may not have been made yet."""
        self.closed = False
        while self._waiting:
            self._waiting.pop(0)()


def start(page: Page, game: str, *first: str, position: str = "") -> tuple[Player, Gate]:
    """Start a game and make the first move; the opponent's answer is kept back."""
    gate = Gate(page)
    player = Player(page)
    page.locator("#game option").first.wait_for(state="attached")
    page.evaluate("document.querySelector('#level').value = 1")
    player.start(game, "first", position)
    gate.closed = True
    for cell in first:
        player.cell(cell)
    player.expect_status("is thinking")
    return player, gate


def premoved(page: Page) -> list[str]:
    cells = page.locator(".cell.premove").all()
    return sorted(cell.get_attribute("data-cell") or "" for cell in cells)


@pytest.mark.long
def test_a_premove_is_shown_cancelled_and_made(open_page: Opener) -> None:
    page = open_page()
    player, gate = start(page, "tictactoe", "a1")
    player.cell("c3")
    player.expect_status("Premove: c3")
    assert premoved(page) == ["c3"]
    page.keyboard.press("Escape")
    assert premoved(page) == []
    player.cell("b2")
    page.locator('.cell[data-cell="a3"]').click(button="right")
    assert premoved(page) == []
    expect(page.locator(".own-marks")).to_have_count(0)
    for cell in ("b2", "c3"):  # another choice replaces the first
        player.cell(cell)
    gate.open()
    moves = page.locator("#moves .move")
    expect(moves.nth(1)).to_be_visible()
    if moves.nth(1).inner_text() == "c3":  # then it is not possible, and is not made
        expect(page.locator("#news")).to_contain_text("The premove c3 is not possible now")
    else:
        expect(moves.nth(2)).to_have_text("c3")


@pytest.mark.long
def test_a_piece_is_moved_in_advance(open_page: Opener) -> None:
    page = open_page()
    player, gate = start(page, "chess", "e2", "e4")
    player.cell("e7")  # a piece of the opponent
    assert premoved(page) == []
    player.cell("g1")
    player.cell("f3")
    assert premoved(page) == ["f3", "g1"]
    gate.open()
    expect(page.locator("#moves .move").nth(2)).to_have_text("Nf3")
    assert premoved(page) == []


@pytest.mark.long
def test_an_illegal_premove_is_dropped(open_page: Opener) -> None:
    page = open_page()
    player, gate = start(page, "chess", "e2", "e4")
    player.cell("a1")
    player.cell("a8")
    gate.open()
    expect(page.locator("#news")).to_contain_text("The premove a1 to a8 is not possible now")
    expect(page.locator("#moves .move")).to_have_count(2)
    expect(page.locator(".cell.movable").first).to_be_visible()


@pytest.mark.long
def test_a_promotion_in_advance_asks_for_the_piece(open_page: Opener) -> None:
    page = open_page()
    player, gate = start(page, "chess", "a6", "a7", position="7k/8/P7/6K1/8/8/8/8 w - - 0 1")
    player.cell("a7")
    player.cell("a8")
    gate.open()
    page.locator('dialog [value="a8=N"]').click()
    expect(page.locator("#moves .move").nth(2)).to_have_text("a8=N")


@pytest.mark.long
def test_a_premove_is_dragged(open_page: Opener) -> None:
    page = open_page()
    _player, gate = start(page, "breakthrough", "c2", "c3")
    boxes = [page.locator(f'.cell[data-cell="{c}"]').bounding_box() for c in ("a2", "a3")]
    (x1, y1), (x2, y2) = ((b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b)
    page.mouse.move(x1, y1)
    page.mouse.down()
    page.mouse.move(x2, y2, steps=4)
    page.mouse.up()
    assert premoved(page) == ["a2", "a3"]
    gate.open()
    expect(page.locator("#moves .move")).to_have_count(4)


@pytest.mark.long
def test_the_column_of_connect_four_is_chosen_in_advance(open_page: Opener) -> None:
    page = open_page()
    player, gate = start(page, "connect4", "4.1")
    player.cell("1.5")
    gate.open()
    expect(page.locator("#moves .move").nth(2)).to_have_text("1")


@pytest.mark.long
def test_an_undo_drops_the_premove(open_page: Opener) -> None:
    page = open_page()
    player, gate = start(page, "tictactoe", "a1")
    player.cell("c3")
    gate.closed = False
    page.click("#undo")
    expect(page.locator("#moves .move")).to_have_count(0)
    assert premoved(page) == []
    player.cell("b2")
    expect(page.locator("#moves .move").nth(1)).to_be_visible()
    expect(page.locator("#moves .move")).to_have_count(2)


SLOW_ANIMATION = """() => {
    const animate = Element.prototype.animate;
    const running = [];
    Element.prototype.animate = function (...words) {
        const animation = animate.apply(this, words);
        const end = new Promise((resolve) => running.push(resolve));
        Object.defineProperty(animation, "finished", { value: end });
        return animation;
    };
    window.endAnimations = () => {
        Element.prototype.animate = animate;
        for (const resolve of running) resolve();
    };
}"""


def test_a_click_before_the_reply_is_drawn_is_not_lost(open_page: Opener) -> None:
    """The reply has arrived, but the board still shows the player's own move."""
    page = open_page()
    page.emulate_media(reduced_motion="no-preference")
    player = Player(page)
    page.locator("#game option").first.wait_for(state="attached")
    page.evaluate("document.querySelector('#level').value = 1")
    player.start("tictactoe", "first", "")
    page.evaluate(SLOW_ANIMATION)
    player.cell("a1")
    moves = page.locator("#moves .move")
    expect(moves).to_have_count(2)
    player.expect_status("to move")
    cell = "c3" if moves.nth(1).inner_text() != "c3" else "a3"
    player.cell(cell)
    page.evaluate("window.endAnimations()")
    expect(moves.nth(2)).to_have_text(cell)
