"""Castling rights and en passant, set up in the browser."""

import pytest
from playwright.sync_api import expect

from tests.interfaces.web.browser.conftest import Opener


@pytest.mark.long
def test_castling_and_en_passant_are_set_up(open_page: Opener) -> None:
    page = open_page("/analyse#game=chess&position=4k3/8/8/3pP3/8/8/8/4K2R+w+-+-+0+1")
    page.click("#set-up")
    fields = page.locator("#extras select")
    expect(fields).to_have_count(3)
    assert [field.input_value() for field in fields.all()] == ["no", "no", "no"]
    expect(fields.nth(1)).to_be_disabled()
    fields.nth(0).select_option("O-O")
    fields.nth(2).select_option("d6")
    page.click('#palette [value="P"]')
    page.locator('.cell[data-cell="a2"]').click()
    expect(page.locator('.piece[data-cell="a2"]')).to_have_count(1)
    expect(fields.nth(2)).to_have_value("d6")
    page.click("#setup-done")
    expect(page.locator("#position")).to_have_value("4k3/8/8/3pP3/8/8/P7/4K2R w K d6 0 1")
    page.locator('.cell[data-cell="e5"]').click()
    page.locator('.cell[data-cell="d6"]').click()
    expect(page.locator("#moves .move")).to_have_text(["exd6"])
    page.click("#set-up")
    page.click("#from-start")
    expect(page.locator("#board .piece")).to_have_count(32)
    expect(fields.nth(0)).to_have_value("O-O, O-O-O")
    page.click("#clear")
    expect(page.locator("#board .piece")).to_have_count(0)
