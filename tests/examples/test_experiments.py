"""The example of an experiment runs from any folder, and finds what Knuth and Moore proved."""

from pathlib import Path

from plyforge.jobs.serial import SerialExecutor
from plyforge.lab.catalog import load_experiment
from plyforge.lab.report import Report
from plyforge.lab.runner import choose_scale, run_experiment
from plyforge.lab.store import LabStore

FILE = Path(__file__).parents[2] / "examples" / "experiments" / "minimal_tree.py"


def test_alpha_beta_visits_the_minimal_tree_where_the_best_move_is_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = load_experiment(str(FILE))
    with LabStore("lab.db") as store:
        number = store.run(found, 3)
        for _ in run_experiment(
            found,
            choose_scale(found, positions=6, depths=(2, 3, 5, 8)),
            store,
            number,
            3,
            SerialExecutor(),
        ):
            pass
        report = Report(found, number, store.measurements(number))
    assert [one.verdict for one in report.findings] == ["reproduced", "reproduced"]
    for depth, leaves in ((2, 4 + 4 - 1), (3, 16 + 4 - 1), (5, 64 + 16 - 1), (8, 256 + 256 - 1)):
        assert set(report.data.values("best move first", depth, "leaves")) == {leaves}
    (chart,) = report.charts
    assert [series.published for series in chart.series] == [False, False, False, True]


def test_the_page_shows_the_file_as_it_is():
    page = (FILE.parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
    shown = page.split("```python\n")[1].split("```")[0]
    text = FILE.read_text(encoding="utf-8")
    for line in shown.splitlines():
        bare = line.split("):")[0].split("(")[0] if line.startswith("def ") else line
        assert bare in text, line
