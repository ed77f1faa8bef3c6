"""Write docs/pictures: screenshots of pages in a browser.

python -m scripts.screenshots [--folder FOLDER]
"""

import argparse
import threading
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from plyforge.interfaces.web.app import application
from plyforge.interfaces.web.server import listen, make_server
from plyforge.interfaces.web.state import ServerState
from scripts.browser import find_browser

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
WIDE = {"width": 1180, "height": 800}
TIMEOUT = 120_000
OPENING = "9-14%0A22-18%0A5-9%0A25-22%0A11-16%0A24-19"


def show_analysis(page: Page, address: str) -> None:
    """Show checkers with three lines."""
    page.goto(f"{address}analyse#game=checkers&moves={OPENING}")
    page.locator("#moves .move").nth(5).wait_for()
    page.fill("#seconds", "4")
    page.click("#start")
    page.locator("#start:has-text('Analyse')").wait_for()
    page.evaluate("document.getElementById('news').textContent = ''")


def show_tree(page: Page, address: str) -> None:
    """Show the textbook tree, searched by four algorithms."""
    page.goto(f"{address}tree")
    page.get_by_role("heading", name="MTD(f)").wait_for()
    page.get_by_role("heading", name="Minimax").scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.querySelector('form').getBoundingClientRect().bottom)")


SHOTS: dict[str, Callable[[Page, str], None]] = {"analyse": show_analysis, "tree": show_tree}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=PICTURES)
    folder: Path = parser.parse_args().folder
    state = ServerState()
    listening, address = listen("127.0.0.1", 0)
    running = make_server(application(state), state.limits.message_bytes)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(), args=["--no-sandbox"]
            )
            for name, show in SHOTS.items():
                page = browser.new_page(viewport=WIDE)
                page.set_default_timeout(TIMEOUT)
                show(page, address.url)
                page.screenshot(path=folder / f"{name}.png")
                print(folder / f"{name}.png")
            browser.close()
    finally:
        running.should_exit = True
        thread.join()


if __name__ == "__main__":
    main()
