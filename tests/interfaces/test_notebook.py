"""Objects in a notebook, and the example notebook."""

import re
import subprocess
import sys
from base64 import b64decode
from types import SimpleNamespace
from xml.etree import ElementTree

import nbformat
import pytest

import plyforge
from plyforge.engine import Info
from plyforge.interfaces.notebook import render
from plyforge.jobs.serial import SerialExecutor
from plyforge.match.plan import Plan
from plyforge.match.results import standings
from plyforge.match.store import Store
from plyforge.match.tables import Table
from plyforge.match.tournament import Tournament
from plyforge.search.textbook import Trace, View, alpha_beta
from scripts import example_notebook


def test_a_history_is_shown_as_its_board_with_the_last_move():
    history = plyforge.load("checkers").history()
    assert ElementTree.fromstring(history._repr_svg_()).get("width")
    history.play_text("11-15")
    assert history._repr_svg_().count('class="cell shaded last"') == 2
    assert repr(history) == "<History of checkers, 1 moves>"


@pytest.mark.long
def test_objects_show_themselves_without_further_imports():
    code = "import plyforge; print(plyforge.load('tictactoe').history()._repr_svg_()[:4])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "<svg\n"


def test_an_analysis_is_shown_as_a_board_with_arrows_and_lines():
    engine = plyforge.Engine("tictactoe", backend="python", hash=1)
    root = engine.root()
    root.play_text("a1")
    result = engine.analyse(root, depth=3, multipv=2)
    root.play_text("c3")  # the result is of the position before
    text = result._repr_html_()
    assert "O to move: depth 3" in text
    assert f"<td>{engine.game.move_text(root.positions[1], result.move)} " in text
    (image,) = re.findall('base64,([^"]+)', text)
    svg = b64decode(image).decode()
    assert svg.count('class="arrow ') == 2
    assert svg.count('class="piece ') == 1
    ElementTree.fromstring(text)


def test_a_result_without_its_root_is_shown():
    line = SimpleNamespace(score=0.5, pv=(1,), proved=False)
    info = Info(3, "exact", (line,), None, (), 0.1)
    assert "<td>+0.5</td>" in info._repr_html_()


def test_a_recorded_search_is_shown_as_its_tree():
    game = plyforge.load("tree")
    view = View(game, trace=Trace())
    assert ElementTree.fromstring(view.trace._repr_svg_()) is not None
    alpha_beta(view, view.root(game.parse("[[3,12,8],[2,4,6],[14,5,2]]")), depth=2)
    assert view.trace._repr_svg_().count("data-visit=") == len(view.trace.visits)
    assert repr(view.trace) == "<Trace of 11 visits>"


@pytest.mark.parametrize(
    ("players", "tables"),
    [(("random", "random:name=b"), 1), (("random", "random:name=b", "random:name=c"), 2)],
)
def test_a_match_is_shown_as_its_tables(players, tables):
    plan = Plan("tictactoe", players, games=2)
    with Store(":memory:") as store:
        tournament = Tournament(plan, store, SerialExecutor())
        tournament.prepare()
        text = standings(plan.names, list(tournament.run()))._repr_html_()
    assert text.count("<table>") == tables
    ElementTree.fromstring(text)


def test_a_table_is_shown_as_html():
    table = Table(("a", "<b>"), (("1", "&"),))
    assert table._repr_html_() == table.html()


def test_an_object_that_cannot_be_displayed_is_named():
    with pytest.raises(TypeError, match="cannot display an object of type int"):
        render(3)


@pytest.mark.long
def test_the_outputs_of_the_example_have_the_stored_kinds(tmp_path):
    stored = nbformat.read(example_notebook.NOTEBOOK, as_version=4)
    executed = example_notebook.execute(stored, tmp_path)

    def kinds(notebook):
        cells = (cell for cell in notebook.cells if cell.cell_type == "code")
        return [
            [sorted(out.data) for out in cell.outputs if out.output_type == "execute_result"]
            for cell in cells
        ]

    assert kinds(executed) == kinds(stored)
    all_kinds = {kind for cell in kinds(executed) for out in cell for kind in out}
    assert {"image/svg+xml", "text/html"} <= all_kinds


def test_the_stored_example_does_not_depend_on_the_machine():
    stored = nbformat.read(example_notebook.NOTEBOOK, as_version=4)
    assert example_notebook.strip(stored) == stored
    assert " at 0x" not in "".join(str(out) for c in stored.cells for out in c.get("outputs", ()))


def test_the_pictures_of_the_page_are_up_to_date():
    for name, svg in example_notebook.pictures().items():
        stored = (example_notebook.PICTURES / name).read_text(encoding="utf-8")
        assert stored == svg + "\n"
