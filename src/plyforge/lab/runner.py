"""Runs an experiment: every measurement once, in processes, stored as it is made."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain

from plyforge.core.errors import PlyforgeError
from plyforge.engine.limits import validate_depth
from plyforge.jobs.pool import ProcessPool, Report
from plyforge.lab.ablate import PREFIX, ablation
from plyforge.lab.cases import Case
from plyforge.lab.data import Measurement
from plyforge.lab.experiment import Experiment, experiment
from plyforge.lab.store import LabStore, Run


@dataclass(frozen=True)
class Scale:
    """How much of an experiment is run."""

    positions: int
    depths: tuple[int, ...]
    repeats: int = 1


@dataclass(frozen=True)
class Job:
    """A measurement to be made."""

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


def scaled(
    found: Experiment,
    positions: int | None = None,
    depths: Sequence[int] | None = None,
    repeats: int | None = None,
    quick: bool = False,
) -> Scale:
    """The experiment's own scale with changes; every wrong number shows here."""
    own = found.quick if quick else (found.positions, found.depths)
    count = own[0] if positions is None else positions
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise PlyforgeError(f"{count!r} positions: give a whole number, at least 1")
    times = found.repeats if repeats is None else repeats
    if isinstance(times, bool) or not isinstance(times, int) or times < 1:
        raise PlyforgeError(f"{times!r} repeats: give a whole number, at least 1")
    plies = tuple(own[1] if depths is None else depths)
    return Scale(count, tuple(dict.fromkeys(validate_depth(depth) for depth in plies)), times)


def jobs(found: Experiment, scale: Scale, seed: int) -> list[Job]:
    """All measurements: shallow ones first, and configurations in turn at every position.

    So a run that is broken off has whole depths, and what slows the machine for a while slows all
    configurations alike.
    """
    cases = found.cases(seed, scale.positions)[: scale.positions]
    if not cases:
        raise PlyforgeError(f"{found.reference}: 'cases' gives no positions")
    return [
        Job(found.reference, found.digest, number, case, variation.name, depth, repeat)
        for depth in scale.depths
        for number, case in enumerate(cases)
        for repeat in range(scale.repeats)
        for variation in found.variations
        if found.wanted(number, variation, depth)
    ]


def first_of_each_kind(found: Experiment, todo: Sequence[Job]) -> list[Job]:
    """Jobs that between them need every kernel: to be done before many processes want them."""
    chosen: dict[tuple[str, str], Job] = {}
    for job in todo:
        evaluation = found.variation(job.variation).evaluation
        chosen.setdefault((job.case.game, str(evaluation)), job)
    return list(chosen.values())


def run(
    found: Experiment, scale: Scale, store: LabStore, number: Run, seed: int, processes: int
) -> Generator[tuple[int, int], None, None]:
    """Make what is missing; tells how many are made, and of how many: at first, and after each."""
    store.claim()
    there = {
        (made.case, made.variation, made.depth, made.repeat) for made in store.measurements(number)
    }
    todo = jobs(found, scale, seed)
    done = sum(job.key in there for job in todo)
    missing = [job for job in todo if job.key not in there]
    yield done, len(todo)
    first = first_of_each_kind(found, missing) if processes > 1 else []
    rest = [job for job in missing if job not in first]
    answers = chain(
        ProcessPool(measure, min(1, processes)).run(first),
        ProcessPool(measure, processes).run(rest),
    )
    for answer in answers:
        if answer.failure is not None:
            raise PlyforgeError(
                f"{answer.job}: the measurement {answer.failure}: {answer.detail.strip()};"
                f" {store.resume_hint}"
            )
        job = answer.job
        made = Measurement(job.number, job.variation, job.depth, job.repeat, answer.result)
        store.add(number, made)
        done += 1
        yield done, len(todo)


def named(reference: str) -> Experiment:
    """An experiment, or the ablation of a game, by what names it."""
    if reference.startswith(PREFIX):
        return ablation(reference.removeprefix(PREFIX))
    return experiment(reference)


_known: dict[tuple[str, str], Experiment] = {}


def measure(job: Job, report: Report) -> dict[str, float]:
    """Make a measurement, in whatever process."""
    with _naming(job):
        key = job.reference, job.digest
        if key not in _known:
            _known[key] = named(job.reference)
        found = _known[key]
        if found.digest != job.digest:
            raise PlyforgeError(
                f"{job.reference} was changed while it ran; the same command begins a new run of it"
            )
        return found.measure(job.case, found.variation(job.variation), job.depth)


@contextmanager
def _naming(job: Job) -> Iterator[None]:
    """Errors that say which measurement they belong to."""
    try:
        yield
    except PlyforgeError as error:
        raise PlyforgeError(f"{job}: {error}") from error
