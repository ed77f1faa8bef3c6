"""Run the comparisons, print one table, and store it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from benchmarks import against as other_checkout
from benchmarks import (
    cluster_jobs,
    cpp_twin,
    efficiency,
    engine,
    evaluations,
    fixed,
    generators,
    learning,
    leduc,
    mpi,
    parallel,
    pychess,
    search_easyai,
    search_spiel,
    search_twin,
    selfplay,
    shares,
    spiel,
    stockfish,
    switches,
    uci,
    web,
)
from benchmarks import compile as compile_times
from benchmarks.clock import RESULTS, Settings
from benchmarks.table import Row, store, terminal_table

COMPARISONS: dict[str, Callable[[Settings], Iterator[Row]]] = {
    "cpp_twin": cpp_twin.rows,
    "spiel": spiel.rows,
    "stockfish": stockfish.rows,
    "pychess": pychess.rows,
    "generators": generators.rows,
    "shares": shares.rows,
    "compile": compile_times.rows,
    "search_spiel": search_spiel.rows,
    "search_easyai": search_easyai.rows,
    "search_twin": search_twin.rows,
    "efficiency": efficiency.rows,
    "switches": switches.rows,
    "engine": engine.rows,
    "evaluations": evaluations.rows,
    "fixed": fixed.rows,
    "parallel": parallel.rows,
    "mpi": mpi.rows,
    "learning": learning.rows,
    "leduc": leduc.rows,
    "selfplay": selfplay.rows,
    "web": web.rows,
    "uci": uci.rows,
    "ray": cluster_jobs.rows,
    "against": other_checkout.rows,
}


def main(
    quick: Annotated[bool, typer.Option(help="One round on small trees.")] = False,
    only: Annotated[
        list[str] | None, typer.Option(help=f"One of {', '.join(COMPARISONS)}; may be repeated.")
    ] = None,
    output: Annotated[Path, typer.Option(help="Folder for the JSON and Markdown.")] = RESULTS,
    against: Annotated[
        Path | None, typer.Option(help="Another checkout, for the comparison 'against'.")
    ] = None,
) -> None:
    """Compare Plyforge with other programs, in ratios of CPU time."""
    names = only or list(COMPARISONS)
    for name in names:
        if name not in COMPARISONS:
            known = ", ".join(COMPARISONS)
            raise typer.BadParameter(f"unknown comparison {name!r}; known: {known}")
    if only and "against" in only and against is None:
        raise typer.BadParameter("the comparison 'against' needs --against FOLDER")
    if against is not None and not (against / "src" / "plyforge").is_dir():
        raise typer.BadParameter(f"{against} is not a checkout: it has no folder src/plyforge")

    # Without a terminal, rich would squeeze the table into 80 columns.
    progress, console = Console(stderr=True), Console(width=None if sys.stdout.isatty() else 170)
    settings = Settings(quick, output, against and against.resolve())
    rows: list[Row] = []
    with progress.status("") as status:
        for name in names:
            status.update(f"{name} …")
            for row in COMPARISONS[name](settings):
                rows.append(row)
                status.update(f"{name}: {row.game} {row.case} done …")

    console.print(terminal_table(rows))
    # A partial run must not overwrite the full table.
    stem = "-".join(["quick"] * quick + (["only", *only] if only else ["all"]))
    for path in store(rows, output, stem, quick):
        console.print(f"wrote {path}")


if __name__ == "__main__":
    typer.run(main)
