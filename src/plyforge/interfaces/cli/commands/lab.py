"""`plyforge lab`: its commands, and what they print."""

from typing import Annotated

import typer

from plyforge.interfaces.cli.arguments import GameName, Jobs, Json, Overwrite, Seed, integer

group = typer.Typer(
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
    typer.Option("--positions", parser=integer, metavar="N", help="Positions to search."),
]
Depths = Annotated[
    str | None, typer.Option("--depths", metavar="A-B", help="Depths, as 8-13, or 4,6,8.")
]
Quick = Annotated[bool, typer.Option("--quick", help="Few positions, small depths.")]
Repeats = Annotated[
    int | None,
    typer.Option("--repeats", parser=integer, metavar="N", help="Timings of each search."),
]
_DATABASE = "lab.db"


@group.command(name="list")
def list_(json: Json = False) -> None:
    """List the experiments."""
    from plyforge.interfaces.cli.lab_tables import print_experiments

    print_experiments(json)


@group.command()
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
    from plyforge.interfaces.cli.lab_run import RunOptions, run_and_tell
    from plyforge.lab.runner import named

    options = RunOptions(seed, positions, depths, repeats, jobs, quick, db, json)
    run_and_tell(named(name), options)


@group.command()
def report(
    name: ExperimentName,
    form: Annotated[
        str, typer.Option("--format", metavar="F", help="md, html, csv (raw) or json.")
    ] = "md",
    number: Annotated[
        int | None,
        typer.Option(
            "--run",
            parser=integer,
            metavar="N",
            help="A run by its number (default: the last).",
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


@group.command()
def compare(
    first: Annotated[int, typer.Argument(metavar="RUN1", parser=integer)],
    second: Annotated[int, typer.Argument(metavar="RUN2", parser=integer)],
    db: File = _DATABASE,
    json: Json = False,
) -> None:
    """Compare two runs of an experiment: where counts differ."""
    from plyforge.interfaces.cli.lab_tables import print_comparison

    print_comparison(first, second, db, json)


@group.command()
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
    from plyforge.interfaces.cli.lab_report import draw_first
    from plyforge.interfaces.cli.lab_run import RunOptions, run_and_tell
    from plyforge.interfaces.cli.output import plot_path
    from plyforge.lab.ablate import ablation

    path = None if plot is None else plot_path(plot)
    found = ablation(game)
    run_and_tell(found, RunOptions(seed, positions, depths, repeats, jobs, quick, db, json))
    if path is not None:
        draw_first(found, seed, db, path, quiet=json)


@group.command()
def runs(db: File = _DATABASE, json: Json = False) -> None:
    """List the runs of a file."""
    from plyforge.interfaces.cli.lab_tables import print_runs

    print_runs(db, json)
