"""Wrong input: every error names the thing, the value and the remedy."""

import math
from pathlib import Path
from typing import Any

import pytest

import plyforge
from plyforge import Clock, Engine, PlyforgeError
from plyforge.core.errors import GameFileError, UnknownName
from plyforge.core.scores import LOSS
from plyforge.search.enhancements import PARAMETERS
from plyforge.search.hashtable import HashTable
from plyforge.search.options import Options
from plyforge.search.searcher import Searcher

game = plyforge.load("tictactoe")


def refused(*words: str, **options: Any) -> str:
    """The message of the error that an engine with such options gives."""
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
    refused(f"unknown {kind}", f"did you mean '{suggestion}'?", **options)
    with pytest.raises(UnknownName):
        Engine(game, **options)


def test_a_name_like_no_other_gets_the_list() -> None:
    assert "alphabeta" in refused(driver="xyzzy")


# Switches


def test_a_switch_is_not_both_on_and_off() -> None:
    refused("'table' is switched both on and off", on=["table"], off=["table"])


def test_switches_are_a_list() -> None:
    refused("on = 'etc'", "['etc']", on="etc")
    refused("off = 'all'", "['all']", off="all")


def test_a_switch_needs_its_table() -> None:
    refused("'etc' does nothing without 'table'", on=["etc"], off=["table"])
    refused("'etc' does nothing without 'table'", on=["etc"], off=["all"])
    Engine(game, on=["etc", "table"], off=["all"], entries=256)


def test_the_driver_pvs_keeps_its_switch() -> None:
    refused("driver 'pvs'", "alphabeta", driver="pvs", off=["pvs"])


# Values


@pytest.mark.parametrize("name", [name for name, row in PARAMETERS.items() if not row.choices])
def test_numbers_out_of_range_are_told_the_range(name: str) -> None:
    row = PARAMETERS[name]
    for value in (row.least - 1, row.greatest * 2 + 1, math.inf, -math.inf, math.nan):
        if not row.real and not math.isfinite(value):
            continue
        value = value if row.real else int(value)
        refused(name, row.range, settings={name: value})
    for given in ("", "x", "1,5", "one", None, [], 10**400):
        refused(name, row.range, settings={name: given})
    if not row.real:
        refused(name, "whole number", settings={name: 1.5})
    for right in (row.least, row.greatest, str(int(row.greatest))):
        assert Options().changed(settings={name: right}).get(name) == float(right)


def test_an_order_names_nothing_twice() -> None:
    refused("order", "twice", settings={"order": "table,table"})
    refused("order = 5", "a list of table", settings={"order": 5})
    assert Options().changed(settings={"order": ""}).get("order") == ()


# The table's size


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"hash": 1, "entries": 256}, ["not both"]),
        ({"hash": 0}, ["positive"]),
        ({"hash": -1}, ["positive"]),
        ({"hash": math.nan}, ["positive"]),
        ({"hash": math.inf}, ["too large"]),
        ({"hash": 1e12}, ["too large"]),
        ({"hash": 10**400}, ["too large"]),
        ({"hash": 1e-6}, ["too small", "256"]),
        ({"hash": "big"}, ["positive"]),
        ({"hash": True}, ["positive"]),
        ({"entries": 255}, ["255", "too small", "256"]),
        ({"entries": 0}, ["too small"]),
        ({"entries": 1.5}, ["whole number"]),
        ({"entries": True}, ["whole number"]),
        ({"entries": 2**33}, ["too large"]),
        ({"entries": 2**32}, ["too large", "memory"]),
    ],
)
def test_sizes_that_cannot_be(options: dict[str, Any], words: list[str]) -> None:
    refused(*words, **options)


def test_a_table_for_time_stamps_has_them() -> None:
    """Without the check the kernel would write stamps into foreign memory."""
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


def test_a_game_is_named_or_given() -> None:
    for wrong in (5, None, Path("game.py")):
        with pytest.raises(PlyforgeError, match="a game is named by a text"):
            Engine(wrong)  # type: ignore[arg-type]


def test_a_game_in_progress_is_one_of_the_engines_game() -> None:
    """Positions of both games look the same, but their rules judge them differently."""
    with pytest.raises(PlyforgeError, match="is of giveaway, but this engine searches checkers"):
        Engine("checkers", entries=256).analyse(plyforge.load("giveaway").history(), depth=1)
    other = plyforge.load("tictactoe", backend="python").history()
    assert Engine(game, entries=256).analyse(other, depth=1).depth == 1


@pytest.mark.parametrize("depth", [0, -1, 251, 10**9, 1.5, True, "3", math.nan])
def test_depths_that_cannot_be(depth: Any) -> None:
    engine = Engine(game, entries=256)
    with pytest.raises(PlyforgeError, match="depth"):
        engine.analyse(depth=depth)
    with pytest.raises(PlyforgeError, match="depth"):
        engine.search(None, depth=depth)


def test_the_greatest_depth_is_reached() -> None:
    result = Engine(game, entries=1 << 14).analyse(depth=250)
    assert result.proved
    assert result.depth in (9, 10)
    shallow = Engine("tree:layered,1,62", off=["cycles", "deepening"], entries=256)
    assert shallow.analyse(depth=250).proved


@pytest.mark.parametrize("time", [0, -1, math.nan, math.inf, 10**400, "1", True])
def test_times_that_cannot_be(time: Any) -> None:
    with pytest.raises(PlyforgeError, match="time"):
        Engine(game, entries=256).analyse(time=time)


@pytest.mark.parametrize("multipv", [0, -1, 1.5, True, "2"])
def test_numbers_of_lines_that_cannot_be(multipv: Any) -> None:
    with pytest.raises(PlyforgeError, match="multipv"):
        Engine(game, entries=256).analyse(depth=1, multipv=multipv)


@pytest.mark.parametrize("threads", [0, -1, 257, 1.5, True, "2"])
def test_numbers_of_threads_that_cannot_be(threads: Any) -> None:
    refused("threads", threads=threads)


@pytest.mark.parametrize("nodes", [0, -1, 1.5, True])
def test_limits_of_nodes_that_cannot_be(nodes: Any) -> None:
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
        (math.nan, 1.0, "no number"),
        (1.0, math.nan, "no number"),
        ("a", 1.0, "no number"),
        (0.0, None, "no number"),
        (-(10**400), 1.0, "no number"),
    ],
)
def test_windows_that_cannot_be(low: Any, high: Any, words: str) -> None:
    with pytest.raises(PlyforgeError, match=words):
        Engine(game, entries=256).search(None, low, high, 2)


def test_root_moves_are_legal() -> None:
    engine = Engine(game, entries=256)
    with pytest.raises(PlyforgeError, match="99 is not legal"):
        engine.analyse(depth=1, moves=[0, 99])
    with pytest.raises(PlyforgeError, match="no root move"):
        engine.analyse(depth=1, moves=[])
    assert engine.analyse(depth=2, moves=[4, 4, 4]).move == 4


# Games at fault

FAULTY = Path(__file__).with_name("faulty.py")
EVALUATIONS = {1: "nan", 2: "100.5", 3: "-1e+09", 4: "inf"}


def fault_of(variant: int, backend: Any, depth: int = 8) -> str:
    """What is said of a fault, whatever is searched when it shows."""
    engine = Engine(plyforge.load(f"{FAULTY}:{variant}"), backend=backend, entries=256)
    with pytest.raises(GameFileError) as caught:
        engine.analyse(depth=depth)
    return str(caught.value)


@pytest.mark.parametrize("backend", ["compiled", "python"])
@pytest.mark.parametrize("variant", EVALUATIONS)
def test_an_evaluation_out_of_range_names_file_value_and_position(
    variant: int, backend: Any
) -> None:
    told = fault_of(variant, backend)
    assert "faulty.py" in told
    assert f"'evaluate' returned {EVALUATIONS[variant]} in position 5 {variant}" in told
    assert "EVALUATION_RANGE declares (-100, 100)" in told


@pytest.mark.parametrize("backend", ["compiled", "python"])
def test_too_many_moves_name_file_count_and_position(backend: Any) -> None:
    told = fault_of(5, backend)
    assert "faulty.py" in told
    assert "position 5 5 has 5 moves, but MAX_MOVES is 3" in told


@pytest.mark.parametrize("backend", ["compiled", "python"])
@pytest.mark.parametrize(("variant", "value"), [(6, "nan"), (7, "inf")])
def test_a_result_that_is_none_is_told(variant: int, value: str, backend: Any) -> None:
    told = fault_of(variant, backend)
    assert "faulty.py" in told
    assert f"was worth {value}, which is no result" in told


def test_moves_that_differ_when_listed_again_are_told() -> None:
    """A move of more than 64 bits is another one in compiled code."""
    assert f"the move {1 - 2**63} in position 9 8" in fault_of(8, "compiled")


def test_another_evaluation_out_of_range_names_its_own_file(tmp_path: Path) -> None:
    path = tmp_path / "strange.py"
    path.write_text("def evaluate(position):\n    return 101 * (position.left == 5)\n", "utf-8")
    engine = Engine(f"{FAULTY}:0", backend="python", entries=256, evaluation=str(path))
    with pytest.raises(GameFileError, match=r"^\S*strange\.py: 'evaluate' returned 101"):
        engine.analyse(depth=6)


@pytest.mark.parametrize("backend", ["compiled", "python"])
def test_a_sound_game_goes_on(backend: Any) -> None:
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
