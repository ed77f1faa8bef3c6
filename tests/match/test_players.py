"""Players by their descriptions."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.engine.clock import Clock
from plyforge.evaluate import evaluation_of, save_evaluation
from plyforge.match.players import Description, Kind, MoveLimits, player
from plyforge.match.players.limits import parse_clock
from plyforge.search.textbook.algorithms import ALGORITHMS

GAME = plyforge.load("tictactoe")
SMALL = "entries=1024"
_letters = st.characters(codec="utf-8", categories=("L", "N", "P", "S"), exclude_characters=",=:")
_words = st.text(_letters, min_size=1, max_size=8)
_values = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1)
_names = _words.filter(lambda word: '"' not in word)


@given(st.sampled_from(list(Kind)), st.none() | _values, st.dictionaries(_names, _values))
def test_the_text_of_a_description_parses_to_the_same_description(kind, main, given_settings):
    description = Description(kind, main, given_settings)
    assert Description.parse(str(description)) == description


@given(st.text())
def test_any_text_is_a_description_or_an_error_that_names_it(text):
    try:
        description = Description.parse(text)
    except PlyforgeError:
        return
    assert Description.parse(str(description)) == description


@settings(deadline=None)
@given(st.text(), st.sampled_from(["engine:", "textbook:", "random:", "python:"]))
def test_any_settings_make_a_player_or_an_error(text, kind):
    with suppress(PlyforgeError):
        player(GAME, kind + text, MoveLimits(depth=1)).close()


def test_spaces_do_not_matter():
    read = Description.parse(" engine: depth = 6 , off=history + killers ")
    assert str(read) == "engine:depth=6,off=history + killers"
    assert read.names("off") == ["history", "killers"]


def test_the_name_setting_is_the_name_in_tables():
    assert Description.parse("engine:depth=6").name == "engine:depth=6"
    assert Description.parse("engine:depth=6,name=deep").name == "deep"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "''"),
        ("engin:depth=3", "did you mean 'engine'"),
        ("uci:", "needs a command"),
        ("uci:no-such-program", "'no-such-program'"),
        ("engine:depth", "'depth'"),
        ("engine:depth=", "'depth='"),
        ("engine:=3", "'=3'"),
        ("engine:depth=3,", "''"),
        ("engine:depth=3,depth=4", "'depth' twice"),
        ("engine:depth=three", "depth=three"),
        ("engine:depth=2.5", "depth=2.5"),
        ("engine:depth=0", "not 0"),
        ("engine:depth=-1", "not -1"),
        ("engine:depth=100000", "not 100000"),
        ("engine:nodes=0", "not 0"),
        ("engine:time=0", "not 0"),
        ("engine:time=nan", "not nan"),
        ("engine:time=inf", "not inf"),
        ("engine:time=soon", "time=soon"),
        ("engine:dept=3", "did you mean 'depth'"),
        ("engine:depth=3,driver=mtd", "'mtd'"),
        ("engine:depth=3,preset=best", "'best'"),
        ("engine:depth=3,off=histori", "'histori'"),
        ("engine:depth=3,on=history+", "''"),
        ("engine:depth=3,hash=big", "hash=big"),
        ("engine:depth=3,hash=-1", "-1"),
        ("engine:depth=3,hash=nan", "nan"),
        ("engine:depth=3,entries=7", "7"),
        ("engine:depth=3,hash=1,entries=1024", "hash"),
        ("engine:depth=3,threads=0", "0"),
        ("engine:depth=3,threads=x", "threads=x"),
        ("engine:depth=3,threads=1000", "1000"),
        ("engine:depth=3,evaluation=none.py", "none.py"),
        ("engine:depth=3,evaluation=nothing", "nothing"),
        ("engine:level=0", "not 0"),
        ("engine:level=21", "not 21"),
        ("engine:level=x", "level=x"),
        ("engine:level=3,depth=3", "level=3,depth=3"),
        ("engine:depth=3,replace=never", "never"),
        ("random:3", "'3'"),
        ("random:seed=3", "'seed'"),
        ("textbook:mtd,depth=3", "'mtd'"),
        ("textbook:negamax", "textbook:negamax"),
        ("textbook:negamax,depth=0", "depth=0"),
        ("textbook:negamax,depth=-2", "depth=-2"),
        ("textbook:negamax,depth=x", "depth=x"),
        ("textbook:negamax,time=1", "'time'"),
        ("python", "needs a file"),
        ("python:none.py", "none.py"),
        ("python:none.py,depth=3", "'depth'"),
        ("engine:name=a\nb", r"a\nb"),
        ("engine:name=\udc80", r"\udc80"),
    ],
)
def test_a_wrong_description_is_an_error_that_names_the_value(text, named):
    with pytest.raises(PlyforgeError) as error:
        player(GAME, text)
    assert named in str(error.value)
    assert "\n" not in str(error.value)


def test_an_engine_needs_a_limit_of_its_own_or_of_the_match():
    with pytest.raises(PlyforgeError, match="player 'engine' has no limit"):
        player(GAME, "engine")
    player(GAME, f"engine:{SMALL}", MoveLimits(depth=2)).close()
    player(GAME, f"engine:{SMALL}", MoveLimits(clock=Clock(5.0))).close()


def test_a_players_own_limit_overrides_that_of_the_match():
    found = player(GAME, f"engine:depth=2,{SMALL}", MoveLimits(depth=5))
    assert found.choose(GAME.history(), None).depth == 2
    assert (
        player(GAME, "textbook:depth=2", MoveLimits(depth=5)).choose(GAME.history(), None).depth
        == 2
    )
    with pytest.raises(PlyforgeError, match="depth=0"):
        player(GAME, "textbook:depth=0", MoveLimits(depth=5))


def test_a_time_per_move_and_a_clock_exclude_each_other():
    with pytest.raises(PlyforgeError, match="player 'engine:time=1'"):
        player(GAME, "engine:time=1", MoveLimits(clock=Clock(5.0)))


def test_only_players_with_a_time_limit_have_seconds():
    assert player(GAME, f"engine:time=2,{SMALL}").seconds == 2
    assert player(GAME, f"engine:depth=2,{SMALL}").seconds is None
    assert player(GAME, f"engine:{SMALL}", MoveLimits(time=3.0)).seconds == 3
    assert player(GAME, "random", MoveLimits(time=3.0)).seconds is None


def test_textbook_players_and_the_engine_agree_on_values():
    """Each of them in positions after one and two moves of every kind."""
    engine = player(GAME, f"engine:depth=3,{SMALL}")
    for moves in ((), (0,), (1,), (4,), (0, 4), (1, 5), (4, 1)):
        history = GAME.history()
        for move in moves:
            history.play(move)
        engine.begin(0)
        value = engine.choose(history, None).score
        for name in (name for name, row in ALGORITHMS.items() if not row.chance):
            choice = player(GAME, f"textbook:{name},depth=3").choose(history, None)
            assert (choice.score, name) == (value, name)
            assert choice.move in history.legal_moves()


def test_the_default_textbook_player_is_alpha_beta():
    assert player(GAME, "textbook:depth=2").choose(GAME.history(), None).score is not None


def test_players_find_a_win_in_one_move():
    history = GAME.history()
    history.play_text("a1 a2 b1 b2")
    win = GAME.parse_move(history.position, "c1")
    for text in (f"engine:depth=2,{SMALL}", "textbook:minimax,depth=2", f"engine:level=20,{SMALL}"):
        found = player(GAME, text)
        found.begin(3)
        assert found.choose(history, None).move == win


def test_the_same_seed_gives_the_same_moves():
    history = GAME.history()
    for text in ("random", f"engine:level=1,{SMALL}"):
        found = player(GAME, text)

        def moves(seed: int, found=found) -> list[int]:
            found.begin(seed)
            return [found.choose(history, None).move for _ in range(12)]

        assert moves(5) == moves(5)
    assert len({tuple(moves_of_random(seed)) for seed in range(20)}) == 20


def moves_of_random(seed: int) -> list[int]:
    found = player(GAME, "random")
    found.begin(seed)
    return [found.choose(GAME.history(), None).move for _ in range(20)]


def test_a_random_player_plays_every_move():
    assert set(moves_of_random(1) + moves_of_random(2) + moves_of_random(3)) == set(range(9))


def test_low_levels_vary_by_seed():
    found = player(GAME, f"engine:level=1,{SMALL}")
    seen = set()
    for seed in range(20):
        found.begin(seed)
        seen.add(found.choose(GAME.history(), None).move)
    assert len(seen) > 3


def test_an_engine_takes_any_options():
    text = f"engine:depth=2,driver=mtdf,preset=play,on=killers,off=history+table,{SMALL}"
    found = player(GAME, f"{text},threads=1,name=x")
    assert found.choose(GAME.history(), None).move in range(9)


STEP = """\
from plyforge.steps import NO_VALUE, ONE_PLY, integer
NAME, SUMMARY, EXACT = "shy", "nodes near the leaves are not searched", False
PARAMETERS = (integer("shy-plies", 1, "plies", 0, 8),)
COUNTERS = {"shy_nodes": "nodes that were not searched"}
def before_moves(position, level, node, context):
    if node.ply == 0 or node.depth > context.shy_plies * ONE_PLY:
        return NO_VALUE
    context.shy_nodes += 1
    return 0.0
"""
UNCOMPILED = plyforge.load("tictactoe", "python")


def test_an_engine_takes_search_steps_and_their_parameters(tmp_path):
    file = tmp_path / "shy.py"
    file.write_text(STEP)
    start = f"engine:depth=3,step={file}"
    nodes = {
        text: player(UNCOMPILED, f"{start}{text},{SMALL}").choose(UNCOMPILED.history(), None).nodes
        for text in ("", ",shy-plies=0", ",off=shy", ",depth-step=1")
    }
    assert nodes[""] < nodes[",shy-plies=0"] == nodes[",off=shy"]
    assert nodes[",depth-step=1"] != nodes[""]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("step=none.py", "no file none.py; give the Python file of a search step"),
        ("step=shy", "'shy' is not a step"),
        ("step=1", "'1' is not a step"),
        ("depth-step=9", "depth-step must be between 1 and 8"),
        ("shy-plies=1", "'shy-plies'"),
    ],
)
def test_a_wrong_step_is_refused(text, message):
    with pytest.raises(PlyforgeError, match=re.escape(message)):
        player(GAME, f"engine:depth=1,{text}")


def test_another_evaluation_is_used(tmp_path):
    file = tmp_path / "corner.py"
    file.write_text(
        "EVALUATION_RANGE = (-2.0, 2.0)\n"
        "def evaluate(position):\n"
        "    return -float(position.theirs & 1)\n"
    )
    game = plyforge.load("tictactoe", "python")
    found = player(game, f"engine:depth=1,evaluation={file},{SMALL}")
    choice = found.choose(game.history(), None)
    # 1 of 2 there is as much as 4 of 8 in the game's own range.
    assert (choice.move, choice.score) == (0, 4.0)


def test_weights_from_a_file_are_used(tmp_path):
    file = tmp_path / "weights.npz"
    reversed_weights = evaluation_of(GAME).with_weights([-1])
    save_evaluation(file, GAME, reversed_weights, positions=())
    game = plyforge.load("tictactoe", backend="python")
    found = player(game, f"engine:depth=1,evaluation={file},{SMALL}")
    # With the opposite weight, an edge is the best first move and the centre the worst.
    assert found.choose(GAME.history(), None).score == -2.0


# Files


def script(folder: Path, text: str, name: str = "mine.py") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return f"python:{folder / name}"


def test_a_file_with_choose_is_a_player(tmp_path):
    text = script(tmp_path, "def choose(history):\n    return history.legal_moves()[-1]\n")
    found = player(GAME, f"{text},time=2")
    found.begin(1)
    assert found.seconds == 2
    assert found.choose(GAME.history(), None).move == 8


def test_a_file_may_define_begin(tmp_path):
    text = script(
        tmp_path,
        "seeds = []\n"
        "def begin(game, seed):\n    seeds.append((game.name, seed))\n"
        "def choose(history):\n    return seeds\n",
    )
    found = player(GAME, text)
    found.begin(7)
    found.begin(8)
    assert found.choose(GAME.history(), None).move == [("tictactoe", 7), ("tictactoe", 8)]


def test_two_players_of_one_file_share_nothing(tmp_path):
    text = script(tmp_path, "n = 0\ndef choose(history):\n    global n\n    n += 1\n    return n\n")
    one, other = player(GAME, text), player(GAME, f"{text},name=other")
    assert [p.choose(GAME.history(), None).move for p in (one, one, other)] == [1, 2, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no function 'choose(history)'"),
        ("choose = 3", "no function 'choose(history)'"),
        ("def choose(:", "line 1: not valid Python"),
        ("1/0", "ZeroDivisionError"),
        ("import sys; sys.exit(1)", "ends the program"),
        ("import nothing_of_the_kind", "nothing_of_the_kind"),
    ],
)
def test_a_file_without_choose_is_refused(tmp_path, text, message):
    with pytest.raises(PlyforgeError) as error:
        player(GAME, script(tmp_path, text))
    assert message in str(error.value)
    assert "mine.py" in str(error.value)


# Clocks


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("60", Clock(60.0)),
        ("60+1", Clock(60.0, 1.0)),
        ("600/10", Clock(600.0, 0.0, 10.0)),
        ("0.5+0.1/2", Clock(0.5, 0.1, 2.0)),
    ],
)
def test_clocks_are_parsed(text, clock):
    assert parse_clock(text) == clock


@pytest.mark.parametrize("text", ["", "x", "60+", "+1", "60/", "60+1/x", "-1", "nan", "inf", "0"])
def test_a_wrong_clock_is_refused(text):
    with pytest.raises(PlyforgeError, match=r"clock"):
        parse_clock(text)


def test_limits_that_limit_nothing_are_empty():
    assert not MoveLimits().any
    assert MoveLimits(depth=3).any
    assert MoveLimits(clock=Clock(5.0)).any
