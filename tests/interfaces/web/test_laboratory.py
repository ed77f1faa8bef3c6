"""Stored runs on a page: the report as the command line tells it, and no code out of a database."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from plyforge.lab.experiment import load_experiment
from plyforge.lab.report import Report
from plyforge.lab.store import LabStore
from tests.interfaces.web.archives import EXPERIMENT, foreign, measure, showing


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("lab") / "lab.db"
    measure(file)
    measure(file, seed=1)
    return file


@pytest.fixture(scope="module")
def client(file: Path) -> Iterator[TestClient]:
    with showing(None, file) as made:
        yield made


def renamed(file: Path, name: str) -> Path:
    """A run that says to be of another experiment."""
    measure(file)
    with LabStore(file) as store, store.connection:
        store.connection.execute("UPDATE run SET experiment = ?", (name,))
    return file


def test_runs_are_listed_the_newest_first(client: TestClient) -> None:
    told = client.get("/api/lab").json()
    assert told["total"] == 2
    assert [run["id"] for run in told["runs"]] == [2, 1]
    assert told["runs"][0]["title"] == load_experiment(EXPERIMENT).title
    assert told["runs"][0]["seed"] == 1
    assert [run["id"] for run in client.get("/api/lab?from=1&most=1").json()["runs"]] == [1]


def test_a_report_says_what_the_command_line_says(client: TestClient, file: Path) -> None:
    with LabStore.open_read_only(file) as store:
        run = store.find_run(1)
        expected = Report(load_experiment(EXPERIMENT), run, store.measurements(run))
        told = client.get("/api/lab/1").json()
        assert told["about"] == expected.about
        assert len(told["findings"]["rows"]) == len(expected.findings)
        assert sum(told["verdicts"].values()) == len(expected.findings)
        assert [table["title"] for table in told["tables"]] == [t.title for t in expected.tables]
        assert [chart["title"] for chart in told["charts"]] == [c.title for c in expected.charts]
    assert told["notes"]
    assert told["command"].startswith("plyforge lab run fail-soft")
    assert told["warning"] is None


def test_charts_are_pictures(client: TestClient) -> None:
    charts = client.get("/api/lab/1").json()["charts"]
    assert charts
    for number in range(len(charts)):
        answer = client.get(f"/api/lab/1/charts/{number}.svg")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert ElementTree.fromstring(answer.content).tag.endswith("svg")
    assert client.get(f"/api/lab/1/charts/{len(charts)}.svg").status_code == 400


@pytest.mark.parametrize("path", ["9", "x", "-1", "9" * 5000, "1/charts/x.svg", "1/charts/-1.svg"])
def test_what_is_not_there_is_told(client: TestClient, path: str) -> None:
    assert 400 <= client.get(f"/api/lab/{path}").status_code < 500


def test_a_run_that_grows_is_told_anew(tmp_path: Path) -> None:
    file = tmp_path / "lab.db"
    measure(file)
    with showing(None, file) as client:
        before = client.get("/api/lab/1").json()["measurements"]
        with LabStore(file) as store, store.connection:
            store.connection.execute("DELETE FROM measurement WHERE number = 3")
        assert client.get("/api/lab/1").json()["measurements"] < before


def test_a_missing_file_is_an_empty_list_with_the_command_that_makes_one(tmp_path: Path) -> None:
    with showing(None, tmp_path / "none.db") as client:
        told = client.get("/api/lab").json()
        assert client.get("/api/lab/1").status_code == 400
    assert told["total"] == 0
    assert told["command"].startswith("plyforge lab run ")
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize(
    "name", ["mine", "/etc/passwd", "trap.py", "ablate trap.py", "ablate nothing"]
)
def test_an_experiment_that_the_server_has_not_is_told_by_its_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("trap.py").write_text("open('sprung', 'w')")
    with showing(None, renamed(tmp_path / "lab.db", name)) as client:
        assert client.get("/api/lab").json()["runs"][0]["experiment"] == name
        told = client.get("/api/lab/1").json()
    assert "does not execute" in told["warning"]
    assert told["findings"] is None
    assert told["command"] is None
    assert {table["title"] for table in told["tables"]} == {"wrong", "error", "nodes"}
    assert not Path("sprung").exists()


def test_an_ablation_of_a_game_that_the_server_has_is_known(tmp_path: Path) -> None:
    with showing(None, renamed(tmp_path / "lab.db", "ablate tictactoe")) as client:
        assert "Tic-tac-toe" in client.get("/api/lab").json()["runs"][0]["title"]
        told = client.get("/api/lab/1").json()
    assert told["command"] == "plyforge lab ablate tictactoe --seed 0"


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ("", "holds no measurements"),
        ("CREATE TABLE match (id)", "holds no measurements"),
        ("CREATE TABLE run (x); CREATE TABLE measurement (x)", "no such column"),
        (
            "CREATE TABLE run (id, experiment, about, created); CREATE TABLE measurement (run);"
            "INSERT INTO run VALUES (1, 'x', '{}', '')",
            "did not write",
        ),
        (
            "CREATE TABLE run (id, experiment, about, created); CREATE TABLE measurement (run);"
            "INSERT INTO run VALUES (1, NULL, NULL, NULL)",
            "did not write",
        ),
    ],
)
def test_a_foreign_database_is_told(tmp_path: Path, schema: str, told: str) -> None:
    with showing(None, foreign(tmp_path / "x.db", schema)) as client:
        answer = client.get("/api/lab")
        assert answer.status_code == 400
        assert told in answer.json()["error"]


def test_figures_that_are_none_are_told(tmp_path: Path) -> None:
    file = tmp_path / "lab.db"
    measure(file)
    with LabStore(file) as store, store.connection:
        store.connection.execute("UPDATE measurement SET vals = '[1]'")
    with showing(None, file) as client:
        assert "did not write" in client.get("/api/lab/1").json()["error"]
