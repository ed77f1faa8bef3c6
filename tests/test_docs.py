"""Documentation that can be wrong is checked: generated pages, README's Python, links."""

import doctest
import re
from pathlib import Path

import pytest

import plyforge
from scripts import api_page, contract_page, search_page

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize(
    "script", [api_page, contract_page, search_page], ids=lambda script: script.__name__
)
def test_a_written_page_is_what_the_code_says(script):
    assert script.PAGE.read_text(encoding="utf-8") == script.page()


@pytest.mark.parametrize(
    ("page", "least"),
    [
        ("README.md", 8),
        ("docs/engine.md", 4),
        ("docs/match/records.md", 8),
        ("docs/match/play.md", 10),
        ("docs/notebook.md", 11),
    ],
)
def test_a_page_shows_what_python_prints(page, least):
    failures, tests = doctest.testfile(str(ROOT / page), module_relative=False)
    assert tests >= least
    assert failures == 0


@pytest.mark.parametrize("file", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(file):
    for target in re.findall(r"\]\(([^)#]+)\)", file.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (file.parent / target).exists(), target


def test_every_game_has_a_page_and_a_row_in_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in plyforge.names():
        assert (ROOT / "docs" / "games" / f"{name}.md").exists()
        assert f"| `{name}` |" in readme
