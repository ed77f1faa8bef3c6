"""Minimax and alpha-beta at depth 4, for positions of two to ten stones (Koneru, Table 1)."""

import math
from collections.abc import Sequence
from functools import cache, lru_cache, partial
from itertools import chain, zip_longest
from typing import Any

from plyforge.core.randomness import Stream
from plyforge.core.scores import ONGOING
from plyforge.games import load
from plyforge.games.andantino.evaluation import variation as evaluation_variant
from plyforge.games.andantino.rules import Position, symmetries
from plyforge.lab import Case, Chart, Claim, Data, Estimate, Exactly, Series, Variation, open_engine
from plyforge.lab.experiments._andantino_openings import ANY_PARITY, GAME, class_of
from plyforge.lab.experiments._koneru_program import WHITE_BEST_BLACK_WORST, OrderedView
from plyforge.match.tables import Table
from plyforge.search.textbook import alpha_beta

TITLE = "Minimax against alpha-beta in Andantino"
SOURCE = "Koneru, Alpha Beta Search on Andantino, Table 1"
QUESTION = """
Do positions of Andantino have the published numbers of nodes at depth 4, and is there one order of
moves with which alpha-beta visits the published numbers?
"""
DEFAULTS = "2026"
DEPTHS = (4,)
CLASSES = {2: 1, 4: 2, 6: 21, 8: 344, 10: 5872}
"""The number of classes of unfinished positions, by stones on the board."""
STONES = tuple(CLASSES)
ALIKE = 4
"""Up to this number of stones, all positions have the same number of nodes."""
POSITIONS = sum(CLASSES.values())
QUICK = (66, DEPTHS)
MINIMAX = {2: 305, 4: 1649, 6: 3283, 8: 7405, 10: 11307}
ALPHA_BETA = {2: 77, 4: 231, 6: 353, 8: 975, 10: 2343}
"""The published counts, by stones on the board."""
REDUCTION = {2: 74, 4: 86, 6: 89, 8: 87, 10: 79}
"""The published reductions, in percent."""

FULL, GENERATION, EVALUATION = "minimax", "order of generation", "order of evaluation"
WALLS = "order of evaluation, walls from four on"
KILLERS, KONERU = "wins, killers, evaluation", "preset koneru"
REBUILT = "order of the reconstruction of Table 2"
_FULL = Variation(FULL, "minimax", off=("all",), defaults=DEFAULTS)


def cases(seed: int, count: int) -> list[Case]:
    """Return one position of each class, alternating between numbers of stones."""
    layers = []
    for stones, texts in _layers(STONES[: max(count, 1)][-1]).items():
        layer = [Case(GAME, start=text, label=f"{stones} stones") for text in texts]
        Stream(seed).split(f"{stones} stones").shuffle(layer)
        layers.append(layer)
    turns = chain.from_iterable(zip_longest(*layers))
    return [case for case in turns if case is not None][:count]


@cache
def _layers(max_stones: int) -> dict[int, list[str]]:
    """Return a position of every class, by the number of stones."""
    game, level, layers = load(GAME), [load(GAME).initial()], {}
    for stones in range(2, max_stones + 1):
        level = _classes(level)
        if stones in STONES:
            layers[stones] = [game.text(position) for position in level]
    return layers


def _classes(level: Sequence[Position]) -> list[Position]:
    """Return the unfinished positions with one stone more, one of each class."""
    game, classes = load(GAME), dict[tuple[Any, ...], Position]()
    for position in level:
        for move in game.moves(position):
            child = game.play(position, move)
            if game.outcome(child) == ONGOING:
                classes.setdefault(class_of(child), child)
    return list(classes.values())


def variations() -> list[Variation]:
    by_value = {"child-eval-depth": 1}
    walls = evaluation_variant(WALLED_FOUR=1, WALLED_FIVE=1, CELLS_TO_WIN=0, CELLS_TO_HAVE_WON=0)
    return [
        _FULL,
        Variation(GENERATION, "alphabeta", off=("all",)),
        Variation(EVALUATION, "alphabeta", off=("all",), on=("child-eval",), settings=by_value),
        Variation(
            *(WALLS, "alphabeta"),
            off=("all",),
            on=("child-eval",),
            settings=by_value,
            evaluation=walls,
        ),
        Variation(
            KILLERS,
            "alphabeta",
            "koneru",
            off=("table", "table-move", "deepening"),
            settings=ANY_PARITY,
        ),
        Variation(KONERU, "alphabeta", "koneru", settings=ANY_PARITY),
        Variation(REBUILT, extra={"signs": WHITE_BEST_BLACK_WORST}),
    ]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Return counts as printed: 1 + 2 · nodes below the root.

    Alpha-beta searches only positions that may be the published one, in their twelve views. A view
    changes only the order in which moves are generated.
    """
    stones, full = _full_tree(case, depth)
    if variation.name == FULL:
        return {"stones": stones, "printed": full}
    if full != MINIMAX[stones]:
        return {"stones": stones}
    counts = _alpha_beta(case, variation, depth)
    published = ALPHA_BETA[stones]
    return {
        "stones": stones,
        "printed": sum(counts) / len(counts),
        "least": min(counts),
        "most": max(counts),
        "nearest": min(counts, key=lambda number: abs(number - published)),
        "equal": counts.count(published),
        "views": len(counts),
    }


def _alpha_beta(case: Case, variation: Variation, depth: int) -> list[int]:
    """Return the nodes of alpha-beta as printed, in each view."""
    if variation.name == REBUILT:
        game = load(GAME)
        counts = []
        for position in symmetries(case.history(game).position):
            counter = OrderedView(game, variation.extra["signs"])
            alpha_beta(counter, counter.root(position), depth)
            counts.append(2 * counter.visited - 1)
        return counts
    (engine, history), counts = open_engine(case, variation), []
    for view in symmetries(history.position):
        engine.clear()
        counts.append(2 * engine.analyse(view, depth=depth).nodes - 1)
    return counts


@lru_cache(maxsize=1)
def _full_tree(case: Case, depth: int) -> tuple[int, int]:
    """Return stones and nodes as printed; all configurations of a position need them."""
    engine, history = open_engine(case, _FULL)
    return history.position.placed, 2 * engine.analyse(history, depth=depth).nodes - 1


def _numbers(data: Data, name: str, stones: int, metric: str, alike: bool = True) -> list[float]:
    """Return a metric of the positions with some stones.

    With `alike`, only positions where minimax has the published count are used.
    """
    depth, numbers = DEPTHS[0], []
    for case in data.cases(depth, (FULL, name)):
        full, row = data.row(FULL, depth, case), data.row(name, depth, case)
        right = not alike or full["printed"] == MINIMAX[stones]
        if full["stones"] == stones and right and metric in row:
            numbers.append(row[metric])
    return numbers


def _mean(data: Data, name: str, stones: int) -> float | None:
    counts = _numbers(data, name, stones, "printed")
    return sum(counts) / len(counts) if counts else None


def claims() -> list[Claim]:
    return [
        *(_claim_full(stones) for stones in STONES),
        *(_claim_alpha_beta(stones) for stones in STONES),
        Claim(
            "one order of moves gives all five numbers of alpha-beta",
            ", ".join(map(str, ALPHA_BETA.values())),
            "the most rows that one of our orders matches, in any view of any position whose"
            " minimax count is the published one; depth 4",
            Exactly(len(STONES)),
            _most_rows,
            " rows",
            "Table 1",
            note="the table cannot be reconstructed without the positions, the order and the"
            " evaluation, which are not printed",
        ),
    ]


def _claim_full(stones: int) -> Claim:
    return Claim(
        f"minimax visits {MINIMAX[stones]} nodes from a position with {stones} stones",
        str(MINIMAX[stones]),
        "1 + 2 · nodes below the root at depth 4, in the class of positions where it is nearest to"
        " the published number",
        Exactly(MINIMAX[stones]),
        partial(_nearest_full, stones=stones),
        " nodes",
        "Table 1",
        note="holds for every position of so many stones"
        if stones <= ALIKE
        else f"the position is not printed: that one of {CLASSES[stones]:,} classes has the number"
        " is weak evidence",
    )


def _claim_alpha_beta(stones: int) -> Claim:
    return Claim(
        f"alpha-beta visits {ALPHA_BETA[stones]} nodes from a position with {stones} stones",
        f"{ALPHA_BETA[stones]} ({REDUCTION[stones]} % fewer)",
        "1 + 2 · nodes below the root at depth 4, children in the order of evaluation; the nearest"
        " number among all views of all positions whose minimax count is the published one",
        Exactly(ALPHA_BETA[stones]),
        partial(_nearest_alpha_beta, stones=stones),
        " nodes",
        "Table 1",
        note="position, order of moves and evaluation are not printed; ours are a reading",
    )


def _count(value: float, classes: int) -> Estimate:
    """Return a figure without an interval: all positions that there are were searched."""
    return Estimate(value, math.nan, math.nan, classes, classes)


def _all_measured(data: Data, stones: int) -> bool:
    return len(_numbers(data, FULL, stones, "printed", alike=False)) == CLASSES[stones]


def _nearest_full(data: Data, stones: int) -> Estimate | None:
    counts = _numbers(data, FULL, stones, "printed", alike=False)
    if not _all_measured(data, stones):
        return None
    return _count(min(counts, key=lambda number: abs(number - MINIMAX[stones])), len(counts))


def _nearest_alpha_beta(data: Data, stones: int) -> Estimate | None:
    counts = _numbers(data, EVALUATION, stones, "nearest")
    if not counts or not _all_measured(data, stones):
        return None
    return _count(min(counts, key=lambda number: abs(number - ALPHA_BETA[stones])), len(counts))


def _most_rows(data: Data) -> Estimate | None:
    if not all(_all_measured(data, stones) for stones in STONES):
        return None
    rows = [
        sum(sum(_numbers(data, name, stones, "equal")) > 0 for stones in STONES)
        for name in data.variations
        if name != FULL
    ]
    return _count(max(rows), len(rows))


def tables(data: Data) -> list[Table]:
    headings = ("", *(f"{stones} stones" for stones in STONES))
    rows = [
        (name, *("" if (mean := _mean(data, name, s)) is None else f"{mean:.0f}" for s in STONES))
        for name in data.variations
    ]
    rows += [
        ("published, minimax", *(str(MINIMAX[stones]) for stones in STONES)),
        ("published, alpha-beta", *(str(ALPHA_BETA[stones]) for stones in STONES)),
    ]
    title = "Nodes as printed, where minimax has the published number: means over views"
    return [Table(headings, tuple(rows), title), _candidates(data), _matches(data)]


def _candidates(data: Data) -> Table:
    """Show how many classes have the published minimax count, and how much that says."""
    rows = []
    for stones in STONES:
        counts = _numbers(data, FULL, stones, "printed", alike=False)
        if counts:
            possible = (max(counts) - min(counts)) // 2 + 1
            rows.append(
                (
                    *(str(stones), str(len(counts)), f"{min(counts):.0f} to {max(counts):.0f}"),
                    str(counts.count(MINIMAX[stones])),
                    f"{100 * len(set(counts)) / possible:.0f} %",
                )
            )
    headings = (
        *("stones", "classes", "minimax nodes", "classes with the published number"),
        "odd numbers in this range that some class has",
    )
    return Table(headings, tuple(rows), "Classes of positions")


def _matches(data: Data) -> Table:
    """Show in how many views each order has the published count."""
    rows = []
    for name in data.variations:
        pairs = [
            [sum(_numbers(data, name, stones, metric)) for metric in ("equal", "views")]
            for stones in STONES
        ]
        if name != FULL and any(views for _, views in pairs):
            rows.append((name, *(f"{equal:.0f} of {views:.0f}" for equal, views in pairs)))
    headings = ("", *(f"{stones} stones" for stones in STONES))
    return Table(headings, tuple(rows), "Views in which alpha-beta visits the published number")


def charts(data: Data) -> list[Chart]:
    lines = []
    for name in data.variations:
        points = [(s, mean) for s in STONES if (mean := _mean(data, name, s)) is not None]
        lines.append(Series(name, tuple(s for s, _ in points), tuple(mean for _, mean in points)))
    published = [
        Series(name, STONES, tuple(counts.values()), published=True)
        for name, counts in ((FULL, MINIMAX), ("alpha-beta", ALPHA_BETA))
    ]
    return [
        Chart("nodes", "Andantino, depth 4: nodes where minimax has the published number",
              "stones on the board", "nodes (1 + 2 · nodes below the root)",
              (*lines, *published), log_y=True)
    ]  # fmt: skip


METHOD = """
Both columns of the document are odd throughout: every node below the root is counted twice, and the
root once. "Number of moves" is taken as the number of stones. A class contains the positions that
rotation, reflection and translation make equal. Minimax searches one position of every class, so
there is no sample and no interval. Alpha-beta searches those positions whose minimax count is the
published one, in their twelve views, which differ in the order of generation.

The document prints neither the positions nor the order of moves, nor a definition of
surroundability. We search in the order of generation, in the order of our evaluation (with enemy
stones that have walls in five or in four directions), in the order of section 3, with the preset
`koneru` (without its parities, by which one colour would search depth 3), and in the order that
reconstructs Table 2. The verdicts on single rows use the order of evaluation.
"""

THREATS = """
A match is evidence of the right reading only where few numbers are possible. The second table says
which share of the odd numbers in the range some class has: where it is high, any published number
would have been found. An evaluation other than ours would give other numbers of alpha-beta.
"""
