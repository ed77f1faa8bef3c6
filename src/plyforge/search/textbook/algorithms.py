"""The table of textbook algorithms."""

from collections.abc import Callable
from typing import Final, NamedTuple

from plyforge.core.errors import PlyforgeError
from plyforge.game.game import Game
from plyforge.search.textbook.alpha_beta import alpha_beta
from plyforge.search.textbook.alpha_beta_table import alpha_beta_table
from plyforge.search.textbook.dual import dual
from plyforge.search.textbook.expectimax import expectimax
from plyforge.search.textbook.fail_hard import alpha_beta_fail_hard
from plyforge.search.textbook.minimax import minimax
from plyforge.search.textbook.mtdf import mtdf
from plyforge.search.textbook.negamax import negamax
from plyforge.search.textbook.negascout import negascout
from plyforge.search.textbook.sss import sss
from plyforge.search.textbook.star1 import star1
from plyforge.search.textbook.star2 import star2
from plyforge.search.textbook.view import Node, View, for_max
from plyforge.search.textbook.vision_draughts import vision_draughts


class Algorithm(NamedTuple):
    """A row of the table."""

    title: str
    search: Callable[..., float]
    """Called with a view, a node and a depth."""
    idea: str
    idea_for_min: str = ""
    """The idea from MAX's perspective where MIN moves first, if it differs."""
    values_for_max: bool = False
    """Whether its values are for MAX, not for the side to move."""
    chance: bool = False
    """Whether it is for games of chance; the others take an outcome for a move."""

    def value(self, view: View, node: Node, depth: int) -> float:
        """Return the value for the side to move."""
        value = self.search(view, node, depth)
        return for_max(node, value) if self.values_for_max else value


ALGORITHMS: Final[dict[str, Algorithm]] = {
    "minimax": Algorithm("Minimax", minimax, "visits every node", values_for_max=True),
    "negamax": Algorithm("Negamax", negamax, "minimax with one rule for both sides"),
    "alpha-beta": Algorithm("Alpha-beta", alpha_beta, "cuts what cannot matter"),
    "fail-hard": Algorithm(
        "Alpha-beta, fail-hard", alpha_beta_fail_hard, "never returns more than it was asked"
    ),
    "negascout": Algorithm(
        "NegaScout", negascout, "tests with null windows whether a later move is better"
    ),
    "mtdf": Algorithm("MTD(f)", mtdf, "closes in on the value with null windows alone"),
    "sss": Algorithm(
        "SSS*",
        sss,
        "null windows from above all values",
        "null windows from the best for MIN, who moves first: from below all values of MAX",
    ),
    "dual": Algorithm(
        "DUAL*",
        dual,
        "null windows from below all values",
        "null windows from the worst for MIN, who moves first: from above all values of MAX",
    ),
    "table": Algorithm(
        "Alpha-beta with a table", alpha_beta_table, "remembers positions that it has searched"
    ),
    "vision-draughts": Algorithm(
        "VisionDraughts' alpha-beta",
        vision_draughts,
        "looks in the table before it searches",
        values_for_max=True,
    ),
    "expectimax": Algorithm(
        "ExpectiMax", expectimax, "visits every node; chance has the expected value", chance=True
    ),
    "star1": Algorithm(
        "Star1", star1, "cuts outcomes of chance that cannot matter any more", chance=True
    ),
    "star2": Algorithm(
        "Star2", star2, "tries one move after each outcome first, then Star1", chance=True
    ),
}


def algorithms_for(game: Game) -> list[str]:
    """Return the names of the algorithms that can search a game."""
    return [name for name, row in ALGORITHMS.items() if row.chance == game.has_chance()]


def check_algorithm(game: Game, name: str) -> None:
    """Raise an error if an algorithm does not go with a game; the name is known."""
    row = ALGORITHMS.get(name)
    if (row is not None and row.chance) != game.has_chance():
        of_chance = "a game of chance" if game.has_chance() else "not a game of chance"
        raise PlyforgeError(
            f"'{name}' cannot search {game.name}, which is {of_chance}; these can:"
            f" {', '.join(algorithms_for(game))}"
        )
