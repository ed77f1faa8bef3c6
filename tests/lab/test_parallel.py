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
from plyforge.lab.parallel import METHODS, THREADS, configurations, parallel_names
from plyforge.lab.parallel_report import AGAIN, ONE, OVERHEADS, lost_time, name_of, tables
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


def test_every_method_is_measured_with_every_number_of_threads_and_one_thread_twice() -> None:
    names = [one.name for one in configurations()]
    assert names[0] == ONE
    assert names[-1] == AGAIN
    assert names[1:-1] == [name_of(method, n) for n in THREADS for method in METHODS]
    queue = next(one for one in configurations() if one.name == name_of("ybwc, queue", 4))
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
    outside=st.floats(0, 0.3),
    threads=st.integers(2, 8),
)  # fmt: skip
def test_the_account_adds_up_to_the_lost_time(
    searches: list[tuple[float, float, int, int]],
    shares: list[float],
    outside: float,
    threads: int,
) -> None:
    rows = []
    for base, mine, base_nodes, nodes in searches:
        total = threads * mine * (1 - outside)
        parts = {name: part * total for name, part in zip(OVERHEADS, shares, strict=True)}
        row = account(nodes, mine, thread_seconds=total, **parts)
        rows.append((row, one_thread(base, base_nodes)))
    lost = lost_time(rows, threads)
    assert lost is not None
    one, all_threads = (sum(search[place] for search in searches) for place in (0, 1))
    assert lost.total == pytest.approx(threads * all_threads / one)
    assert lost.rest == pytest.approx(outside * lost.total, abs=1e-9 * lost.total)
    assert sum(lost.parts.values()) == pytest.approx(lost.total)


def test_the_parts_of_an_account_are_what_they_are_called() -> None:
    # Ten seconds with one thread; two threads visit a tenth more nodes, each of which takes a
    # twentieth longer, and wait for two seconds together.
    search = 10 * 1.1 * 1.05
    row = account(1100, (search + 2) / 2, thread_seconds=search + 2, waiting=2.0)
    lost = lost_time([(row, one_thread(10))], 2)
    assert lost is not None
    assert (lost.nodes, lost.slower) == (pytest.approx(1.1), pytest.approx(1.05))
    assert lost.overheads == (pytest.approx(0.2), 0, 0, 0)
    assert lost.total == pytest.approx(1.1 * 1.05 + 0.2)
    assert lost.parts["slower nodes"] == pytest.approx(1.1 * 0.05)


def measurements(one: float, two: float, nodes: float = 1100) -> Iterator[Measurement]:
    for case in range(POSITIONS):
        scale = 1 + 0.01 * case
        yield Measurement(case, ONE, 9, 0, one_thread(one * scale))
        for method in ("ybwc", "root-split", "pv-split"):
            longer = 1.0 if method == "ybwc" else 1.2
            row = account(nodes, two * scale**1.1 * longer)
            yield Measurement(case, name_of(method, 2), 9, 0, row)


def verdicts(found: Experiment, made: Iterator[Measurement]) -> list[str]:
    return [one.verdict for one in judge_claims(found.claims, found.data([*made]))]


def test_bars_are_judged_on_long_searches() -> None:
    found = load_experiment("parallel-chess")
    assert verdicts(found, measurements(12, 7)) == ["reproduced"] * 6
    assert verdicts(found, measurements(12, 7.8))[:2] == ["reproduced", "refuted"]
    assert verdicts(found, measurements(12, 7, nodes=1300))[2] == "refuted"
    assert verdicts(found, measurements(9, 5)) == ["not measured"] * 6


def test_a_report_has_its_tables_and_charts() -> None:
    found = load_experiment("parallel-chess")
    data = found.data([*measurements(12, 7)])
    speed, sums, shares = tables(data, found.variations)
    assert [row[0] for row in speed.rows] == [name_of(m, 2) for m in METHODS if m in speed_rows()]
    assert sums.headings[1] == "threads / speed-up"
    assert len(shares.rows) == len(sums.rows) == 3
    for chart in found.charts(data):
        assert plot_chart(chart).axes[0].get_title(loc="left") == chart.title
    stacked = found.charts(data)[1]
    assert stacked.stacked
    total = sum(series.y[0] for series in stacked.series)
    assert total == pytest.approx(float(sums.rows[0][1]), abs=1e-3)


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
    assert (state.repeated, state.total, state.holds) == (POSITIONS, POSITIONS, True)
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
    parts = dict.fromkeys(("splitting", "joining", "messages"), 0.0)
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
    assert len(found.tables(data)) == 10  # type: ignore[misc]
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
        for method, network in (("ybwc", "cluster"), ("pv-split", SHARED), ("ybwc, queue", SHARED)):
            chosen = found.variation(parallel_simulated.name_of(method, 16, network))
            many = found.measure(case, chosen, depth)
            assert many == found.measure(case, chosen, depth)
            assert many["value"] == one["value"]
            parts = sum(many[part] for part in ("work", "idle", *parallel_simulated.PARTS))
            assert parts == pytest.approx(16 * many["elapsed"], rel=0.1)


# The comparison of both


def test_the_simulation_is_compared_with_nodes_as_slow_as_beside_another_search() -> None:
    figures = {
        parallel_validation.ONE: {"seconds": 10.0},
        parallel_validation.PAIR: {"seconds": 11.0},
        parallel_validation.measured("ybwc"): {"seconds": 6.6},
        parallel_validation.ONE_SIMULATED: {"elapsed": 9.5},
        parallel_validation.simulated("ybwc"): {"elapsed": 5.7},
    }
    made = [
        Measurement(case, name, 21, 0, {key: value * (1 + case) for key, value in row.items()})
        for case in range(3)
        for name, row in figures.items()
    ]
    data = Data(made, tuple(figures))

    def value(estimate: Estimate | None) -> float:
        assert estimate is not None
        return estimate.value

    assert value(parallel_validation.predicted_time(data, 21)) == pytest.approx(0.95)
    assert value(parallel_validation.slowdown(data, 21)) == pytest.approx(1.1)
    assert value(parallel_validation.measured_gain(data, "ybwc", 21)) == pytest.approx(10 / 6.6)
    alone = parallel_validation.agreement(data, "ybwc", 21, alone=True)
    assert value(alone) == pytest.approx((9.5 / 5.7) / (10 / 6.6))
    assert value(parallel_validation.agreement(data, "ybwc", 21)) == pytest.approx(1.0)


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
