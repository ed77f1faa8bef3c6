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


def check(game: str, seed: int, games: int, seconds: float, json: bool) -> int:
    """Check a game's rules and print what was found; 1 if there are problems, else 0."""
    report = run_check(game, seed=seed, games=games, seconds=seconds)
    if json:
        print_json(fields(report))
    else:
        _print(report, console())
    return 0 if report.passed else exits.FAILED


def fields(report: Report) -> dict[str, Any]:
    """The report as one JSON object."""
    return {
        "game": report.game,
        "passed": report.passed,
        "complete": report.complete,
        "problems": [asdict(problem) for problem in report.problems],
        **asdict(report.statistics),
    }


def render(report: Report) -> str:
    """The report as plain text."""
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
    found = f"{_count(problems, 'problem')}, {_count(remarks, 'remark')}"
    out.print(Text(f"{report.game}: {found}", style=style))
    out.print(Text(_statistics(report)))


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


def _statistics(report: Report) -> str:
    found = report.statistics
    backends = "uncompiled and compiled" if found.compiled else "uncompiled only"
    ended = "" if report.complete else "; the check could not be finished"
    return (
        f"{_count(found.games, 'random game')}, {_count(found.positions, 'position')} and"
        f" {_count(found.moves, 'move')} looked at, {backends}; longest game"
        f" {_count(found.longest_game, 'move')}, most moves in a position {found.most_moves}"
        f" (compiled in {found.compile_seconds:.1f} s){ended}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
