"""`plyforge lab run` and `lab ablate`: from the command's options to a run and its verdicts."""

from dataclasses import dataclass
from typing import Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.engine.limits import validate_depth
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.lab_report import print_verdicts
from plyforge.interfaces.cli.progress import Progress
from plyforge.jobs.pool import usable_cores
from plyforge.lab.experiment import Experiment
from plyforge.lab.runner import Scale, run, scaled
from plyforge.lab.store import LabStore, Run

_MAX_DEPTHS: Final = 1000


@dataclass(frozen=True)
class RunOptions:
    """The options of a run, as they were typed."""

    seed: int
    positions: int | None
    depths: str | None
    repeats: int | None
    jobs: int | None
    quick: bool
    db: str
    json: bool

    @property
    def processes(self) -> int:
        return usable_cores() if self.jobs is None else self.jobs

    def scale(self, found: Experiment) -> Scale:
        depths = None if self.depths is None else read_depths(self.depths)
        return scaled(found, self.positions, depths, self.repeats, self.quick)


def read_depths(text: str) -> tuple[int, ...]:
    """`8-13`, `4,6,8` or `6`.

    >>> read_depths("2-4,8")
    (2, 3, 4, 8)
    """
    found: list[int] = []
    try:
        for part in text.split(","):
            low, dash, high = part.partition("-")
            first, last = int(low), int(high if dash else low)
            if not first <= last <= first + _MAX_DEPTHS:
                raise ValueError
            found += range(first, last + 1)
    except ValueError:
        raise PlyforgeError(f"--depths '{clip(text)}': write 8-13, or 4,6,8") from None
    return tuple(validate_depth(depth) for depth in dict.fromkeys(found))


def run_and_tell(found: Experiment, options: RunOptions) -> None:
    """Run, with progress, then print the verdicts; an interrupt keeps what is done."""
    scale = options.scale(found)
    with LabStore(options.db) as store:
        number = store.run(found, options.seed)
        ended = _ended(found, scale, store, number, options)
        if not ended and not store.count(number):
            raise KeyboardInterrupt
        print_verdicts(found, store, number, options.json, interrupted=not ended)
    if not ended:
        exits.finish(exits.INTERRUPTED)


def _ended(
    found: Experiment, scale: Scale, store: LabStore, number: Run, options: RunOptions
) -> bool:
    """Whether the run came to its end."""
    running = run(found, scale, store, number, options.seed, options.processes)
    try:
        with Progress("measurements") as progress:
            done, total = next(running)
            if done:
                stored = f"{done:,} of {total:,} measurements"
                progress.print(f"{stored} are stored already in {store.file}")
            progress.start(total, done)
            for done, _ in running:
                progress.update(done)
    except KeyboardInterrupt:
        return False
    finally:
        running.close()
    return True
