"""A strategy for both players of a game with hidden information, and how good it is."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from plyforge.equilibrium.best_response import exploitability
from plyforge.equilibrium.game_tree import GameTree
from plyforge.equilibrium.sequence_form import Reals, SequenceForm

_ROUNDING: Final = 1e-12
"""A value below it is 0 but for rounding."""


@dataclass(frozen=True)
class Profile:
    """The plans of both players, as a method found them."""

    tree: GameTree
    form: SequenceForm
    plans: tuple[Reals, Reals]
    method: str

    @cached_property
    def value(self) -> float:
        """What the first player wins on average."""
        value = self.form.value(self.plans)
        return value if abs(value) > _ROUNDING else 0.0

    @cached_property
    def exploitability(self) -> float:
        """How much the players' best responses win on average, half of NashConv."""
        return exploitability(self.form, self.plans) + 0.0

    @cached_property
    def strategies(self) -> tuple[Reals, Reals]:
        """The probability of each sequence's move in its information set."""
        first, second = (
            player.strategy(plan)
            for player, plan in zip(self.form.players, self.plans, strict=True)
        )
        return first, second

    def moves(self, number: int) -> dict[str, float]:
        """Return the probability of each move of an information set, by its place in `sets`."""
        one = self.tree.sets[number]
        shares = self.strategies[one.player][one.first : one.first + len(one.moves)]
        return {move: float(share) for move, share in zip(one.moves, shares, strict=True)}

    def is_reached(self, number: int) -> bool:
        """Return whether the player's own moves ever lead to an information set."""
        one = self.tree.sets[number]
        return bool(self.plans[one.player][one.parent] > 0.0)

    def rows(self) -> list[dict[str, Any]]:
        """Return player, information and probabilities of every information set."""
        players = self.tree.game.players
        return [
            {
                "player": players[one.player],
                "information": one.label,
                "nodes": self.tree.sizes[number],
                "moves": self.moves(number),
                "reached": self.is_reached(number),
            }
            for number, one in enumerate(self.tree.sets)
        ]
