"""`plyforge check --step`."""

from dataclasses import asdict

from plyforge.compilation.kernel import BACKENDS, Backend
from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.engine.step_check import GAMES, StepReport, check_step
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.output import print_json
from plyforge.interfaces.cli.progress import Progress
from plyforge.search.steps.files import load_step


def run(file: str, game: str | None, seed: int, positions: int, backend: str, as_json: bool) -> int:
    """Check a search step and print the report; return the exit code."""
    if positions < 1:
        raise PlyforgeError(f"--positions must be at least 1, not {positions}")
    step = load_step(file)
    games = GAMES if game is None else (game,)
    chosen = _backend(backend)
    with Progress("positions") as progress:
        progress.start(total=positions * len(games))
        report = check_step(
            step,
            games,
            positions=positions,
            seed=seed,
            backend=chosen,
            report=progress.update,
        )
    if as_json:
        print_json({"file": file, "passed": report.ok, **asdict(report)})
    else:
        print(_format(file, report))
    return 0 if report.ok else exits.FAILED


def _backend(name: str) -> Backend:
    for backend in BACKENDS:
        if backend == name:
            return backend
    raise UnknownName("backend", name, BACKENDS)


def _format(file: str, report: StepReport) -> str:
    lines = [f"problem: {problem}" for problem in report.problems]
    claim = "claims exactness" if report.claims_exact else "does not claim exactness"
    share = report.different / report.searches if report.searches else 0.0
    lines.append(f"{file}: '{report.step}' {claim}; {report.searches:,} searches against minimax")
    if not report.claims_exact:
        most = f"by {report.max_difference:g} at most"
        lines.append(f"{report.different:,} values differ ({share:.1%}), {most}")
    elif report.ok:
        lines.append("every value is the minimax value")
    return "\n".join(lines)
