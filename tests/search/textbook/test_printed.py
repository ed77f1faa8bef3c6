"""The printed listings are wrong, and the corrected ones are right, on the same graphs."""

from collections.abc import Callable
from functools import cache, partial

import pytest

import plyforge
from plyforge.search.textbook import View, alpha_beta_table, minimax, vision_draughts
from plyforge.search.textbook.printed import figure_2, lecture_table
from tests.reference.tree import VALUE, Recipe
from tests.search.textbook.figures import DEEP

PRINTED: dict[str, Callable[..., float]] = {
    "saveTT": lecture_table,
    "figure 2": figure_2,
    "figure 2, fail-soft": partial(figure_2, fail_soft=True),
}
CORRECTED: dict[str, Callable[..., float]] = {
    "saveTT": alpha_beta_table,
    "figure 2": vision_draughts,
}


def graphs(kind: str, count: int) -> list[Recipe]:
    return [Recipe(kind, 4, 10, seed=seed, width=8) for seed in range(count)]


def graph_value(recipe: Recipe) -> float:
    """Return the value for MAX, computed once per node."""

    @cache
    def value(level: int, node: int) -> float:
        below = [value(*child) for child in recipe.successors(level, node)]
        if not below:
            return recipe.draw(recipe.word(VALUE, level, node), 24)
        return min(below) if level % 2 else max(below)

    return value(0, 0)


def count_wrong(searches: dict[str, Callable[..., float]], recipes: list[Recipe]) -> dict[str, int]:
    """Count the roots, with MAX to move, for which each search finds a wrong value."""
    count = dict.fromkeys(searches, 0)
    for recipe in recipes:
        view = View(plyforge.load(f"tree:{recipe.variant}"))
        root, value = view.root(view.game.initial()), graph_value(recipe)
        for name, search in searches.items():
            count[name] += search(view, root, DEEP) != value
    return count


FEW = {
    "layered": {"saveTT": 2, "figure 2": 1, "figure 2, fail-soft": 1},
    "skipping": {"saveTT": 2, "figure 2": 1, "figure 2, fail-soft": 1},
}
"""Wrong values in the first 8 graphs of a kind."""


@pytest.mark.parametrize("kind", FEW)
def test_printed_listings_are_wrong_on_some_graphs(kind: str) -> None:
    assert count_wrong(PRINTED, graphs(kind, 8)) == FEW[kind]


@pytest.mark.parametrize("kind", FEW)
def test_corrected_listings_are_right_on_the_same_graphs(kind: str) -> None:
    assert set(count_wrong(CORRECTED, graphs(kind, 8)).values()) == {0}


MANY = {
    "layered": {"saveTT": 107, "figure 2": 70, "figure 2, fail-soft": 20},
    "skipping": {"saveTT": 47, "figure 2": 52, "figure 2, fail-soft": 2},
}
"""Wrong values in the first 500."""


@pytest.mark.long
@pytest.mark.parametrize("kind", FEW)
def test_printed_and_corrected_listings_on_many_graphs(kind: str) -> None:
    recipes = graphs(kind, 500)
    assert count_wrong(PRINTED, recipes) == MANY[kind]
    assert set(count_wrong(CORRECTED, recipes).values()) == {0}


def test_entries_of_greater_depth_are_not_the_minimax_value() -> None:
    """Where positions recur at different depths, before the horizon."""
    different = 0
    for seed in range(10, 18):
        recipe = Recipe("skipping", 3, 10, seed=seed, width=3)
        view = View(plyforge.load(f"tree:{recipe.variant}"))
        root = view.root(view.game.initial())
        value = minimax(view, root, 5)
        assert alpha_beta_table(view, root, 5) == value
        different += alpha_beta_table(view, root, 5, at_least=True) != value
    assert different > 0
