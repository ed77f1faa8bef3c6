"""Comparing two runs: differences, and reasons for them."""

from plyforge.lab.compare import compare_runs, explain_differences
from plyforge.lab.data import Measurement


def measurement(case, variation, nodes, seconds=1.0, **more):
    return Measurement(case, variation, 4, 0, {"nodes": nodes, "seconds": seconds, **more})


def test_runs_with_equal_counts_do_not_differ():
    one = [measurement(0, "a", 10), measurement(1, "a", 20)]
    other = [measurement(0, "a", 10, seconds=9.0), measurement(1, "a", 20, seconds=0.1)]
    assert compare_runs(one, other).rows == (("a", "4", "2", "0", "", "", ""),)


def test_the_metric_that_differs_most_is_listed_with_its_means():
    one = [measurement(0, "a", 10, cuts=4), measurement(1, "a", 20, cuts=4), measurement(5, "a", 1)]
    other = [measurement(0, "a", 10, cuts=4), measurement(1, "a", 26, cuts=5)]
    assert compare_runs(one, other).rows == (("a", "4", "2", "1", "nodes", "15", "18"),)


def test_a_figure_that_one_run_lacks_is_a_difference():
    assert (
        compare_runs([measurement(0, "a", 10, cuts=4)], [measurement(0, "a", 10)]).rows[0][3] == "1"
    )
    assert (
        compare_runs([measurement(0, "a", 10)], [measurement(0, "a", 10, cuts=4)]).rows[0][3] == "1"
    )


def test_runs_with_nothing_in_common_have_no_rows():
    assert compare_runs([measurement(0, "a", 10)], [measurement(0, "b", 10)]).rows == ()


def test_reasons_for_differences_are_listed(toy, store, monkeypatch):
    one = store.run(toy, 0)
    assert explain_differences(one, one) == []
    assert "the seeds differ" in explain_differences(one, store.run(toy, 1))[0]
    monkeypatch.setattr("plyforge.lab.store.__version__", "99.0")
    assert explain_differences(one, store.run(toy, 0)) == ["Plyforge 0.1.0 and 99.0"]
