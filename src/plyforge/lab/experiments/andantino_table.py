"""Table hits in searches from the start of Andantino (Koneru, Table 2)."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from plyforge.core.scores import ONGOING
from plyforge.game.game import Game
from plyforge.games import load
from plyforge.games.andantino.rules import Position
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Exactly,
    Series,
    Variation,
    measure_search,
)
from plyforge.lab.experiments._andantino_openings import ANY_PARITY, GAME
from plyforge.lab.experiments._koneru_program import (
    WHITE_BEST_BLACK_WORST,
    CountingView,
    OrderedView,
    TableSearch,
)
from plyforge.rules import u64
from plyforge.search.textbook import Node, alpha_beta

TITLE = "A transposition table from the start of Andantino"
SOURCE = "Koneru, Alpha Beta Search on Andantino, Table 2"
QUESTION = """
Which search has the published numbers of nodes, and of nodes found in the table, from the start of
the game?
"""
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
REBUILT = "reconstruction: all children sorted, White's best and Black's worst first"
_NEWER = {"replace": "newer"}
_SPREAD = u64(0x9E3779B97F4A7C15)


def cases(seed: int, count: int) -> list[Case]:
    """Return the start on boards of several sizes, on which keys and random values differ."""
    return [Case(GAME), *(Case(f"{GAME}:{side}") for side in (9, 8, 7))][:count]


def variations() -> list[Variation]:
    with_leaves = {**_NEWER, "store-leaves": "yes"}
    by_value = {**_NEWER, "child-eval-depth": 1}
    return [
        _plain(PLAIN),
        _plain(GENERATION, ("table",), _NEWER),
        _plain(LEAVES, ("table",), with_leaves),
        _plain(EVALUATION, ("table", "child-eval"), by_value),
        Variation(KONERU, "alphabeta", "koneru", off=("deepening",), settings=ANY_PARITY),
        Variation(DEEPENING, "alphabeta", "koneru", settings=ANY_PARITY),
        Variation(WORST, extra={"signs": (-1, -1)}),
        Variation(ONE_SIDE, extra={"signs": WHITE_BEST_BLACK_WORST}),
        Variation(REBUILT, extra={"signs": WHITE_BEST_BLACK_WORST}),
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
    if variation.name == REBUILT:
        return _measure_reconstruction(game, signs, depth)
    view = SortedView(game, signs)
    alpha_beta(view, view.root(game.initial()), depth)
    return {"nodes": view.visited, "transpositions": 0}


def _measure_reconstruction(game: Game, signs: tuple[int, int], depth: int) -> dict[str, float]:
    """Return its nodes without a table, and its hits with one."""
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


def claims() -> list[Claim]:
    return [
        Claim(
            f"{what} at depth {depth}",
            f"{published[depth]:,}",
            f"{count}, in the reconstruction; from the start, without deepening",
            Exactly(published[depth]),
            partial(Data.mean, name=REBUILT, depth=depth, metric=metric),
            unit,
            "Table 2",
            note="a reconstruction with an unsound table and Black's worst move first; a sound"
            " search visits fewer nodes" if depth > min(TREE) else "the same in every order",
        )
        for depth in TREE
        for what, count, metric, published, unit in (
            ("the whole tree", "nodes with the root, without a table", "nodes", TREE, " nodes"),
            ("nodes found in the table", "nodes with an entry", "transpositions", FOUND, " found"),
        )
    ]  # fmt: skip


def charts(data: Data) -> list[Chart]:
    def lines(names: tuple[str, ...], metric: str, depths: list[int]) -> list[Series]:
        return [
            Series.of(name, [(d, data.mean(name, d, metric)) for d in depths]) for name in names
        ]

    orders = (REBUILT, PLAIN, EVALUATION, WORST, RANDOM, RANDOM_TABLE)
    tree = lines(orders, "nodes", data.depths)
    # Nothing is found at depth 2, and a logarithm has no zero.
    deeper = [d for d in FOUND if d > 2]
    searches = (REBUILT, GENERATION, LEAVES, EVALUATION, RANDOM_TABLE, RANDOM_LEAVES)
    hits = lines(searches, "transpositions", [d for d in data.depths if d > 2])
    return [
        Chart("tree", "Andantino from the start: nodes of one search", "depth in plies",
              "nodes, with the root",
              (*tree, Series("whole tree", tuple(TREE), tuple(TREE.values()), published=True)),
              log_y=True),
        Chart("found", "Andantino from the start: nodes found in the table", "depth in plies",
              "nodes found in the table",
              (*hits,
               Series("found", tuple(deeper), tuple(FOUND[d] for d in deeper), published=True)),
              log_y=True),
    ]  # fmt: skip


METHOD = """
The tree is counted with its root, every node once, without deepening: at depth 2, 1 + 6 + 2 + 5 =
14 nodes, since all twelve leaves are equal up to symmetry and every reply after the first move
causes a cutoff. The whole tree is taken as that without a table. The document names neither the
order of moves nor what counts as found.

The verdicts are on a reconstruction (`experiments/_koneru_program.py`). Its evaluation, its order
of equal moves and its use of table entries are those of the program in the author's repository
(github.com/arjunkoneru/Alpha-Beta-for-Andantino). Its order is not: that program sorts only
children found in its table, and one of its two sorts, descending for MAX and ascending for MIN by
the evaluation for the side that moves, is commented out. The reconstruction sorts all children in
these two directions, which puts White's best and Black's worst move first. Its table takes upper
bounds for lower ones and vice versa, and "found" counts entries that exist, whether they settle a
node or not. Other orders, with a sound table, are shown beside it.
"""

THREATS = """
The reconstruction was chosen because it agrees with the table at depths 2, 4 and 6, so agreement
there is no independent evidence. It is one search of one position: there is no sample and no
interval. Another program may have the same counts.
"""
