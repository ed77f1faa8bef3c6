"""Choose the features of LS-Draughts by a genetic algorithm, on a small scale.

    python scripts/draughts_features.py [--db FILE]

The fitness of a subset is the share of points of a net over it, trained in games against itself, in
a tournament of all nets of its generation.  Run it again to resume.
"""

import argparse

from plyforge.jobs.local import local_executor
from plyforge.learn.feature_selection import FeatureSelection, SelectionStore
from plyforge.learn.games import GamePlan
from plyforge.learn.methods.genetic import Generation, GeneticParameters
from plyforge.learn.plan import LearningPlan

TRAINING_GAMES = 80
PAIR_GAMES = 2
SEED = 1
GENETIC = GeneticParameters(population=8, generations=3, mutation=0.05, seed=SEED)
GAMES = GamePlan("checkers", "samuel", depth=3, seed=SEED, opening=4, explored=10)
PLAN = LearningPlan(GAMES, "td", {"rate": 0.02, "trace": 0.7}, test_rounds=0)


def main() -> None:
    parser = argparse.ArgumentParser(description="Choose the features of LS-Draughts.")
    parser.add_argument("--db", default="draughts-features.db")
    given = parser.parse_args()

    def report(generation: Generation) -> None:
        best = generation.individuals[generation.best]
        print(
            f"generation {generation.number + 1}: best of"
            f" {sorted((round(f, 2) for f in generation.fitness), reverse=True)} has"
            f" {int(best.sum())} features",
            flush=True,
        )

    with SelectionStore(given.db) as store:
        selection = FeatureSelection(
            PLAN, GENETIC, TRAINING_GAMES, PAIR_GAMES, store, local_executor(0)
        )
        evolved = selection.choose(report)
        for name in selection.chosen_names(evolved.bits):
            print(f'    "{name}",')


if __name__ == "__main__":
    main()
