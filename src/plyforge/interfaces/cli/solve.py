"""`plyforge solve`."""

from plyforge.core.errors import PlyforgeError
from plyforge.engine import Info, score_text
from plyforge.engine.solve import solve
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.engines import EngineOptions
from plyforge.interfaces.cli.output import console, print_json
from plyforge.interfaces.cli.positions import open_game, open_history


def run(
    name: str,
    position: str | None,
    moves: str | None,
    time: float | None,
    nodes: int | None,
    options: EngineOptions,
    backend: str | None,
    as_json: bool,
) -> int:
    """Solve a position and print the result; return the exit code."""
    game = open_game(name, backend)
    root = open_history(game, position, moves)
    engine = options.engine(game)
    if not engine.options.is_exact:
        own = [step.name for step in engine.options.added if not step.exact]
        raise PlyforgeError(
            "solving needs exact options: use --preset exact, depth-rule=equal and"
            " cycle-policy=safe" + "".join(f"; the step '{name}' is not exact" for name in own)
        )
    out = console()

    def report(info: Info) -> None:
        if not as_json:
            score = score_text(info.score) + ("" if info.bound == "exact" else "+")
            out.print(
                f"depth {info.lines[0].depth:>3}  score {score:>12}"
                f"  nodes {info.nodes:>14,}  {info.seconds:>8.2f} s",
                markup=False,
            )

    solution = solve(engine, root, time=time, nodes=nodes, report=report, catch_interrupt=True)
    pv = engine.line_texts(root, solution.result.pv)
    if as_json:
        print_json({"game": game.name, "preset": options.preset, **solution.fields(pv)})
    elif solution.solved:
        out.print(f"{solution.outcome}, value {solution.value} for the side to move", markup=False)
        out.print(f"line {' '.join(pv)}", markup=False)
        result = solution.result
        out.print(
            f"{result.driver}, preset {options.preset}: {result.nodes:,} nodes,"
            f" {result.seconds:.2f} s",
            markup=False,
        )
    else:
        result = solution.result
        why = "interrupted" if result.interrupted else f"out of {_limit(time, nodes)}"
        out.print(
            f"not solved: {why} after depth {result.depth}, {result.nodes:,} nodes and"
            f" {result.seconds:.1f} s; best so far {pv[0]}, score {score_text(result.score)}",
            markup=False,
        )
    if solution.result.interrupted:
        return exits.INTERRUPTED
    return 0 if solution.solved else exits.NOT_SOLVED


def _limit(time: float | None, nodes: int | None) -> str:
    limits = {"time": time, "nodes": nodes}
    return " or ".join(name for name, limit in limits.items() if limit is not None) or "depth"
