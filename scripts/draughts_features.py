"""Choose the features of LS-Draughts by a genetic algorithm, on a small scale.

A subset is as fit as a weighted sum of it predicts results: games of the hand evaluation against
itself are played, a ridge regression is fitted to one half of them, and its squared error in a
quarter decides.  The last quarter is only reported.  LS-Draughts judged a subset by a tournament of
nets that were trained with it, which takes hours.

    python scripts/draughts_features.py
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plyforge.evaluate import with_evaluation
from plyforge.games import load
from plyforge.games.checkers import samuel
from plyforge.jobs.serial import SerialExecutor
from plyforge.learn.games import GamePlan, GameQueue, PlayedGame
from plyforge.learn.methods.genetic import Bits, Generation, GeneticParameters, evolve_features
from plyforge.learn.model import GameModel

GAMES = 600
DEPTH = 3
OPENING = 6
EXPLORED = 10
SEED = 1
RIDGE = 1e-3
PARAMETERS = GeneticParameters(population=24, generations=20, mutation=0.05, seed=SEED)


@dataclass(frozen=True)
class Sums:
    """The normal equations of a part of the games: everything that an error depends on."""

    matrix: NDArray[np.float64]
    vector: NDArray[np.float64]
    squares: float
    count: int

    def error(self, columns: NDArray[np.int64], weights: NDArray[np.float64]) -> float:
        """Return the mean squared error of a weighted sum."""
        matrix, vector = self.matrix[np.ix_(columns, columns)], self.vector[columns]
        return float(self.squares - 2 * weights @ vector + weights @ matrix @ weights) / self.count


def play() -> list[PlayedGame]:
    plan = GamePlan("checkers", "", DEPTH, SEED, OPENING, EXPLORED)
    start = GameModel(plan.load_game()).start
    with GameQueue(SerialExecutor(), []) as queue:
        played = list(queue.play(plan, [(number, start, start) for number in range(GAMES)]))
    return sorted(played, key=lambda game: game.number)


def read_sums(games: list[PlayedGame], model: GameModel) -> Sums:
    """Read features and results of positions after the opening; every game counts the same."""
    size = len(samuel.FEATURES) + 1
    matrix, vector, squares = np.zeros((size, size)), np.zeros(size), 0.0
    for game in games:
        inputs, sides = model.read_line(model.game.initial(), game.moves)
        rows = inputs.dense(size - 1)[OPENING:]
        rows = np.hstack([rows, np.ones((len(rows), 1))]) / np.sqrt(max(1, len(rows)))
        results = np.where(sides[OPENING:] == 0, game.result, -game.result)
        results = results / np.sqrt(max(1, len(rows)))
        matrix += rows.T @ rows
        vector += rows.T @ results
        squares += float(results @ results)
    return Sums(matrix, vector, squares, len(games))


def fit(sums: Sums, bits: Bits) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    columns = np.append(np.flatnonzero(bits), len(bits))
    matrix = sums.matrix[np.ix_(columns, columns)] / sums.count + RIDGE * np.eye(len(columns))
    return columns, np.linalg.solve(matrix, sums.vector[columns] / sums.count)


def main() -> None:
    games = play()
    model = GameModel(with_evaluation(load("checkers"), "samuel"))
    half, quarter = GAMES // 2, GAMES // 4
    train, choose, test = (
        read_sums(part, model)
        for part in (games[:half], games[half : half + quarter], games[half + quarter :])
    )

    def fitness(individuals: list[Bits] | tuple[Bits, ...], number: int) -> list[float]:
        return [-choose.error(*fit(train, bits)) for bits in individuals]

    def report(generation: Generation) -> None:
        print(f"generation {generation.number}: error {-generation.fitness[generation.best]:.5f}")

    names = list(samuel.FEATURES)
    evolved = evolve_features(len(names), fitness, PARAMETERS, report)
    for label, bits in (
        ("chosen", evolved.bits),
        ("all", np.ones(len(names), bool)),
        ("NEURODRAUGHTS", np.array([name in samuel.NEURODRAUGHTS for name in names])),
    ):
        error = test.error(*fit(train, bits))
        print(f"{label}: {int(bits.sum())} features, error in the last quarter {error:.5f}")
    print([name for name, bit in zip(names, evolved.bits, strict=True) if bit])


if __name__ == "__main__":
    main()
