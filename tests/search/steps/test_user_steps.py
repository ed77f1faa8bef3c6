"""Search steps in users' files: what they may do, and how mistakes are reported."""

import math
from pathlib import Path

import pytest

import plyforge
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine import Engine
from plyforge.search.options import Options
from plyforge.search.steps.files import load_step

EXAMPLES = Path(__file__).parents[3] / "examples" / "steps"
HEAD = """
from plyforge.steps import *
NAME = "mine"
SUMMARY = "a step of a test"
EXACT = {exact}
"""
ASKING = (
    HEAD
    + """
COUNTERS = {{"answers": "searches that were answered"}}
def before_moves(position, level, node, context):
    if node.depth < 2 * ONE_PLY:
        return NO_VALUE
    return ask_search(-1, node.depth - ONE_PLY, node.low, node.high, node)
def after_search(value, position, level, node, context):
    context.answers += 1
    return NO_VALUE
"""
)
REDUCING = (
    HEAD
    + """
def plan_move(position, child, level, node, context):
    if node.tried > 1 and node.child_depth > ONE_PLY:
        node.child_depth -= ONE_PLY
    return True
def search_again(value, flips, level, node, context):
    full = node.depth - ONE_PLY
    if node.child_depth == full or value <= node.low:
        return False
    node.child_depth = full
    return True
"""
)
SKIPPING = (
    HEAD
    + """
def plan_move(position, child, level, node, context):
    return node.ply == 0 or node.tried == 1
"""
)
SKIPPING_ALL = (
    HEAD
    + """
def plan_move(position, child, level, node, context):
    return node.ply == 0
"""
)
EXTENDING = (
    HEAD
    + """
def plan_move(position, child, level, node, context):
    node.child_depth = node.depth
    return True
"""
)
LOOKING_FURTHER = (
    HEAD
    + """
def known_value(position, level, node, context):
    return ASK if node.ply == 2 else NO_VALUE
"""
)


@pytest.fixture
def step_file(tmp_path):
    def write(text: str, exact: bool = True, name: str = "mine.py") -> str:
        path = tmp_path / name
        path.write_text(text.format(exact=exact))
        return str(path)

    return write


def analyse(game: str, depth: int, *steps: str, backend="python", position=None, **options):
    engine = Engine(game, steps=steps, backend=backend, entries=1 << 14, **options)
    return engine.analyse(position, depth=depth)


@pytest.mark.parametrize(
    ("game", "depth"),
    [
        ("tictactoe", 5),
        ("kalah:3,2", 5),
        ("checkers", 4),
        ("tree:uniform,branching=3,depth=5,seed=2", 5),
        ("tree:cyclic,seed=3", 6),
    ],
)
def test_a_search_of_the_position_itself_changes_nothing(game, depth, step_file):
    plain = analyse(game, depth)
    asking = analyse(game, depth, step_file(ASKING))
    assert asking.score == plain.score
    assert asking.proved == plain.proved
    assert asking.counts.answers > 0


@pytest.mark.long
def test_compiled_and_uncompiled_steps_visit_the_same_nodes(step_file):
    for text in (ASKING, REDUCING, SKIPPING):
        file = step_file(text, exact=False)
        one, other = (
            analyse("connect4:5x4", 6, file, backend=backend) for backend in ("python", "compiled")
        )
        assert (one.score, one.counts, one.pv) == (other.score, other.counts, other.pv)


def test_a_move_to_play_first_is_searched_from_the_nodes_perspective(step_file):
    """The value after a move is a lower bound of the node's."""
    text = (
        HEAD
        + """
COUNTERS = {{"failures": "moves that were better than the node"}}
def before_moves(position, level, node, context):
    if node.ply > 0 or node.depth < 2 * ONE_PLY:
        return NO_VALUE
    return ask_search(4, node.depth - ONE_PLY, -1.0e9, 1.0e9, node)
def after_search(value, position, level, node, context):
    node.low = value
    return NO_VALUE
"""
    )
    file = step_file(text)
    plain = analyse("tictactoe", 4, position=None)
    asked = analyse("tictactoe", 4, file)
    assert asked.score >= plain.score


def test_reductions_with_a_second_search_still_prove_wins(step_file):
    """A move that beats the window is searched to full depth; forced wins are kept."""
    game = plyforge.load("tictactoe")
    root = game.history(game.parse("XX./OO./... X"))
    engine = Engine(game, steps=[step_file(REDUCING, exact=False)], backend="python")
    assert engine.analyse(root, depth=3).score > 0


def test_nothing_is_proved_below_an_inexact_step(step_file):
    plain = analyse("tictactoe", 9)
    skipping = analyse("tictactoe", 9, step_file(SKIPPING, exact=False))
    assert plain.proved
    assert not skipping.proved


def test_a_node_whose_moves_are_all_skipped_fails_low(step_file):
    result = analyse("tictactoe", 3, step_file(SKIPPING_ALL, exact=False))
    assert math.isfinite(result.score)
    assert not result.proved


def test_extending_for_ever_is_reported(step_file):
    with pytest.raises(PlyforgeError, match="deeper than 250 plies"):
        analyse("tree:cyclic,seed=3", 4, step_file(EXTENDING, exact=False), off=["cycles"])


@pytest.mark.parametrize(
    ("game", "position", "depth"),
    [("tictactoe", None, 6), ("tictactoe", "X.O/.X./..O X", 5), ("connect4:4x4", None, 6)],
)
def test_the_exact_example_returns_the_same_values(game, position, depth):
    plain = analyse(game, depth, position=position)
    pruned = analyse(game, depth, str(EXAMPLES / "mate_distance.py"), position=position)
    assert pruned.score == plain.score
    if abs(plain.score) > SCORE_LIMIT:
        assert pruned.counts.mate_distance_cuts > 0


def test_the_inexact_example_prunes_and_says_so():
    file = str(EXAMPLES / "static_cut.py")
    engine = Engine("checkers", steps=[file], backend="python")
    assert not engine.options.is_exact
    result = engine.analyse(depth=5)
    assert result.counts.static_cuts > 0
    wide = Engine("checkers", steps=[file], backend="python", settings={"static-cut-margin": 900})
    assert wide.analyse(depth=5).counts.static_cuts == 0


def test_a_step_adds_its_switch_parameters_and_counters_everywhere(step_file):
    step = load_step(str(EXAMPLES / "static_cut.py"))
    options = Options.preset("exact").with_steps([step])
    assert options.has("static-cut")
    assert options.get("static-cut-plies") == 2
    assert options.changed(off=["static-cut"]).is_exact
    assert options.changed(settings={"static-cut-plies": "3"}).get("static-cut-plies") == 3
    with pytest.raises(PlyforgeError, match="static-cut-plies must be between 1 and 8, not 9"):
        options.changed(settings={"static-cut-plies": 9})
    engine = Engine("tictactoe", steps=[step], backend="python")
    assert engine.searcher.context.static_cut_plies == 2
    assert "static_cuts" in engine.analyse(depth=2).counts.steps


def test_off_all_leaves_a_users_step_on():
    engine = Engine("tictactoe", steps=[EXAMPLES / "mate_distance.py"], off=["all"])
    assert engine.options.has("mate-distance")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SUMMARY = 'a'\nEXACT = True\n", "NAME is missing; it must be a switch's name"),
        ("NAME = 'Two Words'\nEXACT = True\n", "NAME is 'Two Words'"),
        ("NAME = 'mine'\n", "EXACT is missing; it must be True if"),
        ("NAME = 'mine'\nEXACT = True\n", "SUMMARY is missing"),
        ("NAME = 'mine'\nEXACT = True\nSUMMARY = 'a'\n", "it defines no phase of a node"),
        (HEAD + "PARAMETER = ()\n", "PARAMETER is unknown; did you mean PARAMETERS?"),
        (HEAD + "def plan_move(node):\n    return True\n", "line 6: plan_move\\(node\\) must take"),
        (HEAD + "before_moves = 3\n", "'before_moves' is not a function"),
        (HEAD + "def after_search(a, b, c, d, e):\n    return 0\n", "needs 'before_moves'"),
        (HEAD + "MIN_DEPTH = 'none-such'\n", "MIN_DEPTH is 'none-such'"),
        (HEAD + "HOOKS = ('noisy',)\n", "HOOKS: unknown hook 'noisy'"),
        (HEAD + "COUNTERS = ['a']\n", "COUNTERS is \\['a'\\]"),
        ("1 +", "line 1: not valid Python"),
    ],
)
def test_a_wrong_declaration_is_refused(step_file, text, message):
    with pytest.raises(GameFileError, match=message):
        load_step(step_file(text))


@pytest.mark.parametrize("source", ["nothing.py", "mine", 3])
def test_what_is_not_a_step_is_refused(source):
    with pytest.raises(PlyforgeError, match="give the Python file of a search step"):
        load_step(source)


def test_two_steps_with_one_name_are_refused(step_file):
    one, other = step_file(SKIPPING), step_file(REDUCING, name="other.py")
    with pytest.raises(GameFileError, match=r"other\.py: the name 'mine' is taken by the step"):
        Engine("tictactoe", steps=[one, other], backend="python")


def test_a_step_with_the_name_of_a_built_in_one_is_refused(step_file):
    text = SKIPPING.replace('"mine"', '"killers"')
    with pytest.raises(GameFileError, match="the name 'killers' is taken"):
        Engine("tictactoe", steps=[step_file(text)], backend="python")


def test_a_name_of_the_search_itself_is_refused(step_file):
    text = SKIPPING + 'COUNTERS = {{"leaves": "mine"}}\n'
    with pytest.raises(GameFileError, match="needs a field 'leaves', which the search itself has"):
        Engine("tictactoe", steps=[step_file(text)], backend="python").prepare()


def test_conflicting_steps_cannot_be_on_together(step_file):
    text = SKIPPING + "CONFLICTS = ('pvs',)\n"
    with pytest.raises(PlyforgeError, match="'mine' and 'pvs' cannot be on together"):
        Engine("tictactoe", steps=[step_file(text)], backend="python")
    Engine("tictactoe", driver="alphabeta", steps=[step_file(text)], backend="python")


def test_an_exception_in_a_step_names_its_line(step_file):
    text = HEAD + "def on_cut(position, level, node, context):\n    return 1 // (node.ply * 0)\n"
    file = step_file(text)
    with pytest.raises(GameFileError, match=r"mine\.py, line 7: .*ZeroDivisionError"):
        analyse("tictactoe", 4, file)


@pytest.mark.parametrize("game", ["tree", "tictactoe", "connect4:4x4"])
def test_positions_beyond_the_horizon_that_a_step_asks_for_have_their_own_entries(step_file, game):
    step = step_file(LOOKING_FURTHER)
    for first in range(3):
        history = plyforge.load(game, "python").history()
        history.play(history.legal_moves()[first])
        found = analyse(game, 2, step, position=history)
        expected = analyse(game, 3, position=history)
        assert found.score == expected.score
        assert found.counts.hits < expected.counts.nodes  # entries are found, but not by all
