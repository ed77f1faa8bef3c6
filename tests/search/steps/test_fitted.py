"""Steps that read fitted numbers: ProbCut and realization probability."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.engine import Engine
from plyforge.game.game import Game
from plyforge.search.fits import (
    Fit,
    FitError,
    beside_game,
    fingerprint_of,
    fit_path,
    load_numbers,
    read_fit,
    start_of,
)
from plyforge.search.predictions import FORM
from plyforge.search.values import next_above
from tests.search.examples import examples

HUGE = 1e6
PROBCUT = {"probcut": "probcut", "multi-probcut": "probcut"}


def write_fit(path: Path, game: Game, rows: list[dict[str, float]], method: str = "probcut") -> str:
    start, fingerprint = start_of(game), fingerprint_of(game)
    Fit(method, game.name, start, "own", fingerprint, {}, tuple(rows)).save(path)
    return str(path)


def row(depth: int, shallow: int, sigma: float, **more: float) -> dict[str, float]:
    return {"depth": depth, "shallow": shallow, "phase": 0, "a": 1, "b": 0, "sigma": sigma} | more


@pytest.fixture(scope="module")
def othello() -> Game:
    return plyforge.load("othello:4", "python")


@pytest.mark.parametrize("step", PROBCUT)
def test_a_prediction_of_infinite_error_leaves_minimax_values(othello, tmp_path, step) -> None:
    file = write_fit(tmp_path / "a.json", othello, [row(d, d - 2, HUGE) for d in (3, 4, 5)])
    settings = {f"{step}-fit": file, f"{step}-depth": 4}
    engine = Engine(othello, on=[step], settings=settings, entries=1 << 12)
    exact = Engine(othello, entries=1 << 12)
    assert engine.analyse(depth=5).score == exact.analyse(depth=5).score
    assert not engine.options.is_exact


@given(seed=st.integers(0, 10**6), bound=st.integers(-60, 60))
@examples(40)
def test_a_perfect_prediction_gives_the_answer_of_the_shallow_search(
    tmp_path_factory, seed, bound
) -> None:
    """With no error, every child is above or below a null window as its shallow value is."""
    game = plyforge.load(f"tree:uniform,3,8,seed={seed}", "python")
    file = tmp_path_factory.getbasetemp() / "prediction.json"
    settings = {
        "probcut-fit": write_fit(file, game, [row(5, 3, 1e-6)]),
        "probcut-depth": 5,
        "probcut-gate": 1e9,
        "probcut-probability": 0.9,
    }
    low, high = bound + 0.5, next_above(bound + 0.5)
    deep = Engine(game, off=["all"], on=["probcut"], settings=settings, entries=256)
    shallow = Engine(game, off=["all"], entries=256)
    answers = [
        engine.search(game.history(), low, high, depth).value >= high
        for engine, depth in ((deep, 6), (shallow, 4))
    ]
    assert answers[0] == answers[1]


def test_the_second_shallow_depth_is_asked_where_the_first_does_not_cut(othello, tmp_path) -> None:
    rows = [row(4, 1, 1e-6, b=HUGE), row(4, 2, 1e-6)]
    file = write_fit(tmp_path / "a.json", othello, rows)
    settings = {"multi-probcut-fit": file, "multi-probcut-gate": 1e9}
    engine = Engine(othello, on=["multi-probcut"], settings=settings, entries=1 << 12)
    counts = engine.analyse(depth=6).counts
    assert counts.steps["multi_probcut_searches"] > counts.steps["multi_probcut_cuts"] > 0


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ([], "no rows"),
        ([row(3, 3, 1.0)], "row 1: depth 3, shallow 3"),
        ([row(3, 1, -1.0)], "sigma not negative"),
        ([row(3, 1, 1.0, a=0)], "a must be positive"),
        ([{"depth": 3}], "row 1 has no 'shallow'"),
    ],
)
def test_wrong_rows_are_named(othello, tmp_path, rows, named) -> None:
    file = write_fit(tmp_path / "a.json", othello, rows)
    with pytest.raises(FitError, match=named):
        load_numbers(othello, "probcut", FORM, file)


def test_a_step_without_numbers_says_how_to_make_them(othello) -> None:
    with pytest.raises(PlyforgeError, match="plyforge fit othello probcut"):
        Engine(othello, on=["probcut"]).analyse(depth=1)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"format": "x"}, "not a file that"),
        ({"version": 2}, "version 2"),
        ({"game": "chess"}, "made for chess"),
        ({"method": "realization"}, "needs one of 'probcut'"),
        ({"fingerprint": "0"}, "another evaluation"),
        ({"start": "0"}, "another variant"),
        ({"rows": [1]}, "row 1"),
        ({"rows": [{"depth": "3"}]}, "row 1"),
        ({"rows": None}, "no 'rows'"),
        ({"game": 3}, "'game' must be a text"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_the_reason(
    othello, tmp_path, change, named
) -> None:
    file = tmp_path / "a.json"
    write_fit(file, othello, [row(3, 1, 1.0)])
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(FitError, match=named):
        load_numbers(othello, "probcut", FORM, str(file))


@pytest.mark.parametrize("content", [b"", b"[", b"\xff", b"null", b"[" * 100000])
def test_a_truncated_or_foreign_file_is_refused(tmp_path, content) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(content)
    with pytest.raises(FitError, match="not a file that"):
        read_fit(file)


def test_a_missing_file_is_named(tmp_path) -> None:
    with pytest.raises(FitError, match=r"none\.json cannot be read"):
        read_fit(tmp_path / "none.json")


def test_moves_that_all_cost_a_ply_leave_minimax_values(tmp_path) -> None:
    game = plyforge.load("chess", "python")
    rows: list[dict[str, Any]] = [{"category": 0, "plies": 1}, {"category": 1, "plies": 1}]
    file = write_fit(tmp_path / "a.json", game, rows, "realization")
    settings = {"realization-probability-fit": file, "realization-depth": 2}
    history = game.history(game.parse("4k3/8/3p4/4n3/3B4/8/4K3/8 w - - 0 1"))
    on = ["realization-probability"]
    engine = Engine(game, on=on, settings=settings, entries=1 << 12)
    assert engine.analyse(history, depth=3).score == Engine(game).analyse(history, depth=3).score


def test_unlikely_moves_are_searched_less_deeply_and_again_where_they_are_better(tmp_path) -> None:
    game = plyforge.load("chess", "python")
    rows: list[dict[str, Any]] = [{"category": 0, "plies": 2}, {"category": 1, "plies": 0.5}]
    file = write_fit(tmp_path / "a.json", game, rows, "realization")
    settings = {"realization-probability-fit": file, "realization-depth": 2}
    history = game.history(game.parse("4k3/2p5/3p4/4n3/3B1P2/2N5/4K3/8 w - - 0 1"))
    engine = Engine(game, on=["realization-probability"], settings=settings, entries=1 << 12)
    counts = engine.analyse(history, depth=4).counts.steps
    assert counts["realization_reductions"] > counts["realization_researches"] > 0
    assert counts["realization_extensions"] > 0


def test_a_preset_leaves_out_numbers_of_another_variant_or_evaluation() -> None:
    for name, uses in (("othello", True), ("othello:8", True), ("othello:6", False)):
        game = plyforge.load(name, "python")
        options = Engine(game, preset="play", evaluation="own").options
        assert options.has("multi-probcut") == uses


def test_names_in_search_are_beside_the_game_and_others_are_not(othello) -> None:
    folder = Path(othello.rules.file).parent
    assert fit_path(othello.rules, beside_game("probcut.json")) == folder / "probcut.json"
    assert fit_path(othello.rules, "probcut.json") == Path("probcut.json")
