import pytest
from playwright.sync_api import Browser, Page, expect

from tests.interfaces.web.browser.conftest import Opener, serve

PHONE = {"width": 360, "height": 740}


def _watch(page: Page, *players: str, game: str = "tictactoe") -> None:
    """Start a game between described players; an empty name keeps the selected game."""
    if game:
        page.select_option("[name=game]", game)
    for number, player in enumerate(players):
        seat = page.locator(".seat").nth(number)
        seat.get_by_label("Kind").select_option("description")
        seat.get_by_role("textbox").fill(player)
    page.get_by_role("button", name="Start").click()


@pytest.mark.long
def test_links_lead_to_a_match_and_its_games(open_page: Opener) -> None:
    page = open_page("/matches")
    page.get_by_role("link", name="Tic-tac-toe").click()
    expect(page.get_by_role("heading", level=1).filter(visible=True)).to_have_text(
        "Tic-tac-toe: 30 games"
    )
    image = page.locator(".plot img")
    image.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('.plot img').naturalWidth > 0")
    expect(page.locator(".games tbody tr")).to_have_count(25)
    page.get_by_role("button", name="next →").click()
    expect(page.locator(".games tbody tr")).to_have_count(5)
    page.get_by_role("link", name="game 30").click()
    expect(page.locator("#replay h1")).to_have_text("Tic-tac-toe, game 30")


@pytest.mark.long
def test_keys_and_clicks_step_through_a_game(open_page: Opener) -> None:
    page = open_page("/matches#match-1-game-1")
    moves, pieces = page.locator("#replay .moves li"), page.locator("#replay .piece")
    pieces.first.wait_for()
    count = moves.count()
    expect(pieces).to_have_count(count)
    page.keyboard.press("Home")
    expect(pieces).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(pieces).to_have_count(1)
    moves.nth(2).get_by_role("button").click()
    expect(pieces).to_have_count(3)
    page.get_by_role("button", name="One move back").click()
    expect(pieces).to_have_count(2)
    page.keyboard.press("End")
    expect(pieces).to_have_count(count)
    expect(page.get_by_role("button", name="Last position")).to_be_disabled()


def test_a_stored_game_is_downloaded_and_analysed(open_page: Opener) -> None:
    page = open_page("/matches#match-1-game-1")
    moves = page.locator("#replay .moves li")
    moves.first.wait_for()
    count = moves.count()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Download").click()
    assert saving.value.suggested_filename == "match-1-game-1.txt"
    page.get_by_role("link", name="Analyse this game").click()
    expect(page.locator("#moves .move")).to_have_count(count)
    expect(page.locator("#board .piece")).to_have_count(count)


def test_two_players_are_watched_to_the_end_and_again(open_page: Opener) -> None:
    page = open_page("/matches")
    _watch(page, "random", "textbook:negamax,depth=2")
    status, delay = (
        page.locator("#watching .panel .status-text"),
        page.get_by_label("Pause between moves"),
    )
    delay.fill("4")
    expect(status).to_contain_text("The game is running")
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(status).to_have_text("Paused.")
    seen = page.locator("#watching .moves li").count()
    page.get_by_role("button", name="One move", exact=True).click()
    expect(page.locator("#watching .moves li")).to_have_count(seen + 1)
    delay.fill("0")
    page.get_by_role("button", name="Continue").click()
    page.locator("#watching .status-text", has_text="wins").or_(
        page.locator("#watching .status-text", has_text="A draw")
    ).wait_for()
    delay.fill("4")
    page.get_by_role("button", name="Again, sides swapped").click()
    expect(page.locator("#watching .pairing")).to_contain_text("O random")
    page.get_by_role("button", name="Stop").click()
    expect(status).to_have_text("Stopped.")


@pytest.mark.long
def test_a_variant_is_watched(open_page: Opener) -> None:
    page = open_page("/matches")
    page.select_option("[name=game]", "hex")
    page.get_by_label("Variant").fill("3")
    _watch(page, "random", "random", game="")
    expect(page.locator("#watching .stage .cell")).to_have_count(9)


@pytest.mark.long
def test_a_refused_player_leads_back_to_the_form(open_page: Opener) -> None:
    page = open_page("/matches")
    _watch(page, "random", "python:mine.py")
    expect(page.locator("#news")).to_contain_text("execute a file")
    expect(page.locator("#watch-form")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "shown"),
    [("", ".card"), ("#match-2", "#match .games"), ("#match-1-game-1", "#replay .stage svg")],
)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_need_not_scroll_sideways(
    open_page: Opener, path: str, shown: str, theme: str
) -> None:
    page = open_page(f"/matches{path}", viewport=PHONE, color_scheme=theme)
    page.locator(shown).first.wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.long
def test_a_server_without_results_shows_the_commands_that_store_some(browser: Browser) -> None:
    with serve() as url, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{url}matches")
        expect(page.locator("#stored")).to_contain_text("plyforge match ")
        page.goto(f"{url}lab")
        expect(page.locator("#list")).to_contain_text("plyforge lab run ")
        page.goto(f"{url}learning")
        expect(page.locator("#list")).to_contain_text("plyforge learn ")
