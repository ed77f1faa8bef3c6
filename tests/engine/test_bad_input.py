"""Wrong input: every error names the thing, the value and what is allowed."""

import math
from pathlib import Path
from typing import Any

import pytest

import plyforge
from plyforge import Clock, Engine, PlyforgeError
from plyforge.core.errors import GameFileError, UnknownName
from plyforge.core.scores import LOSS
from plyforge.engine import DRIVERS
from plyforge.engine.drivers import parameters_for
from plyforge.search.hashtable import HashTable
from plyforge.search.options import Options
from plyforge.search.searcher import Searcher

game = plyforge.load("tictactoe")
PARAMETERS = parameters_for(DRIVERS["pvs"])


def assert_refused(*words: str, **options: Any) -> str:
    """Make an engine with wrong options; return the error's message, which has all the words."""
    with pytest.raises(PlyforgeError) as caught:
        Engine(game, **options)
    for word in words:
        assert word in str(caught.value)
    return str(caught.value)


# Names


@pytest.mark.parametrize(
    ("options", "kind", "suggestion"),
    [
        ({"driver": "mtd"}, "driver 'mtd'", "mtdf"),
        ({"driver": "alpha-beta"}, "driver 'alpha-beta'", "alphabeta"),
        ({"preset": "exakt"}, "preset 'exakt'", "exact"),
        ({"on": ["killer"]}, "switch 'killer'", "killers"),
        ({"off": ["tabel"]}, "switch 'tabel'", "table"),
        ({"settings": {"epsillon": 1}}, "parameter 'epsillon'", "epsilon"),
        ({"settings": {"replace": "depper"}}, "value of replace 'depper'", "deeper"),
        ({"settings": {"order": "tabel,wins"}}, "source in order 'tabel'", "table"),
    ],
)
def test_unknown_names_get_a_suggestion(
    options: dict[str, Any], kind: str, suggestion: str
) -> None:
    assert_refused(f"unknown {kind}", f"did you mean '{suggestion}'?", **options)
    with pytest.raises(UnknownName):
        Engine(game, **options)


def test_a_name_unlike_all_others_gets_the_list() -> None:
    assert "alphabeta" in assert_refused(driver="xyzzy")


# Switches


def test_a_switch_is_not_both_on_and_off() -> None:
    assert_refused("'table' is switched both on and off", on=["table"], off=["table"])


def test_switches_are_a_list() -> None:
    assert_refused("on must be a list", "['etc']", on="etc")
    assert_refused("off must be a list", "['all']", off="all")


def test_a_switch_that_needs_the_table_is_refused_without_it() -> None:
    assert_refused("'etc' does nothing without 'table'", on=["etc"], off=["table"])
    assert_refused("'etc' does nothing without 'table'", on=["etc"], off=["all"])
    Engine(game, on=["etc", "table"], off=["all"], entries=256)


def test_the_driver_pvs_needs_its_switch() -> None:
    assert_refused("driver 'pvs'", "alphabeta", driver="pvs", off=["pvs"])


# Values


@pytest.mark.parametrize(
    "name",
    [name for name, row in PARAMETERS.items() if not (row.choices or row.file or row.folder)],
)
def test_the_error_of_a_number_out_of_range_names_the_range(name: str) -> None:
    row = PARAMETERS[name]
    range_words = f"between {row.minimum:g} and {row.maximum:g}"
    for value in (row.minimum - 1, row.maximum * 2 + 1, math.inf, -math.inf, math.nan):
        if not row.real and not math.isfinite(value):
            continue
        value = value if row.real else int(value)
        assert_refused(name, range_words, settings={name: value})
    for text in ("", "x", "1,5", "one", None, [], 10**400):
        assert_refused(name, range_words, settings={name: text})
    if not row.real:
        assert_refused(name, "an integer", settings={name: 1.5})
    for right in (row.minimum, row.maximum, f"{row.maximum:.12g}"):
        options = Options().declaring(PARAMETERS).changed(settings={name: right})
        assert options.get(name) == float(right)


def test_an_order_names_each_source_once() -> None:
    assert_refused("order", "once", settings={"order": "table,table"})
    assert_refused("order must be a list of table", "not 5", settings={"order": 5})
    assert Options().changed(settings={"order": ""}).get("order") == ()


# The table's size


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"hash": 1, "entries": 256}, ["not both"]),
        ({"hash": 0}, ["positive"]),
        ({"hash": -1}, ["positive"]),
        ({"hash": math.nan}, ["positive"]),
        ({"hash": math.inf}, ["at most"]),
        ({"hash": 1e12}, ["at most"]),
        ({"hash": 10**400}, ["at most"]),
        ({"hash": 1e-6}, ["at least", "256"]),
        ({"hash": "big"}, ["positive"]),
        ({"hash": True}, ["positive"]),
        ({"entries": 255}, ["at least 256, not 255"]),
        ({"entries": 0}, ["at least 256"]),
        ({"entries": 1.5}, ["an integer"]),
        ({"entries": True}, ["an integer"]),
        ({"entries": 2**33}, ["at most"]),
        ({"entries": 2**32}, ["too large", "memory"]),
    ],
)
def test_impossible_table_sizes_are_refused(options: dict[str, Any], words: list[str]) -> None:
    assert_refused(*words, **options)


def test_a_table_without_time_stamps_is_refused_where_they_are_needed() -> None:
    """Without the check the kernel would write stamps outside the array."""
    options = Options().changed(settings={"replace": "deeper-timestamp"})
    with pytest.raises(PlyforgeError, match="time stamps"):
        Searcher(game, options, HashTable.sized(entries=1000))


# Positions, depths and windows


def test_a_finished_game_is_not_searched() -> None:
    engine = Engine(game, entries=256)
    for text in ("XXX/OO./... O", "XOX/XOO/OXX O"):
        with pytest.raises(PlyforgeError, match="game is over"):
            engine.analyse(text, depth=1)
        with pytest.raises(PlyforgeError, match="game is over"):
            engine.search(text, depth=1)
    with pytest.raises(PlyforgeError, match="position"):
        engine.analyse("what?", depth=1)


def test_a_game_is_a_name_or_a_game() -> None:
    for wrong in (5, None):
        with pytest.raises(PlyforgeError, match="a game is a name, a path, a module or a dict"):
            Engine(wrong)  # type: ignore[arg-type]
    with pytest.raises(PlyforgeError, match=r"no file game\.py"):
        Engine(Path("game.py"))


def test_the_history_must_be_of_the_engines_game() -> None:
    """Positions of both games look the same, but their rules judge them differently."""
    with pytest.raises(PlyforgeError, match="is of giveaway, but this engine searches checkers"):
        Engine("checkers", entries=256).analyse(plyforge.load("giveaway").history(), depth=1)
    other = plyforge.load("tictactoe", backend="python").history()
    assert Engine(game, entries=256).analyse(other, depth=1).depth == 1


@pytest.mark.parametrize("depth", [0, -1, 251, 10**9, 1.5, True, "3", math.nan])
def test_impossible_depths_are_refused(depth: Any) -> None:
    engine = Engine(game, entries=256)
    with pytest.raises(PlyforgeError, match="depth"):
        engine.analyse(depth=depth)
    with pytest.raises(PlyforgeError, match="depth"):
        engine.search(None, depth=depth)


def test_the_maximum_depth_is_allowed() -> None:
    result = Engine(game, entries=1 << 14).analyse(depth=250)
    assert result.proved
    assert result.depth in (9, 10)
    shallow = Engine("tree:layered,1,62", off=["cycles", "deepening"], entries=256)
    assert shallow.analyse(depth=250).proved


@pytest.mark.parametrize("time", [0, -1, math.nan, math.inf, 10**400, "1", True])
def test_impossible_times_are_refused(time: Any) -> None:
    with pytest.raises(PlyforgeError, match="time"):
        Engine(game, entries=256).analyse(time=time)


@pytest.mark.parametrize("multipv", [0, -1, 1.5, True, "2"])
def test_impossible_numbers_of_lines_are_refused(multipv: Any) -> None:
    with pytest.raises(PlyforgeError, match="multipv"):
        Engine(game, entries=256).analyse(depth=1, multipv=multipv)


@pytest.mark.parametrize("threads", [0, -1, 257, 1.5, True, "2"])
def test_impossible_numbers_of_threads_are_refused(threads: Any) -> None:
    assert_refused("threads", threads=threads)


@pytest.mark.parametrize("nodes", [0, -1, 1.5, True])
def test_impossible_numbers_of_nodes_are_refused(nodes: Any) -> None:
    with pytest.raises(PlyforgeError, match="nodes"):
        Engine(game, entries=256).analyse(nodes=nodes)


@pytest.mark.parametrize("limits", [{"time": 1e300}, {"clock": Clock(1e300)}, {"nodes": 10**30}])
def test_a_limit_that_is_never_reached_does_no_harm(limits: dict[str, Any]) -> None:
    assert Engine(game, entries=256).analyse(**limits).proved


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (1.0, 1.0, "empty"),
        (2.0, 1.0, "empty"),
        (math.inf, math.inf, "empty"),
        (math.inf, -math.inf, "empty"),
        (math.nan, 1.0, "must be numbers"),
        (1.0, math.nan, "must be numbers"),
        ("a", 1.0, "must be numbers"),
        (0.0, None, "must be numbers"),
        (-(10**400), 1.0, "must be numbers"),
    ],
)
def test_impossible_windows_are_refused(low: Any, high: Any, words: str) -> None:
    with pytest.raises(PlyforgeError, match=words):
        Engine(game, entries=256).search(None, low, high, 2)


def test_root_moves_are_legal() -> None:
    engine = Engine(game, entries=256)
    with pytest.raises(PlyforgeError, match="99 is not legal"):
        engine.analyse(depth=1, moves=[0, 99])
    with pytest.raises(PlyforgeError, match="no root move"):
        engine.analyse(depth=1, moves=[])
    assert engine.analyse(depth=2, moves=[4, 4, 4]).move == 4


# Nothing is compiled before the input is checked


@pytest.fixture
def no_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make building a search kernel fail."""

    def build(*arguments: Any, **options: Any) -> None:
        raise AssertionError("a kernel was built")

    monkeypatch.setattr("plyforge.search.searcher.build", build)


@pytest.mark.usefixtures("no_compiling")
@pytest.mark.parametrize(
    "options",
    [
        {"driver": "mtd"},
        {"preset": "exakt"},
        {"on": ["killer"]},
        {"settings": {"depth-step": 99}},
        {"hash": -1},
        {"entries": 1},
        {"threads": 257},
        {"threads": 0},
        {"evaluation": "nowhere.py"},
    ],
)
def test_options_are_checked_before_anything_is_compiled(options: dict[str, Any]) -> None:
    assert_refused(**options)


@pytest.mark.usefixtures("no_compiling")
@pytest.mark.parametrize(
    "limits",
    [
        {"depth": 300},
        {"time": 0},
        {"nodes": 0},
        {"clock": 60},
        {"multipv": 0},
        {"guess": math.nan},
        {"moves": []},
        {"moves": [99]},
        {"position": "XXX/OO./... O"},
        {"position": "what?"},
    ],
)
def test_limits_are_checked_before_anything_is_compiled(limits: dict[str, Any]) -> None:
    engine = Engine(game, entries=256)
    with pytest.raises(PlyforgeError):
        engine.analyse(**limits)
    with pytest.raises(PlyforgeError):
        engine.search(None, 0.0, 1.0, depth=300)
    with pytest.raises(PlyforgeError):
        engine.search(None, 1.0, 0.0)


@pytest.mark.usefixtures("no_compiling")
def test_the_first_search_compiles() -> None:
    engine = Engine(game, entries=256)
    engine.stop()
    engine.clear()
    for use in (engine.prepare, lambda: engine.analyse(depth=1)):
        with pytest.raises(AssertionError, match="a kernel was built"):
            use()


# Faults of games

FAULTY = Path(__file__).with_name("faulty.py")
EVALUATIONS = {1: "nan", 2: "100.5", 3: "-1e+09", 4: "inf"}


def fault_message(variant: int, backend: Any, depth: int = 8) -> str:
    """Return the message of the error that an analysis raises."""
    engine = Engine(plyforge.load(f"{FAULTY}:{variant}"), backend=backend, entries=256)
    with pytest.raises(GameFileError) as caught:
        engine.analyse(depth=depth)
    return str(caught.value)


@pytest.mark.parametrize("backend", ["compiled", "python"])
@pytest.mark.parametrize("variant", EVALUATIONS)
def test_an_evaluation_out_of_range_names_file_value_and_position(
    variant: int, backend: Any
) -> None:
    message = fault_message(variant, backend)
    assert "faulty.py" in message
    assert f"'evaluate' returned {EVALUATIONS[variant]} in position 5 {variant}" in message
    assert "EVALUATION_RANGE declares (-100, 100)" in message


@pytest.mark.parametrize("backend", ["compiled", "python"])
def test_too_many_moves_name_file_count_and_position(backend: Any) -> None:
    message = fault_message(5, backend)
    assert "faulty.py" in message
    assert "position 5 5 has 5 moves, but MAX_MOVES is 3" in message


@pytest.mark.parametrize("backend", ["compiled", "python"])
@pytest.mark.parametrize(("variant", "value"), [(6, "nan"), (7, "inf")])
def test_an_impossible_value_of_a_finished_game_is_an_error(
    variant: int, value: str, backend: Any
) -> None:
    message = fault_message(variant, backend)
    assert "faulty.py" in message
    assert f"had the value {value}, which is not a result" in message


def test_a_move_of_more_than_64_bits_is_an_error() -> None:
    """It would be another one in compiled code."""
    assert f"'moves' gave {2**63 + 1}; a move must be an int" in fault_message(8, "compiled")


def test_another_evaluation_out_of_range_names_its_own_file(tmp_path: Path) -> None:
    path = tmp_path / "strange.py"
    path.write_text("def evaluate(position):\n    return 101 * (position.left == 5)\n", "utf-8")
    engine = Engine(f"{FAULTY}:0", backend="python", entries=256, evaluation=str(path))
    with pytest.raises(GameFileError, match=r"^\S*strange\.py: 'evaluate' returned 101"):
        engine.analyse(depth=6)


@pytest.mark.parametrize("backend", ["compiled", "python"])
def test_a_game_without_faults_is_solved(backend: Any) -> None:
    """A heap of nine, one or two are taken, the last one wins: lost for the side to move."""
    result = Engine(plyforge.load(f"{FAULTY}:0"), backend=backend, entries=256).analyse()
    assert (result.score, result.proved) == (LOSS + 6, True)


def test_rules_that_raise_name_their_line(tmp_path: Path) -> None:
    path = tmp_path / "raising.py"
    source = FAULTY.read_text(encoding="utf-8").replace("return 100.5", "return 1 // 0")
    path.write_text(source, encoding="utf-8")
    engine = Engine(plyforge.load(f"{path}:2"), backend="python", entries=256)
    with pytest.raises(GameFileError, match=r"raising\.py, line \d+"):
        engine.analyse(depth=6)
