"""All combinations of six enhancements over plain alpha-beta (Marsland 1986, Schaeffer 1989)."""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations

from plyforge.games import load
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Equals,
    Estimate,
    LessThan,
    MoreThan,
    NotComparable,
    Series,
    Variation,
    format_estimate,
    measure_search,
    mixed_cases,
)
from plyforge.lab.experiments._pooled import percent, pooled_ratio
from plyforge.lab.minimal_graph import MinimalGraphs
from plyforge.match.tables import Table

TITLE = "What combinations of enhancements are worth"
SOURCE = "Kishimoto and Müller, tutorial on alpha-beta"
QUESTION = (
    "What are six enhancements of alpha-beta worth alone and together, and how near do the table"
    " and the history heuristic come to the minimum?"
)
DEFAULTS = "2026"
GAMES = {"checkers": 12, "othello": 10, "andantino": 8, "connect4": 6, "hex:6": 6}
"""Games, and the number of random moves before a position."""
GROUPS = tuple(GAMES)
POSITIONS = 20 * len(GROUPS)
DEPTHS = (3, 4, 5, 6, 7, 8)
QUICK = (len(GROUPS), (3, 4))
MAX_DEPTHS = {"checkers": 8, "othello": 7, "andantino": 6, "connect4": 8, "hex:6": 5}
MAX_HEX = 10
"""The number of positions of Hex at its greatest depth, which takes most of the time."""
METRICS = (("leaves", "leaves"), ("nodes", "nodes"), ("seconds", "time"))
GRAPH_ENTRIES = 1 << 20

PLAIN, GRAPH = "plain alpha-beta", "minimal graph"
SWITCHES = {
    "table": ("table", "table-move"),
    "history": ("history",),
    "killers": ("killers",),
    "null windows": ("pvs",),
    "aspiration": (),
    "deepening": ("deepening",),
}
"""The six enhancements, and what each switches on; aspiration is a driver."""
SETTINGS = {"depth-step": 1, "history-growth": "power", "history-penalty": 0}
"""Deepening by 1, and 2^d for a cutoff at depth d, as in Schaeffer's programs."""
COMBINATIONS = tuple(
    chosen for size in range(len(SWITCHES) + 1) for chosen in combinations(SWITCHES, size)
)


def name_of(chosen: tuple[str, ...]) -> str:
    return " + ".join(chosen) or PLAIN


NAMES = tuple(map(name_of, COMBINATIONS))
PAIR, TRIPLE, ALL = "table + history", "table + history + deepening", NAMES[-1]
WITHOUT = {left: name_of(tuple(name for name in SWITCHES if name != left)) for left in SWITCHES}
"""All enhancements but one."""
PUBLISHED_SHARE = 99.0


def variations() -> list[Variation]:
    return [_variation(chosen) for chosen in COMBINATIONS] + [Variation(GRAPH)]


def _variation(chosen: tuple[str, ...]) -> Variation:
    driver = "aspiration" if "aspiration" in chosen else "alphabeta"
    on = tuple(switch for name in chosen for switch in SWITCHES[name])
    return Variation(name_of(chosen), driver, off=("all",), on=on, settings=SETTINGS)


def cases(seed: int, count: int) -> list[Case]:
    return mixed_cases(GAMES, seed, count)


def wanted(number: int, variation: Variation, depth: int) -> bool:
    game = GROUPS[number % len(GROUPS)]
    if game == "hex:6" and depth == MAX_DEPTHS[game] and number >= MAX_HEX * len(GROUPS):
        return False
    return depth <= MAX_DEPTHS[game]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    if variation.name != GRAPH:
        return measure_search(case, variation, depth)
    value, leaves = _graphs(case.game).find(case.history(load(case.game)), depth)
    return {"value": value, "leaves": leaves, "nodes": leaves, "seconds": 0.0}


@cache
def _graphs(game: str) -> MinimalGraphs:
    return MinimalGraphs(load(game), GRAPH_ENTRIES, DEFAULTS)


def best_combination(part: Data, depth: int) -> str:
    """Return the combination with the fewest leaves."""
    return min(NAMES, key=lambda name: sum(part.values(name, depth, "leaves", NAMES)))


def share(data: Data, name: str, depths: Mapping[str, int], goal: str = "") -> Estimate | None:
    """Return the percentage of the reduction from plain alpha-beta to the goal, a mean over games.

    Without a goal, it is each game's combination with the fewest leaves.
    """
    pairs: dict[int, tuple[float, float]] = {}
    for game, depth in depths.items():
        part = data.part(game)
        cases = part.cases(depth, (*NAMES, GRAPH))
        if not cases:
            return None
        to = goal or best_combination(part, depth)
        rows = {
            case: [part.row(one, depth, case)["leaves"] for one in (PLAIN, name, to)]
            for case in cases
        }
        mean = sum(plain - least for plain, _, least in rows.values()) / len(rows)
        if mean <= 0:
            return None
        for case, (plain, mine, least) in rows.items():
            pairs[case] = (plain - mine) / mean, (plain - least) / mean
    return percent(data.ratio_of(pairs))


def claims() -> list[Claim]:
    where = ", ".join(f"{game} {depth}" for game, depth in MAX_DEPTHS.items())
    where = f"all games at their depths ({where})"
    rows = [
        Claim(
            "The history heuristic improves the order of moves without knowledge of the game",
            "improve move ordering",
            f"leaves of history alone over plain alpha-beta's, {where}",
            LessThan(1),
            lambda data: _ratio(data, "history", PLAIN),
            "",
            "History Heuristic",
        ),
        Claim(
            "A table is essential where many paths lead to the same node",
            "essential in DAGs",
            f"leaves of all enhancements without the table over those with it, {where}",
            MoreThan(2),
            lambda data: _ratio(data, WITHOUT["table"], ALL),
            "",
            "Transposition Table (1 / 3)",
            note="'essential' is taken as more than twice the leaves without it",
        ),
        Claim(
            "Enhancements take alpha-beta to a few percent of its cost",
            "figure 8",
            f"leaves of all six over plain alpha-beta's, {where}",
            NotComparable("figure 8 is a picture of times in chess; its numbers are lost"),
            lambda data: percent(_ratio(data, ALL, PLAIN)),
            " %",
            "figure 8",
            "Marsland 1986",
        ),
    ]
    for name in (PAIR, TRIPLE):
        for goal, text in (("", "best combination of the six"), (GRAPH, "minimal graph")):
            rows.append(
                Claim(
                    f"Table and history reach 99 % of the possible reduction: {name}, {text}",
                    "99 %",
                    f"share of the reduction of leaves from plain alpha-beta to the {text} that"
                    f" {name} reach, {where}",
                    Equals(PUBLISHED_SHARE, 1),
                    _schaeffer(name, goal),
                    " %",
                    source="Schaeffer 1989",
                    note="theirs is chess to depth 8, with deepening everywhere",
                )
            )
    return rows


def _schaeffer(name: str, goal: str) -> Callable[[Data], Estimate | None]:
    return lambda data: share(data.without_forced_wins(), name, MAX_DEPTHS, goal)


def _ratio(data: Data, name: str, baseline: str) -> Estimate | None:
    return pooled_ratio(data.without_forced_wins(), MAX_DEPTHS, name, baseline, "leaves")


def tables(data: Data) -> list[Table]:
    data = data.without_forced_wins()
    each = [(game, depth, data.part(game)) for game, depth in MAX_DEPTHS.items()]
    alone, without, shares, best = [], [], [], []
    for game, depth, part in each:
        label = f"{game}, depth {depth}"
        ratios = (part.ratio(name, PLAIN, depth, "leaves") for name in SWITCHES)
        alone.append((label, *map(format_estimate, ratios)))
        ratios = (part.ratio(WITHOUT[name], ALL, depth, "leaves") for name in SWITCHES)
        without.append((label, *map(format_estimate, ratios)))
        figures = [
            share(data, name, {game: depth}, goal)
            for name in (PAIR, TRIPLE)
            for goal in ("", GRAPH)
        ]
        shares.append((label, *map(format_estimate, figures)))
        if part.cases(depth, NAMES):
            winner = best_combination(part, depth)
            figures = [
                part.ratio(winner, PLAIN, depth, "leaves"),
                part.ratio(winner, GRAPH, depth, "leaves"),
                part.ratio(winner, PLAIN, depth, "seconds"),
            ]
            best.append((label, winner, *map(format_estimate, figures)))
    shares_of = ("table + history, of the best", "of the minimal graph", "with deepening, of the"
                 " best", "of the minimal graph ")  # fmt: skip
    return [
        Table(("", *SWITCHES), tuple(alone), "Leaves of one enhancement over plain alpha-beta's"),
        Table(("", *SWITCHES), tuple(without), "Leaves without one enhancement over all six"),
        Table(("", *shares_of), tuple(shares), "Share of the possible reduction (%)"),
        Table(
            ("", "enhancements", "leaves / plain", "leaves / minimal graph", "time / plain"),
            tuple(best),
            "The combination with the fewest leaves",
        ),
    ]


def charts(data: Data) -> list[Chart]:
    data = data.without_forced_wins()
    pictures = []
    drawn = (*SWITCHES, PAIR, ALL)
    for game in GAMES:
        part = data.part(game)
        lines = []
        for name in drawn:
            ratios = [(d, percent(part.ratio(name, PLAIN, d, "nodes"))) for d in part.depths]
            lines.append(Series.of("all six" if name == ALL else name, ratios))
        pictures.append(
            Chart(f"{game.replace(':', '-')}", f"{game}: nodes relative to plain alpha-beta",
                  "search depth (plies)", "nodes of all iterations (% of plain alpha-beta)",
                  tuple(lines), log_y=True)
        )  # fmt: skip
    return [_share_chart(data), *pictures]


def _share_chart(data: Data) -> Chart:
    rows = ("table", "history", PAIR, TRIPLE, "table + history + null windows + deepening", ALL)
    bars = []
    for game, depth in MAX_DEPTHS.items():
        points = [(float(i), share(data, n, {game: depth}, GRAPH)) for i, n in enumerate(rows)]
        bars.append(Series.of(f"{game}, depth {depth}", points))
    place = float(rows.index(TRIPLE))
    published = Series("Schaeffer 1989, chess", (place,), (PUBLISHED_SHARE,), published=True)
    labels = (*rows[:-1], "all six")
    return Chart(
        "shares",
        "Share of the reduction of leaves from plain alpha-beta to the minimal graph",
        "",
        "share of the possible reduction (%)",
        (*bars, published),
        labels,
    )


METHOD = """
64 combinations of six enhancements, at positions after a few random moves, one of each random game.
`table` is the transposition table with its best move first (2^20 entries), `history` is Schaeffer's
(2^d, no penalty), `null windows` is the switch `pvs`, and `aspiration` is a window of a hundredth
of the evaluation's range to either side of the guess, which is 0 without deepening. Leaves, nodes
and times are summed over all iterations, so deepening alone only costs. The possible reduction goes
from plain alpha-beta, with moves in the order of the rules, to the combination with the fewest
leaves, or to the left-first minimal graph. All games weigh the same, each at one depth. Positions
with a forced win in reach are left out.
"""
THREATS = """
The best combination is chosen on the positions it is reported for. Schaeffer's figure is for chess
to depth 8 and for a minimal tree, which is larger than a minimal graph; the share rises with depth,
because plain alpha-beta grows fastest. Times are those of single searches, many of which take less
than ten milliseconds.
"""
