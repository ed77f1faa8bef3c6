"""Stored runs of experiments: a list, and the report of one with its charts."""

from typing import Any, Final

from starlette.requests import Request
from starlette.routing import Route

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web.archive import (
    MAX_ROWS,
    PICTURES,
    LruCache,
    answered,
    command,
    game_called,
    number_of,
    pictured,
    rows_asked,
    server_state,
    table_fields,
    title_of,
    understood,
)
from plyforge.interfaces.web.state import ServerState
from plyforge.lab.ablate import PREFIX, ablation
from plyforge.lab.charts import Chart
from plyforge.lab.experiment import Experiment, load_experiment
from plyforge.lab.experiment import experiment_names as built_in
from plyforge.lab.findings import VERDICTS
from plyforge.lab.report import Report, experiment_without_file, findings_table
from plyforge.lab.store import LabStore, Run

_REPORTS: Final[LruCache[Report]] = LruCache(16)
"""Reports by run and number of measurements: their intervals take seconds to reckon."""
COMMAND: Final = "plyforge lab run mtd-real --quick"
"""What a page without runs tells one to type."""
_UNKNOWN: Final = (
    "This experiment is a file that the server does not execute: here are the means of its figures."
    " 'plyforge lab report FILE' tells its verdicts."
)


@answered
def listed(request: Request) -> dict[str, Any]:
    """The runs of the file, the newest first."""
    server = server_state(request)
    begin, most = rows_asked(request)
    file = server.databases.lab
    if file is None or not file.is_file():
        return {"total": 0, "from": begin, "runs": [], "command": command(COMMAND, file)}
    with LabStore.open_read_only(file) as store, understood(file):
        rows = [_row(server, run, count) for run, count in store.list_runs(begin, most)]
        total = store.count_runs()
    return {
        "file": file.name,
        "total": total,
        "from": begin,
        "runs": rows,
        "command": command(COMMAND, file),
    }


def _row(server: ServerState, run: Run, count: int) -> dict[str, Any]:
    title, source = _headline(server, run.experiment)
    return {
        "id": run.id,
        "experiment": run.experiment,
        "title": title,
        "source": source,
        "seed": run.about["seed"],
        "version": run.about["version"],
        "created": run.created,
        "measurements": count,
    }


def _headline(server: ServerState, name: str) -> tuple[str, str]:
    """Title and source of an experiment."""
    if name in built_in():
        found = load_experiment(name)
        return found.title, found.source
    if name.startswith(PREFIX):
        return f"What each enhancement is worth in {title_of(server, name[len(PREFIX) :])}", ""
    return name, ""


def _experiment(server: ServerState, run: Run) -> Experiment:
    """What a run is of: a stored name never makes the server execute a file."""
    name = run.experiment
    if name in built_in():
        return load_experiment(name)
    if name.startswith(PREFIX):
        try:
            game = game_called(server, name.removeprefix(PREFIX))
        except PlyforgeError:
            return experiment_without_file(run)
        return ablation(name.removeprefix(PREFIX), game)
    return experiment_without_file(run)


def _report(request: Request) -> tuple[Report, tuple[Any, ...]]:
    """A run's report, and what tells it from all others."""
    server = server_state(request)
    with _opened(server) as store, understood(store.file):
        run = store.find_run(number_of(request, "run"))
        status = store.file.stat()
        key = (status.st_dev, status.st_ino, run.id, run.created, store.count(run))
        return _REPORTS.get(key, lambda: _reckoned(server, store, run)), key


def _reckoned(server: ServerState, store: LabStore, run: Run) -> Report:
    report = Report.of(_experiment(server, run), run, store.measurements(run))
    # What is slow is done here, where one at a time does it.
    _ = report.findings, report.charts, report.tables
    return report


@answered
def one(request: Request) -> dict[str, Any]:
    """The report of a run."""
    report, _ = _report(request)
    found, run = report.experiment, report.run
    known = found.source != ""
    return {
        "id": run.id,
        "experiment": run.experiment,
        "title": found.title,
        "source": found.source,
        "created": run.created,
        "about": report.about,
        "measurements": len(report.measurements),
        "verdicts": {
            verdict: sum(one.verdict == verdict for one in report.findings) for verdict in VERDICTS
        },
        "findings": table_fields(findings_table(report.findings)) if report.findings else None,
        "charts": [{"name": chart.name, "title": chart.title} for chart in report.charts],
        "tables": [table_fields(table) for table in report.tables[:MAX_ROWS]],
        "notes": found.notes.strip().split("\n\n") if found.notes.strip() else [],
        "warning": None if known else _UNKNOWN,
        "command": f"plyforge {found.command} --seed {run.about['seed']}" if known else None,
    }


@pictured
def chart(request: Request) -> bytes:
    """A chart of a run, by its place in the report."""
    report, key = _report(request)
    place = number_of(request, "chart")
    if place >= len(report.charts):
        raise PlyforgeError(f"run {report.run.id} has {len(report.charts)} charts, not {place + 1}")
    return PICTURES.get(("chart", *key, place), lambda: _drawn(report.charts[place]))


def _drawn(chart: Chart) -> bytes:
    from plyforge.interfaces.plots import canvas, charts

    return canvas.svg(charts.plot_chart(chart))


def _opened(server: ServerState) -> LabStore:
    if server.databases.lab is None:
        raise PlyforgeError("this server has no file of experiments; start it with --lab FILE")
    return LabStore.open_read_only(server.databases.lab)


ROUTES: Final = [
    Route("/api/lab", listed),
    Route("/api/lab/{run}", one),
    Route("/api/lab/{run}/charts/{chart}.svg", chart),
]
