"""The experiment on distributed search: what it compares, and how it judges."""

import sys

import pytest

from plyforge.interfaces.plots.charts import plot_chart
from plyforge.lab.catalog import load_experiment
from plyforge.lab.claims import judge_claims
from plyforge.lab.data import Measurement, Values
from plyforge.lab.experiments import distributed_search
from plyforge.lab.experiments._distributed import GAMES
from plyforge.lab.experiments.distributed_search import (
    AGAIN,
    METHODS,
    ONE,
    ONE_SIMULATED,
    REAL,
    real,
    simulated,
)

NAME = "distributed-search"


def test_both_methods_are_measured_here_and_simulated_to_1024_processes() -> None:
    found = load_experiment(NAME)
    names = [one.name for one in found.variations]
    assert names[0] == found.baseline.name == ONE
    assert {AGAIN, ONE_SIMULATED} <= set(names)
    assert {real(method, n) for method in METHODS for n in REAL} <= set(names)
    assert {simulated("tdsab", 1024), simulated("partitioned-table", 64)} <= set(names)
    by_mpi = {one.name for one in found.variations if found.uses_threads(one)}
    assert by_mpi == {real(method, n) for method in METHODS for n in REAL}
    assert found.one_at_a_time


def test_shallow_searches_have_few_processes() -> None:
    found = load_experiment(NAME)
    many = found.variation(simulated("tdsab", 1024))
    for place, game in enumerate(GAMES.values()):
        assert found.wanted(place, many, game.sample.depth)
        assert not found.wanted(place, many, game.sample.quick_depth)
        assert found.wanted(place, found.baseline, game.sample.quick_depth)


def row(processes: int, seconds: float, nodes: float, work: float) -> Values:
    total = processes * seconds
    parts = {"jobs": 0.01, "messaging": 0.02, "looking_up": 0.05, "ends": 0.0}
    parts = {part: share * total for part, share in parts.items()}
    idle = total - work - sum(parts.values())
    return {
        "value": 1.0, "nodes": nodes, "seconds": seconds, "process_seconds": total, "work": work,
        "idle": idle, "waiting": 0.1 * total, "aborted": 0.0, "balance": 0.9, "messages": 10.0,
        "bytes": 800.0, "lookups": 1.0, **parts,
    }  # fmt: skip


def measurements(tdsab: float) -> list[Measurement]:
    """Return figures by which `tdsab` gains so much from 64 processes, the other method half."""
    made = []
    for case in range(8):
        game = distributed_search.GROUPS[case % len(GAMES)]
        scale = 1 + 0.02 * (case // 2)
        for one in distributed_search.variations():
            n = int(one.extra["processes"])
            gain = 1.0 if n == 1 else min(n / 2.0, tdsab * n / 64.0) * scale**0.5
            if one.extra["method"] == "partitioned-table":
                gain /= 2.0
            seconds = scale * 10.0 / gain
            nodes = 1000.0 * (2.0 if one.extra["method"] == "partitioned-table" else 1.0)
            made.append(
                Measurement(
                    case, one.name, GAMES[game].sample.depth, 0,
                    row(n, seconds, nodes, min(9.0, 0.8 * n * seconds)),
                )
            )  # fmt: skip
    return made


def test_published_figures_are_judged_by_the_stated_rules() -> None:
    found = load_experiment(NAME)

    def verdict(tdsab: float, statement: str) -> str:
        findings = judge_claims(found.claims, found.data(measurements(tdsab)))
        return next(one.verdict for one in findings if statement in one.claim.statement)

    assert verdict(20.0, "about 20 times as fast with 64 processes in checkers") == "reproduced"
    assert verdict(4.0, "about 20 times as fast with 64 processes in checkers") == "refuted"
    assert verdict(20.0, "TDSAB is faster than the partitioned table") == "reproduced"
    assert verdict(20.0, "TDSAB visits fewer nodes than the partitioned table") == "reproduced"
    assert verdict(20.0, "Look-ups in a partitioned table cost time") == "reproduced"
    assert verdict(20.0, "126 times as fast") == "not comparable"
    assert verdict(20.0, "The simulation of tdsab is right with two processes") == "reproduced"


def test_a_report_has_its_tables_and_charts() -> None:
    found = load_experiment(NAME)
    data = found.data(measurements(20.0))
    assert len(found.tables(data)) == 3 * len(GAMES)  # type: ignore[misc]
    for chart in found.charts(data):
        plot_chart(chart)
    account = found.charts(data)[1]
    for place in range(len(account.x_names or ())):
        total = sum(series.y[place] for series in account.series)
        assert total == pytest.approx(100, abs=15)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="MPI is tested on Linux")
def test_all_kinds_of_searches_find_the_value_of_one_process() -> None:
    found = load_experiment(NAME)
    (case,) = found.cases(0, 1)
    one = found.measure(case, found.baseline, 9)
    for method in METHODS:
        chosen = found.variation(simulated(method, 64))
        many = found.measure(case, chosen, 9)
        assert many == found.measure(case, chosen, 9)
        assert many["value"] == one["value"]
        parts = sum(many[part] for part in ("work", *distributed_search.VIRTUAL_PARTS))
        assert parts == pytest.approx(64 * many["seconds"])
        here = found.measure(case, found.variation(real(method, 2)), 9)
        assert here["value"] == one["value"]
        assert here["messages"] > 0
