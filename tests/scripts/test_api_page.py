"""The page of the Python interface, generated from docstrings."""

import plyforge
from scripts import api_page

PAGE = api_page.page()


def test_every_exported_name_is_on_the_page() -> None:
    names = set(plyforge.__all__) - {"__version__", "PlyforgeError"}
    assert all(f"## `plyforge.{name}" in PAGE for name in names)


def test_a_class_is_listed_with_the_methods_of_its_base_classes() -> None:
    game = PAGE.partition("## `plyforge.Game`")[2].partition("\n## ")[0]
    assert "- `play(position, move)`: " in game
    assert "- `history(position=None)`: " in game


def test_every_method_of_games_and_histories_has_a_description() -> None:
    section = PAGE.partition("## `plyforge.Game`")[2].partition("## `plyforge.Engine`")[0]
    members = [line for line in section.splitlines() if line.startswith("- ")]
    assert members
    assert all("`: " in line for line in members)


def test_private_members_are_left_out() -> None:
    assert "`_" not in PAGE
