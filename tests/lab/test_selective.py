"""The experiments on selective steps: which searches they compare, and how errors are counted."""

from dataclasses import replace

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import WIN
from plyforge.engine import Engine
from plyforge.games import connect4, load
from plyforge.lab import measuring, played_games, raw_figures
from plyforge.lab.catalog import experiment_names, load_experiment
from plyforge.lab.data import Data, Measurement
from plyforge.lab.experiment import Experiment
from plyforge.lab.experiments import pruning_growth
from plyforge.lab.fixed_defaults import engine_options
from plyforge.lab.played_games import play_game
from plyforge.lab.report import Report
from plyforge.lab.selective import SAMPLES, SETTINGS, UNPRUNED, configurations, selective_names
from plyforge.lab.selective_report import (
    ALONE,
    BASELINE,
    GROUP,
    REFERENCE,
    missed_results,
    other_moves,
    value_error,
)
from plyforge.lab.store import LabStore
from plyforge.lab.variations import Variation
from plyforge.lab.verify import verify
from plyforge.search.enhancements import ENHANCEMENTS
from tests.search.kernel.linking import kernels_built_once

__all__ = ["kernels_built_once"]

INEXACT = {step.name for step in ENHANCEMENTS.values() if not step.exact}
NAMES = (*selective_names(), "pruning-growth")


def options(game: str, variation: Variation) -> Engine:
    rules = load(game)
    return Engine(rules, **engine_options(rules, replace(variation, entries=256)))


def inexact(engine: Engine) -> set[str]:
    return {name for name in INEXACT if engine.options.has(name)}


def test_every_game_has_its_experiment() -> None:
    assert set(selective_names()) <= set(experiment_names())
    games = "chess checkers othello connect4 hex andantino giveaway"
    assert sorted(SAMPLES) == sorted(games.split())


@pytest.mark.parametrize("name", SAMPLES)
def test_each_step_that_the_hooks_allow_is_added_alone(name: str) -> None:
    sample = SAMPLES[name]
    game = load(sample.game)
    found = {one.name: one for one in configurations(game)}
    alone = [one for one in found.values() if one.extra.get(GROUP) == ALONE]

    def possible(step: str) -> bool:
        row = ENHANCEMENTS[step]
        if row.fit is not None:  # of all games here, one comes with fitted numbers
            return (name, step) == ("othello", "multi-probcut")
        return set(row.hooks) <= set(game.rules.hooks) and all(map(possible, row.needs))

    assert {one.name.split(" + ")[-1] for one in alone} == set(filter(possible, INEXACT))
    assert not inexact(options(sample.game, found["exact"]))
    for one in alone:
        *needs, step = one.name.split(" + ")
        assert inexact(options(sample.game, one)) == {*needs, step}
        before = found[one.extra[BASELINE]]
        assert inexact(options(sample.game, before)) == set(needs)
        assert one.extra[REFERENCE] == before.name


@pytest.mark.parametrize("name", SAMPLES)
def test_each_step_of_play_is_taken_out_of_it(name: str) -> None:
    sample = SAMPLES[name]
    found = {one.name: one for one in configurations(load(sample.game))}
    play = Engine(load(sample.game), preset="play", evaluation="own", entries=256)
    pinned = options(sample.game, found["play"])
    assert pinned.options.switches == play.options.switches
    for parameter in play.options.parameters:
        if parameter not in ("specialise", *SETTINGS):
            assert pinned.options.get(parameter) == play.options.get(parameter)
    taken = {one.removeprefix("play without ") for one in found if one.startswith("play without ")}
    assert taken == inexact(play)
    for step in taken:
        without = inexact(options(sample.game, found[f"play without {step}"]))
        needing = {one for one in taken if step in ENHANCEMENTS[one].needs}
        assert without == inexact(play) - {step} - needing


@pytest.mark.parametrize("name", SAMPLES)
def test_a_reference_prunes_nothing(name: str) -> None:
    sample = SAMPLES[name]
    found = {one.name: one for one in configurations(load(sample.game))}
    for one in found.values():
        assert set(map(one.extra.get, (BASELINE, REFERENCE))) <= {*found, None}
        if one.extra.get(GROUP) == "play":
            reference = options(sample.game, found[one.extra[REFERENCE]])
            mine = options(sample.game, one)
            horizon = {s for s in inexact(mine) if "at_horizon" in ENHANCEMENTS[s].functions}
            assert inexact(reference) == horizon
            bare = reference.options.changed(off=horizon)
            assert bare.is_exact


def test_chess_compares_razoring_with_quiescence() -> None:
    found = {one.name: one for one in configurations(load("chess"))}
    razoring = found["quiescence + razoring"]
    assert razoring.extra[BASELINE] == razoring.extra[REFERENCE] == "quiescence"
    assert razoring.settings["razoring-margin"] == found["play"].settings["razoring-margin"]
    assert found["play without quiescence"].extra[REFERENCE] == f"{UNPRUNED} without quiescence"


def rows(name: str, *figures: tuple[float, int]) -> list[Measurement]:
    return [
        Measurement(case, name, 3, 0, {"value": value, "move": move})
        for case, (value, move) in enumerate(figures)
    ]


def test_errors_are_those_of_positions_without_forced_results() -> None:
    base = rows("base", (1.0, 5), (2.0, 6), (WIN - 3, 7), (-WIN + 4, 8), (0.0, 9), (WIN - 5, 1))
    mine = rows("mine", (1.5, 5), (-1.0, 7), (9.0, 7), (-WIN + 6, 2), (WIN - 3, 9), (WIN - 5, 1))
    data = Data([*base, *mine], ("base", "mine"))
    error, moves = (f(data, "mine", "base", 3) for f in (value_error, other_moves))
    missed = missed_results(data, "mine", "base", 3)
    assert error is not None
    assert moves is not None
    assert missed is not None
    assert (error.value, error.count) == (1.75, 2)
    assert (moves.value, moves.count) == (50, 2)
    assert (missed.value, missed.count) == (pytest.approx(100 / 3), 3)


@pytest.mark.parametrize("name", NAMES)
def test_a_report_without_measurements_is_empty(name: str) -> None:
    experiment = load_experiment(name)
    empty = experiment.data([])
    assert experiment.question
    assert experiment.method
    assert experiment.threats
    assert "{" not in experiment.method
    assert experiment.tables is not None
    assert not any(table.rows for table in experiment.tables(empty))
    assert not any(series.x for chart in experiment.charts(empty) for series in chart.series)


def small_run(
    store: LabStore, complete_run, experiment: Experiment, depth: int, positions: int = 1
) -> Report:
    made = complete_run(experiment, positions=positions, depths=(depth,))
    return Report(experiment, store.runs()[-1], made)


@pytest.mark.long  # a kernel of its own
def test_a_step_that_never_acts_has_no_error(store, complete_run) -> None:
    """After a few moves of connect four, no side has an only move."""
    experiment = load_experiment("selective-connect4")
    report = small_run(store, complete_run, experiment, 3)
    alone, play = report.tables
    assert len(alone.rows) + len(play.rows) == sum(bool(one.extra) for one in experiment.variations)
    row = next(row for row in alone.rows if row[0] == "single-reply")
    cells = dict(zip(alone.headings, row, strict=True))
    assert cells["nodes ×"] == "1"
    assert cells["mean error"].startswith("0")
    assert cells["other best move (%)"].startswith("0")
    assert {chart.name for chart in report.charts} >= {"alone", "errors"}


@pytest.mark.long  # a kernel of its own
def test_old_configurations_are_repeated_after_a_change_of_defaults(
    store, complete_run, tmp_path, monkeypatch
) -> None:
    experiment = load_experiment("selective-connect4")
    raw_figures.write(small_run(store, complete_run, experiment, 3), tmp_path)
    changes = {**load("connect4").rules.constant("SEARCH"), "play": {"on": ["lmr"]}}
    monkeypatch.setattr(connect4, "SEARCH", changes)
    now = load_experiment("selective-connect4")
    assert len(now.variations) > len(experiment.variations)
    assert now.digest != experiment.digest
    run = raw_figures.load_run(experiment.name, tmp_path, 0)
    then = raw_figures.load_experiment_of(run)
    assert [one.name for one in then.variations] == [one.name for one in experiment.variations]
    made = raw_figures.read(experiment.name, tmp_path, 0)
    *_, state = verify(then, 0, made, share=0.5)
    assert state.holds


def test_pruning_has_all_combinations_of_three_methods() -> None:
    found = load_experiment("pruning-growth").variations
    assert len({frozenset(one.on) for one in found}) == len(found) == 8
    assert {frozenset(one.settings) for one in found} == {frozenset(pruning_growth.SETTINGS)}
    engine = options("chess", found[-1])
    assert inexact(engine) == {"quiescence", "null-move", "futility", "lmr"}


@pytest.mark.long
def test_pruning_makes_nodes_grow_less(complete_run) -> None:
    experiment = load_experiment("pruning-growth")
    made = complete_run(experiment, positions=2, depths=(3, 5))
    data = experiment.data(made)
    for name in (*pruning_growth.METHODS, pruning_growth.ALL):
        nodes = [sum(data.values(one, 5, "nodes")) for one in (name, pruning_growth.NONE)]
        assert nodes[0] < nodes[1]


@pytest.mark.long
@pytest.mark.parametrize("name", selective_names())
def test_each_game_is_measured(name: str, store, complete_run) -> None:
    experiment = load_experiment(name)
    report = small_run(store, complete_run, experiment, 2, positions=2)
    assert len(report.measurements) == 2 * len(experiment.variations)
    assert report.markdown([])
    measuring._engines.clear()


def test_games_go_on_with_the_best_moves_of_a_shallow_search() -> None:
    game, player = load("connect4"), Variation("player", entries=1 << 10)
    case = play_game("connect4", 3, 7, player, 2, seed=5, number=1)
    assert case == play_game("connect4", 3, 7, player, 2, seed=5, number=1)
    assert case.moves != play_game("connect4", 3, 7, player, 2, seed=5, number=2).moves
    assert len(case.moves) == 7
    history = game.history()
    for ply, move in enumerate(case.moves):
        if ply >= 3:
            assert move == Engine(game, entries=1 << 10).analyse(history, depth=2).move
        history.play(move)


def test_games_that_always_end_early_are_refused(monkeypatch) -> None:
    monkeypatch.setattr(played_games, "_ATTEMPTS", 3)
    with pytest.raises(PlyforgeError, match="all ended within 9 plies"):
        play_game("tictactoe", 5, 9, Variation("player", entries=256), 2, seed=0, number=0)
