"""Nine Men's Morris: a board of points that is drawn and clicked."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.interfaces.web.browser.conftest import TIMEOUT, serve
from tests.interfaces.web.browser.playing import Player

MORRIS = Path(__file__).parents[4] / "examples" / "morris.py"


@pytest.mark.long
def test_a_mill_takes_a_man(browser: Browser) -> None:
    with serve(str(MORRIS)) as url, browser.new_context(reduced_motion="reduce") as context:
        context.set_default_timeout(TIMEOUT)
        page = context.new_page()
        page.goto(url)
        player = Player(page)
        player.start("morris")
        expect(page.locator(".cell")).to_have_count(24)
        for cell in ("a7", "a4", "d7", "b4", "g7", "b4"):
            player.cell(cell)
            if cell == "g7":
                expect(page.locator('.cell.target[data-cell="b4"]')).to_have_count(1)
            page.wait_for_timeout(100)
        player.expect_moves("a7", "a4", "d7", "b4", "g7xb4")
        player.expect_empty("b4")
