"""The toy experiment as a user's file, and its runs."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from plyforge.jobs.local import local_executor
from plyforge.lab.catalog import load_experiment
from plyforge.lab.data import Measurement
from plyforge.lab.experiment import Experiment
from plyforge.lab.report import Report
from plyforge.lab.runner import choose_scale, run_experiment
from plyforge.lab.store import LabStore

TOY = Path(__file__).with_name("toy.py")


@pytest.fixture
def toy_file(tmp_path: Path) -> Path:
    """A copy in its own folder, like a user's experiment."""
    folder = tmp_path / "a user's folder"
    folder.mkdir()
    return Path(shutil.copy(TOY, folder / "toy.py"))


@pytest.fixture
def toy(toy_file: Path) -> Experiment:
    return load_experiment(str(toy_file))


@pytest.fixture
def store(tmp_path: Path) -> LabStore:
    with LabStore(tmp_path / "lab.db") as open_store:
        yield open_store


Runner = Callable[..., list[Measurement]]


@pytest.fixture
def complete_run(store: LabStore) -> Runner:
    """A function that runs an experiment and returns all its stored measurements."""

    def complete(
        experiment: Experiment, seed: int = 0, jobs: int = 0, **scale
    ) -> list[Measurement]:
        number = store.run(experiment, seed)
        for _ in run_experiment(
            experiment, choose_scale(experiment, **scale), store, number, seed, local_executor(jobs)
        ):
            pass
        return store.measurements(number)

    return complete


@pytest.fixture
def report(toy: Experiment, store: LabStore, complete_run: Runner) -> Report:
    made = complete_run(toy, positions=4)
    return Report(toy, store.runs()[-1], made)
