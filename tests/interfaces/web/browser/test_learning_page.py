from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from plyforge.interfaces.web.state import Databases
from tests.interfaces.web.archives import store_learning
from tests.interfaces.web.browser.conftest import Opener, serve

PHONE = {"width": 360, "height": 740}


def _refresh(page: Page) -> None:
    """Let the page ask now, as when it becomes visible, instead of after its usual delay."""
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")


def test_two_runs_are_compared_and_a_line_is_highlighted(open_page: Opener) -> None:
    page = open_page("/learning")
    page.get_by_role("link", name="quick").click()
    expect(page.locator("#run h1")).to_have_text("quick")
    expect(page.locator(".run-state")).to_contain_text("the last round ended")
    expect(page.locator(".chart > .curves")).to_have_count(3)
    page.get_by_label("Compare with").select_option(label="slow (Connect four, td)")
    expect(page.locator("#run h1")).to_have_text("quick and slow")
    expect(page.locator(".chart > .curves")).to_have_count(4)
    losses = page.locator(".chart", has=page.get_by_role("heading", name="Loss", exact=True))
    losses.get_by_role("button", name="slow", exact=True).click()
    expect(page.locator(".chart .series.here")).to_have_count(2)  # loss and points
    page.get_by_label("Changes of weights").check()
    expect(page.get_by_role("heading", name="Changes of weights of slow")).to_be_visible()
    expect(page.locator(".chart .series.here")).to_have_count(2)
    expect(page.get_by_text("The 20 of 50 weights that changed most.")).to_be_visible()
    page.get_by_text("Figures as tables").click()
    expect(page.get_by_role("table", name="Weights of quick")).to_be_visible()
    page.get_by_role("link", name="all runs").click()
    expect(page.locator("#list tbody tr")).to_have_count(2)


@pytest.mark.long
def test_new_rounds_appear_without_a_reload(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "learn.db"
    with serve(databases=Databases(learning=file)) as url, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{url}learning")
        expect(page.locator("#list")).to_contain_text("plyforge learn ")
        store_learning(file, "running", 2)
        _refresh(page)
        page.get_by_role("link", name="running").click()
        expect(page.locator(".run-state")).to_contain_text("20 games in 2 rounds")
        page.get_by_text("Figures as tables").click()
        expect(page.get_by_text("No test against the weights")).to_be_visible()
        store_learning(file, "running", 4)
        _refresh(page)
        expect(page.locator(".run-state")).to_contain_text("40 games in 4 rounds")
        expect(page.locator(".chart .bar")).to_have_count(1)
        expect(page.locator("details")).to_have_attribute("open", "")
        file.write_bytes(b"damaged" * 1000)
        _refresh(page)
        expect(page.locator("#run .error")).to_contain_text("not a database")


@pytest.mark.long
@pytest.mark.parametrize("path", ["", "#run-1", "#run-2-1"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_need_not_scroll_sideways(open_page: Opener, path: str, theme: str) -> None:
    page = open_page(f"/learning{path}", viewport=PHONE, color_scheme=theme)
    page.locator("#run .chart, #list table").first.wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    sizes = page.locator(".chart > svg").evaluate_all(
        "pictures => pictures.map((one) => one.clientWidth / one.viewBox.baseVal.width)"
    )
    assert all(size == pytest.approx(1, abs=0.02) for size in sizes)


@pytest.mark.long
def test_a_missing_run_is_reported(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}learning#run-99")
    expect(page.get_by_role("alert")).to_contain_text("has no run 99")
    page.close()
