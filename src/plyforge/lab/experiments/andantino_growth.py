"""What alpha-beta and the table save, by depth and by stones on the board (Koneru, 1.2 and 2.1)."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from plyforge.games import load
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
    open_engine,
)
from plyforge.lab.experiments._andantino_openings import random_openings
from plyforge.lab.measuring import search_figures
from plyforge.match.tables import Table

TITLE = "What alpha-beta and the table save in Andantino, by depth and stones"
SOURCE = "Koneru, Alpha Beta Search on Andantino, sections 1.2, 2.1 and 3"
QUESTION = """
How much of the tree do alpha-beta and a transposition table save, and how does that change with the
depth of the search and with the progress of the game?
"""
DEFAULTS = "2026"
STAGES = (2, 4, 6, 8, 10, 13, 16, 19)
"""Stones on the board; every game gives one position of each stage."""
OPENING, MIDGAME = 4, 16
"""The stages that stand for the opening and the midgame; published games take 25 to 54 moves."""
FIRST, HIGHEST, LAST = 2, 6, 10
"""The first stage of Table 1, that of its highest reduction, and its last."""
TOGETHER = len(STAGES)
POSITIONS = 100 * TOGETHER
DEPTHS = (2, 3, 4, 5, 6)
QUICK = (4 * TOGETHER, (2, 3, 4))
MAX_MINIMAX_STONES = {6: LAST}
"""Above this number of stones, the full tree of a depth is not searched."""
PUBLISHED = {2: 74, 4: 86, 6: 89, 8: 87, 10: 79}
"""The published reductions at depth 4, in percent, by stones."""
TABLE_1_DEPTH = 4
SHALLOW, DEEP = 4, 6
"""The depths between which savings are compared."""
MARGIN = 5
"""The margin of published percentages, in points."""
EXPONENTIAL_MARGIN = 0.1

FULL, PLAIN, SORTED = "minimax", "order of generation", "order of evaluation"
TABLE, SORTED_TABLE = "order of generation, table", "order of evaluation, table"
WITHOUT_TABLE = {TABLE: PLAIN, SORTED_TABLE: SORTED}


def cases(seed: int, count: int) -> list[Case]:
    """Return the stages of random games, no two of which end in the same position."""
    games = random_openings(max(STAGES) - 1, seed, -(-count // TOGETHER))
    return [
        Case(game.game, game.moves[: stones - 1], label=f"{game.label}, {stones} stones")
        for game in games
        for stones in STAGES
    ][:count]


def variations() -> list[Variation]:
    newer, by_value = {"replace": "newer"}, {"child-eval-depth": 1}
    return [
        Variation(FULL, "minimax", off=("all",)),
        _alpha_beta(PLAIN, (), {}),
        _alpha_beta(SORTED, ("child-eval",), by_value),
        _alpha_beta(TABLE, ("table",), newer),
        _alpha_beta(SORTED_TABLE, ("table", "child-eval"), {**newer, **by_value}),
    ]


def _alpha_beta(name: str, on: tuple[str, ...], settings: Mapping[str, Any]) -> Variation:
    return Variation(name, "alphabeta", off=("all",), on=on, settings=settings)


def wanted(number: int, variation: Variation, depth: int) -> bool:
    limit = MAX_MINIMAX_STONES.get(depth, max(STAGES))
    return variation.name != FULL or STAGES[number % TOGETHER] <= limit


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Search once, without deepening; `move` identifies the move found."""
    engine, history = open_engine(case, variation)
    result = engine.analyse(history, depth=depth)
    legal = len(load(case.game).moves(history.position))
    return {**search_figures(result), "move": result.move, "legal": legal}


def _at(data: Data, depth: int, names: tuple[str, ...], stones: int | None) -> list[int]:
    """Return the positions of a stage, or of all stages, that these configurations share."""
    return [
        case
        for case in data.cases(depth, names, ("nodes",))
        if stones is None or STAGES[case % TOGETHER] == stones
    ]


def saving(
    data: Data, name: str, baseline: str, depth: int, stones: int | None = None
) -> Estimate | None:
    """Return the mean percentage of nodes saved, each position counting the same."""
    return data.difference_of(
        {
            case: _saved(data, name, baseline, depth, case)
            for case in _at(data, depth, (name, baseline), stones)
        }
    )


def _saved(data: Data, name: str, baseline: str, depth: int, case: int) -> float:
    nodes, all_nodes = (data.row(one, depth, case)["nodes"] for one in (name, baseline))
    return 100 * (1 - nodes / all_nodes)


def _growth(
    data: Data,
    figure: Callable[[int, int], float],
    names: tuple[str, ...],
    start: tuple[int, int | None],
    end: tuple[int, int | None],
) -> Estimate | None:
    """Return the mean difference of a figure between two pairs of depth and stage, by game.

    A stage of None means all stages that were measured at both depths.
    """
    found = {
        place: {case: figure(place[0], case) for case in _at(data, place[0], names, place[1])}
        for place in (start, end)
    }
    if start[1] is None:
        both = found[start].keys() & found[end].keys()
        return data.difference_of(
            {case: found[end][case] - found[start][case] for case in sorted(both)}
        )
    games = [{case // TOGETHER: x for case, x in found[place].items()} for place in (start, end)]
    return data.difference_of(
        {
            game * TOGETHER: games[1][game] - games[0][game]
            for game in sorted(games[0].keys() & games[1])
        }
    )


def saving_growth(
    data: Data,
    name: str,
    baseline: str,
    start: tuple[int, int | None],
    end: tuple[int, int | None],
) -> Estimate | None:
    """Return by how many points a saving grows between two pairs of depth and stage."""
    return _growth(
        data,
        lambda depth, case: _saved(data, name, baseline, depth, case),
        (name, baseline),
        start,
        end,
    )


def _more_moves(data: Data) -> Estimate | None:
    return _growth(
        data,
        lambda depth, case: data.row(PLAIN, depth, case)["legal"],
        (PLAIN,),
        (SHALLOW, OPENING),
        (SHALLOW, MIDGAME),
    )


def _log_bend(data: Data) -> Estimate | None:
    """Return the second difference of the logarithm of minimax nodes, from 2 to 10 stones."""
    logs: dict[int, dict[int, float]] = {}
    for case in _at(data, TABLE_1_DEPTH, (FULL,), None):
        nodes = data.row(FULL, TABLE_1_DEPTH, case)["nodes"]
        logs.setdefault(case // TOGETHER, {})[STAGES[case % TOGETHER]] = math.log(nodes)
    return data.difference_of(
        {
            game * TOGETHER: by[LAST] - 2 * by[HIGHEST] + by[FIRST]
            for game, by in logs.items()
            if by.keys() >= {FIRST, HIGHEST, LAST}
        }
    )


def _same_move(data: Data) -> Estimate | None:
    """Return the percentage of positions where alpha-beta has minimax's value and move."""
    rows = {
        case: [data.row(name, TABLE_1_DEPTH, case) for name in (FULL, PLAIN)]
        for case in _at(data, TABLE_1_DEPTH, (FULL, PLAIN), None)
    }
    share = data.share_of(
        {
            case: all(full[key] == plain[key] for key in ("value", "move"))
            for case, (full, plain) in rows.items()
        }
    )
    return share and share.rescale(100)


def _table_finds(data: Data, depth: int) -> Estimate | None:
    return data.mean(TABLE, depth, "transpositions")


def _table_1_saving(data: Data) -> Estimate | None:
    """Return the mean saving at the stages of Table 1."""
    return data.difference_of(
        {
            case: _saved(data, PLAIN, FULL, TABLE_1_DEPTH, case)
            for stones in PUBLISHED
            for case in _at(data, TABLE_1_DEPTH, (PLAIN, FULL), stones)
        }
    )


def claims() -> list[Claim]:
    return [*_claims_on_alpha_beta(), *_claims_on_the_table()]


def _claims_on_alpha_beta() -> list[Claim]:
    plain = "alpha-beta in the order of generation"
    return [
        *(
            Claim(
                f"alpha-beta visits {percent} % fewer nodes than minimax with {stones} stones",
                f"{percent} %",
                f"nodes saved by {plain}, depth {TABLE_1_DEPTH}, {stones} stones",
                Equals(percent, MARGIN, no_effect=0),
                partial(saving, name=PLAIN, baseline=FULL, depth=TABLE_1_DEPTH, stones=stones),
                " %",
                "Table 1",
            )
            for stones, percent in PUBLISHED.items()
        ),
        Claim(
            "alpha-beta saves almost 80 % of the nodes",
            "almost 80 %",
            f"nodes saved by {plain}, depth {TABLE_1_DEPTH}, mean over 2 to 10 stones",
            Equals(80, MARGIN, no_effect=0),
            _table_1_saving,
            " %",
            "section 1.2",
        ),
        Claim(
            "the reduction rises with the number of moves at first",
            "74 % with 2 moves, 89 % with 6",
            f"saving of {plain}, {HIGHEST} stones less {FIRST}, depth {TABLE_1_DEPTH}",
            MoreThan(0),
            partial(
                saving_growth,
                name=PLAIN,
                baseline=FULL,
                start=(TABLE_1_DEPTH, FIRST),
                end=(TABLE_1_DEPTH, HIGHEST),
            ),
            " points",
            "section 1.2, Table 1",
        ),
        Claim(
            "the reduction drops as the tree gets much larger",
            "89 % with 6 moves, 79 % with 10",
            f"saving of {plain}, {LAST} stones less {HIGHEST}, depth {TABLE_1_DEPTH}",
            LessThan(0),
            partial(
                saving_growth,
                name=PLAIN,
                baseline=FULL,
                start=(TABLE_1_DEPTH, HIGHEST),
                end=(TABLE_1_DEPTH, LAST),
            ),
            " points",
            "section 1.2, Table 1",
        ),
        Claim(
            "a deeper search gains more from alpha-beta",
            "the impact gets significant (no figure)",
            f"saving of {plain}, depth {DEEP} less depth {SHALLOW}, same positions",
            MoreThan(0),
            partial(
                saving_growth,
                name=PLAIN,
                baseline=FULL,
                start=(SHALLOW, None),
                end=(DEEP, None),
            ),
            " points",
            "section 1.2",
        ),
        Claim(
            "the number of nodes grows exponentially with the number of moves",
            "exponential",
            "second difference of the logarithm of minimax nodes at 2, 6 and 10 stones, depth"
            f" {TABLE_1_DEPTH}; 0 is exponential growth",
            Equals(0, EXPONENTIAL_MARGIN),
            _log_bend,
            place="section 1.2",
            note="also in the published table: × 5.4, 2.0, 2.3 and 1.5 from row to row",
        ),
        Claim(
            "minimax and alpha-beta find the same move",
            "the same move",
            "positions with the same value and move, alpha-beta in the order of generation, depth"
            f" {TABLE_1_DEPTH}",
            Exactly(100),
            _same_move,
            " %",
            "section 1.2",
        ),
        Claim(
            "the order of moves is extremely important",
            "extremely important (no figure)",
            f"nodes in the order of generation / in that of evaluation, depth {TABLE_1_DEPTH},"
            " without a table",
            MoreThan(2),
            lambda data: data.ratio(PLAIN, SORTED, TABLE_1_DEPTH, "nodes"),
            place="section 3",
            note="extremely important is taken as a factor of two",
        ),
    ]


def _claims_on_the_table() -> list[Claim]:
    table = "a table, in the order of generation"
    return [
        Claim(
            "the table is of no use up to depth 3",
            "useful if the depth is more than three",
            f"nodes settled by {table}, depth 3",
            Exactly(0),
            partial(_table_finds, depth=3),
            " nodes",
            "section 2.1",
        ),
        Claim(
            "the table is useful from depth 4 on",
            "useful if the depth is more than three",
            f"nodes saved by {table}, depth 4",
            MoreThan(0),
            partial(saving, name=TABLE, baseline=PLAIN, depth=4),
            " %",
            "section 2.1",
        ),
        Claim(
            "a deeper search saves more nodes by the table",
            "starts to increase",
            f"nodes saved by {table}, depth {DEEP} less depth {SHALLOW}",
            MoreThan(0),
            partial(
                saving_growth,
                name=TABLE,
                baseline=PLAIN,
                start=(SHALLOW, None),
                end=(DEEP, None),
            ),
            " points",
            "section 2.1",
        ),
        Claim(
            "the table is worth more in the midgame",
            "even more influential (no figure)",
            f"nodes saved by {table}, {MIDGAME} stones less {OPENING}, depth {DEEP}",
            MoreThan(0),
            partial(
                saving_growth,
                name=TABLE,
                baseline=PLAIN,
                start=(DEEP, OPENING),
                end=(DEEP, MIDGAME),
            ),
            " points",
            "section 2.1",
        ),
        Claim(
            "there are more possible moves in the midgame",
            "tend to increase",
            f"legal moves with {MIDGAME} stones less those with {OPENING}",
            MoreThan(0),
            _more_moves,
            " moves",
            "section 2.1",
        ),
    ]


def tables(data: Data) -> list[Table]:
    headings = ("stones", *(f"depth {depth}" for depth in data.depths))
    pairs = [(PLAIN, FULL), (SORTED, FULL), *WITHOUT_TABLE.items()]
    return [
        Table(
            headings,
            tuple(
                (
                    str(stones),
                    *(
                        _format(saving(data, name, baseline, depth, stones))
                        for depth in data.depths
                    ),
                )
                for stones in STAGES
            ),
            f"Nodes saved, in percent: {name} over {baseline}",
        )
        for name, baseline in pairs
    ]


def _format(estimate: Estimate | None) -> str:
    return "" if estimate is None else format_estimate(estimate)


def charts(data: Data) -> list[Chart]:
    def lines(name: str, baseline: str) -> list[Series]:
        return [
            Series.of(
                f"depth {depth}",
                [(stones, saving(data, name, baseline, depth, stones)) for stones in STAGES],
            )
            for depth in data.depths
        ]

    printed = Series("depth 4", tuple(PUBLISHED), tuple(PUBLISHED.values()), published=True)
    return [
        Chart("alphabeta", "Andantino: nodes saved by alpha-beta in the order of generation",
              "stones on the board", "nodes saved over minimax (%)",
              (*lines(PLAIN, FULL), printed)),
        Chart("table", "Andantino: nodes saved by a table in the order of generation",
              "stones on the board", "nodes saved over a search without a table (%)",
              tuple(lines(TABLE, PLAIN))),
    ]  # fmt: skip


METHOD = """
Every random game gives a position with 2, 4, 6, 8, 10, 13, 16 and 19 stones. A search has one fixed
depth, no deepening and an empty table. A saving is the mean over positions of the percentage of
nodes saved in each, as the document prints it for single positions; intervals count games. Minimax
searches depth 6 only up to 10 stones.

Section 1.2 of the document names no order of moves, and introduces ordering later; so verdicts on
alpha-beta use the order of generation, row by row on the board. Its evaluation is not defined; ours
counts rows, threats and walls. The opening is taken as 4 stones and the midgame as 16, about half
of a published game. The table keeps the newer entry, and no leaves.
"""

THREATS = """
Random games are unlike the document's, whose positions are not printed. All positions with 2 stones
are equal up to symmetry, and those with 4 are of two classes: intervals there show only how much
the order of generation matters. Another order of moves saves more, as the tables show.
"""
