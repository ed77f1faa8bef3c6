"""Null-window drivers with real values, in give-away checkers (Mańdziuk and Osman 2004)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

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
    measure_search,
    open_engine,
)
from plyforge.lab.experiments._comparisons import (
    equal_values,
    figure_table,
    per_ratio,
    saving,
    undecided,
)
from plyforge.lab.experiments._giveaway import (
    BI,
    DOCUMENT,
    PLIES,
    POPULATION,
    REAL,
    SCOUT,
    STEP,
    TTHH,
    positions,
    variation,
)
from plyforge.lab.experiments._grains import rounded_evaluation
from plyforge.lab.measuring import search_figures
from plyforge.match.tables import Table

TITLE = "MTD-bi against full-window alpha-beta with real-valued evaluations"
SOURCE = f"{DOCUMENT}, sections 3 to 5"
QUESTION = """
Does MTD-bi, which bisects the range of real values with narrow windows, visit fewer nodes and take
less time than alpha-beta with the full window? And is realMTD(f), which takes small steps, far
worse than both?
"""
DEFAULTS = "2026"
POSITIONS = 1000
"""25 random games of 40 plies, every position of each."""
TOGETHER = PLIES
DEPTHS = (8, 11, 13)
REPEATS = 3
QUICK = (80, (8, 13))
DEPTH, SHALLOW = 13, 8
"""The depths of the published figures."""
BOUND = 15
"""The bound on searches of MTD-bi: log2(200 / 0.01), rounded up."""
PUBLISHED_RANGE = (3, 14)
PAYING = 20
"""MTD(f) is said to be faster while it makes fewer searches than this."""
SAMPLE = 11
"""Some configurations search every 11th position; coprime to 40, so that all plies occur."""
OPEN_DEPTHS = (11, 13)
GUESSED, REAL_GUESSED = f"{STEP}, good guess", f"{REAL}, good guess"
_DISTINCT = ", distinct nodes"
FINE, NO_HISTORY = "fine values", "no history"
NO_MOVE, LEAVES = "table's move not tried first", "leaves kept, too"
READINGS = (FINE, NO_HISTORY, NO_MOVE, LEAVES)
"""Settings that the paper leaves open, tried on a sample."""
MIN_POSITIONS = 5
"""Smaller groups of positions are left out."""
BY_SEARCHES = ((1, 5), (5, 10), (10, 15), (15, 20), (20, 30), (30, 50), (50, 100), (100, 100_000))
_SHALLOW = variation(TTHH, TTHH)


def name_of(driver: str, reading: str = "") -> str:
    return f"{driver}, {reading}" if reading else driver


_OPEN = frozenset(name_of(driver, reading) for driver in (TTHH, BI) for reading in READINGS)


def cases(seed: int, count: int) -> list[Case]:
    return positions(seed, count)


def variations() -> list[Variation]:
    variations = [
        variation(TTHH, TTHH),
        variation(BI, BI),
        variation(STEP, STEP, guess="zero"),
        variation(GUESSED, STEP, guess="last"),
        variation(SCOUT, SCOUT),
        variation(REAL, REAL),
        variation(REAL_GUESSED, REAL, guess="last"),
        variation(TTHH + _DISTINCT, TTHH, distinct="yes"),
        variation(BI + _DISTINCT, BI, distinct="yes"),
    ]
    for one in (TTHH, BI):
        variations += [
            variation(name_of(one, FINE), one, evaluation=rounded_evaluation(1e4)),
            variation(name_of(one, NO_HISTORY), one, without="history"),
            variation(name_of(one, NO_MOVE), one, without="table-move"),
            variation(name_of(one, LEAVES), one, store_leaves="yes"),
        ]
    return variations


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Search; a good guess is the value two plies shallower, found by another engine.

    `printed` is the number of searches of an MTD-bi that stops only with the value in its window.
    Ours also stops when its bounds meet, and saves the last search.
    """
    guess = 0.0
    if variation.name in (GUESSED, REAL_GUESSED):
        shallow = replace(_SHALLOW, evaluation=variation.evaluation)
        guess = measure_search(case, shallow, max(depth - 2, 1))["value"]
    engine, history = open_engine(case, variation)
    result = engine.analyse(history, depth=depth, guess=guess)
    values = search_figures(result)
    return {**values, "printed": values["searches"] + (result.steps[-1].bound != "exact")}


def wanted(number: int, variation: Variation, depth: int) -> bool:
    """Count distinct nodes on a sample only, since that takes time and memory."""
    if variation.name in _OPEN:
        return number % SAMPLE == 0 and depth in OPEN_DEPTHS
    return not variation.name.endswith(_DISTINCT) or number % SAMPLE == 0


def claims() -> list[Claim]:
    return [*_savings(), *_transpositions(), *_iterations(), *_other_drivers()]


def _savings() -> list[Claim]:
    rows = []
    for what, metric, published, place in (
        ("leaves", "leaves", 42, "section 5"),
        ("interior nodes", "interior", 37, "section 5"),
        ("time", "seconds", 39, "section 5, figure 2(a)"),
        ("transpositions", "transpositions", 40, "section 5"),
    ):
        rows.append(
            Claim(
                f"MTD-bi saves {what} over TTHH",
                f"{published} %",
                f"{what} of MTD-bi, percentage below those of TTHH, depth {DEPTH}",
                Equals(published, 5, no_effect=0),
                saving(BI, TTHH, DEPTH, metric),
                unit=" %",
                place=place,
            )
        )
    return [
        *rows,
        Claim(
            "MTD-bi saves even more distinct interior nodes than interior nodes",
            "even greater than 37 %",
            "distinct nodes per interior node of MTD-bi over the same of TTHH, depth"
            f" {DEPTH}, every {SAMPLE}th position",
            LessThan(1),
            lambda data: per_ratio(
                data, DEPTH, BI + _DISTINCT, TTHH + _DISTINCT, "distinct", "interior"
            ),
            place="section 5",
        ),
        Claim(
            "MTD-bi returns exactly the value of plain alpha-beta",
            "always",
            "positions with the value of TTHH, all depths",
            Exactly(100),
            lambda data: equal_values(data, [(BI, TTHH)], DEPTHS),
            unit=" %",
            place="section 3",
        ),
    ]


def _transpositions() -> list[Claim]:
    rows = [
        Claim(
            f"transpositions per interior node, {name}",
            f"{published:.3f}",
            f"table entries used per interior node, depth {DEPTH}",
            Equals(published, published / 10),
            partial(_transpositions_per_node, name=name),
            place="section 5",
        )
        for name, published in ((BI, 0.180), (TTHH, 0.187))
    ]
    return [
        *rows,
        Claim(
            "MTD-bi and TTHH have about the same number of transpositions per interior node",
            "approximately the same",
            f"transpositions per interior node of MTD-bi over the same of TTHH, depth {DEPTH}",
            Equals(1, 0.05),
            lambda data: per_ratio(data, DEPTH, BI, TTHH, "transpositions", "interior"),
            place="sections 5 and 6",
        ),
    ]


def _transpositions_per_node(data: Data, name: str) -> Estimate | None:
    return data.per(name, DEPTH, "transpositions", "interior")


def _iterations() -> list[Claim]:
    minimum, maximum = PUBLISHED_RANGE
    rows = [
        Claim(
            f"searches of MTD-bi at depth {depth}",
            f"{published}",
            f"searches of MTD-bi as printed, mean, depth {depth}",
            Equals(published, published / 10),
            partial(_mean_searches, depth=depth),
            place="section 5",
        )
        for depth, published in ((SHALLOW, 7.5), (DEPTH, 10.7))
    ]
    return [
        *rows,
        Claim(
            "MTD-bi makes more searches at greater depths",
            "7.5 to 10.7",
            f"searches of MTD-bi as printed, depth {DEPTH} over depth {SHALLOW}",
            MoreThan(1),
            _growth_of_searches,
            place="section 5",
        ),
        Claim(
            f"MTD-bi makes {minimum} to {maximum} searches",
            f"{minimum} to {maximum}",
            "undecided positions where MTD-bi as printed makes that number of searches, all depths",
            MoreThan(99),
            lambda data: share_of_searches(data, lambda n: minimum <= n <= maximum),
            unit=" %",
            place="section 5",
            note="a range in a sample: another sample may exceed it in 1 % of the searches",
        ),
        Claim(
            f"MTD-bi never reaches its bound of {BOUND} searches",
            "never",
            f"undecided positions with at least {BOUND} searches of MTD-bi as printed, all depths",
            Exactly(0),
            lambda data: share_of_searches(data, lambda n: n >= BOUND),
            unit=" %",
            place="section 3",
        ),
    ]


def _mean_searches(data: Data, depth: int) -> Estimate | None:
    return data.mean(BI, depth, "printed")


def _growth_of_searches(data: Data) -> Estimate | None:
    both = set(data.cases(DEPTH, (BI,), ("printed",))) & set(data.cases(SHALLOW, (BI,)))
    return data.ratio_of(
        {
            case: (data.row(BI, DEPTH, case)["printed"], data.row(BI, SHALLOW, case)["printed"])
            for case in sorted(both)
        }
    )


def share_of_searches(data: Data, holds: Callable[[float], bool]) -> Estimate | None:
    """Return the percentage of searched positions whose number of searches fulfils a condition."""
    shares: dict[int, list[bool]] = {}
    for depth in DEPTHS:
        for case in data.cases(depth, (BI,), ("printed", "value")):
            row = data.row(BI, depth, case)
            if undecided(row):
                shares.setdefault(case, []).append(holds(row["printed"]))
    pairs = {case: (float(sum(held)), float(len(held))) for case, held in shares.items()}
    share = data.ratio_of(pairs)
    return None if share is None else share.rescale(100)


def _other_drivers() -> list[Claim]:
    return [
        Claim(
            "realMTD(f) is far worse than TTHH",
            "far worse (no figure)",
            f"time of realMTD(f) over that of TTHH, depth {DEPTH}; far worse means more than twice",
            MoreThan(2),
            lambda data: data.ratio(REAL, TTHH, DEPTH, "seconds"),
            place="section 5",
            note="smaller tables: see mtd-real-sizes",
        ),
        Claim(
            "MTD-bi gives far better results than realMTD(f)",
            "far better (no figure)",
            f"time of realMTD(f) over that of MTD-bi, depth {DEPTH}; far means more than twice",
            MoreThan(2),
            lambda data: data.ratio(REAL, BI, DEPTH, "seconds"),
            place="section 6",
        ),
        Claim(
            "MTD-step(f) with a good first guess beats MTD-bi",
            "outperforms (no figure)",
            f"leaves of MTD-step(f), guess from depth {DEPTH - 2}, over those of MTD-bi, depth"
            f" {DEPTH}",
            LessThan(1),
            lambda data: data.ratio(GUESSED, BI, DEPTH, "leaves"),
            place="section 3",
            note="steps of 1, 2, 4 ...: theirs are not stated",
        ),
        Claim(
            "a more accurate first guess makes MTD(f) faster",
            "faster (no figure)",
            f"nodes of realMTD(f), guess from depth {DEPTH - 2}, over those from guess 0, depth"
            f" {DEPTH}",
            LessThan(1),
            lambda data: data.ratio(REAL_GUESSED, REAL, DEPTH, "nodes"),
            place="section 3, cited from Plaat et al. 1996",
        ),
        Claim(
            f"MTD(f) is faster than the full window while it makes fewer than {PAYING} searches",
            f"faster below {PAYING}",
            "time of realMTD(f) over that of TTHH, positions with fewer than"
            f" {PAYING} searches, depth {DEPTH}",
            LessThan(1),
            lambda data: _ratio_by_searches(data, REAL, DEPTH, "seconds", 1, PAYING),
            place="section 3",
            note="the paper does not say what happens above",
        ),
    ]


def _ratio_by_searches(
    data: Data, name: str, depth: int, metric: str, low: int, high: int
) -> Estimate | None:
    """Return the ratio to TTHH over positions with at least `low`, but below `high`, searches."""
    pairs = {
        case: (data.row(name, depth, case), data.row(TTHH, depth, case))
        for case in data.cases(depth, (name, TTHH), ("searches", metric))
    }
    group = {
        case: (one[metric], base[metric])
        for case, (one, base) in pairs.items()
        if low <= one["searches"] < high
    }
    return data.ratio_of(group) if len(group) >= MIN_POSITIONS else None


def group_by_searches(
    data: Data, name: str, depth: int, metric: str
) -> list[tuple[float, Estimate]]:
    """Group positions by their number of searches; return each mean and ratio to TTHH."""
    groups = []
    for low, high in BY_SEARCHES:
        ratio = _ratio_by_searches(data, name, depth, metric, low, high)
        counts = [
            count
            for case in data.cases(depth, (name, TTHH), ("searches",))
            if low <= (count := data.row(name, depth, case)["searches"]) < high
        ]
        if ratio is not None:
            groups.append((sum(counts) / len(counts), ratio))
    return groups


def tables(data: Data) -> list[Table]:
    drivers = (TTHH, BI, STEP, GUESSED, SCOUT, REAL, REAL_GUESSED)
    columns = [f"depth {depth}" for depth in DEPTHS]
    tables = [
        figure_table(
            f"{what}, mean", "driver", columns,
            {name: [data.mean(name, d, metric) for d in DEPTHS] for name in drivers},
        )
        for what, metric in (("leaves", "leaves"), ("interior nodes", "interior"))
    ]  # fmt: skip
    ratios = [
        figure_table(
            f"{what} over {what} of TTHH", "driver", columns,
            {name: [data.ratio(name, TTHH, d, metric) for d in DEPTHS] for name in drivers[1:]},
        )
        for what, metric in (("time", "seconds"), ("leaves", "leaves"))
    ]  # fmt: skip
    per_node = {
        name: [data.per(name, d, "transpositions", "interior") for d in DEPTHS]
        for name in (TTHH, BI)
    }
    searches = {
        name: [data.mean(name, d, "printed" if name == BI else "searches") for d in DEPTHS]
        for name in (BI, STEP, GUESSED, REAL, REAL_GUESSED)
    }
    return [
        *tables,
        *ratios,
        figure_table("transpositions per interior node", "driver", columns, per_node),
        figure_table("searches of a driver, mean", "driver", columns, searches),
        _paying_table(data),
        _readings_table(data),
    ]


def _paying_table(data: Data) -> Table:
    rows = {
        f"{low} to {high - 1}" if high < 1000 else f"{low} or more": [
            _ratio_by_searches(data, REAL, DEPTH, metric, low, high)
            for metric in ("seconds", "leaves")
        ]
        for low, high in BY_SEARCHES
    }
    title = f"realMTD(f) over TTHH by the number of its searches, depth {DEPTH}"
    return figure_table(title, "searches", ("time", "leaves"), rows)


def _readings_table(data: Data) -> Table:
    metrics = ("leaves", "interior", "transpositions")
    rows = {
        reading: [
            saving(name_of(BI, reading), name_of(TTHH, reading), depth, metric)(data)
            for depth in OPEN_DEPTHS
            for metric in metrics
        ]
        for reading in READINGS
    }
    title = f"percentage saved by MTD-bi with other settings, every {SAMPLE}th position"
    columns = [f"{metric}, depth {depth}" for depth in OPEN_DEPTHS for metric in metrics]
    return figure_table(title, "setting", columns, rows)


def charts(data: Data) -> list[Chart]:
    names = (BI, STEP, GUESSED, SCOUT, REAL)
    pictures = []
    for metric, what, published in (("leaves", "leaves", 0.58), ("seconds", "time", 0.61)):
        lines = [
            Series.of(name, [(d, data.ratio(name, TTHH, d, metric)) for d in data.depths])
            for name in names
        ]
        pictures.append(
            Chart(what, f"Give-away checkers: {what} over TTHH's", "depth (plies)",
                  f"{what} / {what} of TTHH",
                  (*lines, Series(BI, (DEPTH,), (published,), published=True)), origin=1.0)
        )  # fmt: skip
    searches = [
        Series.of(BI, [(d, data.mean(BI, d, "printed")) for d in data.depths]),
        *(Series.of(n, [(d, data.mean(n, d, "searches")) for d in data.depths])
          for n in (STEP, GUESSED, REAL)),
        Series(BI, (SHALLOW, DEPTH), (7.5, 10.7), published=True),
    ]  # fmt: skip
    pictures.append(
        Chart("searches", "Give-away checkers: searches that a driver needs", "depth (plies)",
              "searches for one position, mean", tuple(searches), log_y=True)
    )  # fmt: skip
    for metric, what in (("leaves", "leaves"), ("seconds", "time")):
        lines = [
            Series.of(name, [*group_by_searches(data, name, DEPTH, metric)])
            for name in (BI, STEP, GUESSED, REAL)
        ]
        pictures.append(
            Chart(f"paying-{what}",
                  f"Give-away checkers: {what} over TTHH's by the searches made (depth {DEPTH})",
                  "searches of the driver, mean of a group of positions",
                  f"{what} / {what} of TTHH", tuple(lines), log_x=True, origin=1.0)
        )  # fmt: skip
    return pictures


METHOD = f"""{POPULATION}
The paper leaves open whether the table is cleared between positions; here it is, replacement-real
keeps it through a game, and table-through-games never clears it. It also leaves open whether there
is iterative deepening: see deepening-real. Values are multiples of 0.01. Won and lost positions
have values outside (-100, 100). MTD-bi as printed would not end on them; ours continues among the
wins, and claims about its number of searches leave them out. Ours also stops when its two bounds
meet, where the printed one makes another search, which finds the value inside its window and costs
almost nothing; "as printed" counts it. A good guess is the value of a search two plies shallower in
another engine, whose cost is not counted. realMTD(f) has no limit on its searches.

Savings are judged with a margin of 5 points, other figures with one of 10 %. Other settings that
the paper leaves open (fine values, with a grain of 0.0001; no history; the table's move not first;
leaves in the table) are tried on every eleventh position.
"""
THREATS = """
The evaluation and the random games are not those of the paper, and ours are faster: a search for
one move took the authors 15 seconds at one position, ours of depth 13 take a fraction of that.
Whether their tables were fuller is unknown; mtd-real-sizes has smaller tables. Times are those of
the kernel alone; a driver that makes many short searches also has fixed costs, which are not
judged. The starting position occurs in every game.
"""
