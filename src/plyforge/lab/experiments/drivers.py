"""Compare the drivers with integer evaluations."""

import math
from dataclasses import replace
from statistics import quantiles
from typing import Any

from plyforge.games.checkers import EVALUATION as CHECKERS
from plyforge.games.othello import EVALUATION as OTHELLO
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Equals,
    Estimate,
    Exactly,
    LessThan,
    MoreThan,
    Series,
    Variation,
    format_estimate,
    measure_search,
    mixed_cases,
)
from plyforge.lab.experiments._pooled import percent, pooled_ratio, saving
from plyforge.match.tables import Table

TITLE = "NegaScout, MTD(f), SSS*, DUAL*, aspiration and the full window, with integer values"
SOURCE = "Kishimoto and Müller, tutorial on alpha-beta"
QUESTION = (
    "How much do MTD(f), NegaScout, aspiration and the best-first searches save over each other"
    " with integer values, and how steady are they?"
)
DEFAULTS = "2026"
GAMES = {"checkers": 12, "othello": 10, "connect4": 6, "andantino": 8, "hex:6": 6}
"""Games, and the number of random moves before a position."""
GROUPS = tuple(GAMES)
POSITIONS = 80 * len(GROUPS)
DEPTHS = (4, 5, 6, 7, 8, 9, 10, 11, 12)
REPEATS = 3
QUICK = (2 * len(GROUPS), (4, 5, 6))
MAX_DEPTHS = {"checkers": 12, "othello": 9, "connect4": 12, "andantino": 7, "hex:6": 5}
DEPTHS_OF = MAX_DEPTHS
"""The depth at which a game is judged."""
METRICS = (("leaves", "leaves"), ("nodes", "nodes"), ("searches", "searches of the last iteration"),
           ("first_cuts", "cutoffs by the first move"), ("seconds", "time"))  # fmt: skip

SCOUT, MTDF, FULL, ASPIRATION = "NegaScout", "MTD(f)", "full window", "aspiration"
SSS, DUAL = "SSS*", "DUAL*"
DRIVERS = {SCOUT: "pvs", FULL: "alphabeta", ASPIRATION: "aspiration", MTDF: "mtdf", SSS: "sss",
           DUAL: "dual"}  # fmt: skip
EIGHTHS = 8
"""The evaluation of checkers is rounded to eighths of a point. Whole points would be too coarse,
and for a driver it only matters that there is a smallest step."""

MIN_SECONDS = 0.01
"""Shorter searches are not timed precisely enough."""
MOSTLY = 50.0
"""The percentage above which something happens with a high probability."""


checkers, othello = CHECKERS.evaluate, OTHELLO.evaluate


def whole_checkers(position: Any) -> float:
    return float(round(EIGHTHS * checkers(position))) / EIGHTHS


def whole_othello(position: Any) -> float:
    return float(round(othello(position)))


WHOLE = {"checkers": whole_checkers, "othello": whole_othello}
"""The evaluations of the other games are integers already."""


def variations() -> list[Variation]:
    """Use each game's enhancements, deepening by 1, and the guess from two iterations ago."""
    settings = {"depth-step": 1, "guess": "two-back"}
    return [Variation(name, driver, settings=settings) for name, driver in DRIVERS.items()]


def cases(seed: int, count: int) -> list[Case]:
    return mixed_cases(GAMES, seed, count)


def wanted(number: int, variation: Variation, depth: int) -> bool:
    return depth <= MAX_DEPTHS[GROUPS[number % len(GROUPS)]]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    return measure_search(case, replace(variation, evaluation=WHOLE.get(case.game)), depth)


def claims() -> list[Claim]:
    names = tuple(GAMES)
    where = f"all games at their depths ({', '.join(f'{g} {DEPTHS_OF[g]}' for g in names)})"
    return [
        Claim(
            "MTD(f) performs better than PVS and NegaScout by 10 %, in leaves",
            "10 %",
            f"leaves saved over NegaScout, {where}",
            Equals(10, 5, no_effect=0),
            lambda data: saving(_ratio(data, MTDF, SCOUT, "leaves")),
            " %",
            "MTD(f)",
        ),
        Claim(
            "MTD(f) performs better than PVS and NegaScout by 10 %, in time",
            "10 %",
            f"kernel time saved over NegaScout, {where}",
            Equals(10, 5, no_effect=0),
            _time_saved,
            " %",
            "MTD(f)",
            note=f"games whose searches take less than {1000 * MIN_SECONDS:g} ms are left out",
        ),
        Claim(
            "MTD(f) behaves less steadily than PVS and NegaScout",
            "instability of MTD(f)'s behavior",
            "mean deviation of log(growth of nodes from the last but one iteration to the last)"
            " from the game's mean, MTD(f) over NegaScout, {where}",
            MoreThan(1),
            growth_deviation,
            "",
            "MTD(f)",
            note="no measure of stability is published; this one matters for the clock",
        ),
        Claim(
            "The savings of null windows outweigh the cost of searching again",
            "savings ... outweigh cost of re-search",
            f"leaves of NegaScout over the full window's, {where}",
            LessThan(1),
            lambda data: _ratio(data, SCOUT, FULL, "leaves"),
            "",
            "PVS/NegaScout",
        ),
        Claim(
            "The first move has a high probability of causing the cutoff",
            "high probability",
            f"cutoffs by the first move, NegaScout, {where}",
            MoreThan(MOSTLY),
            _first_cuts,
            " %",
            "Young Brothers Wait Concept",
        ),
        Claim(
            "Searching again keeps the result exact: all drivers find the same value",
            "remain exact",
            "positions and depths at which values differ, all drivers",
            Exactly(0),
            _differences,
            " %",
            "Other Alpha-Beta Based Algorithms",
        ),
        Claim(
            "MTD(f) visits 5 to 10 % fewer leaves than NegaScout",
            "5 to 10 %",
            f"leaves saved over NegaScout, {where}",
            Equals(7.5, 2.5, no_effect=0),
            lambda data: saving(_ratio(data, MTDF, SCOUT, "leaves")),
            " %",
            source="Plaat, Schaeffer, Pijls and de Bruin 1996",
            note="theirs are tournament programs for checkers, Othello and chess",
        ),
    ]


def _ratio(data: Data, name: str, baseline: str, metric: str) -> Estimate | None:
    return pooled_ratio(data.without_forced_wins(), DEPTHS_OF, name, baseline, metric)


def _time_saved(data: Data) -> Estimate | None:
    data = data.without_forced_wins()
    means = {game: data.part(game).mean(SCOUT, depth, "seconds") for game, depth in _depths()}
    slow = {
        game: DEPTHS_OF[game]
        for game, mean in means.items()
        if mean is not None and mean.value >= MIN_SECONDS
    }
    return saving(pooled_ratio(data, slow, MTDF, SCOUT, "seconds"))


def _depths() -> list[tuple[str, int]]:
    return list(DEPTHS_OF.items())


def _first_cuts(data: Data) -> Estimate | None:
    values = {}
    for game, depth in _depths():
        part = data.without_forced_wins().part(game)
        for case in part.cases(depth, (SCOUT,), ("first_cuts",)):
            values[case] = part.row(SCOUT, depth, case)["first_cuts"]
    return percent(data.mean_of(values)) if values else None


def growths(part: Data, name: str, depth: int) -> dict[int, float]:
    """Return by position the logarithm of how much an iteration grew over the one before it.

    All searches start from an empty table, so the nodes of an iteration are those of a search to
    its depth without those of a search that is a ply shallower.
    """
    found = {}
    needed = [set(part.cases(d, (name,), ("nodes",))) for d in (depth, depth - 1, depth - 2)]
    for case in sorted(set.intersection(*needed)):
        totals = [part.row(name, d, case)["nodes"] for d in (depth, depth - 1, depth - 2)]
        last, before = totals[0] - totals[1], totals[1] - totals[2]
        if last > 0 and before > 0:
            found[case] = math.log(last / before)
    return found


def growth_deviation(data: Data) -> Estimate | None:
    """Return by how much more the growth of MTD(f) varies from position to position."""
    data = data.without_forced_wins()
    pairs: dict[int, tuple[float, float]] = {}
    for game, depth in _depths():
        if depth - 2 < DEPTHS[0]:
            continue
        mine, theirs = (growths(data.part(game), name, depth) for name in (MTDF, SCOUT))
        common = [case for case in mine if case in theirs]
        if not common:
            return None
        means = [sum(one[case] for case in common) / len(common) for one in (mine, theirs)]
        for case in common:
            pairs[case] = abs(mine[case] - means[0]), abs(theirs[case] - means[1])
    return data.ratio_of(pairs)


def _differences(data: Data) -> Estimate | None:
    """Return the percentage of positions at which the values of drivers differ at some depth."""
    differ: dict[int, bool] = {}
    for depth in data.depths:
        names = data.variations_at(depth)
        for case in data.cases(depth):
            values = {data.row(name, depth, case)["value"] for name in names}
            differ[case] = differ.get(case, False) or len(values) > 1
    return percent(data.share_of(differ))


def tables(data: Data) -> list[Table]:
    data = data.without_forced_wins()
    return [
        _ratio_table(data, "leaves", "Leaves over those of NegaScout"),
        _ratio_table(data, "seconds", "Kernel time over that of NegaScout"),
        _search_table(data),
        _spread_table(data),
    ]


def _ratio_table(data: Data, metric: str, title: str) -> Table:
    rows = []
    for game, depth in _depths():
        part = data.part(game)
        cells = [
            format_estimate(part.ratio(name, SCOUT, depth, metric))
            for name in DRIVERS
            if name != SCOUT
        ]
        rows.append((f"{game}, depth {depth}", *cells))
    return Table(("", *(name for name in DRIVERS if name != SCOUT)), tuple(rows), title)


def _search_table(data: Data) -> Table:
    names = (ASPIRATION, MTDF, SSS, DUAL)
    rows = tuple(
        (
            f"{game}, depth {depth}",
            *(format_estimate(data.part(game).mean(name, depth, "searches")) for name in names),
        )
        for game, depth in _depths()
    )
    return Table(("", *names), rows, "Searches of the last iteration")


def _spread_table(data: Data) -> Table:
    """Return how the nodes of MTD(f) over those of NegaScout vary from position to position."""
    rows = []
    for game, depth in _depths():
        part = data.part(game)
        ratios = sorted(
            part.row(MTDF, depth, case)["nodes"] / part.row(SCOUT, depth, case)["nodes"]
            for case in part.cases(depth, (MTDF, SCOUT), ("nodes",))
        )
        if len(ratios) > 1:
            quarters = quantiles(ratios, n=4, method="inclusive")
            cells = [f"{ratio:.2f}" for ratio in (ratios[0], *quarters, ratios[-1])]
            rows.append((f"{game}, depth {depth}", *cells))
    headings = ("", "minimum", "first quarter", "median", "third quarter", "maximum")
    return Table(headings, tuple(rows), "Nodes of MTD(f) over those of NegaScout, by position")


def charts(data: Data) -> list[Chart]:
    data = data.without_forced_wins()
    names = tuple(name for name in DRIVERS if name != SCOUT)
    bars, lines = [], []
    for game, depth in _depths():
        part = data.part(game)
        points = [
            (float(i), part.ratio(name, SCOUT, depth, "leaves")) for i, name in enumerate(names)
        ]
        bars.append(Series.of(f"{game}, depth {depth}", points))
        by_depth = [(d, part.ratio(MTDF, SCOUT, d, "leaves")) for d in part.depths]
        lines.append(Series.of(game, by_depth))
    ends = tuple(map(float, (min(data.depths), max(data.depths)))) if data.depths else ()
    published = [
        Series(label, ends, (ratio,) * len(ends), published=True)
        for label, ratio in (
            ("10 % better, Kishimoto and Müller", 0.9),
            ("5 % fewer, Plaat and others", 0.95),
            ("10 % fewer, Plaat and others", 0.9),
        )
    ]
    return [
        Chart("drivers", "Leaves of drivers over those of NegaScout, integer evaluations", "",
              "leaves / leaves of NegaScout (1 = no difference)", tuple(bars), names, origin=1.0),
        Chart("mtdf", "Leaves of MTD(f) over those of NegaScout, integer evaluations",
              "search depth (plies)", "leaves / leaves of NegaScout (1 = no difference)",
              (*lines, *published), origin=1.0),
    ]  # fmt: skip


METHOD = f"""
Positions after a few random moves of five games, one of each random game, searched with each game's
enhancements of 2026, iterative deepening by 1 and the guess from two iterations ago. Counts are
those of all iterations, from an empty table of 2^20 entries. The evaluation of checkers is rounded
to eighths of a point and that of Othello to whole discs; those of the other games are integers.
Every game is judged at one depth, and all games weigh the same; positions with a forced win in
reach are left out. The document names neither games nor depths. "High probability" is taken as more
than {MOSTLY:g} %.
"""
THREATS = """
The depths are below those of tournament programs, and the table never fills, which helps MTD(f).
Positions after random moves are less balanced than those of real games, so guesses are worse.
"""
