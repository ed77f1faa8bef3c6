"""Infos, progress, interrupts, parities, other evaluations and levels."""

import _thread
import itertools
import math
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import plyforge
from plyforge import Engine, PlyforgeError, SearchResult
from plyforge.core.errors import GameFileError
from plyforge.engine import Info, Progress, deepening
from plyforge.engine.levels import LEVELS, choose, level
from plyforge.evaluate import evaluation_of, save_evaluation
from plyforge.search.options import Options
from tests.games.tiers import with_long


def test_infos_come_one_by_one_and_end_with_the_result():
    infos = list(Engine("tictactoe").infos(depth=7))
    assert [info.depth for info in infos] == [1, 3, 5, 7, 7]
    assert isinstance(infos[-1], SearchResult)


def test_leaving_infos_stops_the_search_and_the_engine_can_search_again():
    engine = Engine("checkers")
    for info in engine.infos(time=60.0):
        if info.depth >= 6:
            break
    assert engine.analyse(depth=4).depth == 4


def test_infos_raises_the_errors_of_the_analysis():
    with pytest.raises(PlyforgeError, match="depth"):
        list(Engine("tictactoe").infos(depth=0))


def test_a_refused_call_of_infos_does_not_stop_the_running_search():
    engine, results = Engine("checkers"), []
    work = threading.Thread(target=lambda: results.append(engine.analyse(depth=60)))
    work.start()
    while not engine._busy.locked():
        time.sleep(0.001)
    with pytest.raises(PlyforgeError, match="searching already"):
        list(engine.infos(depth=1))
    work.join(0.2)
    assert work.is_alive()
    while work.is_alive():
        engine.stop()
        work.join(0.01)
    assert results[0].stopped


@pytest.mark.parametrize(
    ("driver", "threads"), [("pvs", 1), ("aspiration", 1), ("mtdf", 1), ("pvs", 2)]
)
def test_progress_is_reported_within_an_iteration(driver, threads):
    engine = Engine("checkers", driver=driver, threads=threads)
    assert engine.progress() is None
    reports = []
    for report in engine.live(interval=0.02, time=60.0):
        if isinstance(report, Progress):
            reports.append(report)
        known = any(r.lower > -math.inf or r.upper < math.inf for r in reports)
        if len(reports) >= 5 and known:
            break
    nodes = [report.nodes for report in reports]
    assert nodes == sorted(nodes)
    assert 0 < nodes[0] < nodes[-1]
    assert engine.progress() is None


def test_the_bounds_of_a_progress_are_true():
    scores, reports = {}, []
    for report in Engine("checkers", driver="mtdf").live(interval=0.002, depth=14):
        if isinstance(report, Progress):
            reports.append(report)
        else:
            scores[report.depth] = report.score
    assert reports
    assert all(report.lower <= scores[report.depth] <= report.upper for report in reports)


@pytest.mark.parametrize("interval", [0, -1.0, math.nan])
def test_the_interval_must_be_positive(interval):
    with pytest.raises(PlyforgeError, match="interval must be a positive number of seconds"):
        Engine("tictactoe").live(interval=interval)


def test_uncompiled_searches_report_progress_too():
    engine = Engine("checkers", backend="python", off=["deepening"])
    report = next(iter(engine.live(interval=0.05, time=60.0, depth=8)))
    assert isinstance(report, Progress)
    assert report.nodes > 0


def test_leaving_a_live_search_ends_its_thread():
    engine, before = Engine("checkers"), threading.active_count()
    for report in engine.live(interval=0.05, time=60.0):
        if isinstance(report, Progress):
            break
    assert threading.active_count() == before
    assert engine.progress() is None
    assert engine.analyse(depth=2).depth == 2


@pytest.fixture
def interrupts() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt, also where a shell started the tests without it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def _interrupt_after_depth_2(info: Info) -> None:
    if info.depth == 2:
        _thread.interrupt_main()


@pytest.mark.usefixtures("interrupts")
def test_an_interrupted_analysis_returns_what_it_has_reached():
    engine = Engine("checkers", settings={"depth-step": 1})
    result = engine.analyse(depth=60, report=_interrupt_after_depth_2, catch_interrupt=True)
    assert (result.interrupted, result.stopped) == (True, True)
    assert 2 <= result.depth < 60
    assert not engine.analyse(depth=2, catch_interrupt=True).interrupted


@pytest.mark.usefixtures("interrupts")
def test_an_interrupt_is_raised_unless_it_is_to_be_caught():
    engine = Engine("checkers", settings={"depth-step": 1})
    with pytest.raises(KeyboardInterrupt):
        engine.analyse(depth=60, report=_interrupt_after_depth_2)
    assert engine.analyse(depth=2).depth == 2


def test_a_right_guess_takes_two_null_windows_and_nan_is_refused():
    engine = Engine("tictactoe", driver="mtdf", off=["deepening"])
    value = engine.analyse(depth=5).score
    engine.clear()
    result = engine.analyse(depth=5, guess=value)
    assert result.score == value
    assert len(result.steps) <= 2
    with pytest.raises(PlyforgeError, match="guess must be a finite number, not nan"):
        engine.analyse(depth=1, guess=float("nan"))


def test_each_side_searches_depths_of_its_parity():
    options = Options.preset("koneru")
    assert list(deepening.depths(options, 8, side=0)) == [2, 4, 6, 8]
    assert list(deepening.depths(options, 8, side=1)) == [1, 3, 5, 7]
    assert list(deepening.depths(options, 1, side=0)) == [1]


@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("depth", [1, 2, 7, 8])
def test_the_last_iteration_has_the_depth_that_was_asked_for(step, depth):
    options = Options().changed(settings={"depth-step": step})
    depths = list(deepening.depths(options, depth))
    assert depths[-1] == depth
    assert all(later - earlier == step for earlier, later in itertools.pairwise(depths))


# Other evaluations


def _write(folder: Path, text: str) -> str:
    path = folder / "other.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("backend", with_long(["python"], ["compiled"]))
def test_an_evaluation_file_replaces_the_games_own(tmp_path, backend):
    text = "EVALUATION_RANGE = (-9, 9)\ndef evaluate(position):\n    return 7\n"
    engine = Engine("connect4:4x4", evaluation=_write(tmp_path, text), backend=backend)
    assert engine.analyse(depth=2).score == 7
    assert engine.analyse(depth=3).score == -7


@pytest.mark.parametrize("backend", with_long(["python"], ["compiled"]))
def test_a_function_serves_as_an_evaluation(backend):
    def evaluate(position):
        return 5.5

    engine = Engine("tictactoe", evaluation=evaluate, backend=backend)
    assert engine.analyse(depth=2).score == 5.5


def _search(**options):
    result = Engine("tictactoe", **options).analyse(depth=3)
    return result.score, result.nodes


def test_a_form_and_a_file_of_weights_serve_as_evaluations(tmp_path):
    game = plyforge.load("tictactoe")
    path = tmp_path / "weights.npz"
    save_evaluation(path, game, positions=())
    own = _search(backend="python")
    assert _search(backend="python", evaluation=str(path)) == own
    doubled = evaluation_of(game).with_weights([2])
    assert _search(backend="python", evaluation=doubled) == (2 * own[0], own[1])


@pytest.mark.long
def test_weights_of_a_file_are_compiled(tmp_path):
    save_evaluation(tmp_path / "weights.npz", plyforge.load("tictactoe"), positions=())
    assert _search(evaluation=str(tmp_path / "weights.npz")) == _search()


@pytest.mark.long
def test_an_index_outside_of_its_table_is_reported_by_compiled_code(tmp_path):
    text = (
        "from plyforge.rules import patterns\n"
        "def cells(position):\n    return position.mine\n"
        "EVALUATION = patterns({'cells': (cells, 4)})\n"
    )
    engine = Engine("tictactoe", evaluation=_write(tmp_path, text))
    with pytest.raises(PlyforgeError, match="an index of table 'cells' must be between 0 and 3"):
        engine.analyse(depth=6)


def test_a_game_lists_evaluations_by_name():
    teaching = Engine("chess", evaluation="teaching")
    assert teaching.game.rules.constant("EVALUATION_RANGE") == (-200, 200)
    assert teaching.game.terms(teaching.game.initial())[0][0] == "queens"


def test_an_engine_names_the_evaluation_that_is_not_the_games_own():
    def named(**options):
        return Engine("chess", backend="python", **options).evaluation

    assert named() == ""
    assert named(preset="play") == "tuned"
    assert named(preset="play", evaluation="own") == "own"
    assert named(evaluation="basic") == "basic"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n", "no function 'evaluate"),
        ("def evaluate(position, more):\n    return 0\n", "must take"),
        ("evaluate = 3\n", "plain function"),
        ("def evaluate(position):\n    return position.none\n", "does not fit"),
        ("def evaluate(position):\n    return float('nan')\n", "returned nan"),
        ("def evaluate(position):\n    return 101\n", "EVALUATION_RANGE"),
        ("EVALUATION_RANGE = 3\ndef evaluate(position):\n    return 0\n", "a pair"),
        ("EVALUATION_RANGE = (-1e9, 1e9)\ndef evaluate(position):\n    return 0\n", "within"),
        ("EVALUATION_RANGE = (9, -9)\ndef evaluate(position):\n    return 0\n", "minimum, maximum"),
        ("EVALUATION_MEANING = 'x'\ndef evaluate(position):\n    return 0\n", "one of"),
        ("def begin(p, s):\n    s[0] = 0\ndef evaluate(p):\n    return 0\n", "needs 'advance'"),
        ("def evaluate(position:\n", "line 1"),
    ],
)
def test_an_evaluation_that_does_not_fit_is_refused(tmp_path, text, message):
    with pytest.raises(GameFileError, match=message):
        Engine("connect4:4x4", evaluation=_write(tmp_path, text))


@pytest.mark.parametrize("value", ["7", "[('a', 1)]", "[('a', 'x', 1)]", "None"])
def test_the_error_of_wrong_terms_names_their_file(tmp_path, value):
    text = f"def evaluate(position):\n    return 0\ndef terms(position):\n    return {value}\n"
    game = Engine("tictactoe", evaluation=_write(tmp_path, text), backend="python").game
    with pytest.raises(GameFileError, match=r"other\.py: 'terms' returned .* weight"):
        game.terms(game.initial())


@pytest.mark.parametrize("value", ["None", "'x'"])
def test_the_error_of_an_evaluation_that_is_not_a_number_names_its_file(tmp_path, value):
    text = f"def evaluate(position):\n    return {value}\n"
    with pytest.raises(GameFileError, match=rf"other\.py: 'evaluate' returned {value}"):
        Engine("tictactoe", evaluation=_write(tmp_path, text))


# Levels


def test_higher_levels_search_more_and_play_fewer_weak_moves():
    levels = [level(number) for number in range(1, LEVELS + 1)]
    assert all(a.nodes < b.nodes for a, b in itertools.pairwise(levels))
    assert all(a.margin >= b.margin for a, b in itertools.pairwise(levels))
    assert levels[-1].margin == 0


@pytest.mark.parametrize("number", [0, 21, -1, 1.5, True, "3"])
def test_a_level_out_of_range_is_refused(number):
    with pytest.raises(PlyforgeError, match="level must be an integer between 1 and 20"):
        level(number)


def test_the_same_seed_plays_the_same_game_and_another_seed_another():
    def game_of(seed: int) -> list[int]:
        engine, history = Engine("connect4"), plyforge.load("connect4").history()
        while not history.verdict().over and len(history.moves) < 12:
            history.play(choose(engine, history, 3, seed))
        return history.moves

    assert game_of(1) == game_of(1)
    assert len({tuple(game_of(seed)) for seed in range(5)}) > 1


@pytest.mark.parametrize("number", [1, 3, 15])
@pytest.mark.parametrize(
    "name",
    [
        "connect4",
        *(pytest.param(name, marks=pytest.mark.long) for name in ("andantino", "othello")),
    ],
)
def test_a_level_plays_only_moves_that_were_searched(name, number, monkeypatch):
    """Level 1 has fewer nodes than Andantino has moves two plies deep."""
    engine, searched = Engine(name), set()
    analyse = engine.analyse

    def spy(*arguments, **limits):
        result = analyse(*arguments, **limits)
        if result.bound != "none":
            searched.update(line.pv[0] for line in result.lines)
        return result

    monkeypatch.setattr(engine, "analyse", spy)
    root = engine.game.history()
    for seed in range(4):
        searched.clear()
        move = choose(engine, root, number, seed)
        assert move in searched
        root.play(move)


def test_a_level_without_nodes_for_a_search_sees_a_win_in_one(monkeypatch):
    monkeypatch.setattr("plyforge.engine.levels._FIRST_NODES", 1)
    engine = Engine("connect4")
    root = engine.game.history()
    root.play_text("1 2 1 2 1 2")
    win = engine.game.parse_move(root.position, "1")
    allowed = {choose(engine, root, 15, seed) for seed in range(8)}
    assert allowed == {win}


@pytest.mark.long
def test_a_high_level_beats_a_low_one():
    game = plyforge.load("connect4")
    won = 0
    for seed in range(6):
        strong, weak, history = Engine(game), Engine(game), game.history()
        strong_side = seed % 2
        while not history.verdict().over:
            if history.turn == strong_side:
                history.play(choose(strong, history, 12, seed))
            else:
                history.play(choose(weak, history, 1, seed))
        won += history.verdict().name == "loss" and history.turn != strong_side
    assert won >= 5


def test_root_moves_may_be_texts() -> None:
    engine = Engine("tictactoe", backend="python")
    game = engine.game
    for moves in (["b2", "a1"], "b2 a1", ["B2", game.parse_move(game.initial(), "a1")]):
        result = engine.analyse(depth=1, moves=moves)
        assert game.move_text(game.initial(), result.move) in ("b2", "a1")
    with pytest.raises(PlyforgeError, match=r"'z9' is not a .*; legal: "):
        engine.analyse(depth=1, moves=["z9"])


def test_a_win_is_counted_in_moves() -> None:
    engine = Engine("tictactoe", backend="python")
    result = engine.analyse("XX./OO./... X", depth=3)
    assert (result.score_text, result.moves_to_end) == ("win in 1", 1)
    assert (result.lines[0].score_text, result.lines[0].moves_to_end) == ("win in 1", 1)
    draw = engine.analyse("XOX/XOO/.X. O", depth=3)
    assert draw.moves_to_end is None


@pytest.mark.parametrize("threads", [1, 2])
def test_a_clone_searches_as_a_new_engine_does(threads: int) -> None:
    engine = Engine("tictactoe", backend="python", entries=1024, threads=threads)
    root = engine.game.history()
    root.play_text("a1 b1 b2")
    before = engine.analyse(root, depth=4)
    clone = engine.clone()
    assert clone.table_fill() == 0
    result = clone.analyse(root, depth=4)
    assert (result.score, result.move) == (before.score, before.move)
    if threads == 1:
        assert result.counts == before.counts
    assert engine.table_fill() > 0


def test_a_clone_is_made_while_the_engine_searches() -> None:
    engine = Engine("connect4", backend="python", entries=1024)
    for info in engine.infos(depth=8):
        if info.depth == 2:
            assert engine.clone().clone().analyse(depth=2).score == info.score
            break


@pytest.mark.parametrize("preset", ["play", "exact"])
def test_deeper_iterations_end_when_every_move_has_a_proven_value(preset: str) -> None:
    game = plyforge.load("tictactoe", backend="python")
    history = game.history()
    while len(history.legal_moves()) > 3:
        history.play(history.legal_moves()[0])
    result = Engine(game, preset=preset, entries=1024).analyse(history)
    assert result.depth <= 6
    assert not result.stopped
    assert result.score == Engine(game, entries=1024).analyse(history).score
