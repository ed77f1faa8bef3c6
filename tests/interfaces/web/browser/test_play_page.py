import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocket, WebSocketRoute, expect

from plyforge.interfaces.web.state import Databases
from tests.interfaces.web.browser.conftest import EXAMPLES, TIMEOUT, Opener, serve
from tests.interfaces.web.browser.playing import Player

PASSING = "OOOOOXOOOOOOXXOOOXOOXXOOOXXOOXOOOXOOXOOOOOOOOXOOOXXXXXX--XXXXXX- O"
"""After a8 Black has no move."""


@pytest.fixture
def player(open_page: Opener) -> Player:
    return Player(open_page("/"))


@pytest.mark.long
def test_a_multiple_jump_is_clicked_square_by_square(player: Player) -> None:
    player.start("checkers", position="B:W7,15,24,32:B3,4")
    movable = player.page.locator(".cell.movable")
    expect(movable).to_have_count(1)  # captures are compulsory
    player.cell("4")
    expect(player.page.locator(".cell.chosen")).to_have_count(0)
    for square in ("3", "10", "19"):
        player.cell(square)
    expect(player.page.locator(".cell.chosen")).to_have_count(3)
    expect(player.page.locator(".cell.target")).to_have_attribute("data-cell", "28")
    player.cell("28")
    player.expect_moves("3x10x19x28")
    player.expect_empty("3", "7", "15", "24")
    player.expect_piece("28", "b")


@pytest.mark.long
def test_a_multiple_jump_is_made_by_its_two_ends(player: Player) -> None:
    player.start("checkers", position="B:W7,15,24,32:B3,4")
    player.cell("3")
    player.cell("28")
    player.expect_moves("3x10x19x28")


@pytest.mark.long
def test_a_piece_is_dragged(player: Player) -> None:
    player.start("checkers")
    page = player.page
    start, end = (
        page.locator(f'.cell[data-cell="{name}"]').bounding_box() for name in ("11", "15")
    )
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + 20, steps=5)
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2)
    page.mouse.up()
    player.expect_moves("11-15")


@pytest.mark.long
def test_othello_flips_discs_and_passes_by_a_button(player: Player) -> None:
    player.start("othello", position=PASSING)
    player.cell("a8")
    player.expect_piece("a8", "O")
    player.expect_status("The only move is pass")
    player.page.click("#special button:has-text('pass')")
    player.expect_moves("a8", "pass")
    expect(player.page.locator("#news")).to_contain_text("passes")
    player.expect_status("White to move")


@pytest.mark.long
def test_andantino_allows_cells_beside_the_stones_only(player: Player) -> None:
    player.start("andantino")
    expect(player.page.locator(".cell.movable")).to_have_count(6)
    player.cell("k10")
    player.expect_moves("k10")
    player.expect_piece("k10", "W")
    player.cell("a1")  # far away: nothing happens
    player.expect_moves("k10")


@pytest.mark.long
def test_hex_with_a_swap(player: Player) -> None:
    player.start("hex", variant="5,swap")
    player.cell("b1")
    player.expect_piece("b1", "R")
    player.page.click("#special button:has-text('swap')")
    player.expect_moves("b1", "swap")
    player.expect_empty("b1")
    player.expect_piece("a2", "B")
    player.expect_status("Red to move")


@pytest.mark.long
def test_kalah_with_a_second_move(player: Player) -> None:
    player.start("kalah")
    player.cell("a3")
    player.expect_status("South to move again")
    player.expect_piece("A", "1")
    player.cell("a1")
    player.expect_moves("a3", "a1")
    player.expect_status("North to move")


@pytest.mark.long
def test_chess_castles_and_promotes(player: Player) -> None:
    player.start("chess", position="4k3/P7/8/8/8/8/8/4K2R w K - 0 1")
    player.cell("e1")
    player.cell("g1")
    player.expect_moves("O-O")
    player.expect_piece("g1", "K")
    player.expect_piece("f1", "R")
    player.cell("e8")
    player.cell("d7")
    player.cell("a7")
    player.cell("a8")
    dialog = player.page.locator("dialog.choice")
    expect(dialog.locator(".row button")).to_have_count(4)
    dialog.locator("button:has-text('a8=N')").click()
    player.expect_piece("a8", "N")


@pytest.mark.long
def test_earlier_positions_are_shown_by_clicks_on_moves(player: Player) -> None:
    player.start("tictactoe")
    for cell in ("b2", "a1", "c3"):
        player.cell(cell)
        expect(player.page.locator("#moves [aria-current]")).to_have_text(cell)
    player.page.locator("#moves .move").first.click()
    expect(player.page.locator(".piece")).to_have_count(1)
    player.expect_status("The position after 1. b2")
    player.page.keyboard.press("ArrowRight")
    expect(player.page.locator(".piece")).to_have_count(2)
    expect(player.page.locator(".cell.movable")).to_have_count(0)
    player.page.locator("#moves .move").last.click()
    expect(player.page.locator(".piece")).to_have_count(3)
    player.cell("a2")
    player.expect_moves("b2", "a1", "c3", "a2")


@pytest.mark.long
def test_connect_four_takes_a_click_anywhere_in_the_column(player: Player) -> None:
    player.start("connect4")
    player.cell("4.6")
    player.expect_moves("4")
    player.expect_status("to move")
    player.cell("4.1")  # the disc that has fallen there
    player.expect_moves("4", "4")


def test_a_custom_game_needs_no_javascript(player: Player) -> None:
    player.start("breakthrough")
    expect(player.page.locator("h1")).to_have_text("Breakthrough")
    first = player.page.locator(".cell.movable").first.get_attribute("data-cell")
    assert first is not None
    player.cell(first)
    target = player.page.locator(".cell.target").first.get_attribute("data-cell")
    assert target is not None
    player.cell(target)
    expect(player.page.locator("#moves .move")).to_have_count(1)


@pytest.mark.long
def test_a_game_without_a_board_is_played_by_buttons(player: Player) -> None:
    player.start("last_letter")
    player.page.click("#special button:has-text('q')")
    player.page.click("#special button:has-text('u')")
    player.expect_moves("q", "u")


@pytest.mark.long
def test_a_tree_is_played_down_its_branches(player: Player) -> None:
    player.start("tree", position="[[3,12,8],[2,4,6],[14,5,2]]")
    player.cell("1")
    player.expect_moves("1")


def test_the_engine_answers_and_turns_are_taken_back(player: Player) -> None:
    player.start("tictactoe", side="first")
    player.cell("b2")
    expect(player.page.locator("#moves .move")).to_have_count(2)
    player.expect_status("to move")
    player.page.click("#undo")
    expect(player.page.locator("#moves .move")).to_have_count(0)
    player.page.click("#redo")
    expect(player.page.locator("#moves .move")).to_have_count(2)
    player.page.click("#hint")
    expect(player.page.locator("#news")).to_contain_text("Hint")
    expect(player.page.locator(".arrows > *")).to_have_count(1)
    player.page.click("#resign")
    player.expect_status("resigned")


def test_a_reload_resumes_the_game(player: Player) -> None:
    player.start("checkers")
    player.cell("11")
    player.cell("15")
    player.expect_moves("11-15")
    player.page.reload()
    player.expect_moves("11-15")
    player.expect_status("White to move")


@pytest.mark.long
def test_a_resumed_game_does_not_change_the_form(player: Player) -> None:
    player.start("tictactoe")
    page, late, held = player.page, True, []

    def slow(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        server.on_message(lambda text: held.append((line, text)) if late else line.send(text))

    page.route_web_socket("**/socket", slow)
    page.reload()
    page.locator("#game option").first.wait_for(state="attached")
    page.select_option("#game", "kalah")
    page.wait_for_timeout(0)  # let held messages arrive
    late = False
    for line, text in held:
        line.send(text)
    player.expect_board()
    expect(page.locator("#game")).to_have_value("kalah")


@pytest.mark.long
def test_a_lost_connection_comes_back_to_the_game(player: Player) -> None:
    page = player.page
    lines: list[WebSocketRoute] = []

    def record_line(line: WebSocketRoute) -> None:
        lines.append(line)
        line.connect_to_server()

    page.route_web_socket("**/socket", record_line)
    page.reload()
    player.start("checkers")
    player.cell("11")
    player.cell("15")
    player.expect_moves("11-15")
    lines[0].close(code=1001)
    expect(page.locator("#news")).to_contain_text("Connected again")
    player.cell("23")
    player.cell("19")
    player.expect_moves("11-15", "23-19")


@pytest.mark.long
@pytest.mark.parametrize("stored", [True, False])
def test_a_game_is_resumed_when_the_server_was_started_again(
    browser: Browser, tmp_path: Path, stored: bool
) -> None:
    """From the server's file, or from what the page knows."""
    files = [tmp_path / "games.db"] * 2 if stored else [None, None]
    with browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(TIMEOUT)
        with serve(databases=Databases(games=files[0])) as url:
            page.goto(url)
            player = Player(page)
            player.start("tictactoe")
            player.cell("b2")
            player.expect_moves("b2")
        expect(page.locator("#news")).to_contain_text("Connection lost")
        with serve(databases=Databases(games=files[1]), port=int(url.split(":")[-1][:-1])):
            expect(page.locator("#news")).to_contain_text("Connected again")
            player.expect_moves("b2")
            player.cell("a1")
            player.expect_moves("b2", "a1")
            page.reload()
            player.expect_moves("b2", "a1")


@pytest.mark.long
def test_a_game_that_is_gone_resets_the_page(browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(TIMEOUT)
        with serve(str(EXAMPLES / "breakthrough.py")) as url:
            page.goto(url)
            Player(page).start("breakthrough")
            expect(page.locator("#title")).to_have_text("Breakthrough")
        with serve(port=int(url.split(":")[-1][:-1])):
            expect(page.locator("#news")).to_contain_text("unknown game 'breakthrough'")
            expect(page.locator("#title")).to_have_text("Play")
            expect(page.locator("#moves .move")).to_have_count(0)
            expect(page.locator("#undo, #hint, #resign, #save").first).to_be_disabled()
            assert "#game=" not in page.url


def test_moves_are_made_with_the_keyboard_alone(player: Player) -> None:
    page = player.page
    player.start("tictactoe")
    page.locator('.cell[tabindex="0"]').focus()
    focused = "document.activeElement.dataset.cell"
    assert page.evaluate(focused) == "a3"
    player.press("ArrowRight", "ArrowDown", "Enter")
    player.expect_moves("b2")
    page.wait_for_function(f"{focused} === 'b2'")
    player.press("ArrowUp", " ")
    player.expect_moves("b2", "b3")


@pytest.mark.long
def test_a_diagonal_move_takes_one_press_of_an_arrow_key(player: Player) -> None:
    player.start("checkers")
    player.page.locator('.cell[data-cell="11"]').focus()
    player.press("Enter")
    expect(player.page.locator("#announcement")).to_contain_text("chosen. It can move to 15, 16.")
    player.press("ArrowDown", "Enter")
    expect(player.page.locator("#moves .move")).to_have_text(re.compile("^11-1[56]$"))


@pytest.mark.long
def test_a_game_is_started_with_the_keyboard_alone(player: Player) -> None:
    page = player.page
    page.locator("#game option").first.wait_for(state="attached")
    page.focus("#game")
    page.keyboard.type("Tic")
    page.focus("#side")
    page.keyboard.type("both")
    page.keyboard.press("Tab")
    page.focus("button.main")
    page.keyboard.press("Enter")
    expect(page.locator("#move")).to_be_enabled()
    page.focus("#move")
    page.keyboard.type("b2")
    page.keyboard.press("Enter")
    player.expect_moves("b2")


@pytest.mark.long
def test_cells_are_labelled_for_screen_readers(player: Player) -> None:
    player.start("checkers")
    cell = player.page.get_by_role("button", name="11: Black man")
    expect(cell).to_have_count(1)


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(open_page: Opener, theme: str) -> None:
    page = open_page(
        "/", viewport={"width": 360, "height": 740}, color_scheme=theme, has_touch=True
    )
    player = Player(page)
    for game in ("checkers", "andantino", "kalah"):
        page.goto("about:blank")
        page.go_back()
        player.start(game)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    player.cell("a3")
    player.expect_moves("a3")


@pytest.mark.long
def test_a_bad_position_is_refused_and_the_page_still_works(player: Player) -> None:
    page = player.page
    page.locator("#game option").first.wait_for(state="attached")
    page.select_option("#game", "checkers")
    page.click("text=From a position")
    page.fill("#position", "nonsense")
    page.click("button.main:has-text('Start')")
    expect(page.locator("#news")).to_contain_text("nonsense")
    page.fill("#position", "")
    page.click("button.main:has-text('Start')")
    player.expect_status("Black to move")


@pytest.mark.long
def test_a_game_from_a_position_is_analysed_from_there(player: Player) -> None:
    player.start("checkers", position="B:W7,15,24,32:B3,4")
    player.cell("3")
    player.cell("28")
    player.expect_moves("3x10x19x28")
    player.page.click("#analyse")
    expect(player.page.locator("#moves .move")).to_have_text(["3x10x19x28"])


@pytest.mark.long
def test_a_page_that_is_behind_shows_the_latest_position(open_page: Opener) -> None:
    page = open_page("/", reduced_motion="no-preference")
    player = Player(page)
    player.start("tictactoe", side="none")
    player.expect_status(":")
    moves = page.locator("#moves .move").count()
    expect(page.locator(".piece")).to_have_count(moves)


@pytest.mark.long
def test_a_cell_is_labelled_when_it_can_move_and_when_it_is_chosen(player: Player) -> None:
    player.start("checkers")
    role = player.page.get_by_role
    expect(role("button", name="11: Black man, can move")).to_have_count(1)
    player.cell("11")
    expect(role("button", name="11: Black man, chosen", pressed=True)).to_have_count(1)
    expect(role("button", name="15: empty, a move ends here")).to_have_count(1)


@pytest.mark.long
def test_a_saved_game_is_loaded_on_an_empty_page(open_page: Opener, tmp_path: Path) -> None:
    page = open_page("/")
    player = Player(page)
    player.start("checkers")
    player.cell("11")
    player.cell("15")
    player.expect_moves("11-15")
    with page.expect_download() as download:
        page.click("#save")
    file = tmp_path / "game.txt"
    download.value.save_as(file)
    fresh = open_page("/")
    fresh.locator("#game option").first.wait_for(state="attached")
    fresh.select_option("#game", "checkers")
    fresh.select_option("#side", "both")
    fresh.set_input_files("#open", file)
    Player(fresh).expect_moves("11-15")


# While pieces move

SLOW = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, { duration, ...others }) {
  return animate.call(this, frames, { ...others, duration: 60000 });
};
"""
"""Animations last until a test has ended."""


def _slow_page(open_page: Opener) -> Page:
    page = open_page("/", reduced_motion="no-preference")
    page.add_init_script(SLOW)
    page.reload()
    return page


@pytest.mark.long
def test_a_board_takes_one_move_at_a_time(open_page: Opener) -> None:
    page = _slow_page(open_page)
    player = Player(page)
    player.start("kalah")
    player.cell("a3")
    player.expect_moves("a3")
    player.cell("a6")
    player.expect_moves("3", "6")
    expect(page.locator(".cell.movable")).to_have_count(0)
    player.cell("a5")  # the board still shows South's turn; North could play 5, too
    page.fill("#move", "1")
    page.keyboard.press("Enter")
    player.expect_moves("3", "6", "1")


@pytest.mark.long
def test_a_click_refers_to_the_position_that_the_board_shows(open_page: Opener) -> None:
    page = _slow_page(open_page)
    lines: list[WebSocket] = []
    page.on("websocket", lambda line: lines.append(line))
    page.reload()
    player = Player(page)
    player.start("tictactoe")
    elsewhere = Player(open_page("/#" + page.url.partition("#")[2]))
    elsewhere.expect_board()
    elsewhere.cell("b2")
    player.expect_moves("b2")
    elsewhere.expect_piece("b2", "X")
    elsewhere.cell("a1")
    player.expect_moves("b2", "a1")
    with lines[-1].expect_event("framesent", lambda text: '"move"' in text) as sent:
        player.cell("c3")
    assert json.loads(sent.value)["ply"] == 1


@pytest.mark.long
def test_a_captured_piece_fades_where_the_other_arrives(open_page: Opener) -> None:
    page = _slow_page(open_page)
    player = Player(page)
    player.start("chess", position="4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    player.cell("e4")
    player.cell("d5")
    player.expect_moves("exd5")
    player.expect_piece("d5", "P")
    expect(page.locator(".piece.ghost")).to_have_count(1)
    expect(page.locator(".piece.ghost")).to_have_attribute("data-piece", "p")


# Seats


@pytest.mark.long
def test_a_seat_shows_the_colour_of_its_side(player: Player) -> None:
    player.start("connect4", side="first")
    dots = player.page.locator(".seat .side")
    expect(dots).to_have_count(2)
    player.page.locator(".cell.movable").first.click()
    expect(player.page.locator("#moves .move")).to_have_count(2)
    for number in (0, 1):
        # In one step, because the elements may be redrawn in between.
        player.page.wait_for_function(
            """([dot, disc]) => {
                const [side, piece] = [dot, disc].map((place) => document.querySelector(place));
                const paint = (one, what) => getComputedStyle(one)[what];
                return piece && paint(side, "backgroundColor") === paint(piece, "fill");
            }""",
            arg=[f"#seat-{number} .side", f'.piece[data-piece="{"XO"[number]}"] circle'],
        )


@pytest.mark.long
def test_clocks_are_rounded(player: Player) -> None:
    page = player.page
    left: list[list[float]] = [[59.7, 60.4], [59.4, 19.96], [119.6, 0.04], [61.2, 9.96]]

    def change_clocks(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def forward(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "state":
                message["clocks"] = {"left": left.pop(0), "running": None}
            line.send(json.dumps(message))

        server.on_message(forward)

    page.route_web_socket("**/socket", change_clocks)
    page.reload()
    player.start("tictactoe")
    first, second = (page.locator(f"#seat-{side} .clock") for side in (0, 1))
    for one, other in [
        ("1:00", "1:00"),
        ("0:59", "0:20.0"),
        ("2:00", "0:00.0"),
        ("1:01", "0:10.0"),
    ]:
        expect(first).to_have_text(one)
        expect(second).to_have_text(other)
        if left:
            page.click("#turn")


# Files

PGN = """[Event "A match"]
[Result "*"]

1. e4 e5 *
"""


@pytest.mark.long
def test_a_file_is_loaded_as_the_game_that_is_chosen(player: Player, tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text(PGN)
    page = player.page
    player.start("connect4")
    page.select_option("#game", "chess")
    page.set_input_files("#open", file)
    player.expect_moves("e4", "e5")
    expect(page.locator("h1")).to_have_text("Chess")


@pytest.mark.long
def test_a_bad_file_starts_no_game(player: Player, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("nonsense")
    page = player.page
    page.locator("#game option").first.wait_for(state="attached")
    page.select_option("#game", "connect4")
    page.set_input_files("#open", file)
    expect(page.locator("#news")).to_contain_text("a record must begin with")
    player.expect_status("Choose a game and press Start.")
    assert "#" not in page.url


@pytest.mark.long
def test_lines_of_dots_and_boxes_are_clicked(player: Player) -> None:
    player.start("dots")
    expect(player.page.locator(".cell.movable")).to_have_count(24)
    for line in ("a1-b1", "a1-a2", "a2-b2", "b1-b2"):
        player.cell(line)
        expect(player.page.locator(f'.piece[data-cell="{line}"] .bar')).to_have_count(1)
    player.expect_piece("a1", "B")
    player.expect_status("Blue to move")
