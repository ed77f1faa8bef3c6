"""`plyforge solve`."""

import dataclasses
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine import Engine, Info, score_text
from plyforge.engine.proof_solve import (
    ALPHA_BETA,
    ProofProgress,
    default_method,
    solve_by_proof,
    threshold_text,
    validate_method,
)
from plyforge.engine.solve import solve
from plyforge.engine.solve_moves import solve_moves
from plyforge.game.game import Game, History
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.engines import EngineOptions
from plyforge.interfaces.cli.output import console, print_json
from plyforge.interfaces.cli.positions import open_game, open_history
from plyforge.search.proof.kernels.context import INFINITE
from plyforge.search.proof.prover import Prover

PROOF_OPTIONS: Final = ("hash", "entries", "database")
"""The engine options that belong to proof search, too."""


def run(
    name: str,
    position: str | None,
    moves: str | None,
    time: float | None,
    nodes: int | None,
    method: str | None,
    options: EngineOptions,
    backend: str | None,
    as_json: bool,
    each_move: bool = False,
) -> int:
    """Solve a position and print the result; return the exit code."""
    game = open_game(name, backend)
    root = open_history(game, position, moves)
    given = options.given(*PROOF_OPTIONS)
    if method is None:
        method = ALPHA_BETA if given else default_method(game)
    if validate_method(method) != ALPHA_BETA:
        if given:
            raise PlyforgeError(
                f"--{given[0]} belongs to the method 'alpha-beta', not to '{method}'; leave it out,"
                " or add --method alpha-beta"
            )
        if each_move:
            prover = Prover(
                game,
                method,
                hash=options.hash,
                entries=options.entries,
                database=options.database,
                backend=game.backend,
            )
            return _run_moves(prover, root, time, nodes, method, as_json)
        return _run_proof(game, root, time, nodes, method, options, as_json)
    if each_move:
        engine = exact_engine(with_own_settings(options, game), game)
        return _run_moves(engine, root, time, nodes, method, as_json)
    return _run_alpha_beta(game, root, time, nodes, options, as_json)


def _run_moves(
    search: Engine | Prover,
    root: History,
    time: float | None,
    nodes: int | None,
    method: str,
    as_json: bool,
) -> int:
    """Solve the position after each move, and print the results as they come."""
    game, out, results = root.game, console(), []
    if root.verdict().over:
        raise PlyforgeError("the game is over, so there is no move to solve")
    for one in solve_moves(root, search, time=time, nodes=nodes):
        results.append(one)
        if not as_json:
            out.print(
                f"{game.move_text(root.position, one.move):<10} {one.text:<14}"
                f" nodes {one.nodes:>14,}  {one.seconds:>8.2f} s",
                markup=False,
            )
    total, seconds = sum(one.nodes for one in results), sum(one.seconds for one in results)
    solved = sum(one.solved for one in results)
    if as_json:
        moves = [one.fields(game.move_text(root.position, one.move)) for one in results]
        fields = {"game": game.name, "method": method, "solved": solved == len(root.legal_moves())}
        print_json({**fields, "moves": moves, "nodes": total, "seconds": seconds})
    else:
        out.print(
            f"{method}: {solved} of {len(root.legal_moves())} moves solved, {total:,} nodes,"
            f" {seconds:.2f} s",
            markup=False,
        )
    if results[-1].interrupted:
        return exits.INTERRUPTED
    return 0 if solved == len(root.legal_moves()) else exits.NOT_SOLVED


def exact_engine(options: EngineOptions, game: Game) -> Engine:
    """Return the engine of the options, which must be exact."""
    engine = options.engine(game)
    if not engine.options.is_exact:
        own = [step.name for step in engine.options.added if not step.exact]
        raise PlyforgeError(
            "solving needs exact options: use --preset exact, depth-rule=equal and"
            " cycle-policy=safe or shared"
            + "".join(f"; the step '{name}' is not exact" for name in own)
        )
    return engine


def _run_alpha_beta(
    game: Game,
    root: History,
    time: float | None,
    nodes: int | None,
    options: EngineOptions,
    as_json: bool,
) -> int:
    options = with_own_settings(options, game)
    engine = exact_engine(options, game)
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
        fields = {"game": game.name, "method": ALPHA_BETA, "preset": options.preset}
        print_json({**fields, **solution.fields(pv)})
    elif solution.solved:
        result = solution.result
        value = f"{solution.outcome}, value {solution.value}"
        if solution.is_average:
            value = f"expected value {score_text(result.score)}"
        out.print(f"{value} for the side to move", markup=False)
        out.print(f"line {' '.join(pv)}", markup=False)
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


def with_own_settings(options: EngineOptions, game: Game) -> EngineOptions:
    """Return the options with the game's own settings for solving, unless the user gives some."""
    own = game.rules.constant("SOLVE")
    if set(own) <= {"method"} or options.given(*PROOF_OPTIONS, "threads", "preset", "book"):
        return options
    return dataclasses.replace(
        options,
        on=",".join(own.get("on", ())),
        off=",".join(own.get("off", ())),
        driver=own.get("driver", options.driver),
    )


def _run_proof(
    game: Game,
    root: History,
    time: float | None,
    nodes: int | None,
    method: str,
    options: EngineOptions,
    as_json: bool,
) -> int:
    out = console()

    def report(progress: ProofProgress) -> None:
        asked = f"{threshold_text(progress.threshold)}?"
        out.print(
            f"{asked:<14} proof {_number(progress.proof):>10}"
            f"  disproof {_number(progress.disproof):>10}"
            f"  nodes {progress.nodes:>14,}  {progress.seconds:>8.2f} s",
            markup=False,
        )

    solution = solve_by_proof(
        game,
        root,
        method,
        time=time,
        nodes=nodes,
        hash=options.hash,
        entries=options.entries,
        database=options.database,
        report=None if as_json else report,
        catch_interrupt=True,
        backend=game.backend,
    )
    pv = line_texts(game, root, solution.line)
    if as_json:
        print_json({"game": game.name, **solution.fields(pv)})
    elif solution.solved:
        out.print(f"{solution.outcome}, value {solution.value} for the side to move", markup=False)
        if solution.exceeds_limit:
            out.print(
                f"without the limit of {solution.progress_limit} plies without progress: the proof"
                f" has lines with {solution.run}",
                markup=False,
            )
        out.print(f"line {' '.join(pv)}", markup=False)
        asked = ", ".join(
            f"{threshold_text(one.threshold)}: {'yes' if one.result.answer else 'no'}"
            for one in solution.questions
        )
        out.print(f"proved {asked}", markup=False)
        out.print(f"{method}: {solution.nodes:,} nodes, {solution.seconds:.2f} s", markup=False)
    else:
        why = "interrupted" if solution.interrupted else f"out of {_limit(time, nodes)}"
        fields = solution.fields(pv)
        out.print(
            f"not solved: {solution.fault or why} after {solution.nodes:,} nodes and"
            f" {solution.seconds:.1f} s; the value is between {fields['lower']} and"
            f" {fields['upper']}",
            markup=False,
        )
    if solution.interrupted:
        return exits.INTERRUPTED
    return 0 if solution.solved else exits.NOT_SOLVED


def line_texts(game: Game, root: History, line: tuple[int, ...]) -> list[str]:
    """Return the moves of a line in the game's notation."""
    texts, position = [], root.position
    for move in line:
        texts.append(game.move_text(position, move))
        position = game.play(position, move)
    return texts


def _number(number: int) -> str:
    """Return a proof or disproof number as a text."""
    return "infinite" if number >= INFINITE else f"{number:,}"


def _limit(time: float | None, nodes: int | None) -> str:
    limits = {"time": time, "nodes": nodes}
    return " or ".join(name for name, limit in limits.items() if limit is not None) or "depth"
