"""The page of the game contract, generated from its table."""

from plyforge.core.contract import CONSTANTS, HOOKS, SHAPES
from scripts import contract_page

PAGE = contract_page.page()


def test_every_hook_has_a_row_with_its_arguments_and_default() -> None:
    for hook in HOOKS.values():
        (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{hook.name}(")]
        assert f"`{hook.name}({', '.join(hook.arguments)})`" in row
        assert ("| required |" in row) == hook.required
        assert row.endswith("| compiled |" if hook.compiled else "| in Python |")


def test_every_constant_has_a_row_with_its_default() -> None:
    for constant in CONSTANTS.values():
        assert f"| `{constant.name}` | {constant.summary} | `{constant.default!r}` |" in PAGE


def test_shapes_and_reserved_names_are_listed() -> None:
    assert all(f"`{name}`" in PAGE for name in SHAPES)
