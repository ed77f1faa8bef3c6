import pytest
from playwright.sync_api import Browser, expect

from plyforge.lab.catalog import load_experiment
from tests.interfaces.web.archives import EXPERIMENT
from tests.interfaces.web.browser.conftest import Opener

PHONE = {"width": 360, "height": 740}


def test_a_run_is_opened_and_shows_verdicts_charts_and_tables(open_page: Opener) -> None:
    page = open_page("/lab")
    page.get_by_role("link", name=load_experiment(EXPERIMENT).title).click()
    expect(page.locator("#run h1")).to_have_text(load_experiment(EXPERIMENT).title)
    expect(page.locator("#run .findings .verdict").first).to_be_visible()
    charts = page.locator(".plot img")
    charts.first.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('.plot img').naturalWidth > 0")
    page.get_by_role("link", name="all runs").click()
    expect(page.locator("#list .card")).to_have_count(1)


@pytest.mark.long
def test_a_missing_run_is_reported(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}lab#run-99")
    expect(page.get_by_role("alert")).to_contain_text("has no run 99")
    page.close()


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_need_not_scroll_sideways(open_page: Opener, theme: str) -> None:
    page = open_page("/lab#run-1", viewport=PHONE, color_scheme=theme)
    page.locator("#run .findings").wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
