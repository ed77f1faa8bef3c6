"""axe-core finds nothing to complain about on any page, wide or narrow, light or dark."""

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.games.tiers import with_long
from tests.interfaces.web.browser.conftest import Opener
from tests.interfaces.web.browser.playing import Player

AXE = pytest.importorskip("axe_playwright_python", reason="axe is not installed")
SCRIPT = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 360, "height": 740}


def problems(page: Page) -> list[str]:
    """Return what axe finds, with the elements."""
    page.evaluate(SCRIPT)  # its styles need `bypass_csp`
    options = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]}
    found: dict[str, Any] = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']} {node['html'][:200]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


def _play(open_page: Opener, **options: object) -> Page:
    page = open_page("/", **options)
    player = Player(page)
    player.start("checkers")
    player.cell("11")
    player.cell("15")
    player.expect_moves("11-15")
    return page


def _analyse(open_page: Opener, **options: object) -> Page:
    page = open_page("/analyse#game=tictactoe&moves=b2%0Aa1%0Ac3", **options)
    expect(page.locator("#moves .move")).to_have_count(3)
    page.click("#back")
    page.locator('.cell[data-cell="a3"]').click()
    expect(page.locator("#moves .side-line .move")).to_have_count(1)
    page.fill("#seconds", "1")
    page.click("#start")
    expect(page.locator("#variations li")).to_have_count(3)
    expect(page.locator("#start")).to_have_text("Analyse")
    for summary in ("Search options", "Compare search options"):
        page.click(f'text="{summary}"')
    page.click("#evaluation summary")
    page.click('text="Share the search out"')
    page.click("#share")
    expect(page.locator("#shared-workers .worker")).to_have_count(4)
    expect(page.locator("#share")).to_have_text("Share out")
    return page


def _tree(open_page: Opener, **options: object) -> Page:
    page = open_page("/tree", **options)
    page.locator("main svg").first.wait_for()
    return page


def _matches(open_page: Opener, **options: object) -> Page:
    page = open_page("/matches", **options)
    page.locator("main a, main button").first.wait_for()
    return page


def _lab(open_page: Opener, **options: object) -> Page:
    page = open_page("/lab", **options)
    page.locator("main a, main button").first.wait_for()
    return page


def _learning(open_page: Opener, **options: object) -> Page:
    page = open_page("/learning", **options)
    page.locator("main svg, main table, main a").first.wait_for()
    return page


def _matrix(open_page: Opener, **options: object) -> Page:
    page = open_page("/matrix", **options)
    page.locator("#chart svg").wait_for()
    return page


PAGES = with_long([_play], [_analyse, _tree, _matrix, _matches, _lab, _learning])


@pytest.mark.parametrize("show", PAGES, ids=lambda show: show.__name__[1:])
def test_axe_finds_nothing(open_page: Opener, show: Any) -> None:
    page = show(open_page, viewport=WIDE, bypass_csp=True)
    assert "\n".join(problems(page)) == ""


@pytest.mark.long
@pytest.mark.parametrize("show", PAGES, ids=lambda show: show.__name__[1:])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_a_phone(open_page: Opener, show: Any, theme: str) -> None:
    page = show(open_page, viewport=NARROW, color_scheme=theme, bypass_csp=True)
    assert "\n".join(problems(page)) == ""
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
