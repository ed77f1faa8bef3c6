"""`plyforge lab list`, `lab runs` and `lab compare`."""

from typing import Any

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.cli.output import console, print_json, print_table
from plyforge.lab.compare import compared, remarks
from plyforge.lab.experiment import experiment, names
from plyforge.lab.store import LabStore, Run


def print_experiments(as_json: bool) -> None:
    found = [experiment(name) for name in names()]
    if as_json:
        rows = [{"name": one.name, "title": one.title, "source": one.source} for one in found]
        print_json({"experiments": rows})
        return
    for one in found:
        console().print(f"{one.name:24}{one.title} ({one.source})", markup=False)


def print_runs(db: str, as_json: bool) -> None:
    with LabStore.open_read_only(db) as store:
        rows = [_fields(store, one) for one in store.runs()]
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
        one, other = store.numbered(first), store.numbered(second)
        if one.experiment != other.experiment:
            raise PlyforgeError(
                f"run {first} is of {one.experiment}, run {second} of {other.experiment}; name two"
                " of the same experiment"
            )
        table = compared(store.measurements(one), store.measurements(other))
    told = remarks(one, other)
    if not table.rows:
        told.append("the runs have no measurements in common")
    if as_json:
        rows = [dict(zip(table.headings, row, strict=True)) for row in table.rows]
        print_json({"rows": rows, "remarks": told})
        return
    if table.rows:
        print_table(table)
    for line in told:
        console().print(line, markup=False)
