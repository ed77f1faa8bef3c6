"""Sounds of a game: off at first, and remembered."""

import pytest
from playwright.sync_api import Page, expect

from tests.interfaces.web.browser.conftest import Opener
from tests.interfaces.web.browser.playing import Player

RECORD = """
window.heard = [];
const Original = window.OscillatorNode;
window.OscillatorNode = class extends Original {
  constructor(context, options) { super(context, options); window.heard.push(options.frequency); }
};
"""
MOVE, CAPTURE, END, LOW = [220], [165, 110], [262, 330, 392], [880, 880]


def record(page: Page) -> Player:
    """Record the pitches of all notes from here on."""
    page.add_init_script(RECORD)
    page.reload()
    return Player(page)


def heard(page: Page) -> list[int]:
    """Return the pitches since the last call."""
    return list(page.evaluate("window.heard.splice(0)"))


@pytest.mark.long
def test_sounds_are_off_until_switched_on_and_are_remembered(open_page: Opener) -> None:
    page = open_page()
    player = record(page)
    switch = page.locator("#sounds")
    player.start("tictactoe")
    player.cell("a1")
    player.expect_moves("a1")
    assert heard(page) == []
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    assert heard(page) == MOVE  # an example
    player.cell("b1")
    player.expect_moves("a1", "b1")
    assert heard(page) == MOVE
    page.click("#undo")
    player.expect_moves("a1")
    assert heard(page) == []
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")
    player.expect_board()
    for cell in ("b1", "a2", "b2", "a3"):
        player.cell(cell)
        expect(page.locator(f'.piece[data-cell="{cell}"]')).to_be_visible()
    player.expect_status("X wins")
    assert heard(page) == [*MOVE * 3, *END]
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")


@pytest.mark.long
def test_captures_and_low_time_sound_different(open_page: Opener) -> None:
    page = open_page()
    player = record(page)
    page.click("#sounds")
    player.start("chess", position="4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    player.cell("e4")
    player.cell("d5")
    player.expect_moves("exd5")
    assert heard(page) == [*MOVE, *CAPTURE]
    page.select_option("#opponent", "clock")
    page.fill("#minutes", "0.3")
    page.fill("#position", "")
    player.start("tictactoe")
    page.wait_for_function("window.heard.length === 2")
    page.wait_for_timeout(500)
    assert heard(page) == LOW  # once
