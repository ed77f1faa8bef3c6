"""Stored runs of experiments: a list, and the report of one with its charts."""

from typing import Any, Final

from starlette.requests import Request
from starlette.routing import Route

from plyforge.core.errors import PlyforgeError
from plyforge.engine import DRIVERS
from plyforge.interfaces.web.archive import (
    MAX_ROWS,
    PLOTS,
    LruCache,
    command,
    explaining_errors,
    file_identity,
    find_game,
    find_title,
    json_endpoint,
    path_number,
    requested_rows,
    server_of,
    svg_endpoint,
    table_fields,
)
from plyforge.interfaces.web.state import ServerState
from plyforge.lab.ablate import PREFIX, ablation, split_reference
from plyforge.lab.catalog import experiment_names as built_in
from plyforge.lab.catalog import load_experiment
from plyforge.lab.charts import Chart
from plyforge.lab.claims import VERDICTS
from plyforge.lab.experiment import Experiment
from plyforge.lab.report import Report, experiment_without_file, other_seeds
from plyforge.lab.store import LabStore, Run

_REPORTS: Final[LruCache[Report]] = LruCache(16)
"""Reports by run and number of measurements: their intervals take seconds to compute."""
COMMAND: Final = "plyforge lab run mtd-real --quick"
"""The command that a page without runs suggests."""
_UNKNOWN: Final = (
    "This experiment is a file that the server does not execute, so only means are shown."
    " Run 'plyforge lab report FILE' for its verdicts."
)


@json_endpoint
def list_runs(request: Request) -> dict[str, Any]:
    """List the runs of the file, the newest first."""
    server = server_of(request)
    begin, limit = requested_rows(request)
    file = server.databases.lab
    if file is None or not file.is_file():
        return {"total": 0, "from": begin, "runs": [], "command": command(COMMAND, file)}
    with LabStore.open_read_only(file) as store, explaining_errors(file):
        rows = [_row(server, run, count) for run, count in store.list_runs(begin, limit)]
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
    """Return the title and the source of an experiment."""
    if name in built_in():
        built = load_experiment(name)
        return built.title, built.source
    if name.startswith(PREFIX):
        game, *_ = split_reference(name)
        return f"What each enhancement is worth in {find_title(server.catalog, game)}", ""
    return name, ""


def _experiment(server: ServerState, run: Run) -> Experiment:
    """Return the experiment of a run; a stored name never makes the server execute a file."""
    name = run.experiment
    if name in built_in():
        return load_experiment(name)
    if name.startswith(PREFIX):
        named, driver, steps = split_reference(name)
        try:
            game = find_game(server.catalog, named)
        except PlyforgeError:
            return experiment_without_file(run)
        if driver in DRIVERS and not steps:
            return ablation(named, driver, loaded=game)
    return experiment_without_file(run)


def _report(request: Request) -> tuple[Report, tuple[Any, ...]]:
    """Return the report of a run, and its key in the cache."""
    server = server_of(request)
    with _open_store(server) as store, explaining_errors(store.file):
        run = store.find_run(path_number(request, "run"))
        key = (file_identity(store.file), run.id, run.created, store.count(run))
        return _REPORTS.get(key, lambda: _make_report(server, store, run)), key


def _make_report(server: ServerState, store: LabStore, run: Run) -> Report:
    experiment = _experiment(server, run)
    others = other_seeds(experiment, store, run)
    report = Report.of(experiment, store.add_times(run), store.measurements(run), others)
    # These are slow; here one thread at a time computes them.
    _ = report.findings, report.charts, report.tables
    return report


@json_endpoint
def show_report(request: Request) -> dict[str, Any]:
    """Show the report of a run."""
    report, _ = _report(request)
    shown, run = report.experiment, report.run
    known = shown.source != ""
    return {
        "id": run.id,
        "experiment": run.experiment,
        "title": shown.title,
        "source": shown.source,
        "created": run.created,
        "about": report.about,
        "measurements": len(report.measurements),
        "verdicts": {
            verdict: sum(one.verdict == verdict for one in report.findings) for verdict in VERDICTS
        },
        "findings": table_fields(report.findings_table) if report.findings else None,
        "charts": [{"name": chart.name, "title": chart.title} for chart in report.charts],
        "tables": [table_fields(table) for table in report.tables[:MAX_ROWS]],
        "notes": report.prose,
        "warning": None if known else _UNKNOWN,
        "command": f"plyforge {shown.command} --seed {run.about['seed']}" if known else None,
    }


@svg_endpoint
def show_chart(request: Request) -> bytes:
    """Draw a chart of a run, by its place in the report."""
    report, key = _report(request)
    place = path_number(request, "chart")
    if place >= len(report.charts):
        raise PlyforgeError(
            f"run {report.run.id} has {len(report.charts)} charts, but no chart {place + 1}"
        )
    return PLOTS.get(("chart", *key, place), lambda: _draw(report.charts[place]))


def _draw(chart: Chart) -> bytes:
    from plyforge.interfaces.plots import canvas, charts

    return canvas.svg(charts.plot_chart(chart))


def _open_store(server: ServerState) -> LabStore:
    if server.databases.lab is None:
        raise PlyforgeError("this server shows no experiments; start it with --lab FILE")
    return LabStore.open_read_only(server.databases.lab)


ROUTES: Final = [
    Route("/api/lab", list_runs),
    Route("/api/lab/{run}", show_report),
    Route("/api/lab/{run}/charts/{chart}.svg", show_chart),
]
