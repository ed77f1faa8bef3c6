"""The experiments on parallel search: what they compare, and how the account adds up."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.interfaces.cli.executors import ExecutorOptions
from plyforge.interfaces.cli.lab_run import RunOptions, experiment_executor
from plyforge.interfaces.plots.charts import plot_chart
from plyforge.jobs.pool import ProcessPool
from plyforge.jobs.serial import SerialExecutor
from plyforge.lab.catalog import experiment_names, load_experiment
from plyforge.lab.claims import judge_claims
from plyforge.lab.data import Data, Measurement, Values
from plyforge.lab.experiment import Experiment
from plyforge.lab.experiments import parallel_simulated, parallel_validation
from plyforge.lab.experiments._simulation import GAMES, LATENCIES, SHARED
from plyforge.lab.parallel import (
    METHODS,
    MORE_THREADS,
    WITH_MORE_THREADS,
    configurations,
    parallel_names,
)
from plyforge.lab.parallel_report import (
    AGAIN,
    ONE,
    OVERHEADS,
    PAIR,
    busy_factor,
    lost_time,
    name_of,
    tables,
)
from plyforge.lab.statistics import Estimate
from plyforge.lab.variations import Variation
from plyforge.lab.verify import verify

TWO = name_of("ybwc", 2)
POSITIONS = 6


def test_three_games_are_listed_and_any_other_has_the_same_experiment() -> None:
    assert parallel_names() == ["parallel-checkers", "parallel-chess", "parallel-othello"]
    assert set(parallel_names()) <= set(experiment_names())
    own = load_experiment("parallel-hex:5")
    assert own.cases(0, 1)[0].game == "hex:5"
    assert [one.name for one in own.variations] == [one.name for one in configurations()]
    with pytest.raises(UnknownName, match="parallel-chess"):
        load_experiment("parallel-ches")


def test_every_method_is_measured_with_two_threads_some_with_more_and_one_thread_twice() -> None:
    names = [one.name for one in configurations()]
    assert names[0] == ONE
    assert names[-2:] == [PAIR, AGAIN]
    two = [name_of(method, 2) for method in METHODS]
    more = [name_of(method, n) for n in MORE_THREADS for method in WITH_MORE_THREADS]
    assert names[1:-2] == two + more
    queue = next(one for one in configurations() if one.name == name_of("ybwc, queue", 2))
    assert queue.settings == {"split-choice": "queue"}


def options(jobs: int | None, executor: str = "local") -> RunOptions:
    return RunOptions(0, None, None, None, ExecutorOptions(jobs, executor), False, "lab.db", False)


def test_searches_with_threads_are_measured_one_at_a_time() -> None:
    found = load_experiment("parallel-chess")
    assert found.one_at_a_time
    for jobs, processes in ((None, SerialExecutor), (0, SerialExecutor), (1, ProcessPool)):
        assert isinstance(experiment_executor(found, options(jobs)), processes)
    with pytest.raises(PlyforgeError, match="--jobs must be 0 or 1, not 2"):
        experiment_executor(found, options(2))
    with pytest.raises(PlyforgeError, match="on this machine; --executor must be local"):
        experiment_executor(found, options(None, "ray"))
    simulated = load_experiment("parallel-simulated")
    assert experiment_executor(simulated, options(3)).workers == 3
    assert load_experiment("parallel-validation").one_at_a_time


def account(nodes: float, seconds: float, **parts: float) -> Values:
    zeros = dict.fromkeys((*OVERHEADS, "aborted"), 0.0)
    return {
        "value": 1.0,
        "nodes": nodes,
        "seconds": seconds,
        "balance": 0.9,
        **zeros,
        "thread_seconds": 2 * seconds,
        **parts,
    }


def one_thread(seconds: float, nodes: float = 1000) -> Values:
    return {"value": 1.0, "nodes": nodes, "seconds": seconds}


times = st.floats(0.1, 100)


@given(
    searches=st.lists(st.tuples(times, times, st.integers(1, 10**6), st.integers(1, 10**6)),
                      min_size=1, max_size=5),
    shares=st.lists(st.floats(0, 0.2), min_size=4, max_size=4),
    slower=st.floats(0.5, 2),
    threads=st.integers(2, 8),
    cores=st.integers(1, 8),
)  # fmt: skip
def test_the_parts_of_the_account_and_the_rest_are_the_measured_time(
    searches: list[tuple[float, float, int, int]],
    shares: list[float],
    slower: float,
    threads: int,
    cores: int,
) -> None:
    rows = []
    for base, mine, base_nodes, nodes in searches:
        parts = {name: part * mine for name, part in zip(OVERHEADS, shares, strict=True)}
        row = account(nodes, mine, cores=cores, **parts)
        rows.append((row, one_thread(base, base_nodes)))
    lost = lost_time(rows, threads, slower)
    assert lost is not None
    one, all_threads = (sum(search[place] for search in searches) for place in (0, 1))
    assert lost.speed_up == pytest.approx(one / all_threads)
    assert lost.total == pytest.approx(min(threads, cores) * all_threads / one)
    assert sum(lost.parts.values()) == pytest.approx(lost.total)


def test_the_prediction_does_not_use_the_time_that_it_predicts() -> None:
    rows = [account(1100, seconds, waiting=2.0) for seconds in (6.0, 60.0)]
    found = [lost_time([(row, one_thread(10))], 2, 1.05) for row in rows]
    predictions = [lost.predicted for lost in found if lost is not None]
    assert predictions == [pytest.approx(2 / (1.1 * 1.05 + 0.2))] * 2


def test_the_parts_of_an_account_are_what_they_are_called() -> None:
    # Ten seconds with one thread; two threads visit a tenth more nodes, each of which takes a
    # twentieth longer, and wait for two seconds together.
    search = 10 * 1.1 * 1.05
    row = account(1100, (search + 2) / 2, waiting=2.0)
    lost = lost_time([(row, one_thread(10))], 2, 1.05)
    assert lost is not None
    assert lost.overheads == (pytest.approx(0.2), 0, 0, 0)
    assert lost.total == pytest.approx(1.1 * 1.05 + 0.2)
    assert lost.predicted == pytest.approx(lost.speed_up)
    assert lost.rest == pytest.approx(0, abs=1e-12)
    assert lost.parts["slower nodes"] == pytest.approx(1.1 * 0.05)


def measurements(
    one: float, two: float, nodes: float = 1100, slower: float = 1.0
) -> Iterator[Measurement]:
    for case in range(POSITIONS):
        scale = 1 + 0.01 * case
        yield Measurement(case, ONE, 9, 0, one_thread(one * scale))
        yield Measurement(case, AGAIN, 9, 0, one_thread(one * scale))
        yield Measurement(case, PAIR, 9, 0, one_thread(one * scale * slower))
        for method in ("ybwc", "root-split", "pv-split"):
            longer = 1.0 if method == "ybwc" else 1.2
            row = account(nodes, two * scale**1.1 * longer)
            yield Measurement(case, name_of(method, 2), 9, 0, row)


def verdicts(found: Experiment, made: Iterator[Measurement]) -> list[str]:
    return [one.verdict for one in judge_claims(found.claims, found.data([*made]))]


def test_bars_are_judged_on_long_searches() -> None:
    found = load_experiment("parallel-chess")
    assert verdicts(found, measurements(12, 7)) == [
        *["reproduced"] * 3,
        "refuted",
        *["reproduced"] * 2,
    ]
    assert verdicts(found, measurements(12, 7, slower=7 / 6.6)) == ["reproduced"] * 6
    assert verdicts(found, measurements(12, 7.8))[:2] == ["reproduced", "refuted"]
    assert verdicts(found, measurements(12, 7, nodes=1300))[2] == "refuted"
    assert verdicts(found, measurements(9, 5)) == ["not measured"] * 6


def test_a_report_has_its_tables_and_charts() -> None:
    found = load_experiment("parallel-chess")
    data = found.data([*measurements(12, 7)])
    speed, sums, shares = tables(data, found.variations)
    mine = [name_of(method, 2) for method in METHODS if method in speed_rows()]
    assert [row[0] for row in speed.rows] == [*mine, AGAIN]
    assert sums.headings[-3:] == ("predicted speed-up", "measured speed-up", "difference (%)")
    assert len(shares.rows) == len(sums.rows) == 3
    for chart in found.charts(data):
        assert plot_chart(chart).axes[0].get_title(loc="left") == chart.title
    stacked = found.charts(data)[1]
    assert stacked.stacked
    total = sum(series.y[0] for series in stacked.series)
    assert total == pytest.approx(2 / float(sums.rows[0][-2]), abs=0.01)
    factor = busy_factor(found.data([*measurements(12, 7, slower=1.25)]), 9)
    assert factor is not None
    assert factor.value == pytest.approx(1.25)


def speed_rows() -> set[str]:
    return {"ybwc", "root-split", "pv-split"}


def test_only_searches_of_one_thread_are_repeated() -> None:
    found = load_experiment("parallel-chess")
    made = [*measurements(12, 7)]
    found = replace(
        found,
        cases=lambda seed, count: [None] * count,  # type: ignore[misc, list-item]
        measure=lambda case, variation, depth: one_thread(3),
    )
    *_, state = verify(found, 0, made)
    assert (state.repeated, state.total, state.holds) == (2 * POSITIONS, 2 * POSITIONS, True)
    with pytest.raises(PlyforgeError, match="several threads"):
        list(verify(found, 0, [one for one in made if one.variation == TWO]))


# The simulation


def test_depths_belong_to_games_and_shallow_searches_have_few_processors() -> None:
    found = load_experiment("parallel-simulated")
    many = found.variation(parallel_simulated.name_of("ybwc", 4096, SHARED))
    for place, (name, game) in enumerate(GAMES.items()):
        other = next(one for key, one in GAMES.items() if key != name)
        assert found.wanted(place, many, game.sample.depth)
        assert not found.wanted(place, many, game.sample.quick_depth)
        assert found.wanted(place, found.baseline, game.sample.quick_depth)
        assert not found.wanted(place, found.baseline, other.sample.depth)
        assert set(game.split_depths) == set(LATENCIES)


def simulated_row(processors: int, elapsed: float) -> Values:
    busy = min(1.1, processors * elapsed)
    idle = processors * elapsed - busy
    parts = dict.fromkeys(("sharing", "splitting", "joining", "messages"), 0.0)
    return {"value": 1.0, "nodes": 100, "elapsed": elapsed, "work": busy, "idle": idle,
            "balance": 0.9, **parts}  # fmt: skip


def test_verdicts_on_published_speed_ups_follow_their_rules() -> None:
    found = load_experiment("parallel-simulated")
    made = []
    for case in range(8):
        name = parallel_simulated.GROUPS[case % 2]
        depth = GAMES[name].sample.depth
        for one in found.variations:
            processors = int(one.extra["processors"])
            gain = {1: 1.0, 2: 1.9}.get(processors, 0.49 * processors + 0.1 * (case // 2))
            if one.extra["method"] == "pv-split":
                gain = min(gain, 4.0)
            row = simulated_row(processors, 1 / gain)
            made.append(Measurement(case, one.name, depth, 0, row))
    findings = judge_claims(found.claims, found.data(made))
    by_statement = {one.claim.statement: one.verdict for one in findings}
    assert by_statement["YBWC makes chess 126 times as fast with 256 processors"] == "reproduced"
    for game in GAMES:
        levels = f"PV splitting levels off at a handful of processors in {game}"
        faster = f"YBWC is faster than PV splitting with 256 processors in {game}"
        assert by_statement[levels] == by_statement[faster] == "reproduced"
    data = found.data(made)
    assert len(found.tables(data)) == 12  # type: ignore[misc]
    for chart in found.charts(data):
        plot_chart(chart)
    account = found.charts(data)[2]
    assert sum(series.y[0] for series in account.series) == pytest.approx(100)


@pytest.mark.long
def test_a_simulated_search_gives_the_same_figures_again_and_the_value_of_one() -> None:
    found = load_experiment("parallel-simulated")
    for number, case in enumerate(found.cases(0, 2)):
        depth = (9, 4)[number]
        one = found.measure(case, found.baseline, depth)
        for method, network in (("ybwc", "cluster"), ("aphid", SHARED), ("ybwc, queue", SHARED)):
            chosen = found.variation(parallel_simulated.name_of(method, 64, network))
            many = found.measure(case, chosen, depth)
            assert many == found.measure(case, chosen, depth)
            assert many["value"] == one["value"]
            parts = sum(many[part] for part in ("work", "idle", *parallel_simulated.PARTS))
            assert parts == pytest.approx(64 * many["elapsed"], rel=0.1)


# The comparison of both


def estimated(estimate: Estimate | None) -> float:
    assert estimate is not None
    return estimate.value


def validation_data(**changed: Values) -> Data:
    """Return three positions, each measured twice: the same search, three times as large."""
    own = parallel_validation.OWN
    figures = {
        parallel_validation.ONE: {own: 10.0, "nodes": 1000.0},
        parallel_validation.PAIR: {own: 11.0, "nodes": 1000.0},
        parallel_validation.measured("ybwc"): account(1200, 0.0) | {own: 6.6, "cores": 2},
        parallel_validation.ONE_SIMULATED: {"elapsed": 9.5},
        parallel_validation.simulated("ybwc"): {"elapsed": 5.7},
    }
    made = [
        Measurement(case, name, 21, repeat, {key: value * (1 + case) for key, value in row.items()})
        for case in range(3)
        for repeat in range(2)
        for name, row in (figures | changed).items()
    ]
    return Data(made, tuple(figures))


def test_simulated_speed_ups_are_compared_with_measured_ones() -> None:
    data = validation_data()
    assert estimated(parallel_validation.slowdown(data, 21)) == pytest.approx(1.1)
    gain = estimated(parallel_validation.measured_gain(data, "ybwc", 21))
    assert gain == pytest.approx(10 / 6.6)
    agreement = parallel_validation.agreement(data, "ybwc", 21)
    assert estimated(agreement) == pytest.approx((9.5 / 5.7) / (10 / 6.6))


def test_the_account_takes_the_time_of_nodes_from_the_threads() -> None:
    # 1,100 nodes by recursion take 11 ms each, 100 near the root 0.6 s, and 0.5 s pass by waiting.
    parts = {"recursion": 12.1, "recursion_nodes": 1100.0, "near_root": 0.6, "waiting": 0.5}
    row = account(1200, 0.0, **parts) | {parallel_validation.OWN: 6.6, "cores": 2}
    data = validation_data(**{parallel_validation.measured("ybwc"): row})
    assert estimated(parallel_validation.slower_nodes(data, "ybwc", 21)) == pytest.approx(1.1)
    assert estimated(parallel_validation.residual(data, "ybwc", 21)) == pytest.approx(0.0, abs=1e-9)
    late = row | {parallel_validation.OWN: 6.6 * 1.25}
    data = validation_data(**{parallel_validation.measured("ybwc"): late})
    assert estimated(parallel_validation.residual(data, "ybwc", 21)) == pytest.approx(25.0)


def test_the_account_of_older_runs_takes_it_from_two_searches_at_once() -> None:
    # 1,200 nodes at 11 ms are 13.2 seconds of two threads: 6.6 seconds.
    exact = parallel_validation.residual(validation_data(), "ybwc", 21)
    assert estimated(exact) == pytest.approx(0.0, abs=1e-9)
    slow = account(1200, 0.0) | {parallel_validation.OWN: 6.6 * 1.25, "cores": 2}
    data = validation_data(**{parallel_validation.measured("ybwc"): slow})
    assert estimated(parallel_validation.residual(data, "ybwc", 21)) == pytest.approx(25.0)


def test_the_time_of_one_thread_is_predicted_from_the_other_positions() -> None:
    data = validation_data()
    assert estimated(parallel_validation.prediction_error(data, 21)) == pytest.approx(0.0, abs=1e-9)
    own, rows = parallel_validation.OWN, (10.0, 10.0, 20.0)
    made = [
        Measurement(case, parallel_validation.ONE, 21, 0, {own: seconds, "nodes": 1000.0})
        for case, seconds in enumerate(rows)
    ]
    # The first two are predicted as 15, the last one as 10.
    found = parallel_validation.prediction_error(Data(made, (parallel_validation.ONE,)), 21)
    assert estimated(found) == pytest.approx((50 + 50 + 50) / 3)


def test_only_real_threads_are_threads() -> None:
    found = load_experiment("parallel-validation")
    threaded = {one.name for one in found.variations if found.uses_threads(one)}
    methods = parallel_validation.METHODS
    assert threaded == {parallel_validation.PAIR, *map(parallel_validation.measured, methods)}
    assert not found.uses_threads(Variation("one", extra={"kind": "threads", "threads": 1}))


@pytest.mark.long
def test_all_kinds_of_searches_are_measured() -> None:
    found = load_experiment("parallel-validation")
    for number, case in enumerate(found.cases(0, 2)):
        rows = [found.measure(case, one, (9, 4)[number]) for one in found.variations]
        assert all(("seconds" in row) != ("elapsed" in row) for row in rows)
    hex5 = load_experiment("parallel-hex:5")
    case = hex5.cases(0, 1)[0]
    one = hex5.measure(case, hex5.baseline, 4)
    for variation in hex5.variations:
        row = hex5.measure(case, variation, 4)
        assert row["value"] == one["value"]
        assert ("thread_seconds" in row) == hex5.uses_threads(variation)
