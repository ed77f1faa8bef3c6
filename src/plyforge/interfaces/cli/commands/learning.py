"""Commands that learn from games."""

from functools import partial
from typing import Annotated, Final

import typer

from plyforge.interfaces.cli.arguments import (
    Evaluation,
    GameName,
    Jobs,
    Json,
    Overwrite,
    Seed,
    integer,
)
from plyforge.interfaces.cli.exits import finish

group: Final = typer.Typer()
command = partial(group.command, rich_help_panel="Learning")


@command()
def fit(
    game: GameName,
    method: Annotated[
        str, typer.Argument(metavar="METHOD", help="What to fit: probcut or realization.")
    ],
    games: Annotated[
        int | None,
        typer.Option("--games", parser=integer, metavar="N", help="How many games to play."),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option("--depth", parser=integer, metavar="D", help="How deep to search them."),
    ] = None,
    opening: Annotated[
        int,
        typer.Option(
            "--opening", parser=integer, metavar="N", help="Random moves at the start of a game."
        ),
    ] = 8,
    seed: Seed = 0,
    evaluation: Evaluation = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--file", metavar="FILE", help="Take the games from a file instead (realization)."
        ),
    ] = None,
    jobs: Jobs = None,
    db: Annotated[
        str, typer.Option("--db", metavar="FILE", help="The SQLite file of samples.")
    ] = "fit.db",
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file to write (default: GAME-METHOD.json)."
        ),
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Plot the fit (.png or .svg).")
    ] = None,
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Fit numbers of a search step to games; run the same command again to resume."""
    from plyforge.interfaces.cli.fit import FitOptions, run

    options = FitOptions(
        game, method, games, depth, opening, seed, evaluation,
        file, jobs, db, output, plot, overwrite, json,
    )  # fmt: skip
    finish(run(options))
