"""`plyforge analyse --workers N`."""

import pytest

GAME = ("analyse", "connect4:4x4", "--entries", "1024")


def test_a_table_shows_who_worked_where(plyforge):
    result = plyforge(*GAME, "--workers", "3", "--nodes", "300")
    assert result.code == 0
    assert "best " in result.out
    assert "the root" in result.out
    assert result.out.count("this process") == 3
    assert "3 workers, preset exact:" in result.out


def test_json_has_the_workers_and_the_tree(plyforge):
    fields = plyforge(*GAME, "--workers", "3", "--nodes", "300", "--json").json
    assert fields["executor"] == "local"
    assert len(fields["workers"]) == 3
    assert sum(worker["nodes"] for worker in fields["workers"]) == fields["nodes"]
    assert len(fields["tree"]["children"]) == 2
    assert fields["pv"][0] == fields["best"]


def test_stream_prints_each_change(plyforge):
    lines = plyforge(*GAME, "--workers", "2", "--nodes", "300", "--stream").out.splitlines()
    assert len(lines) > 1
    assert '"workers"' in lines[-1]


def test_an_executor_alone_asks_for_four_workers(plyforge):
    fields = plyforge(*GAME, "--executor", "local", "--nodes", "100", "--json").json
    assert len(fields["workers"]) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--workers", "0"), "between 1 and 10,000, not 0"),
        (("--workers", "2", "--multipv", "2"), "--multipv does not go with --workers"),
        (("--workers", "2", "--only", "1"), "--only does not go with --workers"),
        (("--executor", "slurm"), "unknown executor 'slurm'"),
        (("--workers", "2", "--threads", "2"), "one thread, not 2"),
        (("--workers", "2", "--nodes", "0"), "nodes must be an integer of at least 1"),
        pytest.param(
            ("--workers", "2", "--executor", "ray://127.0.0.1:9"),
            "no head node at 127.0.0.1:9",
            marks=pytest.mark.long,  # importing Ray takes seconds
        ),
    ],
)
def test_wrong_input_is_an_error_with_exit_code_2(plyforge, arguments, message):
    result = plyforge(*GAME, *arguments)
    assert result.code == 2
    assert message in result.err
