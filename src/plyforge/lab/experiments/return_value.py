"""The return-value theorem of alpha-beta, checked with windows around the true value."""

from collections.abc import Callable
from functools import cache, partial

from plyforge.core.randomness import Stream
from plyforge.game.game import Game
from plyforge.games import load
from plyforge.lab import Case, Claim, Data, Estimate, Exactly, Variation, open_engine
from plyforge.lab.cases import random_cases, tree_seed
from plyforge.match.tables import Table
from plyforge.search.textbook import Node, View, alpha_beta, negamax
from plyforge.search.values import INFINITY

TITLE = "What alpha-beta's return value says about the true value"
SOURCE = "Buro and Tuero 2024, lecture notes"
QUESTION = "Is what alpha-beta returns a bound or the value, as the return-value theorem says?"
DEFAULTS = "2026"
TREE, GRAPH, GAME, EXAMPLE = "uniform tree", "graph", "connect4", "example"
GROUPS = (TREE, GRAPH, GAME, EXAMPLE)
POSITIONS = 60 * len(GROUPS)
DEPTHS = (2, 3, 4)
QUICK = (2 * len(GROUPS), (2, 3))
METRICS = (
    ("windows", "windows"),
    ("low_wrong", "wrong fail lows"),
    ("exact_wrong", "wrong values"),
    ("high_wrong", "wrong fail highs"),
    ("full_wrong", "wrong with a full window"),
)
WINDOWS = 12
"""The number of windows for each position and depth."""
REACH = 4
"""How far from the true value the ends of windows lie at most, in units of the evaluation."""
EXAMPLE_TEXT, EXAMPLE_DEPTH = "[[5],[3,9],[8]]", 2
"""The worked example; the document does not give the value of F, its fourth leaf."""

TEXTBOOK, COMPILED = "textbook", "compiled search"


class CountingView(View):
    """A view that counts leaves."""

    leaves = 0

    def leaf(self, node: Node, depth: int) -> float | None:
        value = super().leaf(node, depth)
        self.leaves += value is not None
        return value


def variations() -> list[Variation]:
    return [Variation(TEXTBOOK), Variation(COMPILED, "alphabeta", off=("all",))]


def cases(seed: int, count: int) -> list[Case]:
    rounds = -(-count // len(GROUPS))
    games = random_cases(GAME, 8, seed, rounds)
    cases: list[Case] = []
    for number in range(rounds):
        tail = f"seed={tree_seed(seed, number)}"
        cases += [
            Case("tree", start=f"uniform,branching=4,{tail}"),
            Case("tree", start=f"layered,branching=4,width=6,{tail}"),
            games[number],
            Case("tree", start=EXAMPLE_TEXT, label=EXAMPLE),
        ]
    return cases[:count]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    if GROUPS[number % len(GROUPS)] == EXAMPLE:
        return number < len(GROUPS) and depth == EXAMPLE_DEPTH
    return True


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    if case.label == EXAMPLE:
        return measure_example(case, variation)
    if case.start is not None:
        case = Case(case.game, start=f"{case.start},depth={depth}")
    search, true = _search_of(case, variation, depth)
    wrong = dict.fromkeys(("low_wrong", "exact_wrong", "high_wrong"), 0)
    stream = Stream(0).split(f"{case.start} {case.moves} {depth}")
    for _ in range(WINDOWS):
        low = true - REACH + stream.below(2 * REACH)
        high = low + 1 + stream.below(2 * REACH)
        value = search(low, high)
        if value <= low:
            wrong["low_wrong"] += not true <= value
        elif value < high:
            wrong["exact_wrong"] += value != true
        else:
            wrong["high_wrong"] += not value <= true
    full = float(search(-INFINITY, INFINITY) != true)
    return {"windows": WINDOWS, **wrong, "full_wrong": full}


def _search_of(
    case: Case, variation: Variation, depth: int
) -> tuple[Callable[[float, float], float], float]:
    """Return a function that searches a window, and the true value without windows."""
    game = _game(case.game)
    view, position = View(game), case.history(game).position
    root = view.root(position)
    true = negamax(view, root, depth)
    if variation.name == TEXTBOOK:
        return partial(alpha_beta, view, root, depth), true
    engine, history = open_engine(case, variation)
    return lambda low, high: engine.search(history, low, high, depth).value, true


def measure_example(case: Case, variation: Variation) -> dict[str, float]:
    """Search the worked example."""
    if variation.name == COMPILED:
        engine, history = open_engine(case, variation)
        result = engine.analyse(history, depth=EXAMPLE_DEPTH)
        return {"value": result.score, "leaves": result.counts.leaves}
    game = _game("tree")
    view = CountingView(game)
    value = alpha_beta(view, view.root(game.parse(EXAMPLE_TEXT)), EXAMPLE_DEPTH)
    return {"value": value, "leaves": view.leaves}


@cache
def _game(name: str) -> Game:
    return load(name)


def claims() -> list[Claim]:
    where = "all windows, trees, graphs and games, textbook and compiled search"
    lecture, tutorial = "Alpha-Beta Return Value Theorem", "Kishimoto and Müller, Properties"
    parts = (
        ("low_wrong", "A value of at most alpha is an upper bound", "V(s) <= L <= alpha"),
        ("exact_wrong", "A value inside the window is the true value", "V(s) = L"),
        ("high_wrong", "A value of at least beta is a lower bound", "beta <= L <= V(s)"),
        ("full_wrong", "With a full window alpha-beta returns the true value", "V(s)"),
    )
    theorem = [
        Claim(
            statement,
            published,
            f"wrong return values, {where}",
            Exactly(0),
            _sum_of(metric),
            "",
            f"{lecture}; also {tutorial}",
        )
        for metric, statement, published in parts
    ]
    return [
        *theorem,
        Claim(
            "The value of the worked example is 8",
            "returns 8",
            "value at the root, compiled search",
            Exactly(8),
            lambda data: data.part(EXAMPLE).mean(COMPILED, EXAMPLE_DEPTH, "value"),
            "",
            "Another Example",
        ),
        Claim(
            "In the worked example the leaf F is not visited",
            "F not visited",
            "leaves of four, compiled search",
            Exactly(3),
            lambda data: data.part(EXAMPLE).mean(COMPILED, EXAMPLE_DEPTH, "leaves"),
            "",
            "Another Example",
        ),
    ]


def _sum_of(metric: str) -> Callable[[Data], Estimate | None]:
    """Return a function for the number of wrong values of a kind."""

    def estimate(data: Data) -> Estimate | None:
        total: dict[int, float] = {}
        for depth in data.depths:
            for name in data.variations_at(depth):
                for case in data.cases(depth, (name,), (metric,)):
                    total[case] = total.get(case, 0.0) + data.row(name, depth, case)[metric]
        found = data.mean_of(total) if total else None
        return None if found is None else found.rescale(len(total))

    return estimate


def tables(data: Data) -> list[Table]:
    rows = []
    for group in (TREE, GRAPH, GAME):
        part = data.part(group)
        for name in (TEXTBOOK, COMPILED):
            sums = [
                sum(part.row(name, d, case)[metric] for d in part.depths
                    for case in part.cases(d, (name,), (metric,)))
                for metric, _ in METRICS
            ]  # fmt: skip
            rows.append((f"{group}, {name}", *(f"{value:,.0f}" for value in sums)))
    return [Table(("", *(title for _, title in METRICS)), tuple(rows), "Windows and wrong values")]


METHOD = f"""
Uniform trees and layered graphs with four moves, and positions of connect four after eight random
moves, are searched with {WINDOWS} windows each at every depth. The ends of windows are whole
numbers within a few units of the true value, which a search without windows finds, so that all
three cases of the theorem occur often. The textbook search and the compiled one are checked,
without enhancements and without a table.
"""
THREATS = "A theorem is not tested by examples; they test that our searches are those it is about."
