"""`plyforge cluster`, and errors of `--executor`; `tests/jobs/cluster` runs real nodes."""

import json
import socket

import pytest

MATCH = ("match", "tictactoe", "engine:depth=1", "random", "--games", "2")


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLYFORGE_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("executor", "message"),
    [
        ("dask", "unknown executor 'dask'"),
        ("ray://a b", "'ray://a b' is not the address of a head node; write ray://HOST:PORT"),
        ("ray://127.0.0.1:1", "no head node at 127.0.0.1:1 (Connection refused); start it with"),
    ],
)
def test_an_executor_that_cannot_be_used_is_an_error_and_creates_no_file(
    plyforge, own_folder, executor, message
):
    answer = plyforge(*MATCH, "--executor", executor)
    assert answer.code == 2
    assert message in answer.err
    assert list(own_folder.iterdir()) == []


def test_the_variable_of_ray_names_the_cluster(plyforge, monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:2")
    answer = plyforge(*MATCH, "--executor", "ray")
    assert answer.code == 2
    assert "no head node at 127.0.0.1:2" in answer.err


@pytest.mark.parametrize(
    "command",
    [
        ("stats", "tictactoe", "--player", "engine:depth=1"),
        ("tune", "tictactoe", "history-limit:100:1:1000", "--iterations", "1"),
        ("learn", "tictactoe", "--games", "2"),
        ("fit", "tictactoe", "probcut", "--games", "2"),
        ("lab", "run", "tt-widths"),
        ("lab", "ablate", "tictactoe"),
    ],
)
def test_all_commands_with_jobs_have_the_option(plyforge, command):
    answer = plyforge(*command, "--executor", "dask")
    assert answer.code == 2
    assert "No such option" not in answer.err


def test_random_games_need_no_executor(plyforge):
    answer = plyforge("stats", "tictactoe", "--executor", "ray")
    assert answer.code == 2
    assert "--executor ray needs --player" in answer.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--nodes", "0"), "--nodes must be between 1 and 64, not 0"),
        (("--nodes", "65"), "--nodes must be between 1 and 64, not 65"),
        (("--cpus", "0"), "--cpus must be between 1 and 1024, not 0"),
        (("--port", "65536"), "--port must be between 1 and 65535, not 65536"),
    ],
)
def test_wrong_numbers_of_nodes_are_errors(plyforge, words, message):
    answer = plyforge("cluster", "up", *words)
    assert answer.code == 2
    assert message in answer.err


@pytest.mark.long  # it imports Ray
def test_a_port_in_use_is_an_error(plyforge, own_folder):
    with socket.create_server(("", 0)) as listener:
        port = str(listener.getsockname()[1])
        answer = plyforge("cluster", "up", "--port", port)
    assert answer.code == 2
    assert f"port {port} is in use; give another one with --port" in answer.err
    assert not (own_folder / "data" / "cluster.json").exists()


def test_without_a_cluster_there_is_no_status_and_nothing_to_end(plyforge):
    answer = plyforge("cluster", "status")
    assert answer.code == 2
    assert "no cluster was started here; start one with 'plyforge cluster up'" in answer.err
    assert plyforge("cluster", "down").out == "no cluster was running\n"
    assert plyforge("cluster", "down", "--json").json == {"processes": 0}


def test_a_cluster_that_has_died_is_to_be_ended(plyforge, own_folder):
    state = {"address": "127.0.0.1:1", "token": "", "mark": "", "pids": [], "cpus": 1, "logs": ""}
    (own_folder / "data").mkdir()
    (own_folder / "data" / "cluster.json").write_text(json.dumps(state), encoding="utf-8")
    answer = plyforge("cluster", "status")
    assert answer.code == 2
    assert "the head node of the cluster at 127.0.0.1:1 does not answer" in answer.err
    assert "plyforge cluster down" in answer.err


def test_a_damaged_state_file_is_an_error(plyforge, own_folder):
    (own_folder / "data").mkdir()
    (own_folder / "data" / "cluster.json").write_text("{", encoding="utf-8")
    answer = plyforge("cluster", "down")
    assert answer.code == 2
    assert "cluster.json cannot be read" in answer.err
