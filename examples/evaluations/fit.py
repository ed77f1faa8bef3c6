"""Fit the patterns of `othello_corners.py` to Othello's own evaluation, and save the weights.

Run it, then use the file:

    python examples/evaluations/fit.py corners.npz
    plyforge eval othello --evaluation examples/evaluations/othello_corners.py:corners.npz

It shows what learning needs from an evaluation: a batch of positions, values, and the gradient of a
loss by the weights.
"""

import sys
from pathlib import Path
from types import ModuleType

import numpy as np

import plyforge
from plyforge.evaluate import make_batch, random_positions, save_evaluation, with_evaluation
from plyforge.game.loading import import_file

POSITIONS, STEPS, RATE = 1500, 100, 1.0


def main(path: str, count: int = POSITIONS) -> None:
    game = plyforge.load("othello")
    form: ModuleType = import_file(Path(__file__).with_name("othello_corners.py"), "")
    evaluation = with_evaluation(game, form).rules.constant("EVALUATION")
    positions = random_positions(game, count)
    goals = np.array([game.evaluation(position) for position in positions])

    batch = make_batch(evaluation.form, positions)
    weights, squares = evaluation.vector, np.full(evaluation.form.size, 1e-9)
    for step in range(STEPS):
        errors = batch.values(weights) - goals
        if step % 20 == 0:
            print(f"step {step}: mean squared error {np.mean(errors**2):.2f}")
        gradient = batch.gradient(weights, 2 * errors / len(positions))
        squares += gradient**2  # AdaGrad: weights that seldom matter take larger steps
        weights = weights - RATE * gradient / np.sqrt(squares)
    errors = batch.values(weights) - goals
    print(f"fitted: mean squared error {np.mean(errors**2):.2f}")

    made = {"fitted to": "the hand evaluation", "positions": count, "steps": STEPS}
    fitted = evaluation.with_weights(weights)
    print(save_evaluation(Path(path), game, fitted, made=made, positions=positions[:200]))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "corners.npz")
