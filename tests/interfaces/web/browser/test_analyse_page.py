import random
import re

import pytest
from playwright.sync_api import Page, expect

import plyforge
from tests.interfaces.web.browser.conftest import Opener


def _wait_for_board(page: Page) -> Page:
    page.locator("#board svg").wait_for()
    return page


def _long_game(name: str) -> str:
    """Return a hundred random moves, as in an address."""
    history, chance = plyforge.load(name).history(), random.Random(1)
    while len(history.moves) < 100 and history.legal_moves():
        history.play(chance.choice(history.legal_moves()))
    pairs = zip(history.positions, history.moves, strict=False)
    return "%0A".join(history.game.move_text(position, move) for position, move in pairs)


def test_an_analysis_starts_updates_and_stops(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=connect4"))
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


@pytest.mark.long
def test_figures_change_during_an_iteration(open_page: Opener) -> None:
    """Without deepening only the figures change; the board does not."""
    page = _wait_for_board(open_page("/analyse#game=checkers"))
    page.click('text="Search options"')
    page.locator("#switches input[value=deepening]").uncheck()
    page.evaluate("document.querySelector('#board svg').dataset.seen = 'yes'")
    page.click("#start")
    running = page.locator("#summary .running")
    expect(running).to_contain_text("per second")
    first = running.inner_text()
    expect(running).not_to_have_text(first)
    assert re.match(r"depth \d+( \(.+\))?: [\d,]+ nodes, [\d,]+ per second, [\d.]+ s$", first)
    expect(page.locator("#board svg[data-seen=yes]")).to_have_count(1)
    page.click("#start")
    expect(page.locator("#start")).to_have_text("Analyse")
    expect(page.locator("#summary")).to_contain_text("for ")


@pytest.mark.long
def test_buttons_step_back_and_forth(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=tictactoe"))
    page.locator('.cell[data-cell="b2"]').click()
    expect(page.locator("#moves .move")).to_have_text(["b2"])
    page.click("#back")
    expect(page.locator(".piece")).to_have_count(0)
    page.click("#forward")
    expect(page.locator(".piece")).to_have_count(1)


def test_a_position_is_pasted_and_searched(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=tictactoe"))
    page.fill("#position", "XX./OO./... X")
    page.click("#set")
    expect(page.locator(".piece")).to_have_count(4)
    page.click("#start")
    expect(page.locator("#summary")).to_contain_text("win in 1")


@pytest.mark.long
def test_an_analysis_uses_the_preset_of_players_and_names_it(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=tictactoe"))
    expect(page.locator("#preset")).to_have_value("play")
    page.click("#start")
    expect(page.locator("#summary")).to_contain_text("preset play")
    page.click('text="Search options"')
    page.select_option("#preset", "exact")
    expect(page.locator("#start")).to_have_text("Analyse")
    page.click("#start")
    expect(page.locator("#summary")).to_contain_text("preset exact")
    others = page.locator("#compared .configuration th")
    expect(others.nth(1)).to_contain_text("alphabeta, exact")
    expect(others.nth(2)).to_contain_text("mtdf, exact")


@pytest.mark.long
@pytest.mark.parametrize("game", ["hex", "andantino"])
def test_cells_have_24_pixels_on_a_phone_and_the_board_scrolls(
    open_page: Opener, game: str
) -> None:
    page = _wait_for_board(
        open_page(f"/analyse#game={game}", viewport={"width": 360, "height": 740})
    )
    width = "cell => cell.querySelector('polygon').getBoundingClientRect().width"
    assert page.locator("#board .cell").first.evaluate(width) >= 23.9
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    last = page.locator("#board .cell.movable").last
    last.click()
    expect(page.locator("#moves .move")).to_have_count(1)


@pytest.mark.long
def test_configurations_are_compared(open_page: Opener) -> None:
    page = _wait_for_board(
        open_page("/analyse#game=tictactoe", viewport={"width": 1280, "height": 900})
    )
    page.click('text="Compare search options"')
    page.fill("#compare-depth", "5")
    page.click("#compare")
    rows = page.locator("#compared tr[data-place]")
    expect(rows).to_have_count(3)
    expect(rows.nth(2).locator("td").nth(8)).not_to_be_empty()
    widths = "table => [table.parentNode.scrollWidth, table.parentNode.clientWidth]"
    needed, present = page.locator("#compared").evaluate(widths)
    assert needed <= present


def test_the_moves_of_a_game_are_judged(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=tictactoe&moves=b2%0Ab1%0Aa1%0Ac2"))
    expect(page.locator("#moves .move")).to_have_count(4)
    page.click("#judge")
    expect(page.locator("#save-judged")).to_be_visible()
    expect(page.locator("#moves .mark", has_text="??")).not_to_have_count(0)
    page.locator("#graph [data-ply='2']").first.click()
    expect(page.locator(".piece")).to_have_count(2)
    expect(page.locator("#bar")).to_have_attribute("aria-valuenow", "100")
    page.locator("#graph [data-ply='1']").first.click()
    expect(page.locator(".piece")).to_have_count(1)
    expect(page.locator("#bar")).to_have_attribute("aria-valuenow", "50")
    with page.expect_download() as download:
        page.click("#save-judged")
    assert "??" in download.value.path().read_text()


@pytest.mark.long
def test_the_chosen_theme_is_remembered(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse", color_scheme="light"))
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.click("#theme")
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    assert page.evaluate(ground) == dark


@pytest.mark.long
def test_lines_are_cleared_with_their_position(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=tictactoe"))
    page.click("#start")
    expect(page.locator("#variations li")).to_have_count(3)
    expect(page.locator("#start")).to_have_text("Analyse")
    page.locator('.cell[data-cell="b2"]').click()
    expect(page.locator("#variations li")).to_have_count(0)
    expect(page.locator("#summary")).to_have_text("Not analysed yet.")


@pytest.mark.long
def test_a_refused_input_does_not_change_the_game(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=tictactoe&moves=b2"))
    page.fill("#line", "zz")
    page.click("#follow")
    expect(page.locator("#news.bad")).to_contain_text("zz")
    page.locator('.cell[data-cell="a1"]').click()
    expect(page.locator("#moves .move")).to_have_text(["b2", "a1"])
    page.fill("#position", "rubbish")
    page.click("#set")
    expect(page.locator("#news.bad")).to_contain_text("rubbish")
    expect(page.locator("#moves .move")).to_have_text(["b2", "a1"])
    page.click("#start")
    expect(page.locator("#variations li")).to_have_count(3)


@pytest.mark.long
def test_a_refused_move_keeps_the_moves_it_would_have_replaced(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=tictactoe&moves=b2%0Aa1%0Ac3"))
    page.click("#first")
    expect(page.locator(".piece")).to_have_count(0)
    page.fill("#line", "b3 zz")
    page.click("#follow")
    expect(page.locator("#news.bad")).to_contain_text("zz")
    page.click("#last")
    expect(page.locator("#moves [aria-current]")).to_have_text("c3")


@pytest.mark.long
def test_moves_may_follow_their_numbers_directly(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=chess"))
    page.fill("#line", "1.e4 e5 2.Nf3 2...Nc6, 3. Bb5")
    page.click("#follow")
    expect(page.locator("#moves .move")).to_have_text(["e4", "e5", "Nf3", "Nc6", "Bb5"])


@pytest.mark.long
def test_a_comparison_is_stopped_by_its_button(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=checkers"))
    page.click('text="Compare search options"')
    page.fill("#compare-depth", "60")
    page.click("#compare")
    expect(page.locator("#compare")).to_have_text("Stop")
    rows = page.locator("#compared tr[data-place]")
    expect(rows.nth(0).locator("td").nth(2)).not_to_be_empty()
    page.click("#compare")
    expect(page.locator("#compare")).to_have_text("Compare")
    expect(rows.nth(2).locator("td").nth(2)).to_be_empty()


@pytest.mark.long
def test_judging_is_stopped_by_its_button(open_page: Opener) -> None:
    page = _wait_for_board(open_page(f"/analyse#game=checkers&moves={_long_game('checkers')}"))
    moves = page.locator("#moves .move").count()
    page.click("#judge")
    expect(page.locator("#judge")).to_have_text("Stop")
    page.locator("#graph [data-ply='1']").first.wait_for()
    page.click("#judge")
    expect(page.locator("#judge")).to_have_text("Judge the moves")
    assert 1 < page.locator("#graph [data-ply]").count() < moves


@pytest.mark.long
def test_another_game_ends_the_judging_of_the_first(open_page: Opener) -> None:
    page = _wait_for_board(open_page(f"/analyse#game=checkers&moves={_long_game('checkers')}"))
    page.click("#judge")
    page.locator("#graph [data-ply='1']").first.wait_for()
    page.click("#reset")
    expect(page.locator("#moves .move")).to_have_count(0)
    expect(page.locator("#judge")).to_have_text("Judge the moves")
    expect(page.locator("#graph")).to_be_hidden()


@pytest.mark.long
def test_an_analysis_continues_after_a_move(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=checkers"))
    page.click("#start")
    expect(page.locator("#variations li")).to_have_count(3)
    page.locator("#variations button").first.click()
    expect(page.locator("#moves .move")).to_have_count(1)
    expect(page.locator("#start")).to_have_text("Stop")
    expect(page.locator("#variations li")).to_have_count(3)
    page.fill("#line", "zz")
    page.click("#follow")
    expect(page.locator("#news.bad")).to_contain_text("zz")
    expect(page.locator("#start")).to_have_text("Stop")
    page.click("#start")
    expect(page.locator("#start")).to_have_text("Analyse")


PGN = """[White "Anna"]
[Black "Ben"]
[Result "1-0"]

1. e4! {best by test} e5 2. Nf3 {a knight} Nc6 3. Bc4?! 1-0
"""


def _load(page: Page, text: str) -> None:
    page.set_input_files(
        "#open", {"name": "game.txt", "mimeType": "text/plain", "buffer": text.encode()}
    )


def _save(page: Page, button: str = "#save") -> str:
    with page.expect_download() as download:
        page.click(button)
    return download.value.path().read_text()


def test_a_loaded_game_shows_its_marks_and_comments_and_keeps_them(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=chess"))
    _load(page, PGN)
    expect(page.locator("#moves .move")).to_have_count(5)
    expect(page.locator("#moves .move")).to_have_text(["e4!", "e5", "Nf3", "Nc6", "Bc4?!"])
    expect(page.locator("#comment")).to_have_value("")
    page.locator("#moves .move").nth(0).click()
    expect(page.locator("#comment")).to_have_value("best by test")
    page.fill("#comment", "as ever")
    page.locator("#moves .move").nth(3).click()
    expect(page.get_by_label("Comment on 2… Nc6")).to_have_value("")
    page.fill("#comment", "also a knight")
    text = _save(page)
    assert '[White "Anna"]\n[Black "Ben"]\n[Result "1-0"]\n' in text
    moves = "1. e4 $1 {as ever} 1... e5 2. Nf3 {a knight} 2... Nc6 {also a knight} 3. Bc4 $6 1-0"
    assert " ".join(text.partition("\n\n")[2].split()) == moves


def _moves(page: Page) -> list[str]:
    return page.locator("#moves .move").all_inner_texts()


@pytest.mark.long
def test_another_move_adds_a_variation(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=chess"))
    _load(page, PGN)
    expect(page.locator("#moves .move")).to_have_count(5)
    page.locator("#moves .move").nth(1).click()
    expect(page.locator("#moves [aria-current]")).to_contain_text("e5")
    page.fill("#line", "zz")
    page.click("#follow")
    expect(page.locator("#news.bad")).to_contain_text("zz")
    expect(page.locator("#moves .move")).to_have_count(5)
    page.fill("#line", "Nc3")
    page.click("#follow")
    expect(page.locator("#moves .side-line .move")).to_have_text(["Nc3"])
    page.fill("#comment", "Vienna")
    text = _save(page)
    assert '[Result "1-0"]' in text
    assert "2. Nf3 {a knight} (2. Nc3 {Vienna}) 2... Nc6 3. Bc4 $6 1-0" in text.replace("\n", " ")
    page.click("#promote")
    expect(page.locator("#moves .side-line .move").first).to_have_text("Nf3")
    text = _save(page)
    assert '[Result "*"]' in text
    assert "2. Nc3 {Vienna} (2. Nf3 {a knight} 2... Nc6 3. Bc4 $6) *" in text.replace("\n", " ")


VARIATIONS = "1. e4 (1. d4 d5 (1... Nf6) 2. c4) (1. c4) 1... e5 2. Nf3 *"


@pytest.mark.long
def test_variations_are_walked_by_keyboard_deleted_and_kept(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=chess"))
    _load(page, VARIATIONS)
    current = page.locator("#moves [aria-current]")
    expect(current).to_have_text("Nf3")
    page.locator("h1").click()
    for key, text in (
        ("ArrowLeft", "e5"),
        ("ArrowLeft", "e4"),
        ("ArrowDown", "d4"),
        ("ArrowRight", "d5"),
        ("ArrowDown", "Nf6"),
        ("ArrowUp", "d5"),
        ("End", "c4"),
    ):
        page.keyboard.press(key)
        expect(current).to_have_text(text)
    page.reload()
    expect(page.locator("#moves .move")).to_have_count(8)
    expect(current).to_have_text("c4")
    page.click("#back")
    expect(current).to_have_text("d5")
    page.click("#delete")
    expect(current).to_have_text("d4")
    assert _moves(page) == ["e4", "d4", "Nf6", "c4", "e5", "Nf3"]
    page.click("#promote")
    assert "1. d4 (1. e4 e5 2. Nf3) (1. c4) 1... Nf6 *" in _save(page)


@pytest.mark.long
def test_back_and_forward_of_the_browser_step_through_what_was_done(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=tictactoe"))
    for cell in ("b2", "a1"):
        page.locator(f'.cell[data-cell="{cell}"]').click()
        expect(page.locator("#moves [aria-current]")).to_have_text(cell)
    page.fill("#position", "XX./OO./... X")
    page.click("#set")
    expect(page.locator(".piece")).to_have_count(4)
    page.go_back()
    expect(page.locator("#moves [aria-current]")).to_have_text("a1")
    page.go_back()
    expect(page.locator("#moves [aria-current]")).to_have_text("b2")
    expect(page.locator(".piece")).to_have_count(1)
    page.go_forward()
    page.go_forward()
    expect(page.locator(".piece")).to_have_count(4)


@pytest.mark.long
def test_a_file_that_is_too_large_is_refused_before_it_is_sent(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=chess"))
    _load(page, "1. e4 e5 *\n\n" * 30_000)
    expect(page.locator("#news.bad")).to_contain_text("has 360,000 characters, at most 300,000")
    expect(page.locator("#moves .move")).to_have_count(0)


@pytest.mark.parametrize(
    ("link", "pieces", "reason"),
    [
        ("game=tictactoe&moves=b2%0Azz%0Aa1", 1, "move 2 and the moves after it"),
        pytest.param("game=tictactoe&position=rubbish", 0, "rubbish", marks=pytest.mark.long),
        pytest.param("game=nothing", None, "nothing", marks=pytest.mark.long),
        pytest.param("game=hex:99&moves=a1", None, "99", marks=pytest.mark.long),
    ],
)
def test_a_bad_link_shows_what_it_can_and_the_reason(
    open_page: Opener, link: str, pieces: int | None, reason: str
) -> None:
    page = _wait_for_board(open_page(f"/analyse#{link}"))
    expect(page.locator("#news.bad")).to_contain_text(reason)
    if pieces is not None:
        expect(page.locator(".piece")).to_have_count(pieces)


@pytest.mark.long
def test_the_board_is_flipped(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=checkers"))
    above = (
        "() => document.querySelector('.cell[data-cell=\"1\"]').getBoundingClientRect().y"
        " < document.querySelector('.cell[data-cell=\"32\"]').getBoundingClientRect().y"
    )
    before = page.evaluate(above)
    page.click("#flip")
    page.wait_for_function(f"before => ({above})() !== before", arg=before)


@pytest.mark.long
def test_judgements_survive_saving_and_loading(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=tictactoe&moves=b2%0Ab1%0Aa1"))
    expect(page.locator("#moves .move")).to_have_count(3)
    page.click("#judge")
    expect(page.locator("#judge")).to_have_text("Judge the moves")
    expect(page.locator("#graph [data-ply]")).to_have_count(4)
    expect(page.locator("#judgement")).to_contain_text("win in")
    page.fill("#comment", "a corner")
    text = _save(page, "#save-judged")
    assert "note: a corner; win in" in text
    assert "note: a corner\n" in _save(page)
    page.click("#reset")
    expect(page.locator("#graph")).to_be_hidden()
    expect(page.locator("#save-judged")).to_be_hidden()
    _load(page, text)
    expect(page.locator("#moves .mark")).to_have_text(["??"])
    expect(page.locator("#graph [data-ply]")).to_have_count(4)
    assert page.locator("#comment").input_value().startswith("a corner; win in")
    assert _save(page) == text


@pytest.mark.long
def test_the_terms_of_the_evaluation_follow_the_position(open_page: Opener) -> None:
    page = _wait_for_board(open_page("/analyse#game=tictactoe&moves=b2"))
    page.click("#evaluation summary")
    expect(page.locator("#value")).to_have_text("-4")
    expect(page.locator("#terms tbody td")).to_have_text(["open lines", "-4", "1", "-4"])
    page.click("#first")
    expect(page.locator("#value")).to_have_text("0")
    page.select_option("#game", "tree")
    expect(page.locator("#terms")).to_be_hidden()


@pytest.mark.long
@pytest.mark.parametrize("width", [1200, 360])
def test_threads_show_what_they_do(open_page: Opener, width: int) -> None:
    size = {"width": width, "height": 740}
    page = _wait_for_board(open_page("/analyse#game=tictactoe", viewport=size))
    page.click('text="Search options"')
    page.fill("#thread-count", "2")
    page.select_option("#parallel", "ybwc")
    page.click("#start")
    threads = page.locator("#threads")
    expect(threads).to_contain_text("ybwc, 2 threads")
    expect(threads.locator("dd")).to_have_count(2)
    expect(threads).to_contain_text("searching")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
