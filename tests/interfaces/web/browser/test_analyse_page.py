import re

from playwright.sync_api import Page, expect

from tests.interfaces.web.browser.conftest import Opener


def _ready(page: Page) -> Page:
    page.locator("#board svg").wait_for()
    return page


def test_an_analysis_starts_updates_and_stops(opened: Opener) -> None:
    page = _ready(opened("/analyse#game=checkers"))
    page.click("#start")
    expect(page.locator("#start")).to_have_text("Stop")
    summary = page.locator("#summary")
    expect(summary).to_contain_text("nodes")
    first = summary.inner_text()
    page.wait_for_function(
        "text => document.getElementById('summary').innerText !== text", arg=first
    )
    expect(page.locator("#variations li")).to_have_count(3)
    expect(page.locator(".arrows > *")).not_to_have_count(0)
    page.click("#start")
    expect(page.locator("#start")).to_have_text("Analyse")


def test_figures_move_while_an_iteration_goes_on(opened: Opener) -> None:
    """Without deepening nothing but them changes; the board is left alone."""
    page = _ready(opened("/analyse#game=checkers"))
    page.click("text=How to search")
    page.locator("#switches input[value=deepening]").uncheck()
    page.evaluate("document.querySelector('#board svg').dataset.seen = 'yes'")
    page.click("#start")
    running = page.locator("#summary .running")
    expect(running).to_contain_text("a second")
    first = running.inner_text()
    expect(running).not_to_have_text(first)
    assert re.match(r"depth \d+( \(.+\))?: [\d,]+ nodes, [\d,]+ a second, [\d.]+ s$", first)
    expect(page.locator("#board svg[data-seen=yes]")).to_have_count(1)
    page.click("#start")
    expect(page.locator("#start")).to_have_text("Analyse")
    expect(page.locator("#summary")).to_contain_text("for ")


def test_moves_go_back_and_forth(opened: Opener) -> None:
    page = _ready(opened("/analyse#game=tictactoe"))
    page.locator('.cell[data-cell="b2"]').click()
    expect(page.locator("#moves li")).to_have_text(["1. b2"])
    page.click("#back")
    expect(page.locator(".piece")).to_have_count(0)
    page.click("#forward")
    expect(page.locator(".piece")).to_have_count(1)


def test_a_position_is_pasted_and_searched(opened: Opener) -> None:
    page = _ready(opened("/analyse#game=tictactoe"))
    page.fill("#position", "XX./OO./... X")
    page.click("#set")
    expect(page.locator(".piece")).to_have_count(4)
    page.click("#start")
    expect(page.locator("#summary")).to_contain_text("win in 1")


def test_ways_of_searching_stand_side_by_side(opened: Opener) -> None:
    page = _ready(opened("/analyse#game=tictactoe"))
    page.click("text=Compare ways of searching")
    page.fill("#compare-depth", "5")
    page.click("#compare")
    rows = page.locator("#compared tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(2).locator("td").nth(9)).not_to_be_empty()


def test_the_moves_of_a_game_are_judged(opened: Opener) -> None:
    page = _ready(opened("/analyse#game=tictactoe&moves=b2%0Ab1%0Aa1%0Ac2"))
    expect(page.locator("#moves li")).to_have_count(4)
    page.click("#judge")
    expect(page.locator("#save-judged")).to_be_visible()
    expect(page.locator("#moves .mark", has_text="??")).not_to_have_count(0)
    page.locator("#graph [data-ply='1']").first.click()
    expect(page.locator(".piece")).to_have_count(1)
    with page.expect_download() as download:
        page.click("#save-judged")
    assert "??" in download.value.path().read_text()


def test_the_theme_can_be_chosen_and_is_kept(opened: Opener) -> None:
    page = _ready(opened("/analyse", color_scheme="light"))
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.click("#theme")
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    assert page.evaluate(ground) == dark


def test_lines_go_with_the_position_they_belong_to(opened: Opener) -> None:
    page = _ready(opened("/analyse#game=tictactoe"))
    page.click("#start")
    expect(page.locator("#variations li")).to_have_count(3)
    expect(page.locator("#start")).to_have_text("Analyse")
    page.locator('.cell[data-cell="b2"]').click()
    expect(page.locator("#variations li")).to_have_count(0)
    expect(page.locator("#summary")).to_have_text("Not analysed yet.")
