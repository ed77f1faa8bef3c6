"""`plyforge lab` and its commands."""

from typing import Annotated

import typer

from plyforge.interfaces.cli.arguments import (
    Driver,
    ExecutorName,
    GameName,
    Jobs,
    Json,
    Overwrite,
    Seed,
    Steps,
    integer,
    percentage,
)
from plyforge.interfaces.cli.arguments import number as _number

group = typer.Typer(
    name="lab",
    help="Run experiments and compare them with published results.",
    no_args_is_help=True,
)
ExperimentName = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="A built-in experiment, or the path of a Python file, which is executed.",
    ),
]
File = Annotated[str, typer.Option("--db", metavar="FILE", help="The SQLite file of measurements.")]
Positions = Annotated[
    int | None,
    typer.Option("--positions", parser=integer, metavar="N", help="How many positions to search."),
]
Depths = Annotated[
    str | None,
    typer.Option("--depths", metavar="A-B", help="Depths to search, such as 8-13 or 4,6,8."),
]
Quick = Annotated[bool, typer.Option("--quick", help="Use few positions and small depths.")]
Repeats = Annotated[
    int | None,
    typer.Option("--repeats", parser=integer, metavar="N", help="How often to time each search."),
]
RunNumber = Annotated[
    int | None,
    typer.Option(
        "--run", parser=integer, metavar="N", help="The number of a run (default: the newest)."
    ),
]
_DATABASE = "lab.db"
_RUN_HELP = "Number of a run, as listed by 'plyforge lab runs'."


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
    executor: ExecutorName = "local",
    quick: Quick = False,
    db: File = _DATABASE,
    json: Json = False,
) -> None:
    """Run an experiment; run the same command again to resume."""
    from plyforge.interfaces.cli.executors import ExecutorOptions
    from plyforge.interfaces.cli.lab_run import RunOptions, run_and_report
    from plyforge.lab.catalog import find_experiment

    workers = ExecutorOptions(jobs, executor)
    options = RunOptions(seed, positions, depths, repeats, workers, quick, db, json)
    run_and_report(find_experiment(name), options)


@group.command()
def plan(
    name: ExperimentName,
    margin: Annotated[
        float,
        typer.Option(
            "--margin",
            parser=percentage,
            metavar="P",
            help="Half the width of intervals, as a percentage of the ratio.",
        ),
    ] = "2%",  # type: ignore[assignment]
    metric: Annotated[
        str | None,
        typer.Option("--metric", metavar="M", help="The figure (default: the experiment's first)."),
    ] = None,
    seed: Seed = 0,
    positions: Annotated[
        int | None,
        typer.Option(
            "--positions", parser=integer, metavar="N", help="How many positions the pilot has."
        ),
    ] = None,
    depths: Depths = None,
    repeats: Repeats = None,
    jobs: Jobs = None,
    executor: ExecutorName = "local",
    quick: Quick = False,
    db: File = _DATABASE,
    json: Json = False,
) -> None:
    """Estimate from a pilot how many positions an experiment needs, and how long it takes."""
    from plyforge.interfaces.cli.executors import ExecutorOptions
    from plyforge.interfaces.cli.lab_plan import plan_and_report
    from plyforge.interfaces.cli.lab_run import RunOptions
    from plyforge.lab.catalog import find_experiment

    workers = ExecutorOptions(jobs, executor)
    options = RunOptions(seed, positions, depths, repeats, workers, quick, db, json)
    plan_and_report(find_experiment(name), margin, metric, options)


@group.command()
def report(
    name: ExperimentName,
    form: Annotated[
        str, typer.Option("--format", metavar="F", help="md, html, csv (raw) or json.")
    ] = "md",
    number: RunNumber = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Write the report, charts and raw CSV to this folder.",
        ),
    ] = None,
    db: File = _DATABASE,
    overwrite: Overwrite = False,
) -> None:
    """Print or write the report of a run."""
    from plyforge.interfaces.cli.lab_report import print_report

    print_report(name, form, number, output, db, overwrite)


@group.command()
def verify(
    target: Annotated[
        str,
        typer.Argument(
            metavar="NAME|FILE",
            help="An experiment (its stored run), or raw figures: a .csv.gz file or a folder of"
            " them, such as docs/results.",
        ),
    ],
    number: RunNumber = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            parser=_number,
            metavar="S",
            help="Stop after this time, for each run (default: 60, unless --share is given).",
        ),
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(
            "--share", parser=percentage, metavar="P", help="Repeat this percentage, as 5%."
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option("--seed", parser=integer, metavar="N", help="Chooses what is repeated."),
    ] = 0,
    db: File = _DATABASE,
    json: Json = False,
) -> None:
    """Repeat a sample of the measurements of a run; exit with 1 if a count differs."""
    from plyforge.interfaces.cli.lab_verify import Sample, verify_and_report

    verify_and_report(target, number, db, Sample(seconds, share, seed), json)


@group.command()
def compare(
    first: Annotated[int, typer.Argument(metavar="RUN1", parser=integer, help=_RUN_HELP)],
    second: Annotated[int, typer.Argument(metavar="RUN2", parser=integer, help=_RUN_HELP)],
    db: File = _DATABASE,
    json: Json = False,
) -> None:
    """Compare the counts of two runs of an experiment."""
    from plyforge.interfaces.cli.lab_tables import print_comparison

    print_comparison(first, second, db, json)


@group.command()
def ablate(
    game: GameName,
    driver: Driver = "pvs",
    step: Steps = None,
    seed: Seed = 0,
    positions: Positions = None,
    depths: Depths = None,
    repeats: Repeats = None,
    jobs: Jobs = None,
    executor: ExecutorName = "local",
    quick: Quick = False,
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE", help="Draw the result to a .png or .svg file."),
    ] = None,
    db: File = _DATABASE,
    json: Json = False,
) -> None:
    """Measure what each enhancement is worth in a game."""
    from plyforge.interfaces.cli.executors import ExecutorOptions
    from plyforge.interfaces.cli.lab_report import draw_first_chart
    from plyforge.interfaces.cli.lab_run import RunOptions, run_and_report
    from plyforge.interfaces.cli.output import plot_path
    from plyforge.lab.ablate import ablation

    path = None if plot is None else plot_path(plot)
    experiment = ablation(game, driver, step or [])
    workers = ExecutorOptions(jobs, executor)
    options = RunOptions(seed, positions, depths, repeats, workers, quick, db, json)
    run_and_report(experiment, options)
    if path is not None:
        draw_first_chart(experiment, seed, db, path, quiet=json)


@group.command()
def runs(db: File = _DATABASE, json: Json = False) -> None:
    """List the runs in a file."""
    from plyforge.interfaces.cli.lab_tables import print_runs

    print_runs(db, json)
