"""`plyforge lab list`, `lab runs` and `lab compare`."""

from typing import Any

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.cli.output import console, print_json, print_table
from plyforge.lab.catalog import experiment_names, load_experiment
from plyforge.lab.compare import compare_runs, explain_differences
from plyforge.lab.store import LabStore, Run


def print_experiments(as_json: bool) -> None:
    experiments = [load_experiment(name) for name in experiment_names()]
    if as_json:
        rows = [
            {"name": experiment.name, "title": experiment.title, "source": experiment.source}
            for experiment in experiments
        ]
        print_json({"experiments": rows})
        return
    for experiment in experiments:
        console().print(
            f"{experiment.name:24}{experiment.title} ({experiment.source})", markup=False
        )


def print_runs(db: str, as_json: bool) -> None:
    with LabStore.open_read_only(db) as store:
        rows = [_fields(store, run) for run in store.runs()]
    if as_json:
        print_json({"runs": rows})
        return
    for row in rows:
        console().print(
            f"{row['run']:4}  {row['experiment']:24} seed {row['seed']}, {row['version']},"
            f" {row['created']}, {row['measurements']:,} measurements",
            markup=False,
        )


def _fields(store: LabStore, run: Run) -> dict[str, Any]:
    return {
        "run": run.id,
        "experiment": run.experiment,
        "seed": run.about["seed"],
        "version": run.about["version"],
        "created": run.created,
        "measurements": store.count(run),
    }


def print_comparison(first: int, second: int, db: str, as_json: bool) -> None:
    with LabStore.open_read_only(db) as store:
        one, other = store.find_run(first), store.find_run(second)
        if one.experiment != other.experiment:
            raise PlyforgeError(
                f"run {first} is of {one.experiment}, run {second} of {other.experiment};"
                " use two runs of one experiment"
            )
        table = compare_runs(store.measurements(one), store.measurements(other))
    reasons = explain_differences(one, other)
    if not table.rows:
        reasons.append("the runs have no measurements in common")
    if as_json:
        rows = [dict(zip(table.headings, row, strict=True)) for row in table.rows]
        print_json({"rows": rows, "remarks": reasons})
        return
    if table.rows:
        print_table(table)
    for line in reasons:
        console().print(line, markup=False)
