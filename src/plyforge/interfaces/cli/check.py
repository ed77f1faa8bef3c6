"""`plyforge check`."""

from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.text import Text

from plyforge.check import Problem, Report
from plyforge.check import check as run_check
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.output import console, print_json

_STYLES = {"problem": "bold red", "remark": "yellow"}


def run(game: str, seed: int, games: int, seconds: float, as_json: bool) -> int:
    """Check the rules of a game and print the report; return the exit code."""
    report = run_check(game, seed=seed, games=games, seconds=seconds)
    if as_json:
        print_json(fields(report))
    else:
        _print(report, console())
    return 0 if report.passed else exits.FAILED


def fields(report: Report) -> dict[str, Any]:
    """Return the report as one JSON object."""
    return {
        "game": report.game,
        "passed": report.passed,
        "complete": report.complete,
        "problems": [asdict(problem) for problem in report.problems],
        **asdict(report.statistics),
    }


def render(report: Report) -> str:
    """Format the report as plain text."""
    plain = Console(no_color=True, highlight=False, soft_wrap=True)
    with plain.capture() as capture:
        _print(report, plain)
    return capture.get()


def _print(report: Report, out: Console) -> None:
    for problem in report.problems:
        _print_problem(problem, out)
    problems = sum(problem.severity == "problem" for problem in report.problems)
    remarks = len(report.problems) - problems
    style = "bold red" if problems else "green"
    counts = f"{_count(problems, 'problem')}, {_count(remarks, 'remark')}"
    out.print(Text(f"{report.game}: {counts}", style=style))
    out.print(Text(_format_statistics(report)))


def _print_problem(problem: Problem, out: Console) -> None:
    times = f" ({problem.times} times)" if problem.times > 1 else ""
    line = Text(f"{problem.severity}: ", style=_STYLES[problem.severity])
    out.print(line.append(problem.message + times, style=""))
    if problem.position is not None:
        out.print(Text(f"    in position {problem.position}"))
    if problem.move is not None:
        out.print(Text(f"    with move {problem.move}"))
    if problem.file is not None:
        out.print(Text(f"    at {problem.file}, line {problem.line}"))


def _format_statistics(report: Report) -> str:
    counts = report.statistics
    backends = "uncompiled and compiled" if counts.compiled else "uncompiled only"
    note = "" if report.complete else "; the check could not be finished"
    return (
        f"{_count(counts.games, 'random game')}, {_count(counts.positions, 'position')} and"
        f" {_count(counts.moves, 'move')} checked, {backends}; longest game"
        f" {_count(counts.longest_game, 'move')}, most moves in a position {counts.max_moves}"
        f" (compiled in {counts.compile_seconds:.1f} s){note}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
