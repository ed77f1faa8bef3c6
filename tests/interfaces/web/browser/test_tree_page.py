"""The page of search trees, in a browser."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from plyforge.interfaces.web import trees
from plyforge.search.textbook.tracing import TraceLimits

Opener = Callable[..., Page]
PHONE = {"viewport": {"width": 360, "height": 740}}
TEXTBOOK = 4
"""Algorithms of the first example."""


def open_tree_page(open_page: Opener, query: str = "", whole: bool = True, **options: Any) -> Page:
    """Open the page, wait until all trees are there, and show them at their last step."""
    page = open_page(f"/tree{query}", **options)
    expect(page.locator("#minimal")).not_to_be_empty()
    expect(page.locator("#stop")).to_be_disabled()
    if whole:
        page.locator("[data-step=last]").click()
    return page


def pane(page: Page, title: str) -> Locator:
    return page.locator(".pane").filter(has=page.get_by_role("heading", name=title, exact=True))


def node(page: Page, title: str, visit: int) -> Locator:
    return pane(page, title).locator(f'[data-visit="{visit}"]')


def sentence(page: Page, title: str) -> Locator:
    return pane(page, title).locator(".sentence")


def test_the_textbook_tree_shows_the_known_numbers(open_page: Opener) -> None:
    page = open_tree_page(open_page)
    expect(page.locator(".pane")).to_have_count(TEXTBOOK)
    rows = page.locator("#counts tbody tr")
    for row, numbers in enumerate(
        [
            ("Minimax", "3", "13", "9"),
            ("Alpha-beta", "3", "11", "7"),
            ("NegaScout", "3", "11", "7"),
            ("MTD(f)", "3", "14", "7"),
        ]
    ):
        for column, text in enumerate(numbers):
            expect(rows.nth(row).locator("th, td").nth(column)).to_have_text(text)
    expect(page.locator("#minimal")).to_contain_text("has 5 leaves")
    expect(node(page, "Alpha-beta", 5).locator(".value")).to_have_text("2")
    expect(node(page, "Alpha-beta", 5).locator(".window")).to_have_text("(3, ∞)")
    expect(node(page, "Alpha-beta", 5).locator(".bar")).to_have_count(2)
    expect(node(page, "Alpha-beta", 5).locator(".unseen")).to_have_text(["2", "3"])


@pytest.mark.long
def test_a_node_shows_its_position_and_why_it_was_cut(open_page: Opener) -> None:
    page = open_tree_page(open_page)
    node(page, "Alpha-beta", 5).locator(".node").click()
    expect(page.locator("#details")).to_contain_text("cannot interest MAX, who has 3 already")
    expect(page.locator("#details svg.board")).to_be_visible()
    expect(sentence(page, "Alpha-beta")).to_contain_text("CUT by move 1")


@pytest.mark.long
def test_trees_open_at_step_0_and_windows_follow_the_search(open_page: Opener) -> None:
    page = open_tree_page(open_page, whole=False)
    expect(page.locator("#place")).to_have_text("step 0 of 20")
    expect(page.locator(".visit:not(.ahead)")).to_have_count(0)
    expect(sentence(page, "Alpha-beta")).to_have_text("No node has been visited yet.")
    forward = page.locator("[data-step=forward]")
    window = node(page, "Alpha-beta", 1).locator(".window")
    for _ in range(2):
        forward.click()
    expect(window).to_have_text("(-∞, ∞)")
    forward.click()
    expect(window).to_have_text("(-∞, 3)")
    expect(pane(page, "Alpha-beta").locator(".open")).to_have_text(
        "Windows now: root (-∞, ∞) › 1 (-∞, 3)"
    )
    expect(node(page, "Minimax", 1).locator(".window")).to_have_text("(-∞, ∞)")
    for _ in range(3):
        forward.click()
    expect(node(page, "Alpha-beta", 0).locator(".window")).to_have_text("(3, ∞)")
    expect(sentence(page, "Minimax")).to_contain_text("the least value of all moves")
    expect(sentence(page, "Alpha-beta")).to_contain_text("visit 1, move 1: 3")
    page.locator("[data-step=back]").click()
    expect(node(page, "Alpha-beta", 0).locator(".window")).to_have_text("(-∞, ∞)")


@pytest.mark.long
@pytest.mark.parametrize(
    ("label", "name", "start"),
    [
        ("SVG", "alpha-beta.svg", b"<svg"),
        ("PNG", "alpha-beta.png", b"\x89PNG"),
        ("DOT", "alpha-beta.dot", b"// Alpha-beta: 11 of 11 visits\ndigraph"),
        ("TikZ", "alpha-beta.tex", b"% Alpha-beta: 11 of 11 visits\n\\begin{forest}"),
    ],
)
def test_a_tree_is_saved_as_a_file(open_page: Opener, label: str, name: str, start: bytes) -> None:
    page = open_tree_page(open_page)
    with page.expect_download() as saving:
        pane(page, "Alpha-beta").locator("select").select_option(label=label)
    assert saving.value.suggested_filename == name
    assert saving.value.path().read_bytes().startswith(start)


@pytest.mark.long
def test_a_tree_fills_the_window_until_escape(open_page: Opener) -> None:
    page = open_tree_page(open_page)
    button = pane(page, "Alpha-beta").get_by_role("button", name="Full screen")
    button.click()
    box = pane(page, "Alpha-beta").bounding_box()
    assert box is not None
    assert box["width"] == page.viewport_size["width"]
    page.locator("[data-step=back]").click()
    expect(page.locator("#place")).to_have_text("step 19 of 20")
    pane(page, "Alpha-beta").locator(".view").focus()
    page.keyboard.press("Escape")
    expect(button).to_have_attribute("aria-pressed", "false")


@pytest.mark.long
def test_steps_go_forward_and_back_with_the_keyboard_alone(open_page: Opener) -> None:
    page = open_tree_page(open_page)
    page.locator("#together").uncheck()
    pane(page, "Alpha-beta").locator(".view").focus()
    page.keyboard.press("Home")
    expect(pane(page, "Alpha-beta").locator(".ahead")).to_have_count(11)
    expect(pane(page, "Minimax").locator(".ahead")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(sentence(page, "Alpha-beta")).to_have_text(
        "visit 0, the root: entered with window (-∞, ∞), MAX to move"
    )
    expect(node(page, "Alpha-beta", 0).locator(".value")).to_be_hidden()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(sentence(page, "Alpha-beta")).to_contain_text("visit 2, move 1: 3")
    page.keyboard.press("ArrowLeft")
    expect(sentence(page, "Alpha-beta")).to_contain_text("visit 1, move 1: entered")
    expect(page.locator("#place")).to_have_text("step 2 of 15")
    page.keyboard.press("End")
    expect(pane(page, "Alpha-beta").locator(".ahead, .running")).to_have_count(0)
    expect(node(page, "Alpha-beta", 0).locator(".value")).to_be_visible()


@pytest.mark.long
def test_a_node_is_collapsed_and_expanded_by_key_and_by_pointer(open_page: Opener) -> None:
    page = open_tree_page(open_page)
    view = pane(page, "Minimax").locator(".view")
    node(page, "Minimax", 1).locator(".node").click()
    view.focus()
    page.keyboard.press("Space")
    expect(pane(page, "Minimax").locator(".visit")).to_have_count(10)
    expect(node(page, "Minimax", 1).locator(".count")).to_have_text("3")
    node(page, "Minimax", 1).locator(".node").dblclick()
    expect(pane(page, "Minimax").locator(".visit")).to_have_count(13)
    page.keyboard.press("ArrowDown")
    expect(node(page, "Minimax", 2)).to_have_class("visit pv max leaf line now")


@pytest.mark.long
def test_a_typed_tree_is_checked_and_searched(open_page: Opener) -> None:
    page = open_tree_page(open_page)
    page.locator("#position").fill("[[1,2],[x]]")
    page.locator("#draw").click()
    expect(page.locator("#news")).to_contain_text("'x' is not a number")
    page.locator("#position").fill("[[1,2],[7,8]]")
    page.locator("#position").press("Enter")
    expect(page.locator("#counts tbody tr").first.locator("td").first).to_have_text("7")


@pytest.mark.long
def test_a_large_tree_is_collapsed_at_first_and_expanded_to_dots(open_page: Opener) -> None:
    page = open_tree_page(open_page, "#game=connect4&depth=5&algorithms=alpha-beta")
    expect(page.locator(".pane svg.searchtree")).to_have_class("searchtree value")
    assert page.locator(".pane .visit").count() <= trees.FIRST_DRAWN
    page.get_by_role("button", name="Expand the tree").click()
    expect(page.locator(".pane svg.searchtree")).to_have_class("searchtree dot")
    expect(page.locator(".pane header")).to_contain_text("of 3,051 visits collapsed")
    drawn = page.locator(".pane .visit").count()
    page.locator(".pane .collapsed").first.locator(".folded").dblclick()
    expect(page.locator(".pane .visit")).not_to_have_count(drawn)


@pytest.mark.long
def test_a_stopped_search_shows_what_it_has_visited(
    open_page: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        trees, "TRACE_LIMITS", TraceLimits(visits=10**9)
    )  # nothing else may end it sooner
    page = open_page("/tree#game=chess&depth=9&algorithms=minimax")
    page.locator("#stop:enabled").click()
    expect(page.locator(".pane p.note")).to_contain_text("was stopped")
    expect(page.locator("#stop")).to_be_disabled()
    expect(page.locator(".pane .visit.open").first).to_be_attached()


SIZES = [
    ({"width": 1200, "height": 900}, False),
    ({"width": 1200, "height": 900}, True),
    (PHONE["viewport"], False),
]


@pytest.mark.long
@pytest.mark.parametrize(("viewport", "grows"), SIZES)
def test_trees_are_fitted_to_their_panes(
    open_page: Opener, viewport: dict[str, int], grows: bool
) -> None:
    page = open_tree_page(open_page, viewport=viewport)
    if grows:
        page.set_viewport_size({"width": 1000, "height": 900})
    expect(page.locator(".pane")).to_have_count(TEXTBOOK)
    for place in range(TEXTBOOK):
        view = page.locator(".pane .view").nth(place)
        width = view.evaluate("(view) => view.clientWidth")
        expect(view).to_have_js_property("scrollWidth", width)


@pytest.mark.long
def test_the_comparison_shows_all_columns_and_explains_them(open_page: Opener) -> None:
    page = open_tree_page(open_page)
    shown = "(box) => box.scrollWidth <= box.clientWidth"
    assert page.locator(".scroll:has(#counts)").evaluate(shown)
    expect(page.locator("#counts thead abbr[title]")).to_have_count(8)
    expect(page.locator("#counts thead")).to_contain_text("Searches")


@pytest.mark.long
def test_a_confirming_search_is_drawn_as_exact(open_page: Opener) -> None:
    page = open_tree_page(open_page, "#game=tree&position=[[1,2],[3,4],[5,6]]&algorithms=negascout")
    expect(node(page, "NegaScout", 12)).to_have_class("visit pv min again inner line")
    node(page, "NegaScout", 12).locator(".node").click()
    expect(page.locator("#details")).to_contain_text("confirms that it is exactly 5")


@pytest.mark.long
def test_the_feasible_depth_follows_the_tree(open_page: Opener) -> None:
    page = open_tree_page(open_page, "#game=connect4&depth=12&algorithms=minimax")
    note = page.locator(".pane p.note")
    expect(note).to_contain_text("the tree shows what it had visited")
    expect(note).to_contain_text("can be searched completely")


@pytest.mark.long
def test_a_phone_shows_it_all_without_scrolling_sideways(open_page: Opener) -> None:
    page = open_tree_page(open_page, viewport=PHONE["viewport"])
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["viewport"]["width"]
    expect(page.locator(".pane")).to_have_count(TEXTBOOK)


PARALLEL = "#game=tree:uniform,branching=3,depth=3,seed=41,values=21&algorithms=ybwc"
YBWC = "Parallel: ybwc"


def test_steps_of_a_parallel_search_say_which_worker_does_what(open_page: Opener) -> None:
    page = open_tree_page(open_page, PARALLEL, whole=False)
    seen = page.evaluate(
        """() => {
          const forward = document.querySelector("[data-step=forward]");
          const steps = Number(document.getElementById("slider").max);
          return Array.from({ length: steps }, () => {
            forward.click();
            return document.querySelector(".pane .sentence").textContent;
          });
        }"""
    )
    for text in (
        "worker 1, visit 0, the root: entered with window",
        "worker 1 offers the moves that are left at visit 0",
        "worker 2 joins worker 1 at visit 0, the root",
        "stopped: a cut at visit",
    ):
        assert any(text in one for one in seen), text
    expect(pane(page, YBWC).locator(".visit.stopped .value")).to_have_text("✕")
    expect(pane(page, YBWC).locator(".split")).to_have_count(6)


@pytest.mark.long
def test_workers_and_seed_are_kept_in_the_address(open_page: Opener) -> None:
    page = open_tree_page(open_page, PARALLEL)
    page.locator("#workers").fill("3")
    page.locator("#seed").fill("4")
    page.locator("#draw").click()
    expect(pane(page, YBWC)).to_contain_text("3 workers, seed 4")
    assert "workers=3" in page.url
    assert "seed=4" in page.url
    page.reload()
    expect(pane(page, YBWC)).to_contain_text("3 workers, seed 4")


@pytest.mark.long
def test_parallel_searches_fit_a_phone(open_page: Opener) -> None:
    page = open_tree_page(open_page, PARALLEL, **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
