"""Repeated measurements are compared with those of a run."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.lab import raw_figures
from plyforge.lab.catalog import load_experiment
from plyforge.lab.data import Measurement
from plyforge.lab.experiment import Experiment
from plyforge.lab.verify import Verification, verify

RESULTS = Path(__file__).parents[2] / "docs" / "results"
NAME = "fail-soft"


@pytest.fixture
def committed() -> list[Measurement]:
    """The committed figures of one position at the smallest depth."""
    made = raw_figures.read(NAME, RESULTS, 0)
    depth = min(m.depth for m in made)
    chosen = [m for m in made if (m.case, m.depth, m.repeat) == (0, depth, 0)]
    assert len(chosen) > 1
    return chosen


def last_state(experiment: Experiment, made: list[Measurement], **options) -> Verification:
    return list(verify(experiment, 0, made, **options))[-1]


def test_committed_counts_are_found_again(committed: list[Measurement]) -> None:
    state = last_state(load_experiment(NAME), committed)
    assert (state.repeated, state.total, state.holds) == (len(committed), len(committed), True)
    assert state.max_share == 0


def test_a_different_count_is_reported(committed: list[Measurement]) -> None:
    nodes = int(committed[0].values["nodes"])
    committed[0] = replace(committed[0], values={**committed[0].values, "nodes": nodes + 1})
    state = last_state(load_experiment(NAME), committed)
    assert not state.holds
    assert [one.changes for one in state.differences] == [(f"nodes {nodes + 1} is now {nodes}",)]


@pytest.fixture
def made(toy: Experiment, complete_run) -> list[Measurement]:
    return complete_run(toy)


def test_times_and_figures_without_a_record_are_not_compared(toy, made) -> None:
    fewer = [replace(m, values={"count": m.values["count"], "seconds": 1e9}) for m in made]
    assert last_state(toy, fewer).holds


def test_a_figure_that_is_no_longer_measured_differs(toy, made) -> None:
    other = [replace(made[0], values={"lost": 1})]
    assert last_state(toy, other).differences[0].changes == ("lost 1 is now missing",)


def test_positions_come_from_the_seed_of_the_run(toy, complete_run) -> None:
    made = complete_run(toy, seed=3)
    assert list(verify(toy, 3, made))[-1].holds
    assert len(list(verify(toy, 4, made))[-1].differences) == len(made)


def test_a_sample_depends_on_its_seed_and_has_its_share(toy, made) -> None:
    wrong = [replace(m, values={**m.values, "count": -1.0}) for m in made]

    def sample(seed: int) -> list[tuple]:
        state = last_state(toy, wrong, share=0.2, seed=seed)
        assert state.repeated == state.planned == round(0.2 * len(made))
        return [one.measurement.key for one in state.differences]

    assert sample(1) == sample(1)
    assert len(set(sample(1))) == len(sample(1))
    assert sample(1) != sample(2)


def test_time_limits_a_sample(toy, made, monkeypatch) -> None:
    ticks = iter(range(1000))
    # Not `time.monotonic` itself, by which servers in other threads wait.
    clock = SimpleNamespace(monotonic=lambda: float(next(ticks)))
    monkeypatch.setattr("plyforge.lab.verify.time", clock)
    assert last_state(toy, made, seconds=3.0).repeated == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"share": 0.0}, "share must be above 0 % and at most 100 %, not 0 %"),
        ({"share": 1.5}, "not 150 %"),
        ({"seconds": 0.0}, "seconds must be above 0, not 0"),
    ],
)
def test_an_impossible_sample_is_refused(toy, made, options, message) -> None:
    with pytest.raises(PlyforgeError, match=message):
        last_state(toy, made, **options)


def test_a_run_of_another_experiment_is_refused(toy, made) -> None:
    with pytest.raises(PlyforgeError, match="no longer has the configuration 'gone'"):
        last_state(toy, [replace(made[0], variation="gone")])
    with pytest.raises(PlyforgeError, match="no measurements"):
        last_state(toy, [])


@pytest.mark.parametrize("repeated", [1, 5, 20, 300])
def test_the_greatest_share_that_may_differ_is_an_exact_bound(repeated: int) -> None:
    share = Verification(10_000, repeated, repeated).max_share
    assert (1 - share) ** repeated == pytest.approx(0.05)
    assert Verification(10, 10, 0).max_share == 1
