"""Killers, deepening, ETC and EIB with real values (Mańdziuk and Osman 2004, section 5)."""

from functools import partial

from plyforge.lab import Case, Chart, Claim, Data, Estimate, LessThan, Series, Variation
from plyforge.lab.experiments._comparisons import figure_table
from plyforge.lab.experiments._giveaway import (
    DOCUMENT,
    PLIES,
    POPULATION,
    TTHH,
    positions,
    variation,
)
from plyforge.lab.experiments._grains import rounded_evaluation
from plyforge.match.tables import Table

TITLE = "Whether killers, deepening, ETC and EIB are useful with real values"
SOURCE = f"{DOCUMENT}, section 5"
QUESTION = """
The paper expects four more enhancements of alpha-beta to be useful with real values. Do they save
nodes if they are added to a search with table and history?
"""
DEFAULTS = "2026"
POSITIONS = 400
TOGETHER = PLIES
DEPTHS = (8, 10, 12)
QUICK = (40, (12,))
DEPTH = 12
KILLERS, DEEPENING, ETC, EIB = "killers", "deepening", "etc", "eib"
ADDED = {
    KILLERS: "killer moves",
    DEEPENING: "iterative deepening",
    ETC: "enhanced transposition cutoffs (ETC)",
    EIB: "moves ordered by the bounds of children (EIB)",
}
REAL, WHOLE = "real values", "integers"
STEPS = {REAL: 1e4, WHOLE: 1.0}
"""Steps of the evaluation per unit."""


def name_of(added: str, values: str) -> str:
    return f"{TTHH} + {added}, {values}" if added else f"{TTHH}, {values}"


def cases(seed: int, count: int) -> list[Case]:
    return positions(seed, count)


def variations() -> list[Variation]:
    return [
        variation(
            name_of(added, values),
            TTHH,
            extra=(added,) if added else (),
            evaluation=rounded_evaluation(steps),
            depth_step=1,
        )
        for values, steps in STEPS.items()
        for added in ("", *ADDED)
    ]


def over_tthh(data: Data, added: str, values: str = REAL, depth: int = DEPTH) -> Estimate | None:
    """Return the nodes over those of TTHH, without positions where a forced win was found."""
    pair = (name_of(added, values), name_of("", values))
    return data.without_forced_wins().ratio(*pair, depth, "nodes")


def claims() -> list[Claim]:
    return [
        Claim(
            f"useful with real values: {words}",
            "should prove to be useful",
            f"nodes of TTHH with it over TTHH without, real values, depth {DEPTH}",
            LessThan(1),
            partial(over_tthh, added=added),
            place="section 5",
        )
        for added, words in ADDED.items()
    ]


def tables(data: Data) -> list[Table]:
    return [
        figure_table(
            "nodes over those of TTHH with the same values", "added",
            [f"{values}, depth {depth}" for values in STEPS for depth in DEPTHS],
            {
                added: [
                    over_tthh(data, added, values, depth) for values in STEPS for depth in DEPTHS
                ]
                for added in ADDED
            },
        )
    ]  # fmt: skip


def charts(data: Data) -> list[Chart]:
    lines = [
        Series.of(f"{added}, {values}", [(d, over_tthh(data, added, values, d)) for d in DEPTHS])
        for added in ADDED
        for values in STEPS
    ]
    return [
        Chart("nodes", "Give-away checkers: nodes with one more enhancement, over TTHH's",
              "depth (plies)", "nodes / nodes of TTHH", tuple(lines), origin=1.0)
    ]  # fmt: skip


METHOD = f"""{POPULATION}
Each enhancement is added to TTHH by itself. Killers are two moves per ply, tried before history.
Deepening searches every depth before the last one with the same table, and all iterations count.
ETC looks up all children from three plies before the horizon on. The paper names EIB without
describing it; here, moves are ordered by the bounds that the table has for the children. Real
values have a grain of 0.0001, integers are the same values rounded to 1. The table is cleared
before each position. Positions where a search finds a forced win are left out, because deepening
stops there.
"""
THREATS = """
The paper predicts that these enhancements are useful, and measures none. "Useful" is judged by
nodes on top of table and history, which already do part of the work of killers and of deepening; on
top of plain alpha-beta, they may save more. What the look-ups of ETC and EIB cost in time is not
judged.
"""
