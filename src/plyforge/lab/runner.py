"""Runs an experiment: every measurement once, in processes, stored as it is made."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plyforge.core.crew import Crew, Report
from plyforge.core.errors import PlyforgeError
from plyforge.lab.ablate import PREFIX, ablation
from plyforge.lab.cases import Case
from plyforge.lab.data import Measurement
from plyforge.lab.experiment import Experiment, experiment
from plyforge.lab.measuring import measured, opened
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
    number: int
    case: Case
    variation: str
    depth: int
    repeat: int

    @property
    def key(self) -> tuple[int, str, int, int]:
        return self.number, self.variation, self.depth, self.repeat


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
    if times < 1:
        raise PlyforgeError(f"{times} repeats: give at least 1")
    return Scale(count, tuple(own[1] if depths is None else depths), times)


def jobs(found: Experiment, scale: Scale, seed: int) -> list[Job]:
    """All measurements: shallow ones first, and configurations in turn at every position.

    So a run that is broken off has whole depths, and what slows the machine for a while slows all
    configurations alike.
    """
    cases = found.cases(seed, scale.positions)
    return [
        Job(found.reference, number, case, variation.name, depth, repeat)
        for depth in scale.depths
        for number, case in enumerate(cases)
        for repeat in range(scale.repeats)
        for variation in found.variations
        if found.wanted(number, variation, depth)
    ]


def prepare(found: Experiment, todo: Sequence[Job]) -> None:
    """Compile what the processes will need, once, before they all want it.

    Where an experiment measures in its own way, the first measurement of a game shows what.
    """
    seen = set()
    for job in todo:
        variation = found.variation(job.variation)
        kind = (job.case.game, str(variation.evaluation))
        if kind in seen:
            continue
        seen.add(kind)
        if found.measure is measured:
            opened(job.case, variation)
        else:
            found.measure(job.case, variation, job.depth)


def run(
    found: Experiment, scale: Scale, store: LabStore, number: Run, seed: int, processes: int
) -> Iterator[tuple[int, int]]:
    """Make what is missing; tells after each how many are made, and of how many."""
    store.claim()
    there = {
        (made.case, made.variation, made.depth, made.repeat) for made in store.measurements(number)
    }
    todo = jobs(found, scale, seed)
    done = sum(job.key in there for job in todo)
    yield done, len(todo)
    missing = [job for job in todo if job.key not in there]
    prepare(found, missing)
    for answer in Crew(measure, processes).run(missing):
        if answer.failure is not None:
            raise PlyforgeError(
                f"{answer.job.variation} at depth {answer.job.depth}, position"
                f" {answer.job.number}: {answer.failure} {answer.detail}"
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


_known: dict[str, Experiment] = {}


def measure(job: Job, report: Report) -> dict[str, float]:
    """Make a measurement, in whatever process."""
    if job.reference not in _known:
        _known[job.reference] = named(job.reference)
    found = _known[job.reference]
    return found.measure(job.case, found.variation(job.variation), job.depth)
