"""The experiments on Koneru's report, at a small scale."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import ONGOING
from plyforge.games import load
from plyforge.games.andantino.rules import build, symmetries
from plyforge.jobs.local import local_executor
from plyforge.lab import Case, random_cases
from plyforge.lab.catalog import load_experiment
from plyforge.lab.claims import judge_claims
from plyforge.lab.data import TIMES, Data, Measurement
from plyforge.lab.experiment import Experiment
from plyforge.lab.experiments import andantino_clock as clock
from plyforge.lab.experiments import andantino_deepening as deepening
from plyforge.lab.experiments import andantino_growth as growth
from plyforge.lab.experiments import andantino_keys as keys
from plyforge.lab.experiments import andantino_minimax as minimax
from plyforge.lab.experiments import andantino_replacement as replacement
from plyforge.lab.experiments import andantino_table as table
from plyforge.lab.experiments._andantino_openings import (
    class_of,
    played_openings,
    random_openings,
)
from plyforge.lab.experiments._koneru_program import ABOUT_TO_WIN, evaluate, evaluate_for
from plyforge.lab.runner import Scale, run_experiment
from plyforge.lab.store import LabStore
from plyforge.search.textbook import Node, View
from tests.games.tiers import with_long

Openings = Callable[[int, int, int], list[Case]]

NAMES = (
    "andantino-clock",
    "andantino-deepening",
    "andantino-growth",
    "andantino-keys",
    "andantino-minimax",
    "andantino-ordering",
    "andantino-parity",
    "andantino-replacement",
    "andantino-table",
)


def cut_down(name: str) -> Experiment:
    """Return an experiment without the variations that need their own kernel or much time."""
    experiment = load_experiment(name)
    kept = [
        one
        for one in experiment.variations
        if one.evaluation is None
        and one.extra.get("key", 64) == 64
        and one.extra.get("budget", 0) <= 10_000
    ]
    return replace(experiment, variations=tuple(kept))


def run_small(
    experiment: Experiment,
    folder: Path,
    positions: int,
    depths: tuple[int, ...],
    processes: int = 0,
) -> list[Measurement]:
    with LabStore(str(folder / f"{processes}.db")) as store:
        number = store.run(experiment, 0)
        for _ in run_experiment(
            experiment, Scale(positions, depths), store, number, 0, local_executor(processes)
        ):
            pass
        return store.measurements(number)


def data_of(experiment: Experiment, measurements: list[Measurement]) -> Data:
    return experiment.data(measurements)


@pytest.mark.parametrize("name", NAMES)
def test_an_experiment_names_its_source_and_describes_the_report(name: str) -> None:
    experiment = load_experiment(name)
    assert experiment.source.startswith("Koneru")
    assert experiment.question
    assert "document" in experiment.method
    assert experiment.threats
    assert all(claim.place for claim in experiment.claims)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_more_cases_begin_with_the_same(name: str) -> None:
    experiment = load_experiment(name)
    assert experiment.cases(1, 2) == experiment.cases(1, 3)[:2]


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "positions", "depths"),
    [
        ("andantino-clock", 2, (8,)),
        ("andantino-deepening", 3, (4, 5, 6)),
        ("andantino-growth", 16, (2, 4)),
        ("andantino-keys", 1, (4,)),
        ("andantino-minimax", 1, (4,)),
        ("andantino-ordering", 3, (3, 4)),
        ("andantino-parity", 3, (2, 3, 4, 5)),
        ("andantino-replacement", 1, (3,)),
        ("andantino-table", 1, (2, 4)),
    ],
)
def test_a_small_run_has_claims_tables_and_charts(
    name: str, positions: int, depths: tuple[int, ...], tmp_path: Path
) -> None:
    experiment = cut_down(name)
    data = data_of(experiment, run_small(experiment, tmp_path, positions, depths))
    found = judge_claims(experiment.claims, data)
    assert all(one.figure for one in found)
    assert len({one.claim.statement for one in found}) == len(found) > 0
    charts = experiment.charts(data)
    assert charts
    for chart in charts:
        assert chart.y_label
        assert chart.x_label
        assert any(series.x for series in chart.series)
    assert experiment.tables is not None or experiment.metrics
    for shown in experiment.tables(data) if experiment.tables else ():
        assert all(len(row) == len(shown.headings) for row in shown.rows)
        assert len(shown.rows) <= 15


def test_experiments_accept_empty_data() -> None:
    for name in NAMES:
        experiment = load_experiment(name)
        empty = data_of(experiment, [])
        found = judge_claims(experiment.claims, empty)
        assert {one.verdict for one in found} == {"not measured"}
        experiment.charts(empty)
        if experiment.tables:
            experiment.tables(empty)


@pytest.mark.long
def test_the_minimax_column_is_found_in_positions_with_two_to_six_stones() -> None:
    counts = {2: Counter[float](), 4: Counter[float](), 6: Counter[float]()}
    for case in minimax.cases(0, 80):
        stones = int(case.label.split()[0])
        if stones in counts:
            figures = minimax.measure(case, minimax.variations()[0], 4)
            counts[stones][figures["printed"]] += 1
    assert counts[2] == {305: 1}
    assert counts[4] == {1649: 2}
    assert (counts[6][3283], counts[6].total()) == (9, 21)


@pytest.mark.long
@pytest.mark.parametrize(
    ("position", "printed"),
    [("B/j8,j9,j10,k10/i8,k8,i9,k9", 7405), ("B/j8,j9,k9,j10,l10/i7,i8,i9,k10,l11", 11307)],
)
def test_the_minimax_column_is_found_with_eight_and_ten_stones(position: str, printed: int) -> None:
    case = Case("andantino", start=position)
    assert minimax.measure(case, minimax.variations()[0], 4)["printed"] == printed


@pytest.mark.long
def test_alpha_beta_by_evaluation_visits_the_smallest_tree_with_two_stones() -> None:
    by_value = next(one for one in minimax.variations() if one.name == minimax.EVALUATION)
    figures = minimax.measure(minimax.cases(0, 1)[0], by_value, 4)
    assert (figures["least"], figures["most"]) == (77, 77)


@pytest.mark.long
def test_the_tree_of_depth_two_has_fourteen_nodes_in_every_order() -> None:
    start = table.cases(0, 1)[0]
    for one in table.variations():
        if one.evaluation is None:
            assert table.measure(start, one, 2)["nodes"] == table.TREE[2]
            assert table.measure(start, one, 2)["transpositions"] == table.FOUND[2]


@pytest.mark.parametrize("depth", with_long([2, 4], [6]))
def test_the_reconstruction_has_the_published_counts(depth: int) -> None:
    rebuilt = next(one for one in table.variations() if one.name == table.REBUILT)
    figures = table.measure(table.cases(0, 1)[0], rebuilt, depth)
    assert figures == {"nodes": table.TREE[depth], "transpositions": table.FOUND[depth]}


def test_the_published_programs_evaluation_is_the_same_in_every_view() -> None:
    game = load("andantino")
    for case in random_cases("andantino", 9, 1, 10):
        position = case.history(game).position
        assert len({evaluate(view) for view in symmetries(position)}) == 1


def test_the_published_programs_evaluation_sees_rows_and_threats() -> None:
    """A row counts in both directions; a four with a legal fifth cell, if its owner has moved."""
    two = build([(10, 10), (10, 11)], [(8, 8)], 10, ONGOING)
    assert evaluate_for(two, 1) - evaluate_for(two, 0) == 4
    white = [(9, column) for column in (7, 8, 9, 10)]
    four = build([(8, 11), (10, 11), (3, 3), (15, 15)], white, 10, ONGOING)
    assert evaluate_for(four, 0) > ABOUT_TO_WIN
    assert evaluate(four) == evaluate_for(four, 1) < -ABOUT_TO_WIN


@pytest.mark.long
def test_a_sound_table_of_any_size_gives_the_same_game() -> None:
    case = replacement.cases(0, 1)[0]
    names = [replacement.name_of(replacement.NEW, bits, replacement.ONE_PLY) for bits in (8, 20)]
    small, large = (
        replacement.measure(case, one, 3) for one in replacement.variations() if one.name in names
    )
    assert small["moves"] == large["moves"]
    assert small["nodes"] >= large["nodes"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["andantino-replacement", "andantino-ordering"])
def test_counts_do_not_depend_on_the_number_of_processes(name: str, tmp_path: Path) -> None:
    experiment = cut_down(name)
    experiment = replace(experiment, variations=experiment.variations[:4])
    here, there = (run_small(experiment, tmp_path, 2, (3,), processes) for processes in (0, 1))
    for measurement in (*here, *there):
        for time in TIMES:
            measurement.values.pop(time, None)
    assert here == there


@pytest.mark.parametrize("openings", with_long([random_openings], [played_openings]))
def test_no_two_openings_are_equal_up_to_symmetry(openings: Openings) -> None:
    game = load("andantino")
    positions = [case.history(game).position for case in openings(4, 0, 3)]
    views = [{game.text(view) for view in symmetries(position)} for position in positions]
    assert not any(views[i] & views[j] for i in range(3) for j in range(i))
    assert openings(4, 0, 2) == openings(4, 0, 3)[:2]


def test_all_views_of_a_position_are_of_one_class() -> None:
    game = load("andantino")
    position = random_cases("andantino", 7, 3, 1)[0].history(game).position
    assert len({class_of(view) for view in symmetries(position)}) == 1
    assert class_of(position) != class_of(
        random_cases("andantino", 7, 4, 1)[0].history(game).position
    )


def test_too_many_openings_are_refused() -> None:
    """Positions with three stones are all of one class."""
    with pytest.raises(PlyforgeError, match="beyond 1 "):
        random_openings(2, 0, 2)


def rows(depth: int, figures: dict[str, dict[int, dict[str, float]]]) -> list[Measurement]:
    return [
        Measurement(case, name, depth, 0, values)
        for name, by_case in figures.items()
        for case, values in by_case.items()
    ]


def test_growth_of_a_saving_is_taken_game_by_game() -> None:
    """Alpha-beta saves 50 and 75 % in one game, 80 and 90 % in the other."""
    first, last = (growth.STAGES.index(stones) for stones in (4, 16))
    places = [game * growth.TOGETHER + stage for game in (0, 1) for stage in (first, last)]
    plain = dict(zip(places, (50.0, 25.0, 20.0, 10.0), strict=True))
    data = load_experiment("andantino-growth").data(
        rows(
            4,
            {
                growth.FULL: {case: {"nodes": 100.0} for case in places},
                growth.PLAIN: {case: {"nodes": nodes} for case, nodes in plain.items()},
            },
        )
    )
    saved = growth.saving(data, growth.PLAIN, growth.FULL, 4, 16)
    gain = growth.saving_growth(data, growth.PLAIN, growth.FULL, (4, 4), (4, 16))
    assert saved is not None
    assert gain is not None
    assert saved.value == pytest.approx((75 + 90) / 2)
    assert gain.value == pytest.approx((25 + 10) / 2)
    assert gain.games == 2


def test_deepening_is_compared_without_forced_wins() -> None:
    names = [deepening.name_of(deepening.TABLE, how) for how in ("every depth", "one search")]
    nodes = ((30.0, 10.0, 5.0), (20.0, 20.0, 3e7))
    figures = {
        name: {
            case: {"nodes": by[place], "last_nodes": by[place] / 2, "value": by[2]}
            for case, by in enumerate(nodes)
        }
        for place, name in enumerate(names)
    }
    data = load_experiment("andantino-deepening").data(rows(8, figures))
    ratio = deepening.overhead(data, deepening.TABLE, 8)
    last = deepening.overhead(data, deepening.TABLE, 8, "last_nodes")
    assert ratio is not None
    assert last is not None
    assert (ratio.value, last.value) == (3, 1.5)


def test_odd_depths_are_compared_with_the_even_ones_beside_them() -> None:
    name = deepening.name_of(deepening.TABLE, deepening.SINGLE)
    values = {4: 1.0, 5: 6.0, 6: 3.0, 7: 9.0, 8: 5.0}
    made = [
        m for depth, value in values.items() for m in rows(depth, {name: {0: {"value": value}}})
    ]
    found = deepening.optimism(load_experiment("andantino-deepening").data(made), (5, 7))
    assert found is not None
    assert found.value == pytest.approx(((6 - 2) + (9 - 4)) / 2)


def slow_value(view: View, node: Node, depth: int) -> float:
    leaf = view.leaf(node, depth)
    if leaf is not None:
        return leaf
    return max(-slow_value(view, child, depth - 1) for child in view.children(node))


def test_a_table_with_whole_keys_gives_the_minimax_value() -> None:
    game = load("andantino")
    for case in random_cases("andantino", 5, 2, 3):
        position, view = case.history(game).position, View(game)
        search = keys.KeySearch(view, keys.WHOLE)
        assert search.root(position, 3)[0] == slow_value(view, view.root(position), 3)
        assert search.false == 0
        assert search.probes >= len(search.entries)


def test_with_one_bit_every_second_probe_finds_another_position() -> None:
    game = load("andantino")
    search = keys.KeySearch(View(game), 1)
    search.root(random_cases("andantino", 5, 2, 1)[0].history(game).position, 3)
    assert len(search.entries) == 2
    assert search.false > 0.8 * search.probes


def stops(*moves: int) -> list[clock.Stop]:
    return [clock.Stop(move, depth, 10**depth) for depth, move in enumerate(moves, start=1)]


def test_the_plan_stops_at_the_limit_or_when_the_time_is_over() -> None:
    search = clock.Search(stops(1, 2, 3, 4), nodes=20_000, stopped=True)
    assert search.plan(3) == (clock.Stop(3, 3, 1000), clock.LIMIT)
    assert search.plan(8) == (clock.Stop(4, 4, 20_000), clock.TIME)
    proved = clock.Search(stops(1, 2), nodes=100, stopped=False)
    assert proved.plan(8) == (clock.Stop(2, 2, 100), clock.PROOF)


def test_a_move_is_obvious_after_three_iterations_from_depth_four_on() -> None:
    assert clock.Search(stops(7, 7, 7), 1000, True).obvious() is None
    assert clock.Search(stops(7, 7, 7, 7, 8), 10**5, True).obvious() == clock.Stop(7, 4, 10**4)
    assert clock.Search(stops(7, 7, 7, 8, 8), 10**5, True).obvious() is None


@pytest.mark.long
def test_a_game_by_the_plan_stays_within_its_nodes() -> None:
    case, variation = clock.cases(0, 1)[0], clock.variations()[0]
    figures = clock.measure(case, variation, clock.DEPTH)
    assert figures["moves"] == sum(figures[why] for why in (clock.TIME, clock.LIMIT, clock.PROOF))
    assert figures["obvious_nodes"] <= figures["nodes"] <= figures["beyond_nodes"]
    assert figures["nodes"] <= 1.01 * figures["moves"] * variation.extra["budget"]
    assert figures["replies"] == 2
    assert figures == clock.measure(case, variation, clock.DEPTH)


@pytest.mark.long
def test_a_minimax_search_and_alpha_beta_agree_on_move_and_value() -> None:
    case = growth.cases(0, 3)[2]
    full, plain = (growth.measure(case, one, 4) for one in growth.variations()[:2])
    assert (full["value"], full["move"]) == (plain["value"], plain["move"])
    assert full["nodes"] > plain["nodes"]
