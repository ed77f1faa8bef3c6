"""Features of checkers chosen by a genetic algorithm, against all of them and random ones."""

from collections.abc import Callable
from typing import Final

from plyforge.compilation.store import cache_folder
from plyforge.core.randomness import Stream
from plyforge.games.checkers.samuel import FEATURES, NEURODRAUGHTS
from plyforge.jobs.local import local_executor
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    MoreThan,
    Series,
    Variation,
    format_estimate,
)
from plyforge.lab.cases import tree_seed
from plyforge.learn.feature_selection import FeatureSelection, SelectionStore
from plyforge.learn.games import GamePlan, GameQueue, match_score
from plyforge.learn.methods.genetic import GeneticParameters
from plyforge.learn.plan import LearningPlan
from plyforge.match.tables import Table

TITLE = "Features of checkers chosen by a genetic algorithm"
SOURCE = "Neto and Julia 2007, LS-Draughts"
QUESTION = (
    "Do nets over features that a genetic algorithm has chosen beat nets over all features, over"
    " random subsets of the same size, and over features chosen by hand?"
)
DEFAULTS = "2026"
POSITIONS = 3
DEPTHS = (2,)
"""The depth of all searches, in training and in tests."""
QUICK = (1, (1,))

GENETIC = "genetic algorithm"
ALL, RANDOM, BY_HAND = "all features", "random subsets", "features chosen by hand"
OPPONENTS: Final = (ALL, RANDOM, BY_HAND)
POPULATION, GENERATIONS = 12, 8
TRAINING_GAMES: Final = 200
PAIR_GAMES: Final = 4
TRAININGS: Final = 5
"""How often each choice is trained anew for the test."""
TEST_GAMES: Final = 100
"""Games of each of these trainings against each opponent."""
OPENING: Final = 6
EXPLORED: Final = 10
PARAMETERS: Final = {"rate": 0.02, "trace": 0.7}


def variations() -> list[Variation]:
    return [Variation(GENETIC)]


def cases(seed: int, count: int) -> list[Case]:
    return [
        Case("checkers", start=f"seed={tree_seed(seed, number)}", label=f"selection {number + 1}")
        for number in range(count)
    ]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    assert case.start is not None
    seed = int(case.start.removeprefix("seed="))
    games = GamePlan(
        "checkers", "samuel", depth=depth, seed=seed, opening=OPENING, explored=EXPLORED
    )
    plan = LearningPlan(games, "td", PARAMETERS, test_rounds=0)
    genetic = GeneticParameters(population=POPULATION, generations=GENERATIONS, seed=seed)
    folder = cache_folder() / "feature-selection"
    folder.mkdir(parents=True, exist_ok=True)
    with SelectionStore(folder / f"checkers-{seed}-{depth}.db") as store:
        selection = FeatureSelection(
            plan, genetic, TRAINING_GAMES, PAIR_GAMES, store, local_executor(0)
        )
        evolved = selection.choose()
        chosen = selection.chosen_names(evolved.bits)
        figures: dict[str, float] = {"size": len(chosen)}
        for generation in evolved.generations:
            sizes = [int(bits.sum()) for bits in generation.individuals]
            figures[f"generation {generation.number + 1} size"] = sum(sizes) / len(sizes)
        for name in selection.names:
            figures[f"has {name}"] = float(name in chosen)
        figures |= score_choice(selection, chosen)
    return figures


def score_choice(selection: FeatureSelection, chosen: tuple[str, ...]) -> dict[str, float]:
    """Train the choice and its opponents anew, and let them play; return shares of points."""
    stream = Stream(selection.plan.games.seed).split("test")
    tests = GamePlan(
        "checkers",
        "samuel",
        depth=selection.plan.games.depth,
        seed=stream.below(1 << 62),
        opening=OPENING,
    )
    scores = dict.fromkeys(OPPONENTS, 0.0)
    for number in range(TRAININGS):
        subset = random_subset(stream, selection.names, len(chosen))
        mine = selection.train(chosen, f"test {number}, chosen")
        with GameQueue(local_executor(0), ()) as queue:
            for name, features in (
                (ALL, selection.names),
                (RANDOM, subset),
                (BY_HAND, NEURODRAUGHTS),
            ):
                other = selection.train(features, f"test {number}, {name}")
                first = number * TEST_GAMES
                score = match_score(tests, mine, other, TEST_GAMES, queue, first)
                scores[name] += score / TRAININGS
    return {f"score against {name}": score for name, score in scores.items()}


def random_subset(stream: Stream, names: tuple[str, ...], size: int) -> tuple[str, ...]:
    """Return some of the names, drawn at random without repetition."""
    left = list(names)
    drawn = {left.pop(stream.below(len(left))) for _ in range(size)}
    return tuple(name for name in names if name in drawn)


def _score(name: str) -> Callable[[Data], Estimate | None]:
    def estimate(data: Data) -> Estimate | None:
        found = data.mean(GENETIC, DEPTHS[0], f"score against {name}")
        return found and found.rescale(100)

    return estimate


def claims() -> list[Claim]:
    published = {
        ALL: "fewer features are enough",
        RANDOM: "the genetic algorithm chooses",
        BY_HAND: "LS-Draughts is better than NeuroDraughts",
    }
    return [
        Claim(
            f"nets over chosen features beat nets over {name}",
            published[name],
            f"share of points against {name}, both trained anew, depth {DEPTHS[0]}",
            MoreThan(50),
            _score(name),
            " %",
            "abstract and results",
            note="published for other features, more games and larger populations",
            samples="selections",
        )
        for name in OPPONENTS
    ]


def tables(data: Data) -> list[Table]:
    found = []
    for depth in data.depths:
        rows = []
        for name in OPPONENTS:
            score = data.mean(GENETIC, depth, f"score against {name}")
            rows.append((name, format_estimate(score and score.rescale(100), " %")))
        found.append(
            Table(("opponent", "points of the chosen features"), tuple(rows), f"Depth {depth}")
        )
        cases = data.cases(depth, (GENETIC,))
        picked = [
            (sum(data.row(GENETIC, depth, case)[f"has {name}"] for case in cases), name)
            for name in FEATURES
        ]
        picked.sort(key=lambda pair: -pair[0])
        found.append(
            Table(
                ("feature", f"chosen, of {len(cases)}"),
                tuple((name, f"{count:g}") for count, name in picked),
                f"What was chosen, depth {depth}",
            )
        )
    return found


def charts(data: Data) -> list[Chart]:
    points = [
        (number, data.mean(GENETIC, DEPTHS[0], f"generation {number} size"))
        for number in range(1, GENERATIONS + 1)
    ]
    return [
        Chart("sizes", "Features of the individuals of a generation, mean", "generation",
              "features", (Series.of(GENETIC, points),))
    ]  # fmt: skip


METHOD = f"""
A position is the seed of a selection here, and depth is that of all searches. An individual is a
subset of the {len(FEATURES)} features of the evaluation `samuel`. All nets have {len(FEATURES)}
inputs and 20 hidden units, so that they share one compiled search; the first-layer weights of
features that are not chosen are 0 and stay 0. A net learns from {TRAINING_GAMES} games against
itself by TD(λ) with λ = {PARAMETERS["trace"]} and a rate of {PARAMETERS["rate"]}. The fitness is
the share of points when all {POPULATION} nets of a generation play {PAIR_GAMES} games against each
other. The fittest individual of generation {GENERATIONS} is trained anew {TRAININGS} times, as are
nets over all features, over random subsets of the same size (another one each time), and over the
{len(NEURODRAUGHTS)} features that Lynch chose by hand; each training plays {TEST_GAMES} games
against each of them. The fitness of every generation is stored in the folder of
compiled code, so that an interrupted selection resumes. Scaled down are population, generations,
games of a training, and the depth.
"""

THREATS = """
Four games between two nets say little, so the fittest individual is partly a lucky one; the test
trains it anew for this reason. A net with masked inputs has as many hidden units as one over all
features. With three selections intervals are wide.
"""
