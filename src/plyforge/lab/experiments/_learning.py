"""What experiments on learning share: a training from a seed, test games, and solved positions."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final

import numpy as np

from plyforge.core.randomness import Stream
from plyforge.engine import Engine
from plyforge.engine.solve import solve
from plyforge.games import load
from plyforge.jobs.database import IN_MEMORY
from plyforge.jobs.local import local_executor
from plyforge.jobs.user_files import content_digest, game_file_path
from plyforge.lab.cases import Case, random_game, tree_seed
from plyforge.lab.claims import format_estimate
from plyforge.lab.data import Data
from plyforge.lab.statistics import Estimate
from plyforge.learn.games import GamePlan, GameQueue, match_score
from plyforge.learn.inputs import Reals
from plyforge.learn.methods import find_method
from plyforge.learn.model import GameModel
from plyforge.learn.plan import ZERO, LearningPlan
from plyforge.learn.runs import LearningRun
from plyforge.learn.store import LearningStore
from plyforge.match.tables import Table

CHECKERS, CONNECT4 = "checkers", "connect4:5x4"
GAMES: Final = (CHECKERS, CONNECT4)
RATES: Final = {CHECKERS: 0.03, CONNECT4: 0.01}
"""The step sizes, for predictions of values in units of their scale."""
OPENING: Final = {CHECKERS: 6, CONNECT4: 4}
TRAINING_GAMES: Final = 300
TEST_GAMES: Final = 100
EXPLORED: Final = 10
"""While training, one move in this many is random."""
SOLVED: Final = 60
"""The number of solved positions for each training."""
MIN_PLIES, MAX_PLIES = 4, 12
"""After how many random moves solved positions come."""


def files_digest(game_file: str, names: Iterable[str]) -> str:
    """Return a digest of files of weights beside a game, so that runs with others are not mixed.

    A file that is missing is reported when a game or a search needs it.
    """
    paths = [game_file_path(game_file, name) for name in names]
    return content_digest(b"".join(path.read_bytes() for path in paths if path.is_file()))


def training_cases(seed: int, count: int) -> list[Case]:
    """Return a seed for each training; games alternate."""
    return [
        Case(
            GAMES[number % len(GAMES)],
            start=f"seed={tree_seed(seed, number // len(GAMES))}",
            label=f"training {number // len(GAMES) + 1}",
        )
        for number in range(count)
    ]


def seed_of(case: Case) -> int:
    """Return the seed of a training."""
    assert case.start is not None
    return int(case.start.removeprefix("seed="))


def measure_training(
    case: Case, depth: int, method: str, parameters: dict[str, float]
) -> dict[str, float]:
    """Learn the weights of the game's evaluation from 0, and test them.

    `score` is the share of points against the hand weights, at the same depth; `error` the mean
    error of predictions in solved positions, where a win is 1 and a loss -1; `hand_error` that of
    the hand weights.
    """
    games = GamePlan(
        case.game,
        depth=depth,
        seed=seed_of(case),
        opening=OPENING[case.game],
        explored=EXPLORED,
        lines=find_method(method).needs_lines,
    )
    values = {"rate": RATES[case.game], **parameters}
    plan = LearningPlan(games, method, values, start=ZERO, test_rounds=0)
    with LearningStore(IN_MEMORY) as store:
        run = LearningRun(plan, store, "training", local_executor(0))
        for _ in run.run(TRAINING_GAMES):
            pass
    model, weights = run.model, run.weights
    tests = GamePlan(
        case.game,
        depth=depth,
        seed=Stream(seed_of(case)).split("test games").below(1 << 62),
        opening=OPENING[case.game],
    )
    with GameQueue(local_executor(0), ()) as queue:
        score = match_score(tests, weights, model.start, TEST_GAMES, queue)
    figures = {"score": score, "loss": run.state.round.loss or 0.0}
    if case.game == CONNECT4:
        positions, truth = solved_positions(seed_of(case))
        figures["error"] = prediction_error(model, weights, positions, truth)
        figures["hand_error"] = prediction_error(model, model.start, positions, truth)
    return figures


def prediction_error(
    model: GameModel, weights: Reals, positions: tuple[Any, ...], truth: Reals
) -> float:
    """Return the mean distance of predictions, as results from -1 to 1, from the truth."""
    prediction = model.prediction
    found = model.predictions(weights, model.read(positions))
    span = prediction.maximum - prediction.minimum
    results = 2.0 * (found - prediction.minimum) / span - 1.0
    return float(np.mean(np.abs(results - truth)))


@lru_cache(maxsize=16)
def solved_positions(seed: int) -> tuple[tuple[Any, ...], Reals]:
    """Return positions of random games, and the result of perfect play in each."""
    engine = _solver()
    stream = Stream(seed).split("solved positions")
    positions: list[Any] = []
    truth: list[float] = []
    while len(positions) < SOLVED:
        plies = MIN_PLIES + stream.below(MAX_PLIES - MIN_PLIES + 1)
        moves = random_game(engine.game, plies, stream)
        if moves is None:
            continue
        history = engine.game.history()
        for move in moves:
            history.play(move)
        engine.clear()
        value = solve(engine, history).value
        assert value is not None
        positions.append(history.position)
        truth.append(float(np.sign(value)))
    return tuple(positions), np.array(truth)


@lru_cache(maxsize=1)
def _solver() -> Engine:
    return Engine(load(CONNECT4), preset="exact", entries=1 << 18)


# Reports


def difference(
    data: Data, game: str, name: str, other: str, metric: str, depth: int
) -> Estimate | None:
    """Return the mean difference of a figure between two configurations, paired by training."""
    part = data.part(game)
    return part.difference_of(
        {
            case: part.row(name, depth, case)[metric] - part.row(other, depth, case)[metric]
            for case in part.cases(depth, (name, other), (metric,))
        }
    )


def points_difference(
    game: str, name: str, other: str, depth: int
) -> Callable[[Data], Estimate | None]:
    """Return a function for the difference of scores, in percent."""

    def estimate(data: Data) -> Estimate | None:
        found = difference(data, game, name, other, "score", depth)
        return found and found.rescale(100)

    return estimate


def learning_tables(data: Data, heading: str) -> list[Table]:
    """Return a table of scores and errors for each game and depth."""
    found = []
    for game in GAMES:
        part = data.part(game)
        for depth in part.depths:
            headings: tuple[str, ...] = (heading, "points against the hand weights")
            if game == CONNECT4:
                headings += ("error in solved positions", "error of the hand weights")
            rows = []
            for name in part.variations_at(depth):
                score = part.mean(name, depth, "score")
                cells = [format_estimate(score and score.rescale(100), " %")]
                if game == CONNECT4:
                    errors = ("error", "hand_error")
                    cells += [format_estimate(part.mean(name, depth, error)) for error in errors]
                rows.append((name, *cells))
            found.append(Table(headings, tuple(rows), f"{game}, depth {depth}"))
    return found


TEST_METHOD: Final = f"""
A position is the seed of a training here, and depth is that of all searches. The weights of the
game's own evaluation start at 0 and learn from {TRAINING_GAMES} games against themselves, with
{OPENING[CHECKERS]} random moves at the start in checkers and {OPENING[CONNECT4]} in connect four
on a board of 5 columns and 4 rows; later one move in {EXPLORED} is random. The step size is
{RATES[CHECKERS]:g} in checkers and {RATES[CONNECT4]:g} in connect four. Then they play
{TEST_GAMES} games against the hand weights at the same depth, in pairs with one random opening. In
connect four {SOLVED} positions after {MIN_PLIES} to {MAX_PLIES} random moves are solved, and
predictions, on a scale from -1 to 1, are compared with the results of perfect play.
"""
