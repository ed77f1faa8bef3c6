"""`plyforge lab run` and `lab ablate`: run an experiment and print its findings."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.engine.limits import validate_depth
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.executors import ExecutorOptions
from plyforge.interfaces.cli.lab_report import print_findings
from plyforge.interfaces.cli.progress import Progress
from plyforge.jobs.choosing import LOCAL
from plyforge.jobs.executor import Executor
from plyforge.jobs.local import local_executor
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
    workers: ExecutorOptions
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


def experiment_executor(experiment: Experiment, options: RunOptions) -> Executor:
    """Return the executor for an experiment; one whose searches use threads has no processes."""
    workers = options.workers
    if not experiment.one_at_a_time:
        return workers.choose(allow_zero=True)
    what = f"{experiment.name} measures searches with several threads, one at a time"
    if workers.jobs is not None and workers.jobs > 1:
        raise PlyforgeError(f"{what}; --jobs must be 0 or 1, not {workers.jobs}")
    if workers.name != LOCAL:
        raise PlyforgeError(f"{what} on this machine; --executor must be {LOCAL}")
    return local_executor(workers.jobs or 0)


def run_and_report(experiment: Experiment, options: RunOptions) -> None:
    """Run with a progress display, then print the findings; also after an interrupt."""
    scale = options.scale(experiment)
    executor = experiment_executor(experiment, options)
    with LabStore(options.db) as store:
        stored = store.run(experiment, options.seed)
        steps = run_experiment(experiment, scale, store, stored, options.seed, executor)
        complete = run_with_progress(steps, store, executor)
        if not complete and not store.count(stored):
            raise KeyboardInterrupt
        print_findings(experiment, store, stored, options.json, interrupted=not complete)
    if not complete:
        exits.finish(exits.INTERRUPTED)


def run_with_progress(
    steps: Generator[tuple[int, int], None, None], store: LabStore, executor: Executor
) -> bool:
    """Run the experiment, and return whether it was completed."""
    try:
        with Progress("measurements", executor) as progress:
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
