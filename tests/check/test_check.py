"""Each broken game has one mistake; the check must name its hook and the mistake.

Most mistakes show uncompiled.  Those games are compiled in the long tier only.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge.check import Problem, Report, check, supervisor
from plyforge.check.examination import Budget, Examination
from plyforge.check.guard import Guard
from plyforge.check.node import Node
from plyforge.check.report import Recorder
from plyforge.check.reversal import components
from plyforge.check.sides import correlation
from plyforge.check.turns import Turns
from plyforge.check.watched_arrays import watch_arrays
from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.game.starter import write_starter
from tests.processes import default_sigint

HERE = Path(__file__).parent


class OneArray(NamedTuple):
    cells: Any


BROKEN = {
    "ambiguous_move_text": ("problem", "move_text", "moves 2 and 3 the same text: 'more'"),
    "arrange_loses_piece": ("problem", "arrange", "now holds None"),
    "opening_illegal": ("problem", "OPENINGS", "'3 4', which is illegal: move 2"),
    "extras_alone": ("problem", "extras", "no use without 'with_extras'"),
    "extras_change_side": ("problem", "with_extras", "changes 'turn'"),
    "extras_ignored": ("problem", "with_extras", "asked for May pass: no"),
    "extras_lose_heap": ("problem", "with_extras", "gives another position"),
    "extras_not_choices": ("problem", "extras", "name to (value, choices)"),
    "extras_refused": ("problem", "with_extras", "everybody may pass"),
    "arrange_wrong_side": ("problem", "arrange", "with Second to move, but the other side is"),
    "broken_symmetry": ("problem", "symmetries", "which has 0 moves instead of 3"),
    "quick_value_wrong": ("problem", "quick_value", "returned ONGOING; it must be WIN - 1 here"),
    "proven_result_wrong": ("problem", "proven_result", "but one of its moves leads to"),
    "can_move_wrong": ("problem", "can_move", "returned True, but 'moves' gives no move here"),
    "carried_key_wrong": ("problem", "scratch_key", "does 'play' update the key for every change?"),
    "clock_matters": ("problem", "key", "remove 'last' from CLOCKS"),
    "constant_key": ("problem", "key", "gives the same key, 0x0, to every position"),
    "counts_calls": ("problem", "play", "when it is called again with the same arguments"),
    "dots_relative_without_turn": ("remark", "turn", "stay in place after this one"),
    "dots_without_turn": ("problem", "turn", "but position.side is still 0 after this one"),
    "endless_generator": ("problem", "moves", "did not end; does its loop never end?"),
    "evaluate_fixed_side": ("problem", "evaluate", "from the perspective of a fixed player"),
    "evaluate_ignores_side": ("remark", "evaluate", "and the same with the other side to move"),
    "evaluate_never_negative": ("remark", "evaluate", "was never negative in"),
    "evaluate_out_of_range": ("problem", "evaluate", "15, outside of EVALUATION_RANGE = (-5, 5)"),
    "extra_move_objects": ("problem", "turn", "return 0 if position.player == 'red' else 1"),
    "extra_move_unnamed": ("remark", "turn", "but position.flag is still False after this one"),
    "field_overflow": ("problem", "play", "does not fit a signed 64-bit integer"),
    "finish_wrong": ("problem", "finish", "but perfect play gives -1e+07"),
    "float_field": ("problem", "play", "a float; it is declared an integer"),
    "float_inside": ("problem", "rules", "'half' is float64 in code that is about integers"),
    "illegal_noisy_move": ("problem", "noisy_moves", "gives 3, which 'moves' does not give here"),
    "index_wrong": ("problem", "unindex", "for the position that 'unindex' gives for it"),
    "key_counts_clock": ("problem", "key", "differ only in clocks or in the path to them"),
    "key_ignores_field": ("problem", "key", "two positions that differ in 'last'"),
    "max_moves_too_small": ("problem", "moves", "gives 3 moves, but MAX_MOVES is 2"),
    "max_score_too_low": ("problem", "max_score", "but a game from here ended with"),
    "missing_return": ("problem", "play", "'play' returned None, which is not a Position"),
    "mixed_signs": ("problem", "rules", "u64 - int gives int64"),
    "moves_as_pairs": ("problem", "moves", "'moves' gave (1, 0), a tuple; a move is an int"),
    "mutating_play": ("problem", "play", "changes the array 'taken' of its argument"),
    "negative_index": ("remark", "rules", "uses the index -1 of an array of length 8 at line 22"),
    "never_ends": ("remark", "rules", "declare REPETITION or NO_PROGRESS_LIMIT"),
    "never_switches": ("remark", "turn", "does 'play' forget to switch sides?"),
    "no_first_move": ("problem", "moves", "gives no move in the start position"),
    "no_return_in_outcome": ("problem", "outcome", "'outcome' returned None"),
    "not_alternating": ("problem", "turn", "the same side moves again after this move"),
    "not_irreversible": ("problem", "irreversible", "but the position before it recurs"),
    "ongoing_as_zero": ("problem", "outcome", "return ONGOING, not 0, while the game is not over"),
    "outcome_invalid": ("problem", "outcome", "returned 99999999; it must be ONGOING, WIN"),
    "outcome_of_first_player": (
        "remark",
        "outcome",
        "for a fixed player instead of the side to move?",
    ),
    "outcome_of_last_mover": ("remark", "outcome", "should it return LOSS, not WIN?"),
    "overflow": ("problem", "evaluate", "the backends differ: 'evaluate' returns 34 uncompiled"),
    "own_line_wins": ("remark", "outcome", "the player who moved last lost"),
    "pass_refused": ("problem", "pass_move", "gives 0, which 'play' does not accept"),
    "phase_out_of_range": ("problem", "phase", "PHASES = 1 allows 0 to 0"),
    "piece_off_the_board": ("problem", "pieces", "a piece on cell 'p1', which 'geometry' does not"),
    "plies_left_too_few": ("problem", "plies_left", "but a game from here lasted"),
    "play_ignores_move": ("problem", "play", "does 'play' ignore its move?"),
    "raises": ("problem", "evaluate", "raises ZeroDivisionError at line 28"),
    "random_moves": ("problem", "moves", "when it is called again with the same arguments"),
    "random_start": ("problem", "initial", "returns another position when it is called again"),
    "repeated_move": ("problem", "moves", "gives the move 1 twice, as number 1 and 3"),
    "score_of_first_player": ("problem", "outcome", "is 'outcome' always for First?"),
    "score_of_fixed_player": ("remark", "outcome", "and the same with the other side to move"),
    "score_of_last_mover": ("problem", "outcome", "is 'outcome' for the side that moved last"),
    "second_moves_first": ("problem", "turn", "return 0 for the player who starts"),
    "shared_list": ("problem", "play", "'play' changes its argument"),
    "slot_out_of_range": ("problem", "move_slot", "MOVE_SLOTS = 3 allows 0 to 2"),
    "stuck_score_of_fixed_player": ("remark", "stuck", "and the same with the other side to move"),
    "terms_differ": ("problem", "terms", "add up to 3, but 'evaluate' returns 1"),
    "text_loses_field": ("problem", "from_text", "field 'bonus' was 1 and became 0"),
    "turn_one_or_two": ("problem", "turn", "'turn' returned 2; it must be 0 for the first player"),
    "uncompilable": ("problem", "rules", "cannot be compiled"),
    "win_as_one": ("problem", "outcome", "prefers some unfinished positions to a win"),
}
MISSPELLED = {"evaluate": "is 'evalute' meant to be", "MOVE_SLOTS": "is 'MOVESLOTS' meant to be"}
SEPARATE_TESTS = {"endless_play", "endless_compiled", "crashes", "misspelled"}
CHANCE = {"random_moves", "random_start", "counts_calls"}
"""Games that Numba refuses, or whose second mistake depends on chance."""
NEED_COMPILER = {"float_inside", "mixed_signs", "overflow", "uncompilable"}
SAMPLE = {"max_moves_too_small", "mutating_play"}
"""Games whose mistake shows uncompiled, but which are compiled in the fast tier too."""


GAMES = {"never_ends": 2, "not_irreversible": 2, "own_line_wins": 30, "evaluate_ignores_side": 30}


def examine(game: str, games: int = 12, compiled: bool = False, limit: float = 5.0) -> Report:
    """Check a game in this process, where Numba is loaded already."""
    loaded = plyforge.load(game)
    report = Report(game)
    guard = Guard(Path(loaded.rules.file).parent, limit)
    examination = Examination(loaded, guard, Recorder(report.problems.append))
    examination.check_definitions()
    if compiled:
        with tempfile.TemporaryDirectory() as folder:
            examination.compile(Path(folder))
    examination.play(Budget(seed=0, games=games, seconds=60.0))
    report.statistics = examination.statistics
    return report


def broken_file(name: str) -> str:
    return str(HERE / "broken" / f"{name}.py")


def summary(report: Report) -> list[tuple[str, str, str]]:
    return [(problem.severity, problem.hook, problem.message) for problem in report.problems]


def test_every_broken_game_has_a_test() -> None:
    files = {path.stem for path in (HERE / "broken").glob("*.py")}
    assert files == set(BROKEN) | SEPARATE_TESTS


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] * (name == "random_start"))  # many games
        for name in BROKEN
        if name not in NEED_COMPILER
    ],
)
def test_a_mistake_is_reported_with_its_hook_uncompiled(name: str) -> None:
    check_report(name, compiled=False)


@pytest.mark.parametrize(
    "name",
    [
        name if name in NEED_COMPILER | SAMPLE else pytest.param(name, marks=pytest.mark.long)
        for name in sorted(set(BROKEN) - CHANCE)
    ],
)
def test_a_mistake_is_reported_with_its_hook(name: str) -> None:
    check_report(name, compiled=True)


def check_report(name: str, compiled: bool) -> None:
    severity, hook, words = BROKEN[name]
    games = GAMES.get(name, 12)
    report = examine(broken_file(name), games, compiled)
    matching = [p for p in report.problems if p.hook == hook and words in p.message]
    assert [p.severity for p in matching] == [severity], summary(report)
    # Only the mistake and its direct consequence are reported.
    assert len([p for p in report.problems if p.severity == "problem"]) <= 2, summary(report)


def test_misspelled_names_are_remarked_on() -> None:
    report = examine(broken_file("misspelled"))
    assert report.passed
    for hook, words in MISSPELLED.items():
        assert any(p.hook == hook and words in p.message for p in report.problems), summary(report)


@pytest.mark.parametrize("name", ["connect4:5x4", "checkers"])
def test_good_games_pass_uncompiled(name: str) -> None:
    assert examine(name, games=4).problems == []


@pytest.mark.long
@pytest.mark.parametrize("name", plyforge.names())
def test_every_built_in_game_passes(name: str) -> None:
    report = check(name, seconds=20.0)
    assert report.passed, summary(report)
    assert report.complete


def test_the_starter_passes_without_a_remark(tmp_path: Path) -> None:
    report = examine(str(write_starter(tmp_path / "mygame.py")), games=40, compiled=True)
    assert report.problems == []
    assert report.statistics.compiled
    assert report.statistics.games == 40


def test_positions_that_are_objects_are_checked_uncompiled() -> None:
    report = examine(str(HERE / "good" / "objects.py"), compiled=True)
    assert report.passed
    (remark,) = report.problems
    assert "the rules run uncompiled" in remark.message
    assert "to compile them, " in remark.message
    assert not report.statistics.compiled
    assert report.statistics.positions > 12


def test_a_running_state_and_a_carried_key_pass() -> None:
    report = examine(str(HERE / "good" / "stateful.py"), compiled=True)
    assert report.problems == []
    assert report.statistics.compiled


def test_a_net_that_keeps_sums_from_ply_to_ply_passes() -> None:
    report = examine(str(HERE / "good" / "net.py"), compiled=True)
    assert report.problems == []
    assert report.statistics.compiled


def test_a_state_that_is_advanced_wrongly_is_reported(tmp_path: Path) -> None:
    source = (HERE / "good" / "stateful.py").read_text(encoding="utf-8")
    path = tmp_path / "wrong.py"
    path.write_text(
        source.replace("(state[0] - move) % 4", "(state[0] + move) % 4"), encoding="utf-8"
    )
    (problem,) = examine(str(path)).problems
    assert problem.hook == "advance"
    assert "with a new state from 'begin'" in problem.message


@pytest.mark.parametrize(("name", "remarks"), [("unrelated", 1), ("irreversible", 0)])
def test_repetition_without_the_hook_irreversible_is_remarked_on(
    tmp_path: Path, name: str, remarks: int
) -> None:
    source = Path(broken_file("not_irreversible")).read_text(encoding="utf-8")
    path = tmp_path / "reversible.py"
    source = source.replace("return move == 1", "return False").replace(
        "def irreversible", f"def {name}"
    )
    path.write_text(source, encoding="utf-8")
    report = examine(str(path), games=2)
    assert report.passed
    assert len(report.problems) == remarks
    assert all("'irreversible' is not defined" in problem.message for problem in report.problems)


def test_a_problem_has_its_position_move_file_and_line() -> None:
    (problem,) = examine(broken_file("slot_out_of_range")).problems
    assert problem.position == "15"
    assert problem.move == "3"
    assert problem.file == broken_file("slot_out_of_range")
    assert problem.line == 28


def test_a_remark_fails_only_a_strict_check() -> None:
    report = examine(broken_file("never_switches"))
    assert report.passes()
    assert not report.passes(strict=True)


def test_the_ends_of_games_are_counted() -> None:
    statistics = examine("tictactoe", games=20).statistics
    assert statistics.ends_by_outcome + statistics.ends_without_move == 20
    assert statistics.ends_without_move > 0


@given(st.integers(0, 2**32), st.integers(2, 6), st.booleans())
@settings(max_examples=20, deadline=None)
def test_a_side_that_alternates_is_never_reported(seed: int, size: int, names: bool) -> None:
    """Fields of a board change at random; only one that should alternate and does not counts."""
    stream = Stream(seed)
    found: list[Problem] = []
    turns = Turns(Recorder(found.append), False, None)
    board, side = [0] * size, 0
    for _ in range(60):
        before = {"side" if names else "x": side, **dict(enumerate(board))}
        board = [stream.below(3) for _ in range(size)]
        side = 1 - side
        after = {"side" if names else "x": side, **dict(enumerate(board))}
        turns.add(Node(before, str(before), 0), "move", after)
    turns.conclude()
    assert found == []


def test_the_same_seed_gives_the_same_report() -> None:
    assert examine(broken_file("raises")) == examine(broken_file("raises"))


# In another process


def test_a_check_in_another_process_reports_statistics() -> None:
    seen: list[tuple[str, int]] = []
    report = check("tictactoe", games=20, observer=lambda doing, games: seen.append((doing, games)))
    assert report.problems == []
    assert seen[:3] == [("loading", 0), ("compiling", 0), ("playing", 0)]
    assert ("playing", 20) in seen
    assert report.complete
    statistics = report.statistics
    assert (statistics.games, statistics.max_moves, statistics.compiled) == (20, 9, True)
    assert 5 <= statistics.longest_game <= 9
    assert statistics.compile_seconds > 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a timer signal")
def test_an_endless_loop_is_reported_with_its_line() -> None:
    check_endless_play(examine(broken_file("endless_play"), limit=0.5))


@pytest.mark.long
def test_an_endless_loop_in_another_process_is_reported_with_its_line() -> None:
    check_endless_play(check(broken_file("endless_play"), seconds=4.0))


def check_endless_play(report: Report) -> None:
    (problem,) = report.problems
    assert problem.hook == "play"
    assert "'play' does not return within" in problem.message
    assert "does a loop in it never end?" in problem.message
    assert problem.line in range(22, 29)
    assert problem.move is not None


def test_a_loop_that_is_endless_only_when_compiled_is_reported_with_its_hook() -> None:
    report = check(broken_file("endless_compiled"), seconds=4.0)
    (problem,) = report.problems
    assert problem.hook == "evaluate"
    assert "'evaluate' does not return within 1 s when compiled" in problem.message
    assert problem.position == "15"
    assert not report.complete


@pytest.mark.skipif(sys.platform == "win32", reason="the broken game sends itself a POSIX signal")
def test_a_crash_is_reported_with_the_last_position() -> None:
    report = check(broken_file("crashes"), seconds=4.0)
    (problem,) = report.problems
    assert "the process crashed (SIGKILL) while playing" in problem.message
    assert problem.position is not None
    assert not report.passed


@pytest.mark.long
def test_a_call_that_cannot_be_interrupted_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = Path(broken_file("crashes")).read_text(encoding="utf-8")
    path = tmp_path / "stubborn.py"
    # A loop inside the interpreter, which checks neither for signals nor for other threads.
    stubborn = source.replace("os.kill(os.getpid(), signal.SIGKILL)", "sum(range(10**13))")
    path.write_text(stubborn, encoding="utf-8")
    monkeypatch.setattr(supervisor, "_TIMEOUT", 4.0)
    report = check(str(path), seconds=4.0)
    (problem,) = report.problems
    assert "the process stopped answering while playing" in problem.message
    assert problem.position is not None


def test_a_file_that_cannot_be_loaded_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PlyforgeError, match="unknown game 'chekers'"):
        check("chekers")
    path = tmp_path / "empty.py"
    path.write_text("", encoding="utf-8")
    with pytest.raises(PlyforgeError, match="no function 'initial"):
        check(str(path))


def test_impossible_budgets_are_refused() -> None:
    with pytest.raises(PlyforgeError, match="games must be at least 1, not 0"):
        check("tictactoe", games=0)
    with pytest.raises(PlyforgeError, match="time must be more than 0 seconds, not 0"):
        check("tictactoe", seconds=0)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_an_interrupt_ends_the_other_process_too(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[str]] = []
    popen = subprocess.Popen

    def start_and_interrupt_later(*arguments: Any, **options: Any) -> subprocess.Popen[str]:
        started.append(popen(*arguments, **options))
        timer.start()
        return started[-1]

    monkeypatch.setattr(supervisor.subprocess, "Popen", start_and_interrupt_later)
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    with default_sigint():
        with pytest.raises(KeyboardInterrupt):
            check("chess", seconds=600.0, games=10**6)
        timer.join()
    assert [process.poll() for process in started] == [-signal.SIGKILL]


# Parts


def test_components_separate_cycles() -> None:
    parts = components([[1], [2], [0, 3], [4], [3], []])
    assert parts[0] == parts[1] == parts[2]
    assert parts[3] == parts[4]
    assert len({parts[0], parts[3], parts[5]}) == 3


def test_correlation_of_opposite_and_of_constant_values() -> None:
    assert correlation([1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]) == pytest.approx(-1.0)
    assert correlation([1.0, 1.0], [1.0, 2.0]) is None


@pytest.mark.parametrize(
    "compute",
    [
        lambda a: np.bitwise_xor.reduce(a),
        lambda a: a.sum(),
        lambda a: a.max(),
        lambda a: a.dot(a),
        lambda a: (a * 2)[1],
        lambda a: np.add.reduce(a[a > 1]),
        lambda a: a[1],
        lambda a: a.reshape(2, 2)[1, 0],
        lambda a: np.where(a > 1, a, 0).sum(),
    ],
)
def test_numbers_from_watched_arrays_are_those_of_plain_ones(compute: Any) -> None:
    plain = np.array([3, 1, 2, 5])
    (watched,) = watch_arrays(OneArray(plain), lambda index, length, place: None)
    one, other = compute(plain), compute(watched)
    assert (type(one), one) == (type(other), other)


def test_a_kind_of_mistake_is_passed_on_once_and_counted() -> None:
    found: list[Problem] = []
    recorder = Recorder(found.append)
    for _ in range(3):
        recorder.problem("play", "changes", "'play' changes its argument")
    recorder.remark("play", "other", "another")
    assert [problem.message for problem in found] == ["'play' changes its argument", "another"]
    assert recorder.times == [3, 1]
