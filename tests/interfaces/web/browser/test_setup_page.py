"""Pieces set up by mouse and by keyboard on the page for analysis."""

import pytest
from playwright.sync_api import Page, expect

from tests.interfaces.web.browser.conftest import Opener


def _open_editor(open_page: Opener, game: str, **options: object) -> Page:
    page = open_page(f"/analyse#game={game}", **options)
    page.click("#set-up")
    page.locator("#setup").wait_for()
    return page


def _put(page: Page, piece: str, *cells: str) -> None:
    page.click(f'#palette [value="{piece}"]')
    for cell in cells:
        page.locator(f'.cell[data-cell="{cell}"]').click()
        expect(page.locator(f'.piece[data-cell="{cell}"]')).to_have_attribute("data-piece", piece)


def _finish_setup(page: Page) -> None:
    page.click("#setup-done")
    expect(page.locator("#setup")).to_be_hidden()


@pytest.mark.long  # compiles chess with the preset of players
def test_two_kings_and_a_queen_are_set_up_and_give_mate(open_page: Opener) -> None:
    page = _open_editor(open_page, "chess")
    page.click("#clear")
    expect(page.locator("#board .piece")).to_have_count(0)
    _put(page, "K", "g6")
    _put(page, "Q", "a1")
    _put(page, "k", "h8")
    page.locator('.cell[data-cell="a1"]').press("Delete")
    expect(page.locator("#board .piece")).to_have_count(2)
    _put(page, "Q", "b7")
    _finish_setup(page)
    expect(page.locator("#position")).to_have_value("7k/1Q6/6K1/8/8/8/8/8 w - - 0 1")
    page.click("#start")
    expect(page.locator("#summary")).to_contain_text("win in 1")
    page.reload()
    expect(page.locator("#board .piece")).to_have_count(3)


@pytest.mark.long
def test_men_and_kings_of_checkers_are_set_up_for_the_other_side(open_page: Opener) -> None:
    page = _open_editor(open_page, "checkers")
    page.click("#clear")
    _put(page, "W", "18")
    _put(page, "b", "14", "6")
    page.locator('.cell[data-cell="6"]').click()
    expect(page.locator("#board .piece")).to_have_count(2)
    page.select_option("#side", label="White")
    _finish_setup(page)
    expect(page.locator("#position")).to_have_value("W:WK18:B14")
    page.locator('.cell[data-cell="18"]').click()
    page.locator('.cell[data-cell="9"]').click()
    expect(page.locator("#moves .move")).to_have_text(["18x9"])


@pytest.mark.long
def test_a_refusal_is_shown_and_the_pieces_stay(open_page: Opener) -> None:
    page = _open_editor(open_page, "chess")
    page.click("#clear")
    _put(page, "Q", "d4")
    page.click("#setup-done")
    expect(page.locator("#refusal")).to_contain_text("White has 0 kings instead of 1")
    expect(page.locator("#board .piece")).to_have_count(1)
    page.click("#from-start")
    expect(page.locator("#refusal")).to_be_hidden()
    expect(page.locator("#board .piece")).to_have_count(32)
    _finish_setup(page)


@pytest.mark.long
def test_cancelling_does_not_change_the_game(open_page: Opener) -> None:
    page = open_page("/analyse#game=tictactoe&moves=b2")
    expect(page.locator("#moves .move")).to_have_count(1)
    page.click("#set-up")
    page.click("#clear")
    expect(page.locator("#board .piece")).to_have_count(0)
    expect(page.locator("#start")).to_be_disabled()
    page.click("#setup-cancel")
    expect(page.locator("#board .piece")).to_have_count(1)
    expect(page.locator("#moves .move")).to_have_text(["b2"])
    page.locator('.cell[data-cell="a1"]').click()
    expect(page.locator("#moves .move")).to_have_count(2)


@pytest.mark.long
def test_pieces_are_set_up_with_the_keyboard_alone(open_page: Opener) -> None:
    page = open_page("/analyse#game=chess")
    page.locator("#set-up").wait_for()
    page.locator("#set-up").focus()
    page.keyboard.press("Enter")
    expect(page.locator('#palette [value="P"]')).to_be_focused()
    page.locator("#clear").press("Enter")
    expect(page.locator("#board .piece")).to_have_count(0)
    page.locator('.cell[data-cell="a8"]').focus()
    for key in ("k", "ArrowDown", "ArrowDown", "K", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator('.cell[data-cell="b6"]')).to_be_focused()
    page.keyboard.press("Enter")  # places the chosen piece, a pawn
    expect(page.locator('.piece[data-cell="b6"]')).to_have_attribute("data-piece", "P")
    expect(page.locator('.cell[data-cell="b6"]')).to_be_focused()
    page.locator("#setup-done").press("Enter")
    expect(page.locator("#position")).to_have_value("k7/8/KP6/8/8/8/8/8 w - - 0 1")
    expect(page.locator("#set-up")).to_be_focused()


@pytest.mark.long
def test_numbers_of_seeds_are_typed(open_page: Opener) -> None:
    page = _open_editor(open_page, "kalah:3,2")
    page.click("#clear")
    page.fill("#number", "7")
    page.locator('.cell[data-cell="a1"]').click()
    page.locator('.cell[data-cell="b2"]').focus()
    page.keyboard.type("11")
    expect(page.locator('.piece[data-cell="b2"]')).to_have_attribute("data-piece", "11")
    _finish_setup(page)
    expect(page.locator("#position")).to_have_value("7,0,0/0 0,11,0/0 S")


@pytest.mark.long
@pytest.mark.parametrize("game", ["andantino", "hex", "othello", "breakthrough"])
def test_the_editor_fits_a_phone(open_page: Opener, game: str) -> None:
    page = _open_editor(open_page, game, viewport={"width": 360, "height": 740})
    page.click("#from-start")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    _finish_setup(page)


@pytest.mark.long
def test_a_game_that_cannot_be_arranged_has_no_editor(open_page: Opener) -> None:
    page = open_page("/analyse#game=tree")
    page.locator("#board svg").wait_for()
    expect(page.locator("#set-up")).to_be_hidden()
