"""Commands that find equilibria."""

from functools import partial
from typing import Annotated, Final

import typer

from plyforge.interfaces.cli.arguments import BackendName, Json, integer, number
from plyforge.interfaces.cli.exits import finish

group: Final = typer.Typer()
command = partial(group.command, rich_help_panel="Search")


@command()
def matrix(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A text file with the payoffs, a row of the matrix a line."
        ),
    ],
    weak: Annotated[
        bool, typer.Option("--weak", help="Eliminate weakly dominated strategies, too.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="List all equilibria of a zero-sum game, too.")
    ] = False,
    row: Annotated[
        str | None,
        typer.Option("--row", metavar="MIX", help="Find the best replies to a mix: '1/2 1/4 1/4'."),
    ] = None,
    column: Annotated[
        str | None,
        typer.Option("--column", metavar="MIX", help="The same for a mix of the column player."),
    ] = None,
    json: Json = False,
) -> None:
    """Solve a matrix game: dominated strategies, value, optimal mixes, equilibria."""
    from plyforge.interfaces.cli.matrix import run

    run(file, weak, every, row, column, json)


@command()
def equilibrium(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="rps, pennies, kuhn, leduc or liars-dice, a variant (liars-dice:1,1,3), or the"
            " path of a Python file with rules. The file is executed.",
        ),
    ],
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="M",
            help="'lp' (default): exact, by a linear program; 'cfr' or 'cfr+': iterations, for"
            " large games.",
        ),
    ] = "lp",
    iterations: Annotated[
        int | None,
        typer.Option(
            "--iterations", parser=integer, metavar="N", help="Stop CFR after so many iterations."
        ),
    ] = None,
    exploitability: Annotated[
        float | None,
        typer.Option(
            "--exploitability",
            parser=number,
            metavar="E",
            help="Stop CFR when a best response wins at most this much, NashConv / 2 (default:"
            " 0.001, if no other limit is given).",
        ),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option("--time", "-t", parser=number, metavar="S", help="Stop CFR after S seconds."),
    ] = None,
    save: Annotated[
        str | None,
        typer.Option(
            "--save",
            metavar="FILE",
            help="Save the run of CFR (.npz); run the same command again to resume.",
        ),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option("--strategy", metavar="FILE", help="Write the whole strategy as JSON."),
    ] = None,
    tree: Annotated[
        str | None,
        typer.Option(
            "--tree",
            metavar="FILE",
            help="Draw the tree with its information sets to a .svg, .dot or .tex file.",
        ),
    ] = None,
    rows: Annotated[
        int,
        typer.Option(
            "--rows", parser=integer, metavar="N", help="Print at most N information sets."
        ),
    ] = 40,
    max_nodes: Annotated[
        int | None,
        typer.Option(
            "--max-nodes",
            parser=integer,
            metavar="N",
            help="Refuse larger trees (default: 3,000,000).",
        ),
    ] = None,
    max_sequences: Annotated[
        int | None,
        typer.Option(
            "--max-sequences",
            parser=integer,
            metavar="N",
            help="Refuse larger linear programs (default: 20,000 sequences).",
        ),
    ] = None,
    backend: BackendName = None,
    json: Json = False,
) -> None:
    """Find an equilibrium of a game with hidden information."""
    from plyforge.interfaces.cli.equilibrium import Files, Limits, run

    finish(
        run(
            game,
            method,
            Limits(iterations, exploitability, time, max_nodes, max_sequences),
            Files(save, strategy, tree),
            rows,
            backend,
            json,
        )
    )
