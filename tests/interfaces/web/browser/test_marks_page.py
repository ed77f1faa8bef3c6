"""Arrows and marked cells that users draw on boards."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.interfaces.web.browser.conftest import Opener

MODULE = "const { readMarks, withMarks } = await import('/static/marks.js');"


def cell(page: Page, name: str) -> Locator:
    return page.locator(f'.cell[data-cell="{name}"]')


def drag(page: Page, start: str, end: str, *keys: str) -> None:
    """Drag with the right mouse button."""
    boxes = [cell(page, name).bounding_box() for name in (start, end)]
    (x1, y1), (x2, y2) = ((b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b)
    for key in keys:
        page.keyboard.down(key)
    page.mouse.move(x1, y1)
    page.mouse.down(button="right")
    page.mouse.move(x2, y2, steps=3)
    page.mouse.up(button="right")
    for key in keys:
        page.keyboard.up(key)


def marks(page: Page) -> list[tuple[str, str]]:
    shapes = page.locator(".own-marks > *").all()
    return [(s.get_attribute("data-mark") or "", s.get_attribute("class") or "") for s in shapes]


def test_arrows_are_drawn_kept_with_the_position_and_cleared(open_page: Opener) -> None:
    page = open_page("/analyse#game=tictactoe")
    cell(page, "b2").wait_for()
    drag(page, "a1", "c3")
    cell(page, "b1").click(button="right")
    assert marks(page) == [("a1-c3", "own-G"), ("b1", "own-G")]
    expect(cell(page, "b1")).to_have_attribute("aria-label", "b1: empty, can move, marked")
    cell(page, "b2").click()  # a move
    expect(page.locator("#moves .move")).to_have_text(["b2"])
    expect(page.locator(".own-marks")).to_have_count(0)
    drag(page, "a3", "b2", "Shift")
    assert marks(page) == [("a3-b2", "own-R")]
    page.reload()
    expect(page.locator(".own-marks > *")).to_have_count(1)
    page.click("#back")
    expect(page.locator(".own-marks > *")).to_have_count(2)
    drag(page, "a1", "c3")  # again: removed
    assert marks(page) == [("b1", "own-G")]
    page.click("#forward")
    expect(page.locator(".own-R")).to_have_count(1)
    cell(page, "b2").click()  # taken: nothing can be done there
    expect(page.locator(".own-marks")).to_have_count(0)


@pytest.mark.long
def test_marks_are_saved_with_the_game_and_loaded(open_page: Opener) -> None:
    page = open_page("/analyse#game=chess")
    cell(page, "e2").wait_for()
    drag(page, "g1", "f3")
    cell(page, "e4").click(button="right", modifiers=["Shift"])
    page.fill("#comment", "the centre")
    cell(page, "e2").click()
    cell(page, "e4").click()
    expect(page.locator("#moves .move")).to_have_text(["e4"])
    with page.expect_download() as started:
        page.click("#save")
    text = started.value.path().read_text()
    assert "{[%csl Re4] [%cal Gg1f3] the centre}" in text
    fresh = open_page("/analyse#game=chess")
    cell(fresh, "e2").wait_for()
    file = {"name": "g.pgn", "mimeType": "text/plain", "buffer": text.encode()}
    fresh.set_input_files("#open", file)
    expect(fresh.locator("#moves .move")).to_have_text(["e4"])
    fresh.click("#first")
    expect(fresh.locator(".own-marks > *")).to_have_count(2)
    expect(fresh.locator("#comment")).to_have_value("the centre")


@pytest.mark.long
def test_arrows_are_drawn_with_the_keyboard(open_page: Opener) -> None:
    page = open_page("/analyse#game=hex:5")
    first = page.locator(".cell[tabindex='0']")
    first.focus()
    start = first.get_attribute("data-cell")
    page.keyboard.press("a")
    expect(page.locator("#announcement")).to_contain_text("An arrow begins on")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("a")
    page.keyboard.press("Shift+M")
    end = page.locator(".cell:focus").get_attribute("data-cell")
    assert marks(page) == [(f"{start}-{end}", "own-G"), (end, "own-R")]
    page.keyboard.press("Delete")
    expect(page.locator(".own-marks")).to_have_count(0)
    expect(page.locator("#moves .move")).to_have_count(0)


@pytest.mark.long
def test_marks_on_play_go_with_the_position(open_page: Opener) -> None:
    page = open_page()
    page.select_option("#game", "checkers")
    page.select_option("#side", "both")
    page.click("#new .main")
    expect(page.locator("#board")).to_have_attribute("data-key", page.url.split("=")[-1])
    drag(page, "11", "15")
    assert marks(page) == [("11-15", "own-G")]
    cell(page, "11").click()
    cell(page, "15").click()
    expect(page.locator("#moves .move")).to_have_count(1)
    expect(page.locator(".own-marks")).to_have_count(0)


@pytest.mark.long
def test_marks_are_read_from_comments_as_they_are_written(open_page: Opener) -> None:
    page = open_page("/analyse#game=tictactoe")
    lists = [
        [{"from": "e2", "to": "e4", "colour": "G"}, {"from": "d5", "to": None, "colour": "R"}],
        [{"from": "11", "to": "15", "colour": "B"}, {"from": "A", "to": "b3", "colour": "G"}],
        [],
    ]
    for marks_ in lists:
        for comment in ("", "a comment", "[%clk 0:01:02] with a clock"):
            read = page.evaluate(
                f"async ([text, list]) => {{ {MODULE} return readMarks(withMarks(text, list)); }}",
                [comment, marks_],
            )
            assert read["text"] == comment
            key = str
            assert sorted(read["marks"], key=key) == sorted(marks_, key=key)
    damaged = "[%cal Ge2][%csl ][%cal Xe2e4,G1-2-3,] [%cal Ge2"
    read = page.evaluate(f"async (text) => {{ {MODULE} return readMarks(text); }}", damaged)
    assert read["marks"] == []
