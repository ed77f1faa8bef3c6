"""Nodes saved by Star1 and Star2 in trees with chance (Ballard 1983)."""

from functools import lru_cache

from plyforge.core.errors import PlyforgeError
from plyforge.engine import Engine
from plyforge.game.game import Game
from plyforge.games import load
from plyforge.lab import Case, Chart, Claim, Data, MoreThan, Series, Variation
from plyforge.lab.claims import Equals
from plyforge.lab.experiments import _chance_trees
from plyforge.lab.experiments._comparisons import figure_table, saving
from plyforge.match.tables import Table

TITLE = "What Star1 and Star2 save in trees with chance"
SOURCE = (
    "B. Ballard, The *-minimax search procedure for trees containing chance nodes, Artificial"
    " Intelligence 21, 1983"
)
QUESTION = "How many leaves do Star1 and Star2 save over ExpectiMax, by depth and order of moves?"
DEFAULTS = "2026"
POSITIONS = 40
DEPTHS = (2, 3, 4)
QUICK = (4, (2, 3))
DEPTH = 4
METRICS = (("leaves", "leaves"), ("nodes", "nodes"))
ORDERS = ("random order", "best first")
SEARCHES = {
    "ExpectiMax": (),
    "Star1": ("star1",),
    "Star2": ("star1", "star2"),
    "Star2 and table": ("star1", "star2", "table", "table-move"),
}
"""The steps of each search; all others are off."""
ENTRIES = 1 << 18
"""More than the nodes of a tree, which has no transpositions: only probes are found again."""


def cases(seed: int, count: int) -> list[Case]:
    """Trees by their seeds."""
    return [
        Case("chance tree", start=f"seed {1000 * seed + number}", label=f"tree {number + 1}")
        for number in range(count)
    ]


def variations() -> list[Variation]:
    rows = []
    for order in ORDERS:
        for name, steps in SEARCHES.items():
            rows.append(_variation(f"{name}, {order}", steps, order, 1))
        rows.append(_variation(f"Star2 with 2 probes, {order}", SEARCHES["Star2"], order, 2))
    return rows


def _variation(name: str, steps: tuple[str, ...], order: str, probes: int) -> Variation:
    return Variation(
        name,
        "alphabeta",
        on=steps,
        off=("all",),
        settings={"star2-probes": probes},
        entries=ENTRIES,
        extra={"order": order},
    )


@lru_cache(maxsize=1)
def _game() -> Game:
    return load(_chance_trees)


@lru_cache(maxsize=8)
def _engine(steps: tuple[str, ...], probes: int) -> Engine:
    return Engine(
        _game(),
        driver="alphabeta",
        on=steps,
        off=["all"],
        settings={"star2-probes": probes},
        entries=ENTRIES,
    )


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Search a tree to its leaves and count them; check that the value is ExpectiMax's."""
    assert case.start is not None
    best_first = int(variation.extra["order"] == ORDERS[1])
    start = _chance_trees.initial(int(case.start.split()[1]), depth, best_first)
    engine = _engine(tuple(variation.on), int(variation.settings["star2-probes"]))
    engine.clear()  # keys do not tell trees apart
    engine.searcher.reset_counts()
    value = engine.search(start, depth=depth).value
    counts = engine.searcher.counts
    figures = {"leaves": float(counts.leaves), "nodes": float(counts.nodes), "value": value}
    plain = _engine((), 1).search(start, depth=depth).value
    if plain != value:
        raise PlyforgeError(f"{variation.name} found {value} in {case.start}, not {plain}")
    return figures


def _name(search: str, order: str) -> str:
    return f"{search}, {order}"


def claims() -> list[Claim]:
    random_order, best = ORDERS
    return [
        Claim(
            "Star1 saves 25 to 30 %",
            "25 to 30 %",
            f"leaves saved over ExpectiMax, {random_order}, depth {DEPTH}",
            Equals(27.5, 2.5),
            saving(f"Star1, {random_order}", f"ExpectiMax, {random_order}", DEPTH, "leaves"),
            place="as quoted in later literature",
        ),
        Claim(
            "Star2 saves more than half",
            "more than half",
            f"leaves saved over ExpectiMax, {random_order}, depth {DEPTH}",
            MoreThan(50.0),
            saving(f"Star2, {random_order}", f"ExpectiMax, {random_order}", DEPTH, "leaves"),
            place="as quoted in later literature",
        ),
        Claim(
            "Star2 saves an order of magnitude with the best order",
            "an order of magnitude",
            f"leaves of ExpectiMax per leaf of Star2, {best}, depth {DEPTH}",
            MoreThan(10.0),
            lambda data: data.ratio(f"ExpectiMax, {best}", f"Star2, {best}", DEPTH, "leaves"),
            place="as quoted in later literature",
        ),
    ]  # fmt: skip


def tables(data: Data) -> list[Table]:
    searches = ("Star1", "Star2", "Star2 with 2 probes", "Star2 and table")
    return [
        figure_table(
            f"leaves saved over ExpectiMax, in %, {order}", "",
            [f"depth {depth}" for depth in data.depths],
            {
                search: [
                    saving(_name(search, order), _name("ExpectiMax", order), depth, "leaves")(data)
                    for depth in data.depths
                ]
                for search in searches
            },
        )
        for order in ORDERS
    ]  # fmt: skip


def charts(data: Data) -> list[Chart]:
    lines = [
        Series.of(
            _name(search, order),
            [
                (d, saving(_name(search, order), _name("ExpectiMax", order), d, "leaves")(data))
                for d in data.depths
            ],
        )
        for order in ORDERS
        for search in ("Star1", "Star2", "Star2 and table")
    ]
    return [
        Chart("saved", "Trees with chance: leaves saved over ExpectiMax", "depth (moves)",
              "leaves saved (%)", tuple(lines))
    ]  # fmt: skip


METHOD = """
Trees alternate between MAX, chance, MIN and chance; players have 4 moves, chance 6 outcomes of
equal probability, and there is a leaf after the last move. Leaves are independent and uniform from
-1 to 1, which is the declared range. Each tree is searched once, to its full depth, without a table
and without any ordering but that of the moves: random, or the best ones first at every node.
ExpectiMax prunes nowhere among outcomes, but alpha-beta cuts among the moves of a player below one
chance node remain possible; since every outcome has the full window, they are those of a search of
one move. Star2 probes one move after each outcome, or two. What a probe has searched is searched
again with its outcome; with a table it is found there. (The configuration with a table was added
after a first run had shown the cost of that; the claims are judged without it, as before.) Every
value is compared with that of ExpectiMax.
"""
THREATS = """
Ballard's trees had other widths and another distribution of leaves, and his count is that of his
program. Values that cluster in a small part of the range, as in real games, make the bounds of
unknown outcomes weak; wider ranges do the same.
"""
