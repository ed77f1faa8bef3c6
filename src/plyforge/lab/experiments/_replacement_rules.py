"""Replacement rules: configurations, and searches of games with a table that is kept.

Shared by the experiments that keep the table through one game and through many.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from plyforge.engine import Engine
from plyforge.lab.data import Data
from plyforge.lab.experiments._giveaway import BI, TTHH, variation
from plyforge.lab.measuring import search_figures
from plyforge.lab.statistics import Estimate
from plyforge.lab.variations import Variation

BITS = 20
"""Index bits of the published table."""
DRIVERS = (TTHH, BI)
NEWER, DEEPER, STAMPED, SHARPLY = RULES = ("newer", "deeper", "deeper-timestamp", "sharply-deeper")
DEPTH = 13
"""The depth of the published figures."""
PUBLISHED = {
    (TTHH, DEEPER, "leaves"): 17.0,
    (TTHH, DEEPER, "seconds"): 13.0,
    (BI, DEEPER, "leaves"): 12.0,
    (BI, DEEPER, "seconds"): 9.0,
}
"""The extra percentage over 'newer'."""


def name_of(driver: str, rule: str, reading: str = "") -> str:
    return f"{driver}, {rule}" + (f", {reading}" if reading else "")


def size_of(bits: int) -> str:
    return "" if bits == BITS else f"2^{bits}"


def rule_variation(
    driver: str,
    rule: str,
    reading: str = "",
    bits: int = BITS,
    settings: Mapping[str, str] | None = None,
) -> Variation:
    """Make a configuration with a rule of replacement, a size, and the settings of a reading."""
    base = variation(name_of(driver, rule, reading), driver, entries=1 << bits)
    return replace(
        base,
        settings={**base.settings, "replace": rule, **(settings or {})},
        extra={"reading": reading, "bits": bits},
    )


def search_game(
    engine: Engine, moves: Iterable[int], depth: int, cleared: bool = False
) -> list[dict[str, float]]:
    """Search every position of a game in order; the table is kept, unless `cleared`."""
    history, figures = engine.game.history(), []
    for move in (*moves, None):
        if cleared:
            engine.clear()
        figures.append(search_figures(engine.analyse(history, depth=depth)))
        if move is not None:
            history.play(move)
    return figures


def mean_figures(figures: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the mean of each figure over the moves."""
    return {name: sum(one[name] for one in figures) / len(figures) for name in figures[0]}


def percent_more(
    data: Data, driver: str, rule: str, depth: int, metric: str, reading: str = ""
) -> Estimate | None:
    """Return the extra percentage over 'newer', with the same reading if 'newer' has it."""
    base = name_of(driver, NEWER, reading)
    base = base if base in data.variations else name_of(driver, NEWER)
    ratio = data.ratio(name_of(driver, rule, reading), base, depth, metric)
    return None if ratio is None else ratio.rescale(100, -100)


def nodes_per_entry(
    data: Data, depth: int, moves: int, bits: int, reading: str = ""
) -> Estimate | None:
    """Return the interior nodes of TTHH in `moves` moves per entry of the table."""
    interior = data.mean(name_of(TTHH, NEWER, reading), depth, "interior")
    return None if interior is None else interior.rescale(moves / (1 << bits))
