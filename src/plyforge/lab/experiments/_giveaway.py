"""Shared parts of the experiments on give-away checkers (Mańdziuk and Osman 2004)."""

from typing import Any

from plyforge.lab.cases import Case, game_cases
from plyforge.lab.variations import DEFAULT_ENTRIES, Variation

DOCUMENT = "Mańdziuk and Osman 2004, ICGA Journal 27 (4)"
GAME = "giveaway"
PLIES = 40
"""The length of the random games; every position of each is a case."""
TTHH, BI, STEP, SCOUT, REAL = "TTHH", "MTD-bi", "MTD-step(f)", "NegaScout", "realMTD(f)"
MTDF = "MTD(f)"
DRIVERS = {
    TTHH: "alphabeta",
    BI: "mtd-bi",
    STEP: "mtd-step",
    SCOUT: "pvs",
    REAL: "real-mtdf",
    MTDF: "mtdf",
}
SWITCHES = ("table", "table-move", "history")
SETTINGS = {"replace": "newer", "history-penalty": 0, "epsilon": 0.01}
POPULATION = """
Positions are those of random games of give-away checkers: all 40 of each game, from the start to
the 39th ply. Positions of one game resemble each other, so intervals are by games. TTHH is
alpha-beta with the full window, a transposition table (rule 'newer', 2^20 entries unless stated)
and the history heuristic; there is no iterative deepening unless stated. Drivers search the same
tree with the same table. The evaluation is a hand-made weighted sum inside (-100, 100), because the
paper does not print its own.
"""
"""What METHOD says in all of these experiments."""


def positions(seed: int, count: int) -> list[Case]:
    return game_cases(GAME, PLIES, seed, count)


def variation(
    name: str,
    driver: str,
    *,
    without: str = "",
    extra: tuple[str, ...] = (),
    entries: int = DEFAULT_ENTRIES,
    evaluation: Any = None,
    **settings: str | float,
) -> Variation:
    """Make a configuration with the table ('newer') and the history heuristic, no deepening.

    `extra` are more switches, `without` is one to leave out. Names of settings have `_` instead of
    `-` here.
    """
    on = (*(switch for switch in SWITCHES if switch != without), *extra)
    if driver == REAL:
        settings = {"guess": "zero", "closing": "no", **settings}
    named = {key.replace("_", "-"): value for key, value in settings.items()}
    return Variation(
        name,
        DRIVERS[driver],
        off=("all",),
        on=(*on, "pvs") if driver == SCOUT else on,
        settings={**SETTINGS, **named},
        entries=entries,
        evaluation=evaluation,
    )
