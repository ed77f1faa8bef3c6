"""All combinations of six enhancements over plain alpha-beta (Marsland 1986, Schaeffer 1989)."""

from dataclasses import replace
from functools import cache
from itertools import combinations

from plyforge.games import load
from plyforge.lab import (
    Case,
    Chart,
    Data,
    Estimate,
    Finding,
    Series,
    Variation,
    format_estimate,
    judge,
    measure_search,
    mixed_cases,
    statistics,
)
from plyforge.lab.minimal_graph import MinimalGraphs

TITLE = "What combinations of enhancements are worth"
SOURCE = (
    "Marsland 1986, figure 8, in the tutorial of Kishimoto and Müller; Schaeffer, IEEE PAMI 11"
    " (1989)"
)
DEFAULTS = "2026"
GAMES = {"checkers": 12, "othello": 10, "andantino": 8, "connect4": 6, "hex:6": 6}
"""Games, and the number of random moves before a position."""
GROUPS = tuple(GAMES)
POSITIONS = 10 * len(GROUPS)
DEPTHS = (3, 4, 5, 6, 7, 8)
QUICK = (len(GROUPS), (3, 4))
MAX_DEPTHS = {"checkers": 8, "othello": 7, "andantino": 6, "connect4": 8, "hex:6": 5}
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
PUBLISHED_SHARE, PUBLISHED_DEPTH = 99.0, 8
WIDEST = 10.0
"""The maximum width of an interval for a verdict, in percent."""


def variations() -> list[Variation]:
    return [_variation(chosen) for chosen in COMBINATIONS] + [Variation(GRAPH)]


def _variation(chosen: tuple[str, ...]) -> Variation:
    driver = "aspiration" if "aspiration" in chosen else "alphabeta"
    on = tuple(switch for name in chosen for switch in SWITCHES[name])
    return Variation(name_of(chosen), driver, off=("all",), on=on, settings=SETTINGS)


def cases(seed: int, count: int) -> list[Case]:
    return mixed_cases(GAMES, seed, count)


def wanted(number: int, variation: Variation, depth: int) -> bool:
    return depth <= MAX_DEPTHS[GROUPS[number % len(GROUPS)]]


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


def share(part: Data, name: str, goal: str, depth: int) -> Estimate | None:
    """Return the share of the reduction from plain alpha-beta to the goal, in percent."""
    with_ = (PLAIN, name, goal)
    plain, mine, least = (part.values(one, depth, "leaves", with_) for one in with_)
    if sum(plain) <= sum(least):
        return None
    saved = [a - b for a, b in zip(plain, mine, strict=True)]
    possible = [a - b for a, b in zip(plain, least, strict=True)]
    return statistics.ratio(saved, possible).rescale(100)


def findings(data: Data) -> list[Finding]:
    data = data.without_forced_wins()
    rows = []
    for game in GAMES:
        part = data.part(game)
        depth = part.max_depth((*NAMES, GRAPH))
        if depth is None:
            continue
        winner = best_combination(part, depth)
        why = f"depth {depth}; {len(part.cases(depth))} positions"
        for name in (PAIR, TRIPLE):
            for goal, goal_text in ((winner, "the best combination"), (GRAPH, "the minimal graph")):
                claim = f"{game}: share of the possible reduction to {goal_text} that {name} reach"
                percent = share(part, name, goal, depth)
                row = judge(claim, PUBLISHED_SHARE, percent, " %", tolerance=0.01, why=why)
                if row.verdict == "not reproduced" and depth < PUBLISHED_DEPTH:
                    row = replace(row, why=f"{why}; published up to depth {PUBLISHED_DEPTH}")
                if percent is not None and percent.high - percent.low > WIDEST:
                    few = f"{why}; too few for a verdict"
                    row = replace(row, verdict="not comparable", why=few)
                rows.append(row)
        leaves = part.ratio(winner, PLAIN, depth, "leaves")
        time = part.ratio(winner, PLAIN, depth, "seconds")
        rows.append(
            Finding(
                f"{game}: the best combination, {winner}",
                "table and history with all others are best (figure 8)",
                f"leaves × {format_estimate(leaves)}, time × {format_estimate(time)}",
                "not comparable",
                "figure 8 is a picture of chess times; its numbers are not in the text",
            )
        )
        lone = {n: part.ratio(n, PLAIN, depth, "leaves") for n in SWITCHES}
        single = ", ".join(f"{n} {ratio.value:.3g}" for n, ratio in lone.items() if ratio)
        rows.append(
            Finding(
                f"{game}: leaves of a single enhancement over plain alpha-beta's",
                "",
                single,
                "not comparable",
                f"depth {depth}; leaves of all iterations",
            )
        )
    return rows


def charts(data: Data) -> list[Chart]:
    data = data.without_forced_wins()
    pictures = []
    drawn = (*SWITCHES, PAIR, ALL)
    for game in GAMES:
        part = data.part(game)
        lines = []
        for name in drawn:
            ratios = [(d, part.ratio(name, PLAIN, d, "nodes")) for d in part.depths]
            label = "all six" if name == ALL else name
            lines.append(Series.of(label, [(d, r and r.rescale(100)) for d, r in ratios]))
        pictures.append(
            Chart(f"{game.replace(':', '-')}", f"{game}: nodes relative to plain alpha-beta",
                  "depth", "nodes (% of plain alpha-beta)", tuple(lines), log_y=True)
        )  # fmt: skip
    return [_share_chart(data), *pictures]


def _share_chart(data: Data) -> Chart:
    rows = ("table", "history", PAIR, TRIPLE, "table + history + null windows + deepening", ALL)
    bars = []
    for game in GAMES:
        part = data.part(game)
        depth = part.max_depth((*NAMES, GRAPH))
        if depth is not None:
            points = [(float(i), share(part, n, GRAPH, depth)) for i, n in enumerate(rows)]
            bars.append(Series.of(f"{game}, depth {depth}", points))
    place = float(rows.index(PAIR))
    published = Series("Schaeffer 1989", (place,), (PUBLISHED_SHARE,), published=True)
    labels = (*rows[:-1], "all six")
    return Chart(
        "shares",
        "Share of the reduction from plain alpha-beta to the minimal graph",
        "",
        "share of the possible reduction (%)",
        (*bars, published),
        labels,
    )


NOTES = """
64 combinations of six enhancements. `table` is the transposition table with its best move first
(2^20 entries), `history` is Schaeffer's (2^d, no penalty), `null windows` is the switch `pvs`, and
`aspiration` is a window of a hundredth of the evaluation's range to either side of the guess, which
is 0 without deepening. Leaves, nodes and times are summed over all iterations, so deepening alone
only costs. The possible reduction goes from plain alpha-beta, with moves in the order of the rules,
to the combination with the fewest leaves, or to the left-first minimal graph; the best combination
is chosen on the positions it is reported for. Schaeffer's figure is for chess to depth 8, all
searches with iterative deepening, and for a minimal tree. Times of short searches are mostly
overhead. Verdicts and charts leave out positions with a forced win in reach.
"""
