"""Whole matches as files, in the browser."""

import pytest
from playwright.sync_api import expect

import plyforge
from tests.interfaces.web.browser.conftest import Opener


@pytest.mark.long
def test_all_games_of_a_match_are_downloaded(open_page: Opener) -> None:
    page = open_page("/matches#match-1")
    button = page.locator("button:has-text('Download all 30 games')")
    with page.expect_download() as saving:
        button.click()
    assert saving.value.suggested_filename == "match-1.txt"
    records = plyforge.load("tictactoe").read_games(saving.value.path().read_text())
    assert len(records) == 30
    expect(button).to_be_visible()
