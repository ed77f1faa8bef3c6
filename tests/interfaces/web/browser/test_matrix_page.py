import pytest
from playwright.sync_api import expect

from tests.interfaces.web.browser.conftest import Opener

PHONE = {"width": 360, "height": 740}


def test_a_game_is_solved_and_its_value_follows_the_mix(open_page: Opener) -> None:
    page = open_page("/matrix")
    expect(page.locator("#value")).to_have_text("Value 20/11 for the row player")
    expect(page.locator("#chart svg .series")).to_have_count(5)
    output = page.locator("#chart output")
    expect(output).to_contain_text("worth 1.8182")
    page.locator("#share").fill("0")
    expect(output).to_contain_text("worth -2.0000")
    page.fill("#text", "-1,-1 -3,0\n0,-3 -2,-2")
    page.click("#solve")
    expect(page.locator("#equilibria tbody tr")).to_have_count(1)
    expect(page.locator("#equilibria")).to_contain_text("-2, -2")
    expect(page.locator("#chart")).to_be_hidden()


@pytest.mark.long
def test_wrong_text_is_reported(open_page: Opener) -> None:
    page = open_page("/matrix")
    page.fill("#text", "1 x")
    page.click("#solve")
    expect(page.locator("#news")).to_contain_text("line 1: 'x' is not a number")


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_need_not_scroll_sideways(open_page: Opener, theme: str) -> None:
    page = open_page("/matrix", viewport=PHONE, color_scheme=theme)
    page.locator("#chart svg").wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
