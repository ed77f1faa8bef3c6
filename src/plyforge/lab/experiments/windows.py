"""Small windows: the trees they leave, aspiration by a pawn, and how often PVS searches again."""

from dataclasses import replace

from plyforge.engine import Engine
from plyforge.game.game import History
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    LessThan,
    MoreThan,
    Series,
    Variation,
    format_estimate,
    mixed_cases,
    open_engine,
)
from plyforge.lab.experiments import _scouts
from plyforge.lab.experiments._pooled import pooled_pairs, pooled_ratio, pooled_share
from plyforge.lab.measuring import search_figures
from plyforge.match.tables import Table
from plyforge.search.values import next_below

TITLE = "Small windows, aspiration by a pawn, and searching again"
SOURCE = "Kishimoto and Müller, tutorial on alpha-beta"
QUESTION = (
    "Do smaller windows give smaller trees, does an aspiration window of a pawn pay although it can"
    " fail, and how often does principal variation search search a move again?"
)
DEFAULTS = "2026"
GAMES = {"chess": 12, "checkers": 12}
"""Games, and the number of random moves before a position."""
PAWN = {"chess": 100.0, "checkers": 4.07}
"""The value of a pawn, or of a man in checkers, in the units of the evaluation."""
GROUPS = tuple(GAMES)
POSITIONS = 100 * len(GROUPS)
DEPTHS = (4, 5, 6, 8, 10)
QUICK = (2 * len(GROUPS), (4, 5))
MAX_DEPTHS = {"chess": 6, "checkers": 10}
METRICS = (("nodes", "nodes"), ("fails", "searches that failed"), ("iterations", "iterations"),
           ("scouts", "null windows"), ("researches", "second searches"))  # fmt: skip
RARELY = 10.0
"""The percentage below which something happens rarely."""

FULL, WIDE, NARROW, NULL = (
    "full window",
    "known value ± a pawn",
    "± a tenth of a pawn",
    "null window",
)
WIDTHS = {FULL: float("inf"), WIDE: 1.0, NARROW: 0.1, NULL: 0.0}
"""Half the width of the window around the value that is already known, in pawns."""
DRIVER, ASPIRATION = "full window, driver", "aspiration by a pawn"
SCOUT = "principal variation search"


def variations() -> list[Variation]:
    settings = {"depth-step": 1, "guess": "last"}
    return [
        *(Variation(name, "alphabeta", settings=settings) for name in WIDTHS),
        Variation(DRIVER, "alphabeta", settings=settings),
        Variation(ASPIRATION, "aspiration", off=("pvs",), settings=settings),
        Variation(
            SCOUT,
            on=("count-scouts",),
            settings={**settings, "skip-research": "no"},
            steps=(_scouts,),
        ),
    ]


def cases(seed: int, count: int) -> list[Case]:
    return mixed_cases(GAMES, seed, count)


def wanted(number: int, variation: Variation, depth: int) -> bool:
    return depth <= MAX_DEPTHS[GROUPS[number % len(GROUPS)]]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    if variation.name == ASPIRATION:
        settings = {**variation.settings, "aspiration": PAWN[case.game]}
        variation = replace(variation, settings=settings)
    engine, history = open_engine(case, variation)
    if variation.name in WIDTHS:
        return search_window(engine, history, depth, WIDTHS[variation.name] * PAWN[case.game])
    result = engine.analyse(history, depth=depth)
    counts, iterations = result.counts, len({step.depth for step in result.steps})
    figures = search_figures(result)
    figures |= {"iterations": iterations, "fails": len(result.steps) - iterations}
    if variation.name == SCOUT:
        scouts = counts.steps["settled_scouts"] + counts.researches
        figures |= {"scouts": scouts, "researches": counts.researches}
    return figures


def search_window(engine: Engine, history: History, depth: int, half: float) -> dict[str, float]:
    """Search with a window around the value of each depth, and return the nodes of all depths.

    The values come from searches of a full window, after which all memory is cleared.
    """
    values: list[float] = []
    engine.analyse(history, depth=depth, report=lambda info: values.append(info.score))
    engine.clear()
    engine.searcher.reset_counts()
    for plies, value in enumerate(values, 1):
        low, high = (value - half, value + half) if half else (next_below(value), value)
        engine.search(history, low, high, plies)
    return {"value": values[-1], "nodes": engine.searcher.counts.nodes}


def claims() -> list[Claim]:
    where = ", ".join(f"{game} {depth}" for game, depth in MAX_DEPTHS.items())
    where = f"both games at their depths ({where})"
    return [
        Claim(
            "Smaller windows often lead to smaller trees",
            "often lead to smaller trees",
            "positions with fewer nodes in a window of ± a tenth of a pawn than of ± a pawn,"
            f" {where}",
            MoreThan(50),
            lambda data: pooled_share(
                data.without_forced_wins(),
                MAX_DEPTHS,
                (NARROW, WIDE),
                lambda mine, base: mine["nodes"] < base["nodes"],
            ),
            " %",
            "Are We Done?",
            "Buro and Tuero 2024",
        ),
        Claim(
            "Smaller windows cause more cutoffs: a null window needs fewer nodes than a full one",
            "smaller windows cause more cutoffs",
            f"nodes with a null window at the value over those with a full one, {where}",
            LessThan(1),
            lambda data: _ratio(data, NULL, FULL),
            "",
            "Other Alpha-Beta Based Algorithms",
        ),
        Claim(
            "A window of a pawn around the last value can reduce the search effort",
            "can reduce search effort",
            f"nodes of aspiration by a pawn over those of the full window, {where}",
            LessThan(1),
            lambda data: _ratio(data, ASPIRATION, DRIVER),
            "",
            "Reducing the Search Window",
        ),
        Claim(
            "A window of a pawn around the last value can fail",
            "can fail",
            f"searches that failed per iteration, aspiration by a pawn, {where}",
            MoreThan(0),
            lambda data: _per(data, ASPIRATION, "fails", "iterations"),
            " %",
            "Reducing the Search Window",
        ),
        Claim(
            "With a good order a second search is rarely needed",
            "re-search rarely needed",
            f"null windows in open windows that are searched again, PVS, {where}",
            LessThan(RARELY),
            lambda data: _per(data, SCOUT, "researches", "scouts"),
            " %",
            "PVS/NegaScout",
            note=f"'rarely' is taken as less than {RARELY:g} %",
        ),
    ]


def _ratio(data: Data, name: str, baseline: str) -> Estimate | None:
    return pooled_ratio(data.without_forced_wins(), MAX_DEPTHS, name, baseline, "nodes")


def _per(data: Data, name: str, metric: str, other: str) -> Estimate | None:
    """Return the mean over games of the ratio of two figures, in percent."""
    found = pooled_pairs(
        data.without_forced_wins(),
        MAX_DEPTHS,
        (name, name),
        lambda mine, _: (mine[metric], mine[other]),
        (metric, other),
    )
    return None if found is None else found.rescale(100)


def tables(data: Data) -> list[Table]:
    data = data.without_forced_wins()
    rows, others = [], []
    for game, depth in MAX_DEPTHS.items():
        part = data.part(game)
        cells = (part.ratio(name, FULL, depth, "nodes") for name in (WIDE, NARROW, NULL))
        rows.append((f"{game}, depth {depth}", *map(format_estimate, cells)))
        figures = (
            part.ratio(ASPIRATION, DRIVER, depth, "nodes"),
            part.per(ASPIRATION, depth, "fails", "iterations"),
            part.ratio(SCOUT, DRIVER, depth, "nodes"),
            part.per(SCOUT, depth, "researches", "scouts"),
        )
        others.append((f"{game}, depth {depth}", *map(format_estimate, figures)))
    headings = ("", "aspiration, nodes / full", "failed / iterations", "PVS, nodes / full",
                "second searches / null windows")  # fmt: skip
    return [
        Table(("", WIDE, NARROW, NULL), tuple(rows), "Nodes over those of the full window"),
        Table(headings, tuple(others), "Aspiration by a pawn, and PVS"),
    ]


def charts(data: Data) -> list[Chart]:
    data = data.without_forced_wins()
    names = (WIDE, NARROW, NULL, ASPIRATION, SCOUT)
    bars = []
    for game, depth in MAX_DEPTHS.items():
        part = data.part(game)
        points = [
            (float(i), part.ratio(n, FULL if n in WIDTHS else DRIVER, depth, "nodes"))
            for i, n in enumerate(names)
        ]
        bars.append(Series.of(f"{game}, depth {depth}", points))
    return [
        Chart("nodes", "Nodes with small windows over those with the full window", "",
              "nodes / nodes with the full window (1 = no difference)", tuple(bars), names,
              origin=1.0)
    ]  # fmt: skip


METHOD = f"""
Positions of chess and of checkers after 12 random moves, one of each random game, searched with
each game's enhancements of 2026, iterative deepening by 1 and an empty table of 2^20 entries; nodes
are those of all iterations. A pawn is {PAWN["chess"]:g} in chess; in checkers a man,
{PAWN["checkers"]:g}, stands for it. For the effect of a window by itself, each depth is searched
with a window around its value, which an earlier search found; a null window only proves that the
value is reached. Aspiration starts from the value of the last iteration; the document takes that of
the last move. After a failure that end of the window moves away by four times the width. Second
searches are counted with Reinefeld's condition off, at nodes with an open window. Games weigh the
same, each at one depth; positions with a forced win in reach are left out.
"""
THREATS = """
Positions after random moves change their value from depth to depth more than those of real games,
so aspiration fails more often here; and our search of chess has no quiescence search, so values of
even and odd depths differ by more than a pawn. A step that counts null windows is compiled into one
of the searches; it changes no node.
"""
