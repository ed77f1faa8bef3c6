"""`--parallel` on the command line, in descriptions of players and as a UCI option."""

import pytest

from plyforge.interfaces import uci
from plyforge.search.parallel.methods import DISTRIBUTED_METHODS, METHODS

TREE = ("tree:incremental,4,8,seed=5", "--depth", "7")


def test_the_value_is_that_of_one_thread_and_an_account_is_printed(plyforge):
    one = plyforge("analyse", *TREE, "--json").json
    two = plyforge("analyse", *TREE, "--json", "--threads", "2", "--parallel", "ybwc").json
    assert (one["score"], one["threads"]) == (two["score"], None)
    account = two["threads"]
    assert account["method"] == "ybwc"
    assert len(account["nodes"]) == 2
    assert sum(account["nodes"]) == two["nodes"]
    assert sum(account["time_shares"].values()) == pytest.approx(1.0, abs=1e-6)
    text = plyforge("analyse", *TREE, "--threads", "2", "--parallel", "ybwc").out
    assert "ybwc, 2 threads:" in text
    assert "searching" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--parallel", "ybcw"), "did you mean 'ybwc'"),
        (("--threads", "2", "--parallel", "ybwc", "--driver", "minimax"), "it goes with alphabeta"),
        (("--threads", "2", "--parallel", "abdada", "--off", "table"), "the switch 'table'"),
        (("--threads", "-1", "--parallel", "ybwc"), "between 1 and 256, not -1"),
        (("--threads", "2", "--set", "split-depth=-2"), "split-depth"),
        (("--threads", "2", "--set", "split-choice=best"), "split-choice"),
    ],
)
def test_wrong_methods_are_one_sentence(plyforge, arguments, message):
    answer = plyforge("analyse", *TREE, *arguments)
    assert answer.code == 2
    assert message in answer.err
    assert "Traceback" not in answer.err


def test_more_threads_than_cores_are_a_warning_with_their_number(plyforge, monkeypatch):
    monkeypatch.setattr("plyforge.engine.engine.usable_cores", lambda: 2)
    answer = plyforge("analyse", *TREE, "--threads", "3", "--parallel", "ybwc")
    assert answer.code == 0
    assert "warning: 3 threads, but this process can use 2 cores" in answer.err
    assert "warning" not in plyforge("analyse", *TREE, "--threads", "2").err


def test_options_lists_the_methods(plyforge):
    fields = plyforge("options", "--json").json
    assert [row["name"] for row in fields["parallel"]] == [*METHODS]
    assert [row["name"] for row in fields["distributed"]] == [*DISTRIBUTED_METHODS]
    text = plyforge("options").out
    assert all(name in text for name in (*METHODS, *DISTRIBUTED_METHODS))


def test_uci_has_the_same_methods():
    (option,) = [option for option in uci.OPTIONS if option.name == "Parallel"]
    assert option.choices == tuple(METHODS)


@pytest.mark.parametrize(
    ("number", "message"),
    [("0", "between 1 and 256, not 0"), ("-2", "not -2"), ("x", "'x' is not an integer")],
)
def test_wrong_numbers_of_analysis_threads_are_refused(plyforge, number, message):
    answer = plyforge("serve", "--no-open", "--port", "0", "--analysis-threads", number)
    assert answer.code == 2
    assert message in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    ("each", "total", "message"),
    [("4", "3", "--analysis-threads, which is 4"), ("1", "0", "not 0"), ("1", "257", "256")],
)
def test_wrong_totals_of_analysis_threads_are_refused(plyforge, each, total, message):
    threads = ["--analysis-threads", each, "--total-analysis-threads", total]
    answer = plyforge("serve", "--no-open", "--port", "0", *threads)
    assert answer.code == 2
    assert message in " ".join(answer.err.split())
    assert "Traceback" not in answer.err
