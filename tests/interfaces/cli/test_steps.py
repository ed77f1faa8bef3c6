"""A search step's file in every command that searches."""

from pathlib import Path

import pytest

HEAD = """\
from plyforge.steps import NO_VALUE, ONE_PLY, integer

NAME = "shy"
SUMMARY = "nodes near the leaves are not searched"
EXACT = False
PARAMETERS = (integer("shy-plies", 1, "the maximum remaining depth, in plies", 0, 8),)
COUNTERS = {"shy_nodes": "nodes that were not searched"}


def before_moves(position, level, node, context):
"""
BODY = """\
    if node.depth > context.shy_plies * ONE_PLY:
        return NO_VALUE
    context.shy_nodes += 1
    return 0.0
"""
OTHER = """\
from plyforge.steps import NO_VALUE

NAME = "other"
SUMMARY = "nothing"
EXACT = True
ON = False


def before_moves(position, level, node, context):
    return NO_VALUE
"""
SKIP_ALL = """

def plan_move(position, child, level, node, context):
    return False
"""
SLOW = ("tictactoe", "--depth", "3", "--backend", "python", "--entries", "4096")


@pytest.fixture(autouse=True)
def shy(tmp_path, monkeypatch):
    """Work in a folder with two steps."""
    monkeypatch.chdir(tmp_path)
    Path("shy.py").write_text(HEAD + BODY, encoding="utf-8")
    Path("other.py").write_text(OTHER, encoding="utf-8")


def test_analyse_uses_a_step_and_prints_its_counters(plyforge):
    words = ("analyse", *SLOW, "--step", "shy.py", "--step", "other.py")
    fields = plyforge(*words, "--json").json
    assert fields["step_counts"]["shy_nodes"] > 0
    assert f"steps: shy_nodes {fields['step_counts']['shy_nodes']}" in plyforge(*words).out
    assert plyforge(*words, "--json", "--off", "shy").json["step_counts"] == {"shy_nodes": 0}
    none = plyforge(*words, "--json", "--set", "shy-plies=0").json
    assert none["step_counts"] == {"shy_nodes": 0}
    assert none["nodes"] > fields["nodes"]
    assert plyforge("analyse", *SLOW, "--json").json["step_counts"] == {}


def test_solve_refuses_a_step_that_is_not_exact(plyforge):
    answer = plyforge("solve", "tictactoe", "--step", "shy.py", "--backend", "python")
    assert answer.code == 2
    assert "solving needs exact options" in answer.err
    assert "the step 'shy' is not exact" in answer.err


def test_play_offers_an_opponent_with_a_step(plyforge):
    words = ("--opponent", "engine:depth=1,step=shy.py+none.py")
    answer = plyforge("play", "tictactoe", *words)
    assert answer.code == 2
    assert "no file none.py; give the Python file of a search step" in answer.err


def test_options_list_the_switch_and_the_parameters_of_a_step(plyforge):
    assert "shy" not in plyforge("options").out
    out = plyforge("options", "--step", "shy.py", "--step", "other.py").out
    assert " * shy " in out
    assert "   other " in out
    assert "shy-plies=1: the maximum remaining depth, in plies (0 to 8)" in out
    rows = plyforge("options", "--step", "shy.py", "--json").json["switches"]
    assert (rows[-1]["name"], rows[-1]["exact"]) == ("shy", False)
    assert [one["name"] for one in rows[-1]["parameters"]] == ["shy-plies"]


MISTAKES = {
    "no name": ((HEAD + BODY).replace("NAME", "NAMES"), "shy.py: NAMES is unknown; did you mean"),
    "no exactness": ((HEAD + BODY).replace("EXACT = False", ""), "shy.py: EXACT is missing; it"),
    "not Python": ("def before_moves(:\n", "shy.py, line 1: not valid Python"),
    "no phase": ("NAME, SUMMARY, EXACT = 'a', 'b', True\n", "shy.py: it defines no phase"),
    "arguments": (
        (HEAD + BODY).replace("position, level, ", ""),
        "shy.py, line 10: before_moves(node, context) must take (position, level, node, context)",
    ),
    "None": (HEAD + "    return None\n", "shy.py, line 11: 'before_moves' returns None"),
    "no return": (HEAD + "    x = 1\n", "shy.py, line 11: 'before_moves' returns None"),
    "a text": (HEAD + "    return 'a'\n", "shy.py, line 11: 'before_moves' returns 'a', which"),
    "a name": (HEAD + "    return NONE\n", "shy.py, line 11: the name 'NONE' is not defined"),
    "an exception": (
        HEAD + "    return 1 // (node.ply - 1)\n",
        "shy.py, line 11: a step, or the rules, wh",
    ),
    "a context field": (HEAD + "    return context.shy_plys\n", "no attribute 'shy_plys'"),
    "a node field": (HEAD + "    return node.hi\n", "no attribute 'hi'"),
    "not a value": (
        HEAD + "    return float('nan')\n",
        "shy.py: the search returned nan, which is",
    ),
    "no move": (
        HEAD + BODY + SKIP_ALL,
        "shy.py: a step left the root of the search witho",
    ),
    "a setting": (
        (HEAD + BODY).replace("shy-plies", "depth"),
        "shy.py: parameter 'depth' has a na",
    ),
    "a default": (
        (HEAD + BODY).replace('", 1,', '", 9,'),
        "shy.py: parameter 'shy-plies' has an i",
    ),
    "a switch": (
        "NEEDS = ('tabel',)\n" + HEAD + BODY,
        "NEEDS: unknown switch 'tabel'; did you mea",
    ),
    "a conflict": (
        "CONFLICTS = ('pvs',)\n" + HEAD + BODY,
        "shy.py: 'shy' and 'pvs' cannot be on t",
    ),
    "a hook": (
        "HOOKS = ('pass_move',)\n" + HEAD + BODY,
        "needs the hook 'pass_move', which tictactoe does",
    ),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistakes_in_a_steps_file_end_with_code_2(plyforge, kind):
    source, message = MISTAKES[kind]
    Path("shy.py").write_text(source, encoding="utf-8")
    answer = plyforge("analyse", *SLOW, "--step", "shy.py")
    assert answer.code == 2, answer.out
    assert message in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--step", "none.py"), "no file none.py; give the Python file of a search step"),
        (("--step", "shy"), "'shy' is not a step; give the Python file of a search step"),
        (("--step", "shy.py", "--step", "shy.py"), "the name 'shy' is taken by the step 'shy'"),
        (("--step", "shy.py", "--set", "shy-ply=1"), "unknown parameter 'shy-ply'; did you mean"),
        (("--step", "shy.py", "--set", "shy-plies=9"), "shy-plies must be between 0 and 8, not 9"),
        (("--step", "shy.py", "--off", "shie"), "unknown switch 'shie'"),
        (
            (
                "--off",
                "shy",
            ),
            "unknown switch 'shy'",
        ),
    ],
)
def test_wrong_options_of_a_step_end_with_code_2(plyforge, words, message):
    answer = plyforge("analyse", *SLOW, *words)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
