"""Learning at positions, at leaves of searches, and from searches, with equal numbers of games."""

from typing import Final

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    LessThan,
    MoreThan,
    Series,
    Variation,
)
from plyforge.lab.experiments._learning import (
    CHECKERS,
    CONNECT4,
    GAMES,
    TEST_METHOD,
    TRAINING_GAMES,
    difference,
    learning_tables,
    measure_training,
    points_difference,
    training_cases,
)
from plyforge.match.tables import Table

TITLE = "TD(λ), TDLeaf(λ) and TD(root) with equal numbers of games"
SOURCE = "Baxter, Tridgell and Weaver 1998, TDLeaf(λ)"
QUESTION = (
    "Is an evaluation stronger if it learns at the leaves of searches instead of at the positions"
    " of games, or from the values of searches?"
)
DEFAULTS = "2026"
GROUPS = GAMES
POSITIONS = 30 * len(GAMES)
DEPTHS = (2,)
QUICK = (len(GAMES), (1,))
METRICS = (("score", "share of points"), ("error", "error in solved positions"))
TRACE: Final = 0.7

TD, TDLEAF, ROOT = "TD(λ)", "TDLeaf(λ)", "TD(root)"
METHODS: Final = {TD: "td", TDLEAF: "tdleaf", ROOT: "td-root"}


def variations() -> list[Variation]:
    return [Variation(name) for name in METHODS]


def cases(seed: int, count: int) -> list[Case]:
    return training_cases(seed, count)


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    parameters = {} if variation.name == ROOT else {"trace": TRACE}
    return measure_training(case, depth, METHODS[variation.name], parameters)


def claims() -> list[Claim]:
    metric = f"share of points against the hand weights, '{TDLEAF}' minus '{TD}', depth {DEPTHS[0]}"
    stronger = [
        Claim(
            f"{game}: learning at leaves gives a stronger evaluation",
            "TDLeaf(λ) is for use with a search",
            f"{game}: {metric}",
            MoreThan(0),
            points_difference(game, TDLEAF, TD, DEPTHS[0]),
            " %",
            "abstract",
            samples="trainings",
        )
        for game in GAMES
    ]
    return [
        *stronger,
        Claim(
            "connect four: learning at leaves predicts results less well without a search",
            "TDLeaf(λ) is for use with a search",
            f"mean error in solved positions, '{TDLEAF}' minus '{TD}', depth {DEPTHS[0]}",
            MoreThan(0),
            lambda data: difference(data, CONNECT4, TDLEAF, TD, "error", DEPTHS[0]),
            place="abstract",
            note="a reading of ours: the positions of games are not what it learns about",
            samples="trainings",
        ),
        Claim(
            "checkers: values of searches alone teach less than results",
            "the program learns from its look-ahead",
            "checkers: share of points against the hand weights, TD(root) minus TD(λ), depth"
            f" {DEPTHS[0]}",
            LessThan(0),
            points_difference(CHECKERS, ROOT, TD, DEPTHS[0]),
            " %",
            "Learning procedure involving generalizations",
            "Samuel 1959",
            "from weights of 0, wins that the search sees are its only lessons",
            samples="trainings",
        ),
    ]


def tables(data: Data) -> list[Table]:
    return learning_tables(data, "method")


def charts(data: Data) -> list[Chart]:
    names = tuple(METHODS)
    series = []
    for game in GAMES:
        part = data.part(game)
        points = []
        for number, name in enumerate(names):
            score = part.mean(name, DEPTHS[0], "score")
            points.append((number, score and score.rescale(100)))
        series.append(Series.of(game, points))
    return [
        Chart("score", f"Points against the hand weights after {TRAINING_GAMES} games", "method",
              "points (%)", tuple(series), x_names=names, origin=50.0)
    ]  # fmt: skip


METHOD = f"""{TEST_METHOD}
λ is {TRACE}, and all methods have the same step size and the same seeds.
"""

THREATS = """
One step size and one λ serve all methods, and others may suit them better. The evaluations are sums
of a few features; nets may learn otherwise. The games of TDLeaf(λ) are played by a search without
a table, which chooses among equal moves in another way. Hand weights are a fixed opponent, so a
score is not a rating.
"""
