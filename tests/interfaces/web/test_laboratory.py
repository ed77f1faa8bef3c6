"""Stored runs on a page: the report of the command line, and no code from a database."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from plyforge.lab.catalog import load_experiment
from plyforge.lab.report import Report
from plyforge.lab.store import LabStore
from tests.interfaces.web.archives import EXPERIMENT, make_database, serve_files, store_run


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("lab") / "lab.db"
    store_run(file)
    store_run(file, seed=1)
    return file


@pytest.fixture(scope="module")
def client(file: Path) -> Iterator[TestClient]:
    with serve_files(None, file) as client:
        yield client


def store_renamed_run(file: Path, name: str) -> Path:
    """Store a run under the name of another experiment."""
    store_run(file)
    with LabStore(file) as store, store.connection:
        store.connection.execute("UPDATE run SET experiment = ?", (name,))
    return file


def test_runs_are_listed_the_newest_first(client: TestClient) -> None:
    reply = client.get("/api/lab").json()
    assert reply["total"] == 2
    assert [run["id"] for run in reply["runs"]] == [2, 1]
    assert reply["runs"][0]["title"] == load_experiment(EXPERIMENT).title
    assert reply["runs"][0]["seed"] == 1
    assert [run["id"] for run in client.get("/api/lab?from=1&limit=1").json()["runs"]] == [1]


def test_a_report_says_what_the_command_line_says(client: TestClient, file: Path) -> None:
    with LabStore.open_read_only(file) as store:
        run = store.find_run(1)
        expected = Report(load_experiment(EXPERIMENT), run, store.measurements(run))
        reply = client.get("/api/lab/1").json()
        assert reply["about"] == expected.about
        assert len(reply["findings"]["rows"]) == len(expected.findings)
        assert sum(reply["verdicts"].values()) == len(expected.findings)
        assert [table["title"] for table in reply["tables"]] == [t.title for t in expected.tables]
        assert [chart["title"] for chart in reply["charts"]] == [c.title for c in expected.charts]
    assert reply["notes"]
    assert reply["command"].startswith("plyforge lab run fail-soft")
    assert reply["warning"] is None


def test_charts_are_pictures(client: TestClient) -> None:
    charts = client.get("/api/lab/1").json()["charts"]
    assert charts
    for number in range(len(charts)):
        answer = client.get(f"/api/lab/1/charts/{number}.svg")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert ElementTree.fromstring(answer.content).tag.endswith("svg")
    assert client.get(f"/api/lab/1/charts/{len(charts)}.svg").status_code == 400


@pytest.mark.parametrize("path", ["9", "x", "-1", "9" * 5000, "1/charts/x.svg", "1/charts/-1.svg"])
def test_missing_rows_are_refused(client: TestClient, path: str) -> None:
    assert 400 <= client.get(f"/api/lab/{path}").status_code < 500


def test_a_changed_run_has_a_new_report(tmp_path: Path) -> None:
    file = tmp_path / "lab.db"
    store_run(file)
    with serve_files(None, file) as client:
        before = client.get("/api/lab/1").json()["measurements"]
        with LabStore(file) as store, store.connection:
            store.connection.execute("DELETE FROM measurement WHERE number = 3")
        assert client.get("/api/lab/1").json()["measurements"] < before


def test_a_missing_file_is_an_empty_list_with_the_command_that_makes_one(tmp_path: Path) -> None:
    with serve_files(None, tmp_path / "none.db") as client:
        reply = client.get("/api/lab").json()
        assert client.get("/api/lab/1").status_code == 400
    assert reply["total"] == 0
    assert reply["command"].startswith("plyforge lab run ")
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize(
    "name",
    [
        "mine",
        "/etc/passwd",
        "trap.py",
        "ablate trap.py",
        "ablate nothing",
        "ablate tictactoe --driver trap.py",
    ],
)
def test_an_experiment_of_a_file_is_shown_by_its_means_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("trap.py").write_text("open('sprung', 'w')")
    with serve_files(None, store_renamed_run(tmp_path / "lab.db", name)) as client:
        assert client.get("/api/lab").json()["runs"][0]["experiment"] == name
        reply = client.get("/api/lab/1").json()
    assert "does not execute" in reply["warning"]
    assert reply["findings"] is None
    assert reply["command"] is None
    assert {table["title"] for table in reply["tables"]} == {"wrong", "error", "nodes"}
    assert not Path("sprung").exists()


@pytest.mark.parametrize("name", ["ablate tictactoe", "ablate tictactoe --driver mtdf"])
def test_an_ablation_of_a_known_game_is_recognised(tmp_path: Path, name: str) -> None:
    with serve_files(None, store_renamed_run(tmp_path / "lab.db", name)) as client:
        assert "Tic-tac-toe" in client.get("/api/lab").json()["runs"][0]["title"]
        reply = client.get("/api/lab/1").json()
    assert reply["command"] == f"plyforge lab {name} --seed 0"


@pytest.mark.parametrize(
    ("schema", "error"),
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
def test_another_database_is_refused(tmp_path: Path, schema: str, error: str) -> None:
    with serve_files(None, make_database(tmp_path / "x.db", schema)) as client:
        answer = client.get("/api/lab")
        assert answer.status_code == 400
        assert error in answer.json()["error"]


def test_invalid_figures_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "lab.db"
    store_run(file)
    with LabStore(file) as store, store.connection:
        store.connection.execute("UPDATE measurement SET vals = '[1]'")
    with serve_files(None, file) as client:
        assert "did not write" in client.get("/api/lab/1").json()["error"]
