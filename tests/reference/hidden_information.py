"""Games with hidden information the slow way: recursion over positions, strategies as dicts.

Nothing here uses trees or sequences: information sets are the texts that the rules return.
"""

from itertools import product
from math import prod
from typing import Any

from plyforge.core.scores import ONGOING
from plyforge.game.game import Game

Strategy = dict[tuple[int, Any], dict[int, float]]
"""The probability of each move, by player and information."""


def is_chance(game: Game, position: Any) -> bool:
    return "chance" in game.rules.hooks and bool(game.call_hook("chance", position))


def outcomes(game: Game, position: Any) -> list[tuple[int, float]]:
    return list(game.call_hook("chance_outcomes", position))


def payoff(game: Game, position: Any) -> float | None:
    """Return what the first player wins at an end of the game, else None."""
    value = game.outcome(position)
    if value == ONGOING:
        return None
    return value if game.turn(position) == 0 else -value


def key_of(game: Game, position: Any) -> tuple[int, Any]:
    return int(game.turn(position) or 0), game.call_hook("information", position)


def information_sets(game: Game) -> dict[tuple[int, Any], list[int]]:
    """Return the moves of all information sets."""
    sets: dict[tuple[int, Any], list[int]] = {}

    def walk(position: Any) -> None:
        if payoff(game, position) is not None:
            return
        if is_chance(game, position):
            moves = [outcome for outcome, _ in outcomes(game, position)]
        else:
            moves = game.moves(position)
            sets[key_of(game, position)] = moves
        for move in moves:
            walk(game.play(position, move))

    walk(game.initial())
    return sets


def expected(game: Game, strategy: Strategy) -> float:
    """Return what the first player wins on average."""

    def value(position: Any) -> float:
        end = payoff(game, position)
        if end is not None:
            return end
        if is_chance(game, position):
            shares = dict(outcomes(game, position))
        else:
            shares = strategy[key_of(game, position)]
        return sum(
            share * value(game.play(position, move)) for move, share in shares.items() if share
        )

    return value(game.initial())


def pure_strategies(game: Game, player: int) -> list[Strategy]:
    """Return every choice of one move for each information set of a player."""
    sets = {key: moves for key, moves in information_sets(game).items() if key[0] == player}
    return [
        {key: {move: 1.0} for key, move in zip(sets, choice, strict=True)}
        for choice in product(*sets.values())
    ]


def count_pure_strategies(game: Game, player: int) -> int:
    """Return the number of these choices."""
    sets = information_sets(game).items()
    return prod(len(moves) for key, moves in sets if key[0] == player)


def best_value(game: Game, player: int, strategy: Strategy) -> float:
    """Return the most that a player wins against the strategy, by trying everything."""
    sign = 1.0 if player == 0 else -1.0
    return max(
        sign * expected(game, {**strategy, **pure}) for pure in pure_strategies(game, player)
    )


class TextbookCfr:
    """CFR and CFR+ as published, over positions; players are updated in turns."""

    def __init__(self, game: Game, plus: bool) -> None:
        self.game, self.plus, self.iteration = game, plus, 0
        self.sets = information_sets(game)
        self.regrets = {key: dict.fromkeys(moves, 0.0) for key, moves in self.sets.items()}
        self.sums = {key: dict.fromkeys(moves, 0.0) for key, moves in self.sets.items()}
        self.current: Strategy = {
            key: dict.fromkeys(moves, 1 / len(moves)) for key, moves in self.sets.items()
        }

    def iterate(self) -> None:
        self.iteration += 1
        for player in (0, 1):
            before = {key: dict(regrets) for key, regrets in self.regrets.items()}
            self._walk(self.game.initial(), player, 1.0, 1.0)
            for key, regrets in self.regrets.items():
                if self.plus:
                    for move, regret in regrets.items():
                        regrets[move] = max(regret, 0.0)
                if regrets != before[key]:
                    self.current[key] = self._match(regrets)

    @staticmethod
    def _match(regrets: dict[int, float]) -> dict[int, float]:
        total = sum(max(regret, 0.0) for regret in regrets.values())
        if total <= 0.0:
            return dict.fromkeys(regrets, 1 / len(regrets))
        return {move: max(regret, 0.0) / total for move, regret in regrets.items()}

    def _walk(self, position: Any, player: int, own: float, others: float) -> float:
        """Return the player's value; `own` and `others` are the probabilities of getting here."""
        game = self.game
        end = payoff(game, position)
        if end is not None:
            return end if player == 0 else -end
        if is_chance(game, position):
            return sum(
                share * self._walk(game.play(position, move), player, own, others * share)
                for move, share in outcomes(game, position)
            )
        key = key_of(game, position)
        strategy = self.current[key]
        if key[0] != player:
            return sum(
                share * self._walk(game.play(position, move), player, own, others * share)
                for move, share in strategy.items()
            )
        values = {
            move: self._walk(game.play(position, move), player, own * share, others)
            for move, share in strategy.items()
        }
        mean = sum(strategy[move] * value for move, value in values.items())
        weight = self.iteration if self.plus else 1
        for move, value in values.items():
            self.regrets[key][move] += others * (value - mean)
            self.sums[key][move] += weight * own * strategy[move]
        return mean

    def average(self) -> Strategy:
        average: Strategy = {}
        for key, sums in self.sums.items():
            total = sum(sums.values())
            average[key] = {
                move: one / total if total > 0.0 else 1 / len(sums) for move, one in sums.items()
            }
        return average
