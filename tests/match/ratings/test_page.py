"""The page on ratings shows what Python prints."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "match" / "ratings.md"


def test_the_page_shows_what_python_prints():
    failures, tests = doctest.testfile(str(PAGE), module_relative=False)
    assert tests >= 15
    assert failures == 0
