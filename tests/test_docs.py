"""The documentation: generated pages, Python examples and links."""

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
def test_a_generated_page_is_up_to_date(script):
    assert script.PAGE.read_text(encoding="utf-8") == script.page()


@pytest.mark.parametrize(
    ("page", "min_examples"),
    [
        ("README.md", 8),
        ("docs/engine.md", 4),
        ("docs/equilibrium.md", 14),
        ("docs/search/request.md", 12),
        ("docs/match/records.md", 8),
        ("docs/match/play.md", 10),
        ("docs/notebook.md", 11),
    ],
)
def test_the_python_examples_of_a_page_are_true(page, min_examples):
    failures, examples = doctest.testfile(str(ROOT / page), module_relative=False)
    assert examples >= min_examples
    assert failures == 0


@pytest.mark.parametrize("file", PAGES, ids=lambda path: path.name)
def test_links_point_to_existing_files(file):
    for target in re.findall(r"\]\(([^)#]+)\)", file.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (file.parent / target).exists(), target


def test_every_game_has_a_page_and_a_row_in_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in plyforge.names():
        assert (ROOT / "docs" / "games" / f"{name}.md").exists()
        assert f"| `{name}` |" in readme
