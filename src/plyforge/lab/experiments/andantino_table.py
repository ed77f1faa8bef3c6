"""Table hits in searches from the start of Andantino (Koneru, Table 2)."""

from collections.abc import Iterator, Mapping
from typing import Any

from plyforge.core.scores import ONGOING
from plyforge.game.game import Game
from plyforge.games import load
from plyforge.games.andantino.rules import Position
from plyforge.lab import (
    Case,
    Chart,
    Data,
    Finding,
    Series,
    Variation,
    format_estimate,
    judge,
    measure_search,
)
from plyforge.lab.experiments._koneru_program import CountingView, OrderedView, TableSearch
from plyforge.rules import u64
from plyforge.search.textbook import Node, alpha_beta

TITLE = "A transposition table from the start of Andantino"
SOURCE = "S. Koneru, Alpha Beta Search on Andantino, Table 2"
DEFAULTS = "2026"
POSITIONS = 4
DEPTHS = (2, 4, 6, 8)
QUICK = (2, DEPTHS)
METRICS = (("nodes", "nodes"), ("transpositions", "found in the table"))
FOUND = {2: 0, 4: 3, 6: 25, 8: 765}
TREE = {2: 14, 4: 84, 6: 1171, 8: 17691}
"""The published counts, by depth."""

PLAIN, GENERATION = "generation, no table", "generation"
LEAVES, EVALUATION = "generation, leaves kept, too", "evaluation"
KONERU, DEEPENING = "koneru without deepening", "koneru"
RANDOM, RANDOM_TABLE = "random values, no table", "random values"
RANDOM_LEAVES = "random values, leaves kept, too"
WORST, ONE_SIDE = "worst first, no table", "best first for White alone, no table"
PROGRAM = "the published program"
NEAR = 0.001
"""The tolerance for the counts of the program's search."""
_NEWER = {"replace": "newer"}
_ANY = {"parity-first": "any", "parity-second": "any"}
_SPREAD = u64(0x9E3779B97F4A7C15)


def cases(seed: int, count: int) -> list[Case]:
    """Return the start on boards of several sizes, on which keys and random values differ."""
    return [Case("andantino"), *(Case(f"andantino:{side}") for side in (9, 8, 7))][:count]


def variations() -> list[Variation]:
    with_leaves = {**_NEWER, "store-leaves": "yes"}
    by_value = {**_NEWER, "child-eval-depth": 1}
    return [
        _plain(PLAIN),
        _plain(GENERATION, ("table",), _NEWER),
        _plain(LEAVES, ("table",), with_leaves),
        _plain(EVALUATION, ("table", "child-eval"), by_value),
        Variation(KONERU, "alphabeta", "koneru", off=("deepening",), settings=_ANY),
        Variation(DEEPENING, "alphabeta", "koneru", settings=_ANY),
        Variation(WORST, extra={"signs": (-1, -1)}),
        Variation(ONE_SIDE, extra={"signs": (1, -1)}),
        Variation(PROGRAM, extra={"signs": (1, -1)}),
        _plain(RANDOM, evaluation=random_value),
        _plain(RANDOM_TABLE, ("table",), _NEWER, random_value),
        _plain(RANDOM_LEAVES, ("table",), with_leaves, random_value),
    ]


def _plain(
    name: str,
    on: tuple[str, ...] = (),
    settings: Mapping[str, Any] | None = None,
    evaluation: Any = None,
) -> Variation:
    off = ("all",)
    return Variation(name, "alphabeta", "exact", on, off, settings or {}, evaluation=evaluation)


def wanted(number: int, variation: Variation, depth: int) -> bool:
    """Use other boards only for random values, which differ there."""
    return number == 0 or variation.evaluation is not None


def random_value(position: Position) -> int:
    """Return a meaningless value from 0 to 99, made from the position's key."""
    return int((position.hash * _SPREAD >> u64(40)) % u64(100))


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Search; with the plain algorithm where moves are sorted in the wrong direction."""
    if not variation.extra:
        return measure_search(case, variation, depth)
    game, signs = load(case.game), variation.extra["signs"]
    if variation.name == PROGRAM:
        return _measure_program(game, signs, depth)
    view = SortedView(game, signs)
    alpha_beta(view, view.root(game.initial()), depth)
    return {"nodes": view.visited, "transpositions": 0}


def _measure_program(game: Game, signs: tuple[int, int], depth: int) -> dict[str, float]:
    """Return the program's nodes without a table, and its hits with one."""
    view, other = OrderedView(game, signs), OrderedView(game, signs)
    alpha_beta(view, view.root(game.initial()), depth)
    search = TableSearch(other)
    search.value(other.root(game.initial()), depth)
    return {"nodes": view.visited, "transpositions": search.hits}


class SortedView(CountingView):
    """A view that sorts children by evaluation: best first for a side with sign 1."""

    def __init__(self, game: Game, signs: tuple[int, int]) -> None:
        super().__init__(game)
        self._signs = signs

    def children(self, node: Node, first: int | None = None) -> Iterator[Node]:
        sign = self._signs[node.side]
        yield from sorted(super().children(node), key=lambda child: sign * self._static(child))

    def _static(self, child: Node) -> float:
        outcome = self.game.outcome(child.position)
        return self.game.evaluation(child.position) if outcome == ONGOING else outcome


def findings(data: Data) -> list[Finding]:
    rows = []
    for depth in (depth for depth in data.depths if depth in TREE):
        for what, metric, published, name, random in (
            ("whole tree", "nodes", TREE, PLAIN, RANDOM),
            ("found in the table", "transpositions", FOUND, GENERATION, RANDOM_TABLE),
        ):
            claim, ours = f"{what} at depth {depth}", data.mean(name, depth, metric)
            program = data.mean(PROGRAM, depth, metric)
            why = f"random values: {format_estimate(data.mean(random, depth, metric))}"
            if program is not None:
                why = f"White's best and Black's worst move first: {program.value:.0f}; {why}"
            rows.append(
                judge(claim, published[depth], ours, tolerance=0.0, why=why if depth > 2 else "")
            )
            rows.append(
                judge(f"{claim}, as the published program does it", published[depth], program,
                       tolerance=NEAR, why="its evaluation, order and table; see the notes")
            )  # fmt: skip
    return rows


def charts(data: Data) -> list[Chart]:
    def lines(names: tuple[str, ...], metric: str, depths: list[int]) -> list[Series]:
        return [
            Series.of(name, [(d, data.mean(name, d, metric)) for d in depths]) for name in names
        ]

    orders = (PROGRAM, PLAIN, EVALUATION, WORST, RANDOM, RANDOM_TABLE)
    tree = lines(orders, "nodes", data.depths)
    # Nothing is found at depth 2, and a logarithm has no zero.
    deeper = [d for d in FOUND if d > 2]
    searches = (PROGRAM, GENERATION, LEAVES, EVALUATION, RANDOM_TABLE, RANDOM_LEAVES)
    hits = lines(searches, "transpositions", [d for d in data.depths if d > 2])
    return [
        Chart("tree", "Andantino from the start: nodes", "depth", "nodes",
              (*tree, Series("whole tree", tuple(TREE), tuple(TREE.values()), published=True)),
              log_y=True),
        Chart("found", "Andantino from the start: found in the table", "depth", "found",
              (*hits,
               Series("found", tuple(deeper), tuple(FOUND[d] for d in deeper), published=True)),
              log_y=True),
    ]  # fmt: skip


NOTES = """
The 14 nodes at depth 2 are 1 + 6 + 2 + 5: all twelve leaves are equal up to symmetry, and every
reply after the first move causes a cutoff. So the tree is counted with its root, every node once,
and without deepening (which would count 21). The whole tree is taken as that without a table, and
"found" as the nodes that the table settles.

From depth 4, every sensible order falls short of the published counts: the tree grows about
sevenfold in two plies, the published one fourteenfold. The program that was published with the
report (github.com/arjunkoneru/Alpha-Beta-for-Andantino) still shows the reason: two functions
sort children by the evaluation for the side that moves, one descending for MAX and one ascending
for MIN. Ascending puts Black's worst move first. Plain alpha-beta in that order, with that
program's evaluation and its order of equal moves, has the published trees at depths 2, 4 and 6, and
two nodes fewer at depth 8. Its table, which takes upper bounds for lower ones and vice versa, finds
an entry as often as published at all four depths. So a wrong sign made the published tree several
times too large, and "found" counts entries that exist, whether they settle a node or not. What
counts as our own search was decided before this was known. `experiments/_koneru_program.py` shows
how the program evaluates.
"""
