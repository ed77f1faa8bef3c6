"""A search that a master shares out, on the page for analysis."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.interfaces.web.browser.conftest import Opener

pytestmark = pytest.mark.long


def open_sharing(
    open_page: Opener, link: str, workers: int, width: int = 1200, preset: str = "play"
) -> Page:
    """Open the panel, and start a search."""
    page = open_page(f"/analyse#{link}", viewport={"width": width, "height": 900})
    page.locator("#board svg").wait_for()
    page.click('text="Search options"')
    page.select_option("#preset", preset)
    page.click('text="Share the search out"')
    page.fill("#worker-count", str(workers))
    page.click("#share")
    return page


@pytest.mark.parametrize("width", [1200, 360])
def test_the_tree_shows_moves_and_who_works_where(open_page: Opener, width: int) -> None:
    page = open_sharing(open_page, "game=connect4", 5, width)
    expect(page.locator("#share")).to_have_text("Stop")
    rows = page.locator("#shared-tree tbody tr")
    expect(rows.first.locator("th")).to_have_text("this position")
    expect(rows.first).to_have_class("best")
    expect(page.locator("#shared-tree tr.rest th").last).to_contain_text(
        re.compile(r"^\d others|^the other move")
    )
    expect(page.locator("#shared-workers tbody tr")).to_have_count(5)
    numbers = page.locator("#shared-tree .worker").all_inner_texts()
    assert sorted(numbers) == ["1", "2", "3", "4", "5"]
    summary = page.locator("#shared-summary")
    before = summary.inner_text()
    expect(summary).not_to_have_text(before)  # it is updated
    page.click("#share")
    expect(page.locator("#share")).to_have_text("Share out")
    expect(summary).to_contain_text("nodes of 5 workers")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_move_of_the_tree_is_played_and_the_search_continues_there(open_page: Opener) -> None:
    page = open_sharing(open_page, "game=connect4", 6)
    child = page.locator("#shared-tree tbody button").first
    text = child.inner_text()
    child.click()
    expect(page.locator("#moves .move")).to_have_text([text])
    expect(page.locator("#share")).to_have_text("Stop")
    expect(page.locator("#shared-player")).to_have_text("O")
    page.click("#share")
    expect(page.locator("#share")).to_have_text("Share out")
    expect(page.locator("#shared-tree")).to_be_visible()
    page.click("#back")
    expect(page.locator("#shared-tree")).to_be_hidden()  # it belongs to another position


def test_a_proved_result_ends_the_search(open_page: Opener) -> None:
    page = open_sharing(open_page, "game=tictactoe&moves=b2%0Ab1", 3, preset="exact")
    expect(page.locator("#share")).to_have_text("Share out")
    expect(page.locator("#shared-summary")).to_contain_text("win in 5 for X, proved")
    expect(page.locator("#shared-tree tr.best td").first).to_contain_text("✓")


@pytest.mark.parametrize(
    ("link", "workers", "reason"),
    [
        ("game=tictactoe", 0, "workers must be an integer between 1 and 32, not 0"),
        ("game=tictactoe", 99, "workers must be an integer between 1 and 32, not 99"),
        ("game=pig", 2, "does not go with a game of chance"),
    ],
)
def test_a_refused_search_says_why_and_can_be_corrected(
    open_page: Opener, link: str, workers: int, reason: str
) -> None:
    page = open_sharing(open_page, link, workers)
    expect(page.locator("#news.bad")).to_contain_text(reason)
    expect(page.locator("#share")).to_have_text("Share out")
    expect(page.locator("#shared-summary")).to_be_empty()
    page.fill("#worker-count", "2")
    page.fill("#seconds", "1")
    page.select_option("#game", "connect4")
    expect(page.locator("#title")).to_have_text("Connect four")
    page.click("#share")
    expect(page.locator("#shared-workers tbody tr")).to_have_count(2)


def test_nothing_is_shared_out_where_the_game_is_over(open_page: Opener) -> None:
    page = open_page("/analyse#game=tictactoe&moves=a1%0Aa2%0Ab1%0Ab2%0Ac1")
    expect(page.locator("#moves .move")).to_have_count(5)
    page.click('text="Share the search out"')
    expect(page.locator("#share")).to_be_disabled()
    page.click("#back")
    expect(page.locator("#share")).to_be_enabled()
