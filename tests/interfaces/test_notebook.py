"""In a notebook things show themselves; the example runs as it stands."""

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
from plyforge.match.plan import Plan
from plyforge.match.results import standings
from plyforge.match.store import Store
from plyforge.match.tables import Table
from plyforge.match.tournament import Tournament
from plyforge.search.textbook import Trace, View, alpha_beta
from scripts import example_notebook


def test_a_game_in_progress_is_its_board_with_the_last_move():
    history = plyforge.load("checkers").history()
    assert ElementTree.fromstring(history._repr_svg_()).get("width")
    history.play_text("11-15")
    assert history._repr_svg_().count('class="cell shaded last"') == 2
    assert repr(history) == "<History of checkers, 1 moves>"


def test_plain_python_shows_without_any_import_but_plyforge():
    code = "import plyforge; print(plyforge.load('tictactoe').history()._repr_svg_()[:4])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "<svg\n"


def test_an_analysis_is_its_board_with_arrows_and_its_lines():
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


def test_a_result_without_its_root_is_shown_all_the_same():
    line = SimpleNamespace(score=0.5, pv=(1,), proved=False)
    info = Info(3, "exact", (line,), None, (), 0.1)
    assert "<td>+0.5</td>" in info._repr_html_()


def test_a_recorded_search_is_its_tree():
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
def test_a_match_is_its_tables(players, tables):
    plan = Plan("tictactoe", players, games=2)
    with Store(":memory:") as store:
        tournament = Tournament(plan, store, processes=0)
        tournament.prepare()
        text = standings(plan.names, list(tournament.run()))._repr_html_()
    assert text.count("<table>") == tables
    ElementTree.fromstring(text)


def test_a_table_is_html():
    table = Table(("a", "<b>"), (("1", "&"),))
    assert table._repr_html_() == table.html()


def test_what_cannot_be_shown_is_named():
    with pytest.raises(TypeError, match="no picture of a int"):
        render(3)


def test_the_example_runs_and_shows_what_it_is_stored_with(tmp_path):
    stored = nbformat.read(example_notebook.NOTEBOOK, as_version=4)
    found = example_notebook.executed(stored, tmp_path)

    def kinds(notebook):
        cells = (cell for cell in notebook.cells if cell.cell_type == "code")
        return [
            [sorted(out.data) for out in cell.outputs if out.output_type == "execute_result"]
            for cell in cells
        ]

    assert kinds(found) == kinds(stored)
    shown_kinds = {kind for cell in kinds(found) for out in cell for kind in out}
    assert {"image/svg+xml", "text/html"} <= shown_kinds


def test_the_stored_example_is_plain():
    stored = nbformat.read(example_notebook.NOTEBOOK, as_version=4)
    assert example_notebook.plain(stored) == stored
    assert " at 0x" not in "".join(str(out) for c in stored.cells for out in c.get("outputs", ()))


def test_the_pictures_of_the_page_are_what_the_code_draws():
    for name, svg in example_notebook.pictures().items():
        stored = (example_notebook.PICTURES / name).read_text(encoding="utf-8")
        assert stored == svg + "\n"
