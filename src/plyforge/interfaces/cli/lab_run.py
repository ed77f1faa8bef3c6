"""`plyforge lab run` and `lab ablate`: run an experiment and print its findings."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.engine.limits import validate_depth
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.executors import choose_executor
from plyforge.interfaces.cli.lab_report import print_findings
from plyforge.interfaces.cli.progress import Progress
from plyforge.lab.experiment import Experiment
from plyforge.lab.runner import Scale, choose_scale, run_experiment
from plyforge.lab.store import LabStore

_MAX_DEPTHS: Final = 1000


@dataclass(frozen=True)
class RunOptions:
    """The options of a run, as typed."""

    seed: int
    positions: int | None
    depths: str | None
    repeats: int | None
    jobs: int | None
    quick: bool
    db: str
    json: bool

    def scale(self, experiment: Experiment) -> Scale:
        depths = None if self.depths is None else read_depths(self.depths)
        return choose_scale(experiment, self.positions, depths, self.repeats, self.quick)


def read_depths(text: str) -> tuple[int, ...]:
    """Read `8-13`, `4,6,8` or `6`.

    >>> read_depths("2-4,8")
    (2, 3, 4, 8)
    """
    depths: list[int] = []
    try:
        for part in text.split(","):
            low, dash, high = part.partition("-")
            first, last = int(low), int(high if dash else low)
            if not first <= last <= first + _MAX_DEPTHS:
                raise ValueError
            depths += range(first, last + 1)
    except ValueError:
        raise PlyforgeError(f"--depths '{clip(text)}': use a form like 8-13 or 4,6,8") from None
    return tuple(validate_depth(depth) for depth in dict.fromkeys(depths))


def allowed_jobs(experiment: Experiment, jobs: int | None) -> int | None:
    """Return the number of processes for an experiment; one whose searches use threads has none."""
    if not experiment.one_at_a_time:
        return jobs
    if jobs is not None and jobs > 1:
        raise PlyforgeError(
            f"{experiment.name} measures searches with several threads, one at a time; --jobs must"
            f" be 0 or 1, not {jobs}"
        )
    return jobs or 0


def run_and_report(experiment: Experiment, options: RunOptions) -> None:
    """Run with a progress display, then print the findings; also after an interrupt."""
    scale = options.scale(experiment)
    executor = choose_executor(allowed_jobs(experiment, options.jobs), allow_zero=True)
    with LabStore(options.db) as store:
        stored = store.run(experiment, options.seed)
        steps = run_experiment(experiment, scale, store, stored, options.seed, executor)
        complete = run_with_progress(steps, store)
        if not complete and not store.count(stored):
            raise KeyboardInterrupt
        print_findings(experiment, store, stored, options.json, interrupted=not complete)
    if not complete:
        exits.finish(exits.INTERRUPTED)


def run_with_progress(steps: Generator[tuple[int, int], None, None], store: LabStore) -> bool:
    """Run the experiment, and return whether it was completed."""
    try:
        with Progress("measurements") as progress:
            done, total = next(steps)
            if done:
                present = f"{done:,} of {total:,} measurements"
                progress.print(f"{present} are already stored in {store.file}")
            progress.start(total, done)
            for done, _ in steps:
                progress.update(done)
    except KeyboardInterrupt:
        return False
    finally:
        steps.close()
    return True
