"""The branching factor of chess, that of alpha-beta, and the depth it gains."""

import math
from functools import cache
from itertools import pairwise

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Equals,
    Estimate,
    Series,
    Variation,
    format_estimate,
    open_engine,
)
from plyforge.lab.experiments._comparisons import growth_per_ply
from plyforge.lab.experiments._pooled import percent
from plyforge.lab.measuring import search_figures
from plyforge.lab.played_games import play_game
from plyforge.match.tables import Table

TITLE = "Chess: from 36 moves to 6, and twice the depth"
SOURCE = "Buro and Tuero 2024, lecture notes"
QUESTION = (
    "Does alpha-beta with a good order of moves reduce the branching factor of chess to its square"
    " root, and does it search twice as deep as minimax with the same leaves?"
)
DEFAULTS = "2026"
RANDOM_PLIES, PLIES, PLAY_DEPTH = 6, 30, 2
"""Games start with random moves, and are played on by searches of this depth to these plies."""
POSITIONS = 60
DEPTHS = (2, 3, 4, 5, 6, 7, 8)
QUICK = (3, (2, 3, 4, 5))
METRICS = (("moves", "moves"), ("leaves", "leaves"), ("last_leaves", "leaves, last iteration"))
MINIMAX_DEPTH, GROWTH_DEPTH = 4, 8
"""The depth of minimax whose leaves are given to alpha-beta, and that at which growth is judged."""

MINIMAX, PLAIN, GOOD = "minimax", "alpha-beta", "alpha-beta, good order"
_PLAYER = Variation("player", defaults=DEFAULTS)


def variations() -> list[Variation]:
    """Return searches without null windows, as the claim is about alpha-beta."""
    return [
        Variation(MINIMAX, "minimax", off=("all",)),
        Variation(PLAIN, "alphabeta", off=("all",)),
        Variation(GOOD, "alphabeta", settings={"depth-step": 1}),
    ]


def cases(seed: int, count: int) -> list[Case]:
    return [_play(seed, number) for number in range(count)]


@cache
def _play(seed: int, number: int) -> Case:
    return play_game("chess", RANDOM_PLIES, PLIES, _PLAYER, PLAY_DEPTH, seed, number)


def wanted(number: int, variation: Variation, depth: int) -> bool:
    limits = {MINIMAX: MINIMAX_DEPTH, PLAIN: MINIMAX_DEPTH + 1}
    return depth <= limits.get(variation.name, depth)


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    engine, history = open_engine(case, variation)
    moves, before = len(history.legal_moves()), 0
    if variation.name == GOOD:
        before = engine.analyse(history, depth=depth - 1).counts.leaves
        engine.clear()
    figures = search_figures(engine.analyse(history, depth=depth))
    return {**figures, "moves": moves, "last_leaves": figures["leaves"] - before}


def claims() -> list[Claim]:
    return [
        Claim(
            "A chess position has about 36 moves",
            "about 36",
            f"moves of positions after {PLIES} plies",
            Equals(36, 3.6),
            lambda data: data.mean(MINIMAX, DEPTHS[0], "moves"),
            "",
            "Impact",
            note="the margin is 10 %",
        ),
        Claim(
            "With a good order alpha-beta's effective branching factor in chess is about 6",
            "about 6",
            "growth of leaves per ply, last iterations of depths"
            f" {GROWTH_DEPTH} and {GROWTH_DEPTH - 2}",
            Equals(6, 0.6),
            effective_branching,
            "",
            "Impact",
            note="the margin is 10 %; the table saves leaves besides ordering moves",
        ),
        Claim(
            "With the same number of leaves alpha-beta searches about twice as deep as minimax",
            "roughly doubled",
            f"depth that alpha-beta reaches with the leaves of minimax at depth {MINIMAX_DEPTH},"
            " all iterations, over that depth",
            Equals(2, 0.2),
            depth_gain,
            "",
            "Impact",
            note="the margin is 10 %",
        ),
    ]


def effective_branching(data: Data) -> Estimate | None:
    """Return the growth of leaves per ply, over two plies."""
    return growth_per_ply(data.without_forced_wins(), GOOD, GROWTH_DEPTH, "last_leaves")


def depth_gain(data: Data) -> Estimate | None:
    """Return how many times as deep as minimax alpha-beta searches with the same leaves."""
    data = data.without_forced_wins()
    gains = {}
    for case in data.cases(MINIMAX_DEPTH, (MINIMAX,)):
        leaves = {d: data.row(GOOD, d, case)["leaves"] for d in data.depths
                  if case in data.cases(d, (GOOD,))}  # fmt: skip
        depth = depth_for(leaves, data.row(MINIMAX, MINIMAX_DEPTH, case)["leaves"])
        if depth is not None:
            gains[case] = depth / MINIMAX_DEPTH
    return data.mean_of(gains) if gains else None


def depth_for(leaves: dict[int, float], budget: float) -> float | None:
    """Return the depth that a number of leaves reaches, between depths on a logarithmic scale.

    >>> depth_for({2: 10.0, 3: 100.0, 4: 1000.0}, 316.2277660168379)
    3.5
    """
    depths = sorted(leaves)
    for low, high in pairwise(depths):
        if leaves[low] <= budget <= leaves[high]:
            span = math.log(leaves[high] / leaves[low])
            return low + (high - low) * (math.log(budget / leaves[low]) / span if span else 0.0)
    return None


def tables(data: Data) -> list[Table]:
    data = data.without_forced_wins()
    rows = []
    for depth in data.depths:
        cells = [
            "" if one is None else format_estimate(one)
            for one in (data.mean(name, depth, "leaves") for name in (MINIMAX, PLAIN, GOOD))
        ]
        share = percent(data.ratio(GOOD, MINIMAX, depth, "leaves"))
        rows.append((str(depth), *cells, "" if share is None else format_estimate(share)))
    headings = ("depth", "minimax", "alpha-beta, order of the rules", "good order, all iterations",
                "good order (% of minimax)")  # fmt: skip
    return [Table(headings, tuple(rows), "Leaves in chess")]


def charts(data: Data) -> list[Chart]:
    data = data.without_forced_wins()
    lines = [
        Series.of(name, [(d, data.mean(name, d, "leaves")) for d in data.depths])
        for name in (MINIMAX, PLAIN, GOOD)
    ]
    x = tuple(float(depth) for depth in data.depths)
    theory = [
        Series("36^d", x, tuple(36**depth for depth in x), published=True),
        Series("2 · 6^d", x, tuple(2 * 6**depth for depth in x), published=True),
    ]
    return [
        Chart("leaves", f"Leaves in chess, positions after {PLIES} plies", "search depth (plies)",
              "leaves of all iterations", (*lines, *theory), log_y=True)
    ]  # fmt: skip


METHOD = f"""
Games of chess start with {RANDOM_PLIES} random moves, are played on by searches of depth
{PLAY_DEPTH}, and give one position each, after {PLIES} plies. Good order is that of our search: the
table's move, captures, killers and history, after iterative deepening by 1, with the defaults of
2026 and a table of 2^20 entries, but without null windows. Growth is that of the last iteration
over the one two plies before it, because even and odd depths differ, and its square root is taken
at each position. The depth that alpha-beta reaches is found between two depths on a logarithmic
scale. Positions with a forced win in reach are left out.
"""
THREATS = """
Cutoffs by transpositions and enhanced transposition cutoffs make the tree smaller than the minimal
tree of a pure alpha-beta, so the effective branching factor may be below the square root. Positions
of weak games may have more or fewer moves than those of masters.
"""
