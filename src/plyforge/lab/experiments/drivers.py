"""Compare the drivers with integer evaluations."""

from dataclasses import replace
from typing import Any

from plyforge.games.checkers import EVALUATION as CHECKERS
from plyforge.games.othello import EVALUATION as OTHELLO
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
)

TITLE = "NegaScout, MTD(f), SSS*, DUAL*, aspiration and the full window, with integer values"
SOURCE = "Kishimoto and Müller, tutorial on alpha-beta; Plaat, Schaeffer, Pijls, de Bruin 1996"
DEFAULTS = "2026"
GAMES = {"checkers": 12, "othello": 10, "connect4": 6, "andantino": 8, "hex:6": 6}
"""Games, and the number of random moves before a position."""
GROUPS = tuple(GAMES)
POSITIONS = 40 * len(GROUPS)
DEPTHS = (4, 5, 6, 7, 8, 9, 10, 11, 12)
REPEATS = 3
QUICK = (2 * len(GROUPS), (4, 5, 6))
MAX_DEPTHS = {"checkers": 12, "othello": 9, "connect4": 12, "andantino": 7, "hex:6": 5}
METRICS = (("leaves", "leaves"), ("nodes", "nodes"), ("searches", "searches of the last iteration"),
           ("seconds", "time"))  # fmt: skip

SCOUT, MTDF, FULL, ASPIRATION = "NegaScout", "MTD(f)", "full window", "aspiration"
SSS, DUAL = "SSS*", "DUAL*"
DRIVERS = {SCOUT: "pvs", FULL: "alphabeta", ASPIRATION: "aspiration", MTDF: "mtdf", SSS: "sss",
           DUAL: "dual"}  # fmt: skip
EIGHTHS = 8
"""The evaluation of checkers is rounded to eighths of a point. Whole points would be too coarse,
and for a driver it only matters that there is a smallest step."""

PUBLISHED = (5, 10)
"""The percentages of leaves that MTD(f) saves."""
MIN_SECONDS = 0.1


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


def findings(data: Data) -> list[Finding]:
    data = data.without_forced_wins()
    rows = []
    for game in GAMES:
        part = data.part(game)
        depth = part.max_depth(tuple(DRIVERS))
        if depth is None:
            continue
        ratios = {name: part.ratio(name, SCOUT, depth, "leaves") for name in DRIVERS}
        rows.append(_leaves(game, depth, _saving(ratios[MTDF])))
        rows.append(_time(game, depth, part))
        others = ", ".join(
            f"{name} {ratio.value:.3g}"
            for name, ratio in ratios.items()
            if ratio is not None and name not in (SCOUT, MTDF)
        )
        rows.append(
            Finding(
                f"{game}: leaves over NegaScout's",
                "SSS* and DUAL* about as many, or more",
                others,
                "not comparable",
                "no figure in the documents",
            )
        )
        wrong = _disagreements(part)
        rows.append(
            Finding(
                f"{game}: all drivers find the same value",
                "always",
                f"{wrong} differences",
                "not reproduced" if wrong else "reproduced",
            )
        )
    return rows


def _leaves(game: str, depth: int, saved: Estimate | None) -> Finding:
    low, high = PUBLISHED
    within = saved is not None and saved.high >= low and saved.low <= high
    row = Finding(
        f"{game}: MTD(f) saves leaves over NegaScout",
        f"{low} to {high} %",
        format_estimate(saved, " %"),
        "reproduced" if within else "not reproduced",
        f"depth {depth}; reproduced if the intervals overlap",
    )
    return _unclear(row, saved) if within else row


def _unclear(row: Finding, saved: Estimate | None) -> Finding:
    """Give no verdict if the interval contains both 0 and the published figure."""
    if saved is None or not saved.low <= 0 <= saved.high:
        return row
    why = f"{row.why}; {saved.count} positions are too few to exclude no difference"
    return replace(row, verdict="not comparable", why=why)


def _time(game: str, depth: int, part: Data) -> Finding:
    saved = _saving(part.ratio(MTDF, SCOUT, depth, "seconds"))
    claim = f"{game}: MTD(f) saves time over NegaScout"
    row = judge(claim, 10.0, saved, " %", why=f"depth {depth}", none=0.0)
    mean = part.mean(SCOUT, depth, "seconds")
    if mean is not None and mean.value < MIN_SECONDS:
        why = f"searches of {1000 * mean.value:.0f} ms are mostly overhead (depth {depth})"
        row = replace(row, verdict="not comparable", why=why)
    return row


def _saving(ratio: Estimate | None) -> Estimate | None:
    return None if ratio is None else ratio.rescale(-100, 100)


def _disagreements(part: Data) -> int:
    return sum(
        len({part.row(name, depth, case)["value"] for name in part.variations_at(depth)}) > 1
        for depth in part.depths
        for case in part.cases(depth)
    )


def charts(data: Data) -> list[Chart]:
    data = data.without_forced_wins()
    names = tuple(name for name in DRIVERS if name != SCOUT)
    bars, lines = [], []
    for game in GAMES:
        part = data.part(game)
        depth = part.max_depth(tuple(DRIVERS))
        if depth is not None:
            points = [
                (float(i), part.ratio(name, SCOUT, depth, "leaves")) for i, name in enumerate(names)
            ]
            bars.append(Series.of(f"{game}, depth {depth}", points))
        by_depth = [(d, part.ratio(MTDF, SCOUT, d, "leaves")) for d in part.depths]
        lines.append(Series.of(game, by_depth))
    published = Series("Plaat and others", (float(names.index(MTDF)),), (0.925,), published=True)
    ends = tuple(map(float, (min(data.depths), max(data.depths)))) if data.depths else ()
    band = [
        Series(f"{saving} % fewer", ends, (1 - saving / 100,) * len(ends), published=True)
        for saving in PUBLISHED
    ]
    return [
        Chart("drivers", "Leaves over those of NegaScout", "",
              "leaves / leaves of NegaScout (1 = no difference)", (*bars, published), names,
              origin=1.0),
        Chart("mtdf", "MTD(f) and NegaScout", "depth", "leaves / leaves of NegaScout",
              (*lines, *band), origin=1.0),
    ]  # fmt: skip


NOTES = """
Leaves of all iterations, from an empty table of 2^20 entries. The evaluation of checkers is
rounded to eighths of a point and that of Othello to whole discs; those of the other games are
integers. With integers MTD(f) takes few searches. Published figures are from programs for
checkers, Othello and chess at tournament depths. The published bar is the middle of 5 to 10 %.
Verdicts and charts leave out positions with a forced win in reach.
"""
