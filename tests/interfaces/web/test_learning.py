"""Runs of learning on a page: a list, curves of one or two runs, and no code from a database."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from plyforge.interfaces.web import learning_charts
from plyforge.interfaces.web.learning_charts import MAX_WEIGHTS, SHOWN_WEIGHTS
from plyforge.learn.store import LearningStore
from tests.interfaces.web.archives import make_database, serve_files, store_learning

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    file = tmp_path_factory.mktemp("learning") / "learn.db"
    store_learning(file, "first", 6)
    store_learning(file, "<b>second</b>", 9, depth=3)
    store_learning(file, "begun", 0)
    store_learning(file, "large", 4, weights=MAX_WEIGHTS + 1)
    store_learning(file, "othello", 4, weights=5, game="othello")
    with serve_files(learning=file) as client:
        yield client


def show(client: TestClient, query: str) -> dict[str, Any]:
    answer = client.get(f"/api/learning/curves?{query}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def charts(client: TestClient, query: str) -> dict[str, Any]:
    return {chart["title"]: chart for chart in show(client, query)["charts"]}


def test_runs_are_listed_the_newest_first(client: TestClient) -> None:
    reply = client.get("/api/learning").json()
    assert reply["total"] == 5
    assert [run["name"] for run in reply["runs"]][-2:] == ["<b>second</b>", "first"]
    first = reply["runs"][-1]
    assert (first["title"], first["method"], first["games"]) == ("Connect four", "td", 60)
    assert (first["loss"], first["score"]) == ("0.1667", "75.0% (53 to 89)")
    begun = reply["runs"][2]
    assert (begun["games"], begun["ended"], begun["loss"]) == (0, None, None)
    (row,) = client.get("/api/learning?from=1&limit=1").json()["runs"]
    assert row["name"] == "large"


def test_two_runs_share_charts_of_loss_and_strength(client: TestClient) -> None:
    drawn = charts(client, "run=1&run=2&width=400")
    names = ["first", "<b>second</b>"]
    lines = [line["label"] for line in drawn["Loss"]["legend"]]
    assert lines == [text for name in names for text in (name, f"{name}, held-out games")]
    assert [line["label"] for line in drawn["Points against the start"]["legend"]] == names
    for chart in drawn.values():
        picture = ElementTree.fromstring(chart["svg"])
        assert picture.get("viewBox", "").startswith("0 0 400 ")
        series = [g.get("data-line") for g in picture.iter(f"{SVG}g") if g.get("data-line")]
        assert series == [line["label"] for line in chart["legend"]]
        assert "style=" not in chart["svg"]
    bars = [
        line.get("class")
        for line in ElementTree.fromstring(drawn["Points against the start"]["svg"]).iter(
            f"{SVG}line"
        )
    ]
    assert bars.count("bar") == 2 + 3  # a test after every third round


def test_weights_have_the_names_and_scale_of_their_form(client: TestClient) -> None:
    drawn = charts(client, "run=1&run=2")
    one, other = drawn["Weights of first"], drawn["Weights of <b>second</b>"]
    assert [line["label"] for line in one["legend"]][:2] == ["at once", "zugzwang"]
    assert one["legend"] == other["legend"]
    assert value_ticks(one) == value_ticks(other)  # so that curves can be compared
    assert value_ticks(one) != value_ticks(charts(client, "run=1")["Weights"])
    drawn = charts(client, "run=1&run=5")
    assert value_ticks(drawn["Weights of first"]) != value_ticks(drawn["Weights of othello"])


def value_ticks(chart: dict[str, Any]) -> list[str | None]:
    texts = ElementTree.fromstring(chart["svg"]).iter(f"{SVG}text")
    return [node.text for node in texts if node.get("class") == "tick value"]


def test_changes_of_weights_begin_at_zero(client: TestClient) -> None:
    (chart,) = (
        one for one in show(client, "run=1&changes=1")["charts"] if "Changes" in one["title"]
    )
    picture = ElementTree.fromstring(chart["svg"])
    curves = [p.get("d", "") for p in picture.iter(f"{SVG}path") if p.get("class") == "curve"]
    assert len({curve.partition("L")[0] for curve in curves}) == 1
    assert len(set(curves)) == 6


def test_of_many_weights_those_that_changed_most_are_shown(client: TestClient) -> None:
    reply = show(client, "run=4")
    chart = reply["charts"][-1]
    shown = [line["label"] for line in chart["legend"]]
    assert shown == [f"weight {n}" for n in range(22, 42)]
    assert len(shown) == SHOWN_WEIGHTS
    assert chart["note"] == "The 20 of 41 weights that changed most."
    assert len(reply["weights"][0]["rows"]) == SHOWN_WEIGHTS


def test_a_run_without_rounds_says_so(client: TestClient) -> None:
    reply = show(client, "run=3")
    assert reply["runs"][0]["ended"] is None
    assert all(chart["svg"] is None and chart["note"] for chart in reply["charts"])
    assert reply["tables"] == reply["weights"] == []


def test_settings_say_what_differs(client: TestClient) -> None:
    different, same = show(client, "run=1&run=2")["settings"]
    assert different["headings"] == ["setting", "first", "<b>second</b>"]
    assert [row[0] for row in different["rows"]] == ["depth"]
    assert ["game", "connect4"] in same["rows"]
    (alone,) = show(client, "run=1")["settings"]
    assert len(alone["rows"]) == len(same["rows"]) + 1


def test_a_new_round_is_in_the_next_answer(tmp_path: Path) -> None:
    file = tmp_path / "learn.db"
    store_learning(file, "running", 2)
    with serve_files(learning=file) as client:
        before = show(client, "run=1")
        assert show(client, "run=1")["charts"] == before["charts"]
        store_learning(file, "running", 3)
        after = show(client, "run=1")
        assert client.get("/api/learning").json()["runs"][0]["games"] == 30
    assert (before["runs"][0]["rounds"], after["runs"][0]["rounds"]) == (2, 3)
    assert after["charts"] != before["charts"]
    assert after["runs"][0]["ended"] <= after["now"]


def test_a_long_run_is_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning_charts, "MAX_POINTS", 10)
    file = tmp_path / "learn.db"
    store_learning(file, "long", 11)
    with serve_files(learning=file) as client:
        chart = charts(client, "run=1")["Loss"]
    assert chart["note"] == "Each point is the mean of 2 rounds."
    first = next(ElementTree.fromstring(chart["svg"]).iter(f"{SVG}path"))
    assert first.get("d", "").count("L") == 6 - 1


def test_steps_of_a_fit_have_a_chart(tmp_path: Path) -> None:
    file = tmp_path / "learn.db"
    store_learning(file, "fitted", 1)
    with LearningStore(file) as store, store.connection:
        store.connection.execute(
            """UPDATE learning_round SET extra = '{"history": [[3, null], [2, 2.5], [1, 2]]}'"""
        )
    with serve_files(learning=file) as client:
        drawn = charts(client, "run=1")
        (table,) = show(client, "run=1")["weights"]
    legend = [line["label"] for line in drawn["Loss by steps of the last fit"]["legend"]]
    assert legend == ["fitted", "fitted, held-out games"]
    assert "only one round has ended" in drawn["Weights"]["note"]
    assert table["headings"] == ["weight", "after 10 games"]


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("", "choose between 1 and 2"),
        ("run=1&run=2&run=3", "choose between 1 and 2"),
        ("run=1&run=1", "different runs"),
        ("run=99", "learn.db has no run 99"),
        ("run=x", "run must be an integer"),
        ("run=" + "9" * 5000, "run must be an integer"),
        ("run=1&width=9", "width must be an integer between 240 and 1600"),
        ("run=1&changes=2", "changes must be an integer between 0 and 1"),
    ],
)
def test_bad_requests_are_refused(client: TestClient, query: str, error: str) -> None:
    answer = client.get(f"/api/learning/curves?{query}")
    assert answer.status_code == 400
    assert error in answer.json()["error"]


def test_a_missing_file_is_an_empty_list_with_the_command_that_makes_one(tmp_path: Path) -> None:
    with serve_files(learning=tmp_path / "none.db") as client:
        reply = client.get("/api/learning").json()
        assert "no file" in client.get("/api/learning/curves?run=1").json()["error"]
    assert reply["total"] == 0
    assert reply["command"].startswith("plyforge learn ")
    assert not (tmp_path / "none.db").exists()
    with serve_files() as client:
        assert client.get("/api/learning").json()["total"] == 0
        assert "--learning FILE" in client.get("/api/learning/curves?run=1").json()["error"]


def test_a_file_without_runs_is_an_empty_list(tmp_path: Path) -> None:
    LearningStore(tmp_path / "learn.db").close()
    with serve_files(learning=tmp_path / "learn.db") as client:
        assert client.get("/api/learning").json()["total"] == 0
        assert "has no run 1" in client.get("/api/learning/curves?run=1").json()["error"]


COLUMNS = (
    "CREATE TABLE learning (id, name, plan, created);"
    "CREATE TABLE learning_round (run, number, games, loss, held_out_loss, score, score_games,"
    " seconds, note, ended, weights, others, extra); CREATE TABLE learning_game (run);"
)


@pytest.mark.parametrize(
    ("schema", "error"),
    [
        ("", "holds no runs"),
        ("CREATE TABLE run (id)", "holds no runs"),
        (COLUMNS.replace("plan", "other"), "no such column"),
        (COLUMNS + "INSERT INTO learning VALUES (1, 'x', '{', '')", "did not write"),
        (COLUMNS + "INSERT INTO learning VALUES (1, 'x', '{}', '')", "did not write"),
        (COLUMNS + "INSERT INTO learning VALUES (1, 'x', '[]', '')", "did not write"),
        (COLUMNS + "INSERT INTO learning VALUES (1, 'x', NULL, NULL)", "did not write"),
    ],
)
def test_another_database_is_refused(tmp_path: Path, schema: str, error: str) -> None:
    with serve_files(learning=make_database(tmp_path / "x.db", schema)) as client:
        answer = client.get("/api/learning")
        assert answer.status_code == 400
        assert error in answer.json()["error"]


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"not a database" * 100)
    with serve_files(learning=tmp_path / "x.db") as client:
        assert "not a database" in client.get("/api/learning").json()["error"]


@pytest.mark.parametrize(
    "change",
    [
        "weights = x'0102'",
        "weights = zeroblob(8 * number)",
        "weights = 'text'",
        "loss = 'text'",
        "score = 'text'",
        "games = 'text'",
        "number = 'x' || number",
        "extra = '{'",
        "extra = '[]'",
        """extra = '{"history": 7}'""",
        """extra = '{"history": [["x", null]]}'""",
    ],
)
def test_damaged_figures_are_refused(tmp_path: Path, change: str) -> None:
    file = tmp_path / "learn.db"
    store_learning(file, "damaged", 6)
    with LearningStore(file) as store, store.connection:
        store.connection.execute(f"UPDATE learning_round SET {change}")
    with serve_files(learning=file) as client:
        answer = client.get("/api/learning/curves?run=1")
        assert answer.status_code == 400
        assert "did not write" in answer.json()["error"]


@pytest.mark.parametrize("change", ["loss = 1e308 * (number - 3)", "loss = NULL, score = -1e300"])
def test_absurd_figures_are_drawn(tmp_path: Path, change: str) -> None:
    file = tmp_path / "learn.db"
    store_learning(file, "absurd", 6)
    with LearningStore(file) as store, store.connection:
        store.connection.execute(f"UPDATE learning_round SET {change}")
    with serve_files(learning=file) as client:
        for chart in charts(client, "run=1").values():
            assert "nan" not in (chart["svg"] or "")


@pytest.mark.parametrize("game", ["trap.py", "/etc/passwd", "nothing"])
def test_a_game_in_a_file_is_not_executed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("trap.py").write_text("open('sprung', 'w')")
    file = tmp_path / "learn.db"
    store_learning(file, "mine", 3, weights=2)
    with LearningStore(file) as store, store.connection:
        store.connection.execute(
            "UPDATE learning SET plan = json_set(plan, '$.game', ?, '$.evaluation', 'trap.py')",
            (game,),
        )
    with serve_files(learning=file) as client:
        assert client.get("/api/learning").json()["runs"][0]["title"] == game
        legend = charts(client, "run=1")["Weights"]["legend"]
    assert [line["label"] for line in legend] == ["weight 1", "weight 2"]
    assert not Path("sprung").exists()
