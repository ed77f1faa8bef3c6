"""`plyforge cluster` and its commands."""

from typing import Annotated

import typer

from plyforge.interfaces.cli.arguments import Json, integer

group = typer.Typer(
    name="cluster",
    help="Start and end a Ray cluster of several nodes on this machine, for tests.",
    no_args_is_help=True,
)


@group.command()
def up(
    nodes: Annotated[
        int, typer.Option("--nodes", parser=integer, metavar="N", help="Number of nodes.")
    ] = 2,
    cpus: Annotated[
        int, typer.Option("--cpus", parser=integer, metavar="N", help="Workers of each node.")
    ] = 1,
    port: Annotated[
        int, typer.Option("--port", parser=integer, metavar="P", help="Port of the head node.")
    ] = 6379,
    json: Json = False,
) -> None:
    """Start a cluster; commands with --executor ray use it."""
    from plyforge.interfaces.cli.cluster import start

    start(nodes, cpus, port, json)


@group.command()
def status(json: Json = False) -> None:
    """Show the nodes of the cluster that 'up' has started."""
    from plyforge.interfaces.cli.cluster import show

    show(json)


@group.command()
def down(json: Json = False) -> None:
    """End all processes of the cluster that 'up' has started."""
    from plyforge.interfaces.cli.cluster import stop

    stop(json)
