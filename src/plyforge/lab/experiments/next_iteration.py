"""What an iteration tells about the next: its best move, its nodes, and its first move."""

import math
from statistics import median

from plyforge.engine import Engine
from plyforge.game.game import History
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
    format_estimate,
    mixed_cases,
    open_engine,
)
from plyforge.lab.experiments._pooled import percent, pooled_pairs
from plyforge.match.tables import Table
from plyforge.search.values import next_above

TITLE = "What an iteration tells about the next one"
SOURCE = "Kishimoto and Müller, tutorial on alpha-beta"
QUESTION = (
    "Is the best move of an iteration the best of the next one, how well do past iterations predict"
    " the cost of the next, and is its first move by far the slowest?"
)
DEFAULTS = "2026"
GAMES = {"chess": 12, "checkers": 12, "othello": 10, "connect4": 8}
"""Games, and the number of random moves before a position."""
GROUPS = tuple(GAMES)
POSITIONS = 60 * len(GROUPS)
DEPTHS = (5, 6, 7, 8, 9, 10)
QUICK = (2 * len(GROUPS), (4, 5))
MAX_DEPTHS = {"chess": 6, "checkers": 10, "othello": 8, "connect4": 10}
METRICS = (("kept", "the best move is that of the iteration before"),
           ("kept_two", "the best move is that of two iterations before"),
           ("nodes", "nodes"), ("by_growth", "predicted by the last growth"),
           ("by_parity", "predicted by the growth of the same parity"),
           ("by_two", "predicted by the growth over two iterations"),
           ("first_move", "nodes of the first move"),
           ("other_moves", "nodes of another move"))  # fmt: skip
PREDICTORS = {
    "by_growth": "the last growth repeats",
    "by_parity": "the last growth but one repeats",
    "by_two": "the mean growth of the last two repeats",
}
SEARCH = "PVS, deepening by 1"


def variations() -> list[Variation]:
    return [Variation(SEARCH, settings={"depth-step": 1})]


def cases(seed: int, count: int) -> list[Case]:
    return mixed_cases(GAMES, seed, count)


def wanted(number: int, variation: Variation, depth: int) -> bool:
    return depth <= MAX_DEPTHS[GROUPS[number % len(GROUPS)]]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    engine, history = open_engine(case, variation)
    moves: list[int] = []
    result = engine.analyse(history, depth=depth, report=lambda info: moves.append(info.move))
    figures = {"value": result.score, "nodes": float(result.steps[-1].nodes)}
    nodes = [float(step.nodes) for step in result.steps]
    if result.depth < depth:  # a forced win ended it
        return figures
    figures |= {
        "kept": float(moves[-1] == moves[-2]),
        "kept_two": float(moves[-1] == moves[-3]),
        **predictions(nodes),
    }
    first, others = root_move_nodes(engine, history, depth)
    return figures | ({"first_move": first, "other_moves": others} if others else {})


def predictions(nodes: list[float]) -> dict[str, float]:
    """Return what earlier iterations predict for the nodes of the last one.

    >>> predictions([1.0, 4.0, 8.0, 32.0, 64.0])
    {'by_growth': 128.0, 'by_parity': 64.0, 'by_two': 90.50966799187809}
    """
    one, two, three = nodes[-2], nodes[-3], nodes[-4]
    return {
        "by_growth": one * one / two,
        "by_parity": one * two / three,
        "by_two": one * math.sqrt(one / three),
    }


def root_move_nodes(engine: Engine, history: History, depth: int) -> tuple[float, float]:
    """Return the nodes of the first root move of an iteration, and the mean of the others.

    The iterations before it fill the table; then the moves are searched one by one, as in principal
    variation search: the last best move with a full window, the others with a null window, and
    again if they are better.
    """
    engine.clear()
    best = engine.analyse(history, depth=depth - 1).move
    searcher = engine.searcher
    searcher.reset_stop()

    def search(move: int, low: float, high: float) -> tuple[float, int]:
        searcher.reset_counts()
        result = searcher.search(engine.request(history, low, high, depth, [move]))
        return result.value, searcher.counts.nodes

    value, first = search(best, -math.inf, math.inf)
    others = []
    for move in history.legal_moves():
        if move == best:
            continue
        score, nodes = search(move, value, next_above(value))
        if score > value:
            value, more = search(move, value, math.inf)
            nodes += more
        others.append(nodes)
    return float(first), sum(others) / len(others) if others else 0.0


def claims() -> list[Claim]:
    where = ", ".join(f"{game} {depth}" for game, depth in MAX_DEPTHS.items())
    where = f"all games at their depths ({where})"
    return [
        Claim(
            "The best move of an iteration is likely good in the next",
            "likely good in the next",
            f"positions whose best move is that of the iteration before, {where}",
            MoreThan(50),
            lambda data: _kept(data, MAX_DEPTHS),
            " %",
            "Iterative Deepening; Transposition Table (TT)",
            "Buro and Tuero 2024",
        ),
        Claim(
            "In draughts the best move for depth d is possibly the best for depth d + 1",
            "possibly the best movement",
            f"positions whose best move is that of the iteration before, checkers, depth"
            f" {MAX_DEPTHS['checkers']}",
            MoreThan(50),
            lambda data: _kept(data, {"checkers": MAX_DEPTHS["checkers"]}),
            " %",
            "section 5",
            "Duarte, Otsuka and Julia 2009",
        ),
        Claim(
            "It can be predicted whether another iteration can be completed",
            "try to predict",
            "mean factor between predicted and actual nodes of an iteration, prediction by the last"
            f" growth but one, {where}",
            LessThan(2),
            lambda data: mean_factor(data.without_forced_wins(), MAX_DEPTHS, "by_parity"),
            "",
            "Iterative Deepening and Time Control",
            note="a prediction is taken as useful if it is within a factor of two on average",
        ),
        Claim(
            "The first move of an iteration is by far the slowest",
            "by far the slowest",
            f"nodes of the first root move over the mean of the others, {where}",
            MoreThan(2),
            lambda data: pooled_pairs(
                data.without_forced_wins(),
                MAX_DEPTHS,
                (SEARCH, SEARCH),
                lambda row, _: (row["first_move"], row["other_moves"]),
                ("first_move", "other_moves"),
            ),
            "",
            "Iterative Deepening and Time Control",
        ),
    ]


def _kept(data: Data, depths: dict[str, int], metric: str = "kept") -> Estimate | None:
    """Return the percentage of positions with the best move of an earlier iteration."""
    data = data.without_forced_wins()
    kept: dict[int, bool] = {}
    for game, depth in depths.items():
        part = data.part(game)
        cases = part.cases(depth, (SEARCH,), (metric,))
        if not cases:
            return None
        kept |= {case: bool(part.row(SEARCH, depth, case)[metric]) for case in cases}
    return percent(data.share_of(kept))


def mean_factor(data: Data, depths: dict[str, int], predictor: str) -> Estimate | None:
    """Return the mean factor by which a prediction is too high or too low."""
    factors = {}
    for game, depth in depths.items():
        part = data.part(game)
        cases = part.cases(depth, (SEARCH,), (predictor, "nodes"))
        if not cases:
            return None
        for case in cases:
            row = part.row(SEARCH, depth, case)
            factors[case] = max(row[predictor] / row["nodes"], row["nodes"] / row[predictor])
    return data.mean_of(factors)


def tables(data: Data) -> list[Table]:
    data = data.without_forced_wins()
    moves, factors = [], []
    for game, depth in MAX_DEPTHS.items():
        part, label = data.part(game), f"{game}, depth {depth}"
        figures = (
            _kept(data, {game: depth}),
            _kept(data, {game: depth}, "kept_two"),
            part.per(SEARCH, depth, "first_move", "other_moves"),
        )
        moves.append((label, *map(format_estimate, figures)))
        found = [mean_factor(data, {game: depth}, name) for name in PREDICTORS]
        factors.append((label, *map(format_estimate, found), _medians(part, depth)))
    headings = ("", "best move of d - 1 (%)", "of d - 2 (%)", "first root move / another")
    predicted = ("", *PREDICTORS.values(), "predicted / actual, medians")
    title = "Mean factor between predicted and actual nodes of the last iteration"
    return [
        Table(headings, tuple(moves), "The best move of earlier iterations, and the first move"),
        Table(predicted, tuple(factors), title),
    ]


def _medians(part: Data, depth: int) -> str:
    """Return the median of predicted over actual nodes, for each predictor."""
    cases = part.cases(depth, (SEARCH,), tuple(PREDICTORS))
    rows = [part.row(SEARCH, depth, case) for case in cases]
    medians = [median(row[name] / row["nodes"] for row in rows) for name in PREDICTORS if rows]
    return ", ".join(f"{value:.2f}" for value in medians)


def charts(data: Data) -> list[Chart]:
    data = data.without_forced_wins()
    kept, errors = [], []
    for game in GAMES:
        part = data.part(game)
        kept.append(Series.of(game, [(d, _kept(data, {game: d})) for d in part.depths]))
        points = [(d, mean_factor(data, {game: d}, "by_parity")) for d in part.depths]
        errors.append(Series.of(game, points))
    return [
        Chart("kept", "Positions whose best move is that of the iteration before",
              "search depth (plies)", "positions (%)", tuple(kept)),
        Chart("prediction", "How well the last growth but one predicts the nodes of an iteration",
              "search depth (plies)", "factor between predicted and actual nodes (1 = exact)",
              tuple(errors), origin=1.0),
    ]  # fmt: skip


METHOD = """
Positions after a few random moves, one of each random game, searched by principal variation search
with each game's enhancements of 2026, iterative deepening by 1 and an empty table of 2^20 entries.
Nodes stand for time, so that the figures can be found again. The document gives no way to predict;
three are measured: the growth of the last iteration repeats, that of the one before repeats (even
and odd depths differ), and the mean of both. The one to be judged is the second. The nodes of root
moves come from searching them one by one, as principal variation search does, after the iterations
before have filled the table; moves after the first are in the order of the rules. Positions with a
forced win in reach are left out.
"""
THREATS = """
The order of the other root moves matters little for their mean, but a better one would raise fewer
second searches. Positions after random moves may change their best move more often than those of
real games.
"""
