"""`plyforge lab verify`: repeat a sample of a run's measurements."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.lab_report import find_run
from plyforge.interfaces.cli.output import console, print_json
from plyforge.interfaces.cli.progress import Progress
from plyforge.lab import raw_figures
from plyforge.lab.catalog import find_experiment
from plyforge.lab.data import Measurement
from plyforge.lab.experiment import Experiment
from plyforge.lab.store import LabStore
from plyforge.lab.verify import Verification, verify

DEFAULT_SECONDS = 60.0


@dataclass(frozen=True)
class Recorded:
    """Measurements to repeat, and where they are."""

    place: str
    experiment: Experiment
    seed: int
    measurements: Sequence[Measurement]
    remark: str = ""


@dataclass(frozen=True)
class Sample:
    """How much to repeat of each run, as typed."""

    seconds: float | None
    share: float | None
    seed: int


def verify_and_report(
    target: str, number: int | None, db: str, sample: Sample, as_json: bool
) -> None:
    """Repeat samples of the chosen runs; exit with 1 if a count differs."""
    limit = DEFAULT_SECONDS if sample.seconds is None and sample.share is None else sample.seconds
    share = 1.0 if sample.share is None else sample.share
    rows: list[dict[str, Any]] = []
    interrupted = False
    for recorded in find_recorded(target, number, db):
        state, interrupted = _verify_one(recorded, limit, share, sample.seed)
        rows.append(_fields(recorded, state))
        if not as_json:
            _print_result(recorded, state)
        if interrupted:
            break
    differ = any(row["different"] for row in rows)
    if as_json:
        print_json({"runs": rows, "holds": not differ, "interrupted": interrupted})
    exits.finish(exits.FAILED if differ else exits.INTERRUPTED if interrupted else exits.DONE)


def find_recorded(target: str, number: int | None, db: str) -> list[Recorded]:
    """Return the runs that are meant: a folder or a file of raw figures, or a stored run."""
    path = Path(target)
    if path.name.endswith(raw_figures.SUFFIX):
        return [_committed(path)]
    if path.is_dir():
        files = raw_figures.files(path)
        if not files:
            raise PlyforgeError(f"folder '{path}' has no files {'*' + raw_figures.SUFFIX}")
        return [_committed(file) for file in files]
    experiment = find_experiment(target)
    with LabStore.open_read_only(db) as store:
        run = find_run(experiment, store, number)
        made = store.measurements(run)
    changed = run.about["digest"] != experiment.digest
    remark = "the experiment's measuring code has changed since this run" if changed else ""
    place = f"run {run.id} in {db}"
    return [Recorded(place, experiment, run.about["seed"], made, remark)]


def _committed(file: Path) -> Recorded:
    name, seed = raw_figures.parse_name(file)
    experiment = raw_figures.load_experiment_of(raw_figures.load_run(name, file.parent, seed))
    return Recorded(str(file), experiment, seed, raw_figures.read(name, file.parent, seed))


def _verify_one(
    recorded: Recorded, seconds: float | None, share: float, seed: int
) -> tuple[Verification, bool]:
    """Repeat a sample with a progress display; return the state, and whether it was stopped."""
    steps = verify(
        recorded.experiment,
        recorded.seed,
        recorded.measurements,
        seconds=seconds,
        share=share,
        seed=seed,
    )
    state = next(steps)
    try:
        with Progress("measurements") as progress:
            progress.start(state.planned if seconds is None else None)
            for state in steps:
                progress.update(state.repeated)
    except KeyboardInterrupt:
        return state, True
    finally:
        steps.close()
    return state, False


def _print_result(recorded: Recorded, state: Verification) -> None:
    out = console()
    for difference in state.differences:
        out.print(f"{recorded.experiment.name}: {difference}", markup=False)
    if recorded.remark:
        out.print(f"{recorded.experiment.name}: {recorded.remark}", markup=False)
    repeated = f"{state.repeated:,} of {state.total:,} measurements repeated"
    if state.holds:
        bound = f"at most {100 * state.max_share:.2g} % of all differ (95 % confidence)"
        verdict = f"holds: none differs; {'all were repeated' if not state.max_share else bound}"
    else:
        verdict = f"does not hold: {len(state.differences)} differ" if state.repeated else "unknown"
    out.print(f"{recorded.place}: {repeated}: {verdict}", markup=False)


def _fields(recorded: Recorded, state: Verification) -> dict[str, Any]:
    return {
        "experiment": recorded.experiment.name,
        "place": recorded.place,
        "seed": recorded.seed,
        "repeated": state.repeated,
        "total": state.total,
        "different": len(state.differences),
        "max_share": state.max_share if state.holds else None,
        "differences": [str(difference) for difference in state.differences],
        "remark": recorded.remark,
    }
