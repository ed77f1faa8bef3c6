"""Games of chance on the page for playing: dice that are rolled or entered, and the cube."""

import re

import pytest
from playwright.sync_api import expect

from tests.interfaces.web.browser.conftest import Opener
from tests.interfaces.web.browser.playing import Player


@pytest.fixture
def player(open_page: Opener) -> Player:
    return Player(open_page("/"))


def enter_dice(player: Player, game: str, variant: str = "") -> None:
    """Start a game of two people who enter the dice."""
    page = player.page
    page.locator("#game option").first.wait_for(state="attached")
    page.select_option("#game", game)
    page.select_option("#chance", "enter")
    player.start(game, variant=variant)


def press(player: Player, name: str) -> None:
    """Press a button below the board."""
    player.page.locator(f"#special button:text-is('{name}')").click()


def test_dice_are_entered_by_buttons(player: Player) -> None:
    enter_dice(player, "pig")
    press(player, "roll")
    player.expect_status("Chance moves for First: choose the outcome below the board")
    expect(player.page.locator("#special button")).to_have_text(list("123456"))
    press(player, "4")
    player.expect_status("Rolled: 4. First to move.")
    press(player, "hold")
    player.expect_moves("roll", "4", "hold")
    player.expect_status("Second to move. The only move is roll.")


@pytest.mark.long
def test_dice_are_rolled_and_shown_on_the_board(player: Player) -> None:
    player.start("backgammon")
    player.expect_status("Rolled: ")
    dice = player.page.locator('.piece[data-cell^="die-"]')
    expect(dice).to_have_count(2)
    rolled = re.search(r"Rolled: (\d)(\d)", player.page.locator("#status").inner_text())
    assert rolled is not None
    shown = {dice.nth(index).get_attribute("data-piece") for index in (0, 1)}
    assert shown == set(rolled.groups())


@pytest.mark.long
def test_a_roll_is_played_by_clicks_and_the_cube_is_offered_by_buttons(player: Player) -> None:
    enter_dice(player, "backgammon", "cube=64")
    press(player, "31")
    for cell in ("8", "5", "6", "5"):
        player.cell(cell)
    player.expect_moves("31", "8/5 6/5")
    player.expect_piece("cube", "×1")
    press(player, "double")
    player.expect_status("Black played double. White to move.")
    press(player, "take")
    player.expect_piece("cube", "W×2")
    player.expect_status("Chance moves for Black")
    expect(player.page.locator("#special button")).to_have_count(21)
