"""`plyforge lab`: its commands, and what they print."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plyforge.interfaces.cli.arguments import GameName, Jobs, Json, Overwrite, Seed, whole_number

if TYPE_CHECKING:
    from plyforge.lab.experiment import Experiment

lab = typer.Typer(
    name="lab",
    help="Experiments: run them, and hold their figures against what was published.",
    no_args_is_help=True,
)
ExperimentName = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="A built-in experiment, or the path of a Python file with one. The file is executed.",
    ),
]
File = Annotated[str, typer.Option("--db", metavar="FILE", help="The SQLite file of measurements.")]
Positions = Annotated[
    int | None,
    typer.Option("--positions", parser=whole_number, metavar="N", help="Positions to search."),
]
Depths = Annotated[
    str | None, typer.Option("--depths", metavar="A-B", help="Depths, as 8-13, or 4,6,8.")
]
Quick = Annotated[bool, typer.Option("--quick", help="Few positions, small depths.")]
Repeats = Annotated[
    int | None,
    typer.Option("--repeats", parser=whole_number, metavar="N", help="Timings of each search."),
]
_DATABASE = "lab.db"


@lab.command(name="list")
def list_(json: Json = False) -> None:
    """List the experiments."""
    from plyforge.interfaces.cli.output import console, print_json
    from plyforge.lab.experiment import experiment, names

    found = [experiment(name) for name in names()]
    if json:
        print_json(
            {
                "experiments": [
                    {"name": one.name, "title": one.title, "source": one.source} for one in found
                ]
            }
        )
        return
    for one in found:
        console().print(f"{one.name:24}{one.title} ({one.source})", markup=False)


@lab.command()
def run(
    name: ExperimentName,
    seed: Seed = 0,
    positions: Positions = None,
    depths: Depths = None,
    repeats: Repeats = None,
    jobs: Jobs = None,
    quick: Quick = False,
    db: File = _DATABASE,
    json: Json = False,
) -> None:
    """Run an experiment; the same command goes on where it stopped."""
    from plyforge.lab.experiment import experiment

    _run(experiment(name), seed, positions, depths, repeats, jobs, quick, db, json)


@lab.command()
def report(
    name: ExperimentName,
    form: Annotated[
        str, typer.Option("--format", metavar="F", help="md, html, csv (raw) or json.")
    ] = "md",
    number: Annotated[
        int | None,
        typer.Option(
            "--run", parser=whole_number, metavar="N", help="A run by its number (default: last)."
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Write report, pictures and raw CSV there."
        ),
    ] = None,
    db: File = _DATABASE,
    overwrite: Overwrite = False,
) -> None:
    """Tell what a run has found."""
    from plyforge.interfaces.cli.lab_report import told

    told(name, form, number, output, db, overwrite)


@lab.command()
def compare(
    first: Annotated[int, typer.Argument(metavar="RUN1", parser=whole_number)],
    second: Annotated[int, typer.Argument(metavar="RUN2", parser=whole_number)],
    db: File = _DATABASE,
    json: Json = False,
) -> None:
    """Compare two runs of an experiment: where counts differ."""
    from plyforge.core.errors import PlyforgeError
    from plyforge.interfaces.cli.output import print_json, print_table
    from plyforge.lab.compare import compared
    from plyforge.lab.store import LabStore

    _must_exist(db)
    with LabStore(db) as store:
        one, other = store.numbered(first), store.numbered(second)
        if one.experiment != other.experiment:
            raise PlyforgeError(
                f"run {first} is of {one.experiment}, run {second} of {other.experiment}; name two"
                " of the same experiment"
            )
        table = compared(store.measurements(one), store.measurements(other))
    if json:
        print_json({"rows": [dict(zip(table.headings, row, strict=True)) for row in table.rows]})
    else:
        print_table(table)


@lab.command()
def ablate(
    game: GameName,
    seed: Seed = 0,
    positions: Positions = None,
    depths: Depths = None,
    repeats: Repeats = None,
    jobs: Jobs = None,
    quick: Quick = False,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Draw it to a .png or .svg file.")
    ] = None,
    db: File = _DATABASE,
    json: Json = False,
) -> None:
    """Switch every enhancement off and on in a game: what each is worth."""
    from plyforge.interfaces.cli.lab_report import drawn
    from plyforge.interfaces.cli.output import plot_path
    from plyforge.lab.ablate import ablation

    path = None if plot is None else plot_path(plot)
    found = ablation(game)
    _run(found, seed, positions, depths, repeats, jobs, quick, db, json)
    if path is not None:
        drawn(found, seed, db, path)


@lab.command()
def runs(db: File = _DATABASE, json: Json = False) -> None:
    """List the runs of a file."""
    from plyforge.interfaces.cli.output import console, print_json
    from plyforge.lab.store import LabStore

    _must_exist(db)
    with LabStore(db) as store:
        rows = [
            {
                "run": one.id,
                "experiment": one.experiment,
                "seed": one.about["seed"],
                "version": one.about["version"],
                "created": one.created,
                "measurements": len(store.measurements(one)),
            }
            for one in store.runs()
        ]
    if json:
        print_json({"runs": rows})
        return
    for row in rows:
        console().print(
            f"{row['run']:4}  {row['experiment']:24} seed {row['seed']}, {row['version']},"
            f" {row['created']}, {row['measurements']:,} measurements",
            markup=False,
        )


def _must_exist(db: str) -> None:
    from plyforge.core.errors import PlyforgeError

    if not Path(db).is_file():
        raise PlyforgeError(f"no file '{db}'; 'plyforge lab run NAME' makes it, or give --db")


def read_depths(text: str | None) -> tuple[int, ...] | None:
    """`8-13`, `4,6,8` or `6`."""
    from plyforge.core.errors import PlyforgeError
    from plyforge.engine.limits import validate_depth

    if text is None:
        return None
    found: list[int] = []
    try:
        for part in text.split(","):
            low, dash, high = part.partition("-")
            last = int(high) if dash else int(low)
            if not int(low) <= last <= int(low) + 1000:
                raise ValueError
            found += range(int(low), last + 1)
    except ValueError:
        raise PlyforgeError(f"--depths '{text}': write 8-13, or 4,6,8") from None
    return tuple(validate_depth(depth) for depth in dict.fromkeys(found))


def _run(
    found: "Experiment",
    seed: int,
    positions: int | None,
    depths: str | None,
    repeats: int | None,
    jobs: int | None,
    quick: bool,
    db: str,
    as_json: bool,
) -> None:
    """Run and show progress; then the verdicts."""
    from plyforge.core.crew import usable_cores
    from plyforge.interfaces.cli import exits
    from plyforge.interfaces.cli.lab_report import print_verdicts
    from plyforge.interfaces.cli.output import duration
    from plyforge.lab.runner import run as running
    from plyforge.lab.runner import scaled
    from plyforge.lab.store import LabStore

    scale = scaled(found, positions, read_depths(depths), repeats, quick)
    interrupted = False
    with LabStore(db) as store:
        number = store.run(found, seed)
        processes = usable_cores() if jobs is None else jobs
        begun: float | None = None
        first = shown = 0.0
        try:
            for done, total in running(found, scale, store, number, seed, processes):
                now = time.monotonic()
                if begun is None:
                    begun, first = now, done
                live = sys.stderr is not None and sys.stderr.isatty()
                if live or now - shown > 10:
                    shown = now
                    left = (now - begun) / max(done - first, 1) * (total - done)
                    line = f"{done:,} of {total:,} measurements, {duration(left)} to go"
                    sys.stderr.write(f"\r\x1b[K{line}" if live else f"{line}\n")
                    sys.stderr.flush()
        except KeyboardInterrupt:
            interrupted = True
        if sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
        print_verdicts(found, store, number, as_json, interrupted)
    if interrupted:
        raise typer.Exit(exits.INTERRUPTED)
