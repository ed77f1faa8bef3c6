"""Searches of the learning draughts players, with their learned nets as evaluation."""

from collections.abc import Sequence
from dataclasses import replace

from plyforge.games.checkers.named_players import weights
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    LessThan,
    MoreThan,
    Variation,
    format_estimate,
    measure_search,
)
from plyforge.lab.experiments._draughts import (
    NEURODRAUGHTS,
    trained_cases,
    trainings,
    weights_digest,
)
from plyforge.lab.experiments._minimax_savings import savings_chart, searches_table
from plyforge.lab.experiments._pooled import saving
from plyforge.match.tables import Table

TITLE = "Time and nodes of VisionDraughts' searches over NeuroDraughts' minimax, with learned nets"
SOURCE = "Duarte, Otsuka and Julia 2009"
QUESTION = (
    "With a learned net as evaluation, does the search of VisionDraughts take more than 95 % off"
    " the time of minimax, and what does ordering by the table's moves add?"
)
DEFAULTS = "2026"
PLIES = 12
"""The number of random moves before a position."""
POSITIONS = 25
DEPTHS = (4, 6, 8, 9)
QUICK = (5, (4, 6))
REPEATS = 3
METRICS = (
    ("nodes", "nodes"),
    ("seconds", "time"),
    ("leaves", "leaves"),
    ("first_cuts", "cutoffs by the first move"),
)
DEPTH = 9
"""The depth of the claims."""

MINIMAX, PLAIN, VISION = "NeuroDraughts (minimax)", "LS-Draughts (alpha-beta)", "VisionDraughts"
ORDERED, ORDERED_2 = "VisionDraughts, moves of d - 1", "VisionDraughts, moves of d - 2"
_ON = ("table", "deepening")
SEARCHES: dict[str, tuple[tuple[str, ...], dict[str, int]]] = {
    MINIMAX: ((), {}),
    PLAIN: ((), {}),
    VISION: (_ON, {}),
    ORDERED: ((*_ON, "table-move"), {"table-move-depth": 1}),
    ORDERED_2: ((*_ON, "table-move"), {"table-move-depth": 2}),
}


def cases(seed: int, count: int) -> list[Case]:
    return trained_cases(PLIES, seed, count)


def variations() -> list[Variation]:
    digest = weights_digest(NEURODRAUGHTS)
    return [
        Variation(
            name,
            "minimax" if name == MINIMAX else "alphabeta",
            off=("all",),
            on=on,
            settings={"depth-step": 1, "depth-rule": "at-least", **settings},
            extra={"weights": digest},
        )
        for name, (on, settings) in SEARCHES.items()
    ]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    evaluation = weights(NEURODRAUGHTS, trainings(case)[0])
    return measure_search(case, replace(variation, evaluation=evaluation), depth)


def claims() -> list[Claim]:
    where = f"checkers with learned nets, depth {DEPTH}"
    return [
        *(
            Claim(
                f"The search of VisionDraughts takes more than 95 % off the {word} of minimax",
                "more than 95 %",
                f"{word} saved over minimax, {where}",
                MoreThan(95),
                lambda data, metric=metric: saving(_ratio(data, VISION, MINIMAX, metric)),  # type: ignore[misc]
                " %",
                "section 4.2",
                note=note,
            )
            for metric, word, note in (
                ("seconds", "time", ""),
                ("nodes", "nodes", "published for time"),
            )
        ),
        *(
            Claim(
                f"Trying the table's moves of depth {reading} first {effect}",
                published,
                f"{word} with these moves first over those without, {where}",
                LessThan(1),
                lambda data, name=name, metric=metric: _ratio(data, name, VISION, metric),  # type: ignore[misc]
                "",
                "section 5",
            )
            for name, reading in ((ORDERED, "d - 1"), (ORDERED_2, "d - 2"))
            for metric, word, effect, published in (
                ("seconds", "time", "makes the search faster", "tends to be faster"),
                ("nodes", "nodes", "prunes more", "the chances of pruning increases"),
            )
        ),
    ]


def _ratio(
    data: Data, name: str, baseline: str, metric: str, depth: int = DEPTH
) -> Estimate | None:
    return data.without_forced_wins().ratio(name, baseline, depth, metric)


def tables(data: Data) -> list[Table]:
    by_search = searches_table(data, SEARCHES, MINIMAX, DEPTH, "Searches with learned nets")
    return [by_search, _by_depth(data)]


def _by_depth(data: Data) -> Table:
    rows = []
    for depth in data.depths:
        found = [saving(_ratio(data, VISION, MINIMAX, metric, depth)) for metric in _BOTH]
        for name in (ORDERED, ORDERED_2):
            found += [saving(_ratio(data, name, VISION, metric, depth)) for metric in _BOTH]
        rows.append((str(depth), *map(format_estimate, found)))
    headings = ("depth", *_headings("minimax"), *_headings("d - 1"), *_headings("d - 2"))
    title = (
        "Saved (%): by VisionDraughts over minimax, then by the moves of either depth over"
        " VisionDraughts without ordering"
    )
    return Table(headings, tuple(rows), title)


_BOTH = ("seconds", "nodes")


def _headings(what: str) -> Sequence[str]:
    return [f"{what}: time", f"{what}: nodes"]


def charts(data: Data) -> list[Chart]:
    title = "Time over that of minimax, with learned nets"
    return [savings_chart(data, SEARCHES, MINIMAX, "seconds", "time", title)]


METHOD = f"""
Positions of checkers after {PLIES} random moves, one of each random game, searched to fixed depths
from an empty table of 2^20 entries. The evaluation is NeuroDraughts' net; the five trainings take
turns. Minimax and the alpha-beta of LS-Draughts search the depth at once; VisionDraughts deepens by
1, uses entries of at least the depth that is needed, and orders nothing, or tries first the moves
of entries at most one or two plies shallower than the node, as the text and the listing of the
source have it. The net of LS-Draughts is not used, so that all searches have one evaluation. Times
are processor times of the kernel alone, medians of {REPEATS}. Positions with a forced win in reach
are left out. `vision-draughts` is the same with the hand evaluation.
"""
THREATS = """
What is saved grows with the depth, and the depth of their program is not known. Our net takes a
smaller share of the time than theirs, whose features were computed one by one.
"""
