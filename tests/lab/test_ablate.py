"""Ablations of built-in games, of a game file, and without an evaluation."""

import shutil
from pathlib import Path

import pytest

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.lab.ablate import ablation, split_reference
from plyforge.lab.report import Report
from plyforge.search.enhancements import ENHANCEMENTS
from tests.games.tiers import with_long

EXAMPLES = Path(__file__).parents[2] / "examples"
PLAIN = """
def initial():
    return 12

def moves(position):
    for taken in range(1, 4):
        if taken <= position:
            yield taken

def play(position, taken):
    return position - taken
"""


@pytest.fixture
def plain_game(tmp_path):
    """Nim with one heap: no evaluation, no hooks."""
    file = tmp_path / "plain.py"
    file.write_text(PLAIN)
    return file


def test_every_enhancement_is_switched_once():
    found = ablation("connect4")
    switched = [name for one in found.variations[1:-1] for name in (*one.on, *one.off)]
    own = set(plyforge.load("connect4").rules.hooks)
    assert switched == [
        row.name
        for row in ENHANCEMENTS.values()
        if row.exact and not row.rule and own >= set(row.hooks)
    ]
    assert found.variations[0].on == found.variations[0].off == ()
    assert found.variations[-1].off == ("all",)


def test_positions_of_short_games_come_early_in_them():
    assert {len(case.moves) for case in ablation("tictactoe").cases(0, 9)} == {2}
    assert {len(case.moves) for case in ablation("connect4").cases(0, 9)} <= {5, 6, 7, 8}
    assert {len(case.moves) for case in ablation("othello").cases(0, 3)} == {8}
    assert {len(case.moves) for case in ablation("tree:uniform,2,2,1").cases(0, 3)} == {0}


def test_a_game_whose_start_is_over_is_refused(tmp_path):
    file = tmp_path / "over.py"
    file.write_text(PLAIN.replace("return 12", "return 0"))
    with pytest.raises(PlyforgeError, match="already over"):
        ablation(str(file)).cases(0, 1)


@pytest.mark.parametrize("which", with_long(["connect4"], ["last_letter"]))
def test_an_ablation_reports_every_enhancement(which, store, complete_run):
    name = which if which == "connect4" else str(EXAMPLES / f"{which}.py")
    found = ablation(name)
    made = complete_run(found, positions=2, depths=(2, 3))
    assert len(made) == 2 * 2 * len(found.variations)
    report = Report(found, store.runs()[0], made)
    (table,) = report.tables
    assert [row[0] for row in table.rows] == [one.name for one in found.variations[1:]]
    assert "depth 3, 2 positions" in table.title
    assert not any("not measured" in cell for row in table.rows for cell in row)
    (chart,) = report.charts
    assert len(chart.series[0].x) == len(found.variations) - 1
    values = {one.values["value"] for one in made if (one.case, one.depth) == (0, 3)}
    assert len(values) == 1, "an exact enhancement never changes the value"


@pytest.mark.long
@pytest.mark.parametrize("which", ["plain", "dodgem"])
def test_a_users_game_is_ablated_in_processes(which, plain_game, complete_run):
    file = plain_game if which == "plain" else EXAMPLES / "dodgem.py"
    assert len(complete_run(ablation(str(file)), positions=2, depths=(3,), jobs=2)) == 26


def test_changed_rules_start_a_new_run(plain_game, store):
    one = store.run(ablation(str(plain_game)), 0)
    plain_game.write_text(PLAIN.replace("range(1, 4)", "range(1, 3)"))
    assert store.run(ablation(str(plain_game)), 0).id != one.id


def test_the_command_quotes_a_name_with_a_space(tmp_path):
    shutil.copy(EXAMPLES / "last_letter.py", tmp_path / "my game.py")
    found = ablation(str(tmp_path / "my game.py"))
    assert found.command == f"lab ablate '{tmp_path / 'my game.py'}'"


def test_another_driver_is_ablated_and_compared_with_the_default():
    found = ablation("connect4", "mtdf")
    assert found.name == "ablate connect4 --driver mtdf"
    assert found.command == "lab ablate connect4 --driver mtdf"
    assert {one.driver for one in found.variations[:-2]} == {"mtdf"}
    assert [one.driver for one in found.variations[-2:]] == ["pvs", "alphabeta"]
    assert split_reference(found.reference) == ("connect4", "mtdf", [])
    assert split_reference(ablation("connect4").reference) == ("connect4", "pvs", [])


def test_a_switch_that_the_driver_needs_is_turned_off_with_another_driver():
    by_name = {one.name: one for one in ablation("checkers").variations}
    assert by_name["without pvs"].driver == "alphabeta"
    assert by_name["without table"].driver == "pvs"


def test_a_changed_driver_starts_a_new_run(tmp_path, store):
    file = tmp_path / "my driver.py"
    source = "def find_value(windows, guess):\n    return windows.search(-1e9, 1e9)\n"
    file.write_text(source)
    one = store.run(ablation("tictactoe", str(file)), 0)
    assert store.run(ablation("tictactoe", str(file)), 0).id == one.id
    file.write_text(source + "# changed\n")
    found = ablation("tictactoe", str(file))
    assert store.run(found, 0).id != one.id
    assert found.command == f"lab ablate tictactoe --driver '{file}'"
    assert split_reference(found.reference) == ("tictactoe", str(file), [])


STEP = """\
from plyforge.steps import NO_VALUE
NAME, SUMMARY, EXACT, ON = {name!r}, "nothing", True, {on}
def before_moves(position, level, node, context):
    return NO_VALUE
"""


def test_steps_of_files_are_switched_like_built_in_ones(tmp_path, store):
    files = [tmp_path / "one.py", tmp_path / "other one.py"]
    for file, name, on in zip(files, ("first", "second"), (True, False), strict=True):
        file.write_text(STEP.format(name=name, on=on))
    paths = [str(file) for file in files]
    found = ablation("tictactoe", "mtdf", paths)
    by_name = {one.name: one for one in found.variations}
    assert by_name["without first"].off == ("first",)
    assert by_name["with second"].on == ("second",)
    assert by_name["plain alpha-beta"].off == ("all", "first", "second")
    assert {one.steps for one in found.variations} == {tuple(paths)}, "one kernel for all"
    assert split_reference(found.reference) == ("tictactoe", "mtdf", paths)
    assert found.command.endswith(f"--driver mtdf --step {paths[0]} --step '{paths[1]}'")
    run = store.run(found, 0)
    assert store.run(ablation("tictactoe", "mtdf", paths), 0).id == run.id
    files[1].write_text(files[1].read_text() + "# changed\n")
    assert store.run(ablation("tictactoe", "mtdf", paths), 0).id != run.id
