"""`plyforge lab report`, and the verdicts that `lab run` prints."""

import json
import shlex
from pathlib import Path
from typing import Final

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.interfaces.cli.output import console, print_json, print_table
from plyforge.lab import raw_figures
from plyforge.lab.catalog import find_experiment
from plyforge.lab.experiment import Experiment
from plyforge.lab.report import Report, other_seeds
from plyforge.lab.store import LabStore, Run
from plyforge.match.files import write_text

FORMATS: Final = ("md", "html", "csv", "json")


def print_findings(
    experiment: Experiment, store: LabStore, run: Run, as_json: bool, interrupted: bool
) -> None:
    """Print the findings, or the whole report as JSON."""
    report = Report(experiment, run, store.measurements(run))
    if as_json:
        print_json({**report.to_dict(), "interrupted": interrupted})
        return
    out = console()
    out.print(report.about, markup=False)
    if report.findings:
        print_table(report.findings_table)
    for table in [] if report.findings else report.tables:
        print_table(table)
    name = shlex.quote(experiment.reference)
    out.print(
        f"run {run.id} in {store.file}; see also: plyforge lab report {name}"
        + (" (interrupted; run the same command to resume)" if interrupted else ""),
        markup=False,
    )


def print_report(
    name: str, form: str, number: int | None, output: str | None, db: str, overwrite: bool
) -> None:
    """Print a report, or write it to a folder with its pictures and raw figures."""
    if form not in FORMATS:
        raise UnknownName("format", form, FORMATS)
    experiment = find_experiment(name)
    with LabStore.open_read_only(db) as store:
        report = report_of(experiment, store, number)
    if output is not None:
        _write_folder(report, form, Path(output), overwrite)
    elif form == "json":
        print_json(report.to_dict())
    else:
        text = {"md": report.markdown, "html": report.html, "csv": report.csv}[form]()
        print(text, end="")


def report_of(experiment: Experiment, store: LabStore, number: int | None = None) -> Report:
    """Return the report of a run; by default, of the newest one with the same measuring code."""
    run = store.add_times(find_run(experiment, store, number))
    others = other_seeds(experiment, store, run)
    return Report.of(experiment, run, store.measurements(run), others)


def find_run(experiment: Experiment, store: LabStore, number: int | None = None) -> Run:
    """Return a run of an experiment by its number, or the newest with the same measuring code."""
    runs = store.runs(experiment.name)
    if not runs:
        raise PlyforgeError(
            f"{store.file} has no run of {experiment.name};"
            f" 'plyforge {experiment.command}' starts one"
        )
    same = [run for run in runs if run.about["digest"] == experiment.digest]
    started = [run for run in same or runs if store.count(run)]
    run = (started or same or runs)[-1] if number is None else store.find_run(number)
    if run.experiment != experiment.name:
        raise PlyforgeError(f"run {run.id} is of {run.experiment}, not of {experiment.name}")
    return run


def write_report(report: Report, form: str, folder: Path) -> None:
    """Write a report and one picture for each chart."""
    from plyforge.interfaces.plots.charts import draw

    stem = report.stem
    pictures = [f"{stem}-{chart.name}.svg" for chart in report.charts]
    for chart, picture in zip(report.charts, pictures, strict=True):
        draw(chart, folder / picture)
    write_text(folder / f"{stem}.{form}", _text(report, form, folder, pictures))


def _write_folder(report: Report, form: str, folder: Path, overwrite: bool) -> None:
    """Write a report, its pictures and the raw figures."""
    stem = report.stem
    target = folder / f"{stem}.{form}"
    if target.exists() and not overwrite:
        raise PlyforgeError(f"'{target}' exists; give another folder, or --overwrite")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PlyforgeError(f"folder '{folder}' cannot be created: {error.strerror}") from error
    write_report(report, form, folder)
    raw_figures.write(report, folder, all_figures=True)
    console().print(f"wrote {target}", markup=False)


def _text(report: Report, form: str, folder: Path, pictures: list[str]) -> str:
    if form == "csv":
        return report.csv()
    if form == "json":
        return json.dumps(report.to_dict(), ensure_ascii=False, indent=1) + "\n"
    if form == "html":
        return report.html([(folder / name).read_text(encoding="utf-8") for name in pictures])
    return report.markdown(pictures)


def draw_first_chart(experiment: Experiment, seed: int, db: str, path: Path, quiet: bool) -> None:
    """Draw the first chart of a run."""
    from plyforge.interfaces.plots.charts import draw

    with LabStore(db) as store:
        report = Report(experiment, run := store.run(experiment, seed), store.measurements(run))
    for chart in report.charts[:1]:
        draw(chart, path)
        if not quiet:
            console().print(f"wrote {path}", markup=False)
