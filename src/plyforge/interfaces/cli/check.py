"""`plyforge check`."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.text import Text

from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.output import console, print_json
from plyforge.interfaces.cli.progress import Progress

if TYPE_CHECKING:
    from plyforge.check import Problem, Report

_STYLES = {"problem": "bold red", "remark": "yellow"}


_STAGES: Final = {
    "loading": "loading the rules ...",
    "compiling": "compiling the rules ...",
}


def run(game: str, seed: int, games: int, seconds: float, strict: bool, as_json: bool) -> int:
    """Check the rules of a game and print the report; return the exit code."""
    with Progress("random games") as progress:
        progress.prepare(_STAGES["loading"])
        # Importing it takes a while, which the progress bar should show.
        from plyforge.check import check

        def show(doing: str, played: int) -> None:
            if doing in _STAGES:
                progress.prepare(_STAGES[doing])
            elif played == 0:
                progress.start(games)
            else:
                progress.update(played)

        report = check(game, seed=seed, games=games, seconds=seconds, observer=show)
    if as_json:
        print_json(fields(report, strict))
    else:
        _print(report, console())
    return 0 if report.passes(strict) else exits.FAILED


def fields(report: "Report", strict: bool = False) -> dict[str, Any]:
    """Return the report as one JSON object."""
    return {
        "game": report.game,
        "passed": report.passes(strict),
        "complete": report.complete,
        "problems": [asdict(problem) for problem in report.problems],
        **asdict(report.statistics),
    }


def _print(report: "Report", out: Console) -> None:
    for problem in report.problems:
        _print_problem(problem, out)
    problems = sum(problem.severity == "problem" for problem in report.problems)
    remarks = len(report.problems) - problems
    style = "bold red" if problems else "green"
    counts = f"{_count(problems, 'problem')}, {_count(remarks, 'remark')}"
    out.print(Text(f"{report.game}: {counts}", style=style))
    out.print(Text(_format_statistics(report)))


def _print_problem(problem: "Problem", out: Console) -> None:
    times = f" ({problem.times} times)" if problem.times > 1 else ""
    line = Text(f"{problem.severity}: ", style=_STYLES[problem.severity])
    out.print(line.append(problem.message + times, style=""))
    if problem.position is not None:
        out.print(Text(f"    in position {problem.position}"))
    if problem.move is not None:
        out.print(Text(f"    with move {problem.move}"))
    if problem.file is not None:
        out.print(Text(f"    at {problem.file}, line {problem.line}"))


def _format_statistics(report: "Report") -> str:
    counts = report.statistics
    backends = "uncompiled and compiled" if counts.compiled else "uncompiled only"
    note = "" if report.complete else "; the check could not be finished"
    played = f"{_count(counts.games, 'random game')}, {_count(counts.positions, 'position')}"
    ends = f"{counts.ends_by_outcome:,} games ended by 'outcome', {counts.ends_without_move:,}"
    return (
        f"{played} and {_count(counts.moves, 'move')} checked, {backends}; longest game"
        f" {_count(counts.longest_game, 'move')}, most moves in a position {counts.max_moves};"
        f" {ends} without a move (compiled in {counts.compile_seconds:.1f} s){note}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
