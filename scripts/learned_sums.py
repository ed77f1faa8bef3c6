"""Learn the weights of hand-made evaluations by TD(λ), and let them play the hand weights.

    python scripts/learned_sums.py giveaway|andantino [--games N] [--test-games N] [--test-seed N]
        [--test-depth N] [--db FILE]

The weights start at 0.  For give-away checkers the file of weights is written, and the weights of
its evaluation `learned` are printed.  Run it again to resume.
"""

import argparse
import math
from pathlib import Path

import numpy as np

from plyforge.core.randomness import Stream
from plyforge.evaluate import evaluation_of, save_evaluation
from plyforge.games import giveaway
from plyforge.jobs.local import local_executor
from plyforge.learn.games import GamePlan, GameQueue, play_pairs
from plyforge.learn.masking import feature_names
from plyforge.learn.plan import ZERO, LearningPlan
from plyforge.learn.runs import LearningRun
from plyforge.learn.store import LearningStore

SETTINGS = {
    "giveaway": {"depth": 3, "opening": 6, "rate": 0.03},
    "andantino": {"depth": 2, "opening": 4, "rate": 0.1},
}
TRACE = 0.7
EXPLORED = 10
SLOW_AFTER = 200
SEED = 1


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn the weights of hand-made evaluations.")
    parser.add_argument("game", choices=SETTINGS)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--test-games", type=int, default=400)
    parser.add_argument("--test-seed", type=int, default=SEED)
    parser.add_argument("--test-depth", type=int, help="default: the depth of the training")
    parser.add_argument("--db", default="learned-sums.db")
    given = parser.parse_args()
    settings = SETTINGS[given.game]
    depth, opening = int(settings["depth"]), int(settings["opening"])
    games = GamePlan(given.game, depth=depth, seed=SEED, opening=opening, explored=EXPLORED)
    plan = LearningPlan(
        games,
        "td",
        {"rate": settings["rate"], "trace": TRACE},
        start=ZERO,
        test_rounds=0,
        slow_after=SLOW_AFTER,
    )
    with LearningStore(given.db) as store:
        run = LearningRun(plan, store, given.game, local_executor(0))
        for _ in run.run(given.games):
            pass
    learned, hand = run.weights, run.model.start
    for name, new, old in zip(feature_names(run.evaluation.form), learned, hand, strict=True):
        print(f"| {name} | {old:g} | {new:.3f} |")
    if given.game == "giveaway":
        write_giveaway(run, learned * (np.abs(hand).sum() / np.abs(learned).sum()))
    test_seed = Stream(given.test_seed).split("test games").below(1 << 62)
    test_depth = given.test_depth or depth
    tests = GamePlan(given.game, depth=test_depth, seed=test_seed, opening=opening)
    with GameQueue(local_executor(0), ()) as queue:
        pairs = play_pairs(tests, learned, hand, given.test_games, queue)
    scores = [0.5 + sum(pair) / 4 for pair in pairs]
    half = 1.96 * float(np.std(scores, ddof=1)) / math.sqrt(len(scores))
    print(f"{given.test_games} games, depth {test_depth}: {np.mean(scores):.1%} ± {half:.1%}")


def write_giveaway(run: LearningRun, weights: np.ndarray) -> None:
    """Write the file of weights, and print what `giveaway/learned.py` has."""
    folder = Path(giveaway.__file__).parent / "weights"
    folder.mkdir(exist_ok=True)
    made = {"script": "scripts/learned_sums.py", "games": run.state.round.games, "seed": SEED}
    evaluation = evaluation_of(run.game).with_weights(weights)
    save_evaluation(folder / "td.npz", run.game, evaluation, made=made, precision="float32")
    for name, weight in zip(feature_names(evaluation.form), weights, strict=True):
        print(f"{name}: {weight:.2f}")


if __name__ == "__main__":
    main()
