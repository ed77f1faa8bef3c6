"""Raw figures in a folder such as docs/results: CSV files for each run, and runs.json.

A file such as mtd-real.seed-1.csv.gz holds the figures that the experiment's report reads, so the
report can be written again without running the experiment. Other figures, such as the share of
cutoffs by the first move, are left out: running the experiment again gives the same ones. Times are
in whole microseconds. The file mtd-real.seed-1.positions.csv.gz beside it has the text of each
position. The run with the highest seed is the one that is reported; the others confirm it.
"""

import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.writing import write_atomically
from plyforge.lab.catalog import find_experiment
from plyforge.lab.data import TIMES, Measurement, Values
from plyforge.lab.experiment import Experiment
from plyforge.lab.report import COLUMNS, PREFIX, Report, Sample
from plyforge.lab.store import Run
from plyforge.lab.variations import Variation

SUFFIX: Final = ".csv.gz"
_POSITIONS: Final = ".positions"
_RUNS: Final = "runs.json"
_NAME: Final = re.compile(r"(?P<name>.+)\.seed-(?P<seed>-?\d+)\.csv\.gz")
_ABOUT: Final = ("seed", "version", "machine")
"""What every run says about itself."""
_ORIGIN: Final = (
    *("commit", "processor", "libraries", "begun", "ended", "running_time", "claims"),
)
"""What newer runs say, too."""
_DECIMALS: Final = 6


def write(report: Report, results: Path, *, all_figures: bool = False) -> None:
    """Write the figures of a run, by default those that its report reads.

    The same run gives the same files.
    """
    results.mkdir(parents=True, exist_ok=True)
    packed = report
    if not all_figures:
        used = figures_used(report)
        kept = [reduce(measurement, used) for measurement in report.measurements]
        packed = replace(report, measurements=kept)
    experiment, about = report.experiment, report.run.about
    file = _file(report.stem, results, about["seed"])
    _write_packed(file, packed.csv())
    count = 1 + max((measurement.case for measurement in report.measurements), default=-1)
    texts = position_texts(experiment, about["seed"], count)
    _write_packed(_positions_file(file), texts)
    fields = {key: about[key] for key in _ABOUT}
    fields |= {key: about[key] for key in _ORIGIN if key in about}
    if experiment.reference != report.stem:
        fields["experiment"] = experiment.reference
    if experiment.with_variations is not None:
        fields["variations"] = [variation.to_dict() for variation in experiment.variations]
    runs = _runs(results)
    runs.setdefault(report.stem, {})[str(about["seed"])] = fields
    text = json.dumps(runs, indent=1, sort_keys=True, ensure_ascii=False)
    write_atomically(results / _RUNS, f"{text}\n".encode())


def position_texts(experiment: Experiment, seed: int, count: int) -> str:
    """Return the positions of a run as CSV: number, label, game, and the text of the position."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["position", "label", "game", "text"])
    for number, case in enumerate(experiment.cases(seed, count)[:count]):
        writer.writerow([number, case.label, case.game, case.text()])
    return out.getvalue()


def exists(name: str, results: Path) -> bool:
    return bool(_seeds(name, results))


def files(results: Path) -> list[Path]:
    """Return the files of raw figures in a folder."""
    return sorted(path for path in results.glob(f"*{SUFFIX}") if _NAME.fullmatch(path.name))


def parse_name(file: Path) -> tuple[str, int]:
    """Return the experiment and the seed in the name of a file of raw figures."""
    match = _NAME.fullmatch(file.name)
    if match is None:
        raise PlyforgeError(
            f"'{file}' is not named like a file of raw figures, such as mtd-real.seed-1{SUFFIX}"
        )
    return match["name"], int(match["seed"])


def load_report(name: str, results: Path) -> Report:
    """Return the report of an experiment's committed run with the highest seed."""
    samples = [
        Sample(load_run(name, results, seed), read(name, results, seed))
        for seed in _seeds(name, results)
    ]
    if not samples:
        raise PlyforgeError(f"'{results}' has no raw figures of {name}")
    *others, last = samples
    return Report(load_experiment_of(last.run), last.run, last.measurements, tuple(others))


def load_experiment_of(run: Run) -> Experiment:
    """Return the experiment of a run in a folder: built-in, from a file, or an ablation.

    Configurations that come from present defaults are those of the run.
    """
    experiment = find_experiment(str(run.about.get("experiment", run.experiment)))
    if experiment.with_variations is None or "variations" not in run.about:
        return experiment
    return experiment.with_variations([*map(Variation.from_dict, run.about["variations"])])


def load_run(name: str, results: Path, seed: int) -> Run:
    """Return what `runs.json` says about a committed run."""
    about = _runs(results).get(name, {}).get(str(seed))
    if not isinstance(about, dict) or about.get("seed") != seed:
        raise PlyforgeError(f"'{results / _RUNS}' does not describe the run of {name}, seed {seed}")
    return Run(0, name, about, created=str(about.get("begun", "")))


def read(name: str, results: Path, seed: int) -> list[Measurement]:
    """Return the committed measurements of a run."""
    file = _file(name, results, seed)
    try:
        return _parse(gzip.decompress(file.read_bytes()).decode())
    except FileNotFoundError:
        raise PlyforgeError(f"no file '{file}'") from None
    except (OSError, EOFError, zlib.error, ValueError, StopIteration) as error:
        raise PlyforgeError(f"'{file}' is not a file of raw figures: {error}") from error


def _seeds(name: str, results: Path) -> list[int]:
    """Return the seeds of the committed runs of an experiment."""
    found = (parse_name(path) for path in files(results))
    return sorted(seed for experiment, seed in found if experiment == name)


def _write_packed(file: Path, text: str) -> None:
    write_atomically(file, gzip.compress(text.encode(), mtime=0))


def _parse(text: str) -> list[Measurement]:
    rows = csv.reader(io.StringIO(text))
    headings = next(rows)
    if tuple(headings[: len(COLUMNS)]) != COLUMNS:
        raise ValueError(f"its first columns must be {', '.join(COLUMNS)}")
    figures = [heading.removeprefix(PREFIX) for heading in headings[len(COLUMNS) :]]
    return [
        Measurement(int(case), variation, int(depth), int(repeat), _values(figures, cells))
        for case, variation, depth, repeat, *cells in rows
    ]


def figures_used(report: Report) -> set[str]:
    """Return the names of the figures that a report reads."""
    used: set[str] = set()
    recorded = [
        replace(measurement, values=_Recorder(measurement.values, used))
        for measurement in report.measurements
    ]
    recording = replace(report, measurements=recorded)
    recording.markdown([chart.name for chart in recording.charts])
    return used


def reduce(measurement: Measurement, used: Iterable[str]) -> Measurement:
    """Keep the figures that are used; leave out nodes where leaves and interior nodes give them."""
    kept = {name: measurement.values[name] for name in measurement.values if name in used}
    if kept.get("nodes") == _nodes(kept):
        kept.pop("nodes", None)
    for metric in TIMES:
        if metric in kept:
            kept[metric] = round(kept[metric], _DECIMALS)
    return replace(measurement, values=kept)


def _values(names: Iterable[str], cells: Iterable[str]) -> Values:
    pairs = zip(names, cells, strict=True)
    values = {name: _number(cell) for name, cell in pairs if cell}
    nodes = _nodes(values)
    return values if nodes is None else {"nodes": nodes, **values}


def _nodes(values: Values) -> float | None:
    if "leaves" in values and "interior" in values:
        return values["leaves"] + values["interior"]
    return None


def _number(cell: str) -> float:
    try:
        return int(cell)
    except ValueError:
        return float(cell)


def _file(name: str, results: Path, seed: int) -> Path:
    return results / f"{name}.seed-{seed}{SUFFIX}"


def _positions_file(file: Path) -> Path:
    return file.with_name(file.name.removesuffix(SUFFIX) + _POSITIONS + SUFFIX)


def _runs(results: Path) -> dict[str, Any]:
    file = results / _RUNS
    try:
        runs = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    except (OSError, ValueError) as error:
        raise PlyforgeError(f"'{file}' cannot be read: {error}") from error
    if not isinstance(runs, dict) or not all(isinstance(run, dict) for run in runs.values()):
        raise PlyforgeError(f"'{file}' must have an object for each experiment")
    return runs


class _Recorder(dict[str, float]):
    """Figures that note the names by which they are read."""

    def __init__(self, values: Values, used: set[str]) -> None:
        super().__init__(values)
        self._used = used

    def __getitem__(self, name: str) -> float:
        self._used.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self._used.add(name)
        return super().get(name, default)

    def copy(self) -> "_Recorder":
        return _Recorder(self, self._used)
