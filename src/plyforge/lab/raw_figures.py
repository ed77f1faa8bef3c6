"""Raw figures in a folder such as docs/results: a CSV file for each experiment, and runs.json.

A file holds the figures that the experiment's report reads, so the report can be written again
without running the experiment. Other figures, such as the share of cutoffs by the first move, are
left out: running the experiment again gives the same ones. Times are in whole microseconds.
"""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.lab.data import Measurement, Values
from plyforge.lab.experiment import load_experiment
from plyforge.lab.report import COLUMNS, PREFIX, Report
from plyforge.lab.store import Run

SUFFIX: Final = ".csv.gz"
_RUNS: Final = "runs.json"
_ABOUT: Final = ("seed", "version", "machine")
"""What a report says about its run."""
_DECIMALS: Final = 6


def write(report: Report, results: Path) -> None:
    """Write the figures of a run; the same run gives the same file."""
    results.mkdir(parents=True, exist_ok=True)
    used = figures_used(report)
    packed = replace(
        report, measurements=[reduce(measurement, used) for measurement in report.measurements]
    )
    name = report.experiment.name
    _file(name, results).write_bytes(gzip.compress(packed.csv().encode(), mtime=0))
    runs = _runs(results)
    runs[name] = {key: report.run.about[key] for key in _ABOUT}
    text = json.dumps(runs, indent=1, sort_keys=True)
    (results / _RUNS).write_text(f"{text}\n", encoding="utf-8")


def exists(name: str, results: Path) -> bool:
    return _file(name, results).exists()


def names(results: Path) -> list[str]:
    """Return the names of the experiments with figures in a folder."""
    return sorted(path.name.removesuffix(SUFFIX) for path in results.glob(f"*{SUFFIX}"))


def load_report(name: str, results: Path) -> Report:
    """Return the report of an experiment's committed run."""
    return Report(load_experiment(name), load_run(name, results), read(name, results))


def load_run(name: str, results: Path) -> Run:
    """Return what `runs.json` says about an experiment's committed run."""
    runs = _runs(results)
    if name not in runs or not isinstance(runs[name].get("seed"), int):
        raise PlyforgeError(
            f"'{results / _RUNS}' does not give the seed of {name}, so its positions are unknown"
        )
    return Run(0, name, runs[name], created="")


def read(name: str, results: Path) -> list[Measurement]:
    """Return the committed measurements of an experiment."""
    file = _file(name, results)
    try:
        return _parse(gzip.decompress(file.read_bytes()).decode())
    except FileNotFoundError:
        raise PlyforgeError(f"no file '{file}'") from None
    except (OSError, EOFError, zlib.error, ValueError, StopIteration) as error:
        raise PlyforgeError(f"'{file}' is not a file of raw figures: {error}") from error


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
    if "seconds" in kept:
        kept["seconds"] = round(kept["seconds"], _DECIMALS)
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


def _file(name: str, results: Path) -> Path:
    return results / f"{name}{SUFFIX}"


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
