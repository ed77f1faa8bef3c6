"""A person on the page for playing."""

import re

from playwright.sync_api import Page, expect


class Player:
    """Clicks on a page as a person would."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def start(self, game: str, side: str = "both", position: str = "", variant: str = "") -> None:
        page = self.page
        page.locator("#game option").first.wait_for(state="attached")
        page.select_option("#game", game)
        if variant:
            page.fill("#variant", variant)
        page.select_option("#side", side)
        if position:
            page.click("text=From a position")
            page.fill("#position", position)
        before = page.url
        page.click("button.main:has-text('Start')")
        expect(page).to_have_url(re.compile("#game="))
        expect(page).not_to_have_url(before)
        self.expect_board()

    def expect_board(self) -> None:
        """Expect the board of the game in the address."""
        key = self.page.url.partition("#game=")[2]
        expect(self.page.locator(f'#board[data-key="{key}"]')).to_have_count(1)

    def cell(self, name: str) -> None:
        """Click a cell."""
        self.page.locator(f'.cell[data-cell="{name}"]').click()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def expect_moves(self, *texts: str) -> None:
        """Expect all moves made so far."""
        expect(self.page.locator("#moves .move")).to_have_text(list(texts))

    def expect_status(self, text: str) -> None:
        expect(self.page.locator("#status")).to_contain_text(text)

    def expect_piece(self, cell: str, piece: str) -> None:
        locator = self.page.locator(f'.piece[data-cell="{cell}"]')
        expect(locator).to_have_attribute("data-piece", piece)

    def expect_empty(self, *cells: str) -> None:
        for cell in cells:
            expect(self.page.locator(f'.piece[data-cell="{cell}"]')).to_have_count(0)
