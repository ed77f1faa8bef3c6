"""The experiments on single statements of the lectures, checked by slow and obvious means."""

import math
from itertools import pairwise

import numpy as np
import pytest

from plyforge.games import load
from plyforge.lab.catalog import load_experiment
from plyforge.lab.claims import judge_claims
from plyforge.lab.data import Data, Measurement
from plyforge.lab.experiments import (
    chess_branching,
    history_bonus,
    next_iteration,
    return_value,
    vision_draughts,
    windows,
)
from plyforge.lab.measuring import open_engine
from plyforge.lab.runner import Scale, list_jobs
from plyforge.search.textbook import View, minimax
from tests.search.kernel.linking import kernels_built_once

__all__ = ["kernels_built_once"]

NAMES = (
    *("chess-branching", "history-bonus", "next-iteration", "return-value", "vision-draughts"),
    "windows",
)


def measure(name: str, positions: int, depths: tuple[int, ...], *only: str) -> Data:
    """Measure an experiment at a small size; `only` names its groups."""
    experiment = load_experiment(name)
    made = [
        Measurement(
            job.number,
            job.variation,
            job.depth,
            job.repeat,
            experiment.measure(job.case, experiment.variation(job.variation), job.depth),
        )
        for job in list_jobs(experiment, Scale(positions, depths), seed=0)
        if not only or experiment.groups[job.number % len(experiment.groups)] in only
    ]
    return experiment.data(made)


@pytest.mark.parametrize("name", NAMES)
def test_without_measurements_nothing_is_claimed(name: str) -> None:
    experiment = load_experiment(name)
    empty = experiment.data([])
    assert {one.verdict for one in judge_claims(experiment.claims, empty)} == {"not measured"}
    assert not any(s.x for c in experiment.charts(empty) for s in c.series if not s.published)
    assert experiment.tables is not None
    for table in experiment.tables(empty):
        assert all(len(row) == len(table.headings) <= 7 for row in table.rows)


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_says_what_is_measured_and_where_it_is_printed(name: str) -> None:
    experiment = load_experiment(name)
    assert experiment.question
    assert experiment.method
    assert experiment.threats
    assert all(one.metric and one.published and one.place for one in experiment.claims)
    groups = experiment.groups
    depths = {d for d in experiment.depths for n in range(len(groups) or 1)
              if any(experiment.wanted(n, v, d) for v in experiment.variations)}  # fmt: skip
    assert depths == set(experiment.depths)


# The return-value theorem


def test_windows_never_give_a_wrong_value_in_trees() -> None:
    data = measure("return-value", 4, (2, 3), return_value.TREE, return_value.GRAPH)
    assert data.depths == [2, 3]
    for depth in data.depths:
        for name in data.variations:
            for case in data.cases(depth, (name,)):
                row = data.row(name, depth, case)
                assert row.pop("windows") == return_value.WINDOWS
                assert set(row.values()) == {0}


def test_a_wrong_search_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(return_value, "alpha_beta", lambda view, root, depth, low, high: low + 0.5)
    experiment = load_experiment("return-value")
    row = return_value.measure(return_value.cases(0, 1)[0], experiment.variations[0], 2)
    assert row["exact_wrong"] > 0
    assert row["full_wrong"] == 1


def test_the_worked_example_has_the_value_8_and_skips_a_leaf() -> None:
    experiment = load_experiment("return-value")
    case = return_value.cases(0, 4)[3]
    for variation in experiment.variations:
        assert return_value.measure(case, variation, 2) == {"value": 8, "leaves": 3}


# VisionDraughts


def test_minimax_in_checkers_visits_every_leaf_and_all_searches_find_its_value() -> None:
    data = measure("vision-draughts", 2, (4,))
    game = load("checkers")
    for number, case in enumerate(vision_draughts.cases(0, 2)):
        position = case.history(game).position
        rows = {name: data.row(name, 4, number) for name in data.variations}
        assert rows[vision_draughts.MINIMAX]["leaves"] == game.perft(position, 4)
        view = View(game)
        true = minimax(view, view.root(position), 4)
        assert all(abs(row["value"]) == pytest.approx(abs(true)) for row in rows.values())


def test_exact_entries_are_counted() -> None:
    """An entry is two words; its bound is in two bits of the second, and 3 means exact."""
    words = np.zeros(8, np.uint64)
    words[1], words[3], words[5] = 3 << 44 | 1, 1 << 44 | 1, 2 << 44 | 1
    assert vision_draughts.count_entries(words) == (3, 1)


def test_some_entries_of_a_table_are_exact() -> None:
    data = measure("vision-draughts", 1, (4,))
    row = data.row(vision_draughts.ORDERED, 4, 0)
    assert 0 < row["exact"] < row["entries"] <= row["nodes"]


# Chess


def test_a_number_of_leaves_reaches_a_depth_between_two() -> None:
    leaves = {2: 36.0, 4: 36.0**2, 6: 36.0**3}
    assert chess_branching.depth_for(leaves, 36.0**2) == 4
    assert chess_branching.depth_for(leaves, 36.0**2.5) == pytest.approx(5)
    assert chess_branching.depth_for(leaves, 36.0**4) is None


def test_perfect_order_gives_six_and_twice_the_depth() -> None:
    """With 36^d leaves of minimax and 6^d of alpha-beta, the published figures come out."""
    rows = [
        Measurement(0, name, depth, 0, {"leaves": width**depth, "last_leaves": width**depth})
        for name, width in ((chess_branching.MINIMAX, 36.0), (chess_branching.GOOD, 6.0))
        for depth in chess_branching.DEPTHS
    ]
    data = Data(rows, (chess_branching.MINIMAX, chess_branching.GOOD))
    branching, gain = chess_branching.effective_branching(data), chess_branching.depth_gain(data)
    assert branching is not None
    assert branching.value == pytest.approx(6)
    assert gain is not None
    assert gain.value == pytest.approx(2)


@pytest.mark.long
def test_chess_positions_are_thirty_plies_deep_and_repeatable() -> None:
    cases = chess_branching.cases(0, 2)
    assert [len(case.moves) for case in cases] == [chess_branching.PLIES] * 2
    chess_branching._play.cache_clear()
    assert chess_branching.cases(0, 2) == cases
    game = load("chess")
    data = measure("chess-branching", 2, (2, 3))
    for number, case in enumerate(cases):
        history = case.history(game)
        row = data.row(chess_branching.MINIMAX, 3, number)
        assert row["moves"] == len(history.legal_moves())
        assert row["leaves"] == game.perft(history.position, 3)


# History


def test_searches_differ_in_bonus_and_penalty_only() -> None:
    none, *others = history_bonus.variations()
    assert {one.on for one in others} == {(*none.on, "history")}
    settings = [(one.settings["history-growth"], one.settings["history-penalty"]) for one in others]
    assert settings == [("square", 0), ("power", 0), ("square", 16), ("power", 16)]


def test_bonus_and_penalty_change_the_nodes_and_not_the_value() -> None:
    data = measure("history-bonus", 5, (6,), "connect4")
    rows = [data.row(name, 6, 2) for name in data.variations]
    assert len({row["value"] for row in rows}) == 1
    assert len({row["nodes"] for row in rows}) >= 3


# Windows


@pytest.mark.long
def test_small_windows_and_counting_change_no_value() -> None:
    data = measure("windows", 4, (4, 5))
    for depth in data.depths:
        for case in data.cases(depth):
            rows = {name: data.row(name, depth, case) for name in data.variations}
            assert len({row["value"] for row in rows.values()}) == 1
            assert rows[windows.FULL]["nodes"] == rows[windows.DRIVER]["nodes"]
            assert rows[windows.NULL]["nodes"] <= rows[windows.FULL]["nodes"]
            scout = rows[windows.SCOUT]
            assert 0 <= scout["researches"] <= scout["scouts"] < scout["nodes"]
            assert rows[windows.ASPIRATION]["iterations"] == depth


# The next iteration


def test_growth_that_repeats_is_predicted_exactly() -> None:
    assert set(next_iteration.predictions([2.0**n for n in range(6)]).values()) == {32.0}
    uneven = next_iteration.predictions([1.0, 8.0, 16.0, 128.0, 256.0])
    assert uneven["by_parity"] == 256
    assert uneven["by_growth"] == 1024


def test_iterations_are_those_of_separate_searches() -> None:
    experiment = load_experiment("next-iteration")
    number = next_iteration.GROUPS.index("connect4")
    case, variation = next_iteration.cases(0, 4)[number], experiment.variations[0]
    totals, moves = [], []
    for depth in (3, 4, 5, 6):
        engine, history = open_engine(case, variation)
        result = engine.analyse(history, depth=depth)
        totals.append(result.counts.nodes)
        moves.append(result.move)
    nodes = [float(b - a) for a, b in pairwise(totals)]
    row = next_iteration.measure(case, variation, 6)
    assert row["nodes"] == nodes[-1]
    assert row["by_growth"] == pytest.approx(nodes[1] ** 2 / nodes[0])
    assert row["kept"] == (moves[-1] == moves[-2])
    assert row["kept_two"] == (moves[-1] == moves[-3])
    assert row["first_move"] > 0


def test_the_factor_of_a_prediction_is_the_same_above_and_below() -> None:
    rows = [
        Measurement(case, next_iteration.SEARCH, 6, 0, {"nodes": 10.0, "by_parity": predicted})
        for case, predicted in ((0, 20.0), (1, 5.0))
    ]
    data = Data(rows, (next_iteration.SEARCH,), ("chess",))
    found = next_iteration.mean_factor(data, {"chess": 6}, "by_parity")
    assert found is not None
    assert math.isclose(found.value, 2)
