"""Shared parts of the experiments on give-away checkers (Mańdziuk and Osman 2004)."""

from typing import Any

from plyforge.lab.cases import Case, game_cases
from plyforge.lab.variations import DEFAULT_ENTRIES, Variation

GAME = "giveaway"
PLIES = 40
"""The length of the random games; every position of each is a case."""
TTHH, BI, STEP, SCOUT, REAL = "TTHH", "MTD-bi", "MTD-step(f)", "NegaScout", "realMTD(f)"
DRIVERS = {TTHH: "alphabeta", BI: "mtd-bi", STEP: "mtd-step", SCOUT: "pvs", REAL: "real-mtdf"}
SWITCHES = ("table", "table-move", "history")
SETTINGS = {"replace": "newer", "history-penalty": 0, "epsilon": 0.01}


def positions(seed: int, count: int) -> list[Case]:
    return game_cases(GAME, PLIES, seed, count)


def variation(
    name: str,
    driver: str,
    *,
    without: str = "",
    entries: int = DEFAULT_ENTRIES,
    evaluation: Any = None,
    **settings: str,
) -> Variation:
    """Make a configuration with the table ('newer') and the history heuristic, no deepening.

    Names of settings have `_` instead of `-` here.
    """
    on = tuple(switch for switch in SWITCHES if switch != without)
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
