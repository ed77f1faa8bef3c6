"""Run experiments: measure in worker processes, and store each measurement at once."""

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain

from plyforge.core.errors import PlyforgeError
from plyforge.engine import Engine
from plyforge.engine.limits import validate_depth
from plyforge.games import game_file, load
from plyforge.jobs.executor import Executor, Report, run_jobs
from plyforge.jobs.local import local_executor
from plyforge.jobs.user_files import UserFile, file_names, files_fingerprint, read_available
from plyforge.lab.ablate import PREFIX
from plyforge.lab.cases import Case
from plyforge.lab.catalog import find_experiment
from plyforge.lab.data import FIGURES, Measurement
from plyforge.lab.experiment import Experiment
from plyforge.lab.experimentfile import place_of_text, unknown_metric
from plyforge.lab.fixed_defaults import engine_options
from plyforge.lab.measuring import measure_search
from plyforge.lab.store import LabStore, Run
from plyforge.search.hashtable import MIN_ENTRIES


@dataclass(frozen=True)
class Scale:
    """The size of a run."""

    positions: int
    depths: tuple[int, ...]
    repeats: int = 1


@dataclass(frozen=True)
class Job:
    """One measurement to make; with the files of the run, this is all that a worker needs."""

    reference: str
    digest: str
    number: int
    case: Case
    variation: str
    depth: int
    repeat: int

    @property
    def key(self) -> tuple[int, str, int, int]:
        return self.number, self.variation, self.depth, self.repeat

    def __str__(self) -> str:
        position = self.case.label or f"position {self.number + 1}"
        return f"{self.variation} at depth {self.depth}, {position}"


def choose_scale(
    experiment: Experiment,
    positions: int | None = None,
    depths: Sequence[int] | None = None,
    repeats: int | None = None,
    quick: bool = False,
) -> Scale:
    """Return the scale of a run: the experiment's defaults with changes, validated."""
    defaults = experiment.quick if quick else (experiment.positions, experiment.depths)
    count = defaults[0] if positions is None else positions
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise PlyforgeError(f"positions must be an integer of at least 1, not {count!r}")
    timings = experiment.repeats if repeats is None else repeats
    if isinstance(timings, bool) or not isinstance(timings, int) or timings < 1:
        raise PlyforgeError(f"repeats must be an integer of at least 1, not {timings!r}")
    chosen = tuple(defaults[1] if depths is None else depths)
    return Scale(count, tuple(dict.fromkeys(validate_depth(depth) for depth in chosen)), timings)


def list_jobs(experiment: Experiment, scale: Scale, seed: int) -> list[Job]:
    """List all measurements by depth, then by position; configurations alternate.

    An interrupted run then has complete depths, and a short slowdown of the machine affects all
    configurations alike.
    """
    cases = experiment.cases(seed, scale.positions)[: scale.positions]
    if not cases:
        raise PlyforgeError(f"{experiment.reference}: 'cases' returns no positions")
    return [
        Job(experiment.reference, experiment.digest, number, case, variation.name, depth, repeat)
        for depth in scale.depths
        for number, case in enumerate(cases)
        for repeat in range(scale.repeats)
        for variation in experiment.variations
        if experiment.wanted(number, variation, depth)
    ]


def one_job_per_kernel(experiment: Experiment, todo: Sequence[Job]) -> list[Job]:
    """Return jobs that together need every kernel, to compile each only once."""
    chosen: dict[tuple[str, str], Job] = {}
    for job in todo:
        evaluation = experiment.variation(job.variation).evaluation
        chosen.setdefault((job.case.game, str(evaluation)), job)
    return list(chosen.values())


def find_user_files(experiment: Experiment, todo: Sequence[Job]) -> list[UserFile]:
    """Read the files of the user that jobs name: the experiment's, and those of games and options.

    One that cannot be read is left out: a measurement that needs it reports the error.
    """
    reference = "" if experiment.reference.startswith(PREFIX) else experiment.reference
    names = [*file_names(reference), *chain(*(one.files() for one in experiment.variations))]
    for game in dict.fromkeys(job.case.game for job in todo):
        with suppress(PlyforgeError):
            names += [name for name in (game_file(game),) if name is not None]
    return read_available(names)


def run_experiment(
    experiment: Experiment,
    scale: Scale,
    store: LabStore,
    stored: Run,
    seed: int,
    executor: Executor | None = None,
) -> Generator[tuple[int, int], None, None]:
    """Make the missing measurements; yield how many are done, and the total, each time."""
    executor = local_executor() if executor is None else executor
    store.claim()
    known = {measurement.key for measurement in store.measurements(stored)}
    every_job = list_jobs(experiment, scale, seed)
    done = sum(job.key in known for job in every_job)
    missing = [job for job in every_job if job.key not in known]
    files = find_user_files(experiment, missing)
    own_file = experiment.reference.endswith(".py")
    if own_file and experiment.measure is measure_search:
        check_variations(missing, experiment)
    yield done, len(every_job)
    first = one_job_per_kernel(experiment, missing) if executor.workers > 1 else []
    rest = [job for job in missing if job not in first]
    results = chain(
        run_jobs(executor, measure, first, files, limit=1),
        run_jobs(executor, measure, rest, files),
    )
    for result in results:
        if result.failure is not None:
            raise PlyforgeError(
                f"{result.job}: the measurement {result.failure}: {result.detail.strip()};"
                f" {store.resume_hint}"
            )
        job = result.job
        measurement = Measurement(job.number, job.variation, job.depth, job.repeat, result.result)
        store.add(stored, measurement)
        done += 1
        yield done, len(every_job)
    if own_file:
        check_metrics(experiment, store.measurements(stored))


def check_metrics(experiment: Experiment, measurements: Iterable[Measurement]) -> None:
    """Raise an error for a name in METRICS that no measurement has."""
    known = dict.fromkeys(name for one in measurements for name in one.values)
    for name, _ in experiment.metrics:
        if known and name not in known and name not in FIGURES:
            raise unknown_metric(experiment.reference, name, known)


def check_variations(jobs: Sequence[Job], experiment: Experiment) -> None:
    """Raise an error for wrong options of any configuration, before the first is measured."""
    for variation in experiment.variations:
        job = next((job for job in jobs if job.variation == variation.name), None)
        if job is not None:
            with _name_errors(job):
                game = load(job.case.game)
                Engine(game, **{**engine_options(game, variation), "entries": MIN_ENTRIES})


_experiments: dict[tuple[str, str, str], Experiment] = {}


def measure(job: Job, report: Report) -> dict[str, float]:
    """Make a measurement, in any process."""
    with _name_errors(job):
        key = job.reference, job.digest, files_fingerprint()
        if key not in _experiments:
            _experiments[key] = find_experiment(job.reference)
        experiment = _experiments[key]
        if experiment.digest != job.digest:
            raise PlyforgeError(
                f"{job.reference} has changed since it was loaded, or differs on another machine;"
                " run the same command to start a new run"
            )
        return experiment.measure(job.case, experiment.variation(job.variation), job.depth)


@contextmanager
def _name_errors(job: Job) -> Iterator[None]:
    """Add the name of the measurement to errors."""
    try:
        yield
    except PlyforgeError as error:
        raise PlyforgeError(f"{_place(job, str(error))}{job}: {error}") from error


def _place(job: Job, message: str) -> str:
    """Return the line of the experiment's file that has the word that an error is about."""
    word = re.search(r"'([^']+)'", message)
    if not job.reference.endswith(".py") or word is None or job.reference in message:
        return ""
    place = place_of_text(job.reference, word[1])
    return "" if place == job.reference else f"{place}: "
