"""The frame around every page: head, navigation, theme, and the place for announcements."""

import html
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

STATIC: Final = files(__package__).joinpath("static")


@dataclass(frozen=True)
class Page:
    """A page: its path, its title in the navigation, and the name of its files."""

    path: str
    name: str
    title: str


PAGES: Final = (
    Page("/", "play", "Play"),
    Page("/analyse", "analyse", "Analyse"),
    Page("/tree", "tree", "Search tree"),
    Page("/matrix", "matrix", "Matrix games"),
    Page("/matches", "matches", "Matches"),
    Page("/lab", "lab", "Laboratory"),
    Page("/learning", "learning", "Learning"),
)


def page_html(page: Page) -> str:
    """Return the HTML of a page."""
    links = "".join(
        f'<a href="{other.path}"{_aria_current(other is page)}>{html.escape(other.title)}</a>'
        for other in PAGES
    )
    frame = STATIC.joinpath("frame.html").read_text(encoding="utf-8")
    parts = {
        "title": f"{page.title} · Plyforge",
        "name": page.name,
        "links": links,
        "main": STATIC.joinpath(f"{page.name}.html").read_text(encoding="utf-8"),
    }
    for name, text in parts.items():
        frame = frame.replace(f"{{{{{name}}}}}", text)
    return frame


def _aria_current(current: bool) -> str:
    return ' aria-current="page"' if current else ""
