# ruff: noqa: N999 (a module that is loaded by name may be called like a keyword)
"""How far errors should reach back: strength by λ with equal numbers of games."""

from collections.abc import Callable
from typing import Final

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    LessThan,
    MoreThan,
    Series,
    Variation,
)
from plyforge.lab.experiments._learning import (
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

TITLE = "TD(λ): strength by λ with equal numbers of games"
SOURCE = "Sutton 1988, Learning to predict by the methods of temporal differences"
QUESTION = "Which λ learns the best evaluation from a given number of games?"
GROUPS = GAMES
POSITIONS = 20 * len(GAMES)
DEFAULTS = "2026"
DEPTHS = (2,)
QUICK = (len(GAMES), (1,))
METRICS = (("score", "share of points"), ("error", "error in solved positions"))
TRACES: Final = (0.0, 0.3, 0.6, 0.8, 0.9, 1.0)
MIDDLE: Final = 0.8
"""The λ between the extremes that is judged."""


def name_of(trace: float) -> str:
    return f"λ = {trace:g}"


def variations() -> list[Variation]:
    return [Variation(name_of(trace), extra={"trace": trace}) for trace in TRACES]


def cases(seed: int, count: int) -> list[Case]:
    return training_cases(seed, count)


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    return measure_training(case, depth, "td", {"trace": variation.extra["trace"]})


def claims() -> list[Claim]:
    found = []
    for end, why in ((0.0, "one step"), (1.0, "the result alone")):
        for game in GAMES:
            found.append(
                Claim(
                    f"{game}: λ = {MIDDLE:g} is stronger than λ = {end:g}, which learns from {why}",
                    "the best λ is between 0 and 1",
                    f"{game}: share of points against the hand weights, λ = {MIDDLE:g} minus"
                    f" λ = {end:g}, depth {DEPTHS[0]}",
                    MoreThan(0),
                    points_difference(game, name_of(MIDDLE), name_of(end), DEPTHS[0]),
                    " %",
                    "section 3.2, figure 4",
                    note="published for random walks, not for games",
                    samples="trainings",
                )
            )
        found.append(
            Claim(
                f"connect four: λ = {MIDDLE:g} predicts better than λ = {end:g}",
                "the best λ is between 0 and 1",
                f"mean error in solved positions, λ = {MIDDLE:g} minus λ = {end:g}, depth"
                f" {DEPTHS[0]}",
                LessThan(0),
                _error(name_of(end)),
                place="section 3.2, figure 4",
                note="published for random walks, not for games",
                samples="trainings",
            )
        )
    return found


def _error(other: str) -> Callable[[Data], Estimate | None]:
    return lambda data: difference(data, CONNECT4, name_of(MIDDLE), other, "error", DEPTHS[0])


def tables(data: Data) -> list[Table]:
    return learning_tables(data, "λ")


def charts(data: Data) -> list[Chart]:
    def line(game: str, metric: str, scale: float) -> Series:
        part, points = data.part(game), []
        for trace in TRACES:
            mean = part.mean(name_of(trace), DEPTHS[0], metric)
            points.append((trace, mean and mean.rescale(scale)))
        return Series.of(game, points)

    return [
        Chart("score", f"Points against the hand weights after {TRAINING_GAMES} games", "λ",
              "points (%)", tuple(line(game, "score", 100.0) for game in GAMES)),
        Chart("error", f"Error in solved positions after {TRAINING_GAMES} games", "λ",
              "mean error", (line(CONNECT4, "error", 1.0),)),
    ]  # fmt: skip


METHOD = f"""{TEST_METHOD}
All λ have the same step size and the same seeds; weights change after each game.
"""

THREATS = """
One step size serves every λ. With a large λ the changes of a game are larger, so the best step size
is smaller; what is measured is λ at this step size, not λ at its best one. The evaluations are sums
of a few features; nets may learn otherwise. Hand weights are a fixed opponent, so a score is not
a rating.
"""
