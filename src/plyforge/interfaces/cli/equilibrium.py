"""`plyforge equilibrium`."""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from rich.console import Console

from plyforge.compilation.kernel import BACKENDS, Backend
from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.core.writing import write_atomically
from plyforge.equilibrium import cfr, linear_program
from plyforge.equilibrium.game_tree import MAX_NODES, GameTree, build_tree
from plyforge.equilibrium.loading import load
from plyforge.equilibrium.optimization import find_solver
from plyforge.equilibrium.profile import Profile
from plyforge.equilibrium.sequence_form import SequenceForm
from plyforge.equilibrium.text import fraction_text
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.output import console, print_json
from plyforge.interfaces.cli.progress import Progress

METHODS: Final = (linear_program.METHOD, *cfr.METHODS)
DEFAULT_EXPLOITABILITY: Final = 0.001
_SAVE_EVERY: Final = 10.0
"""Seconds between two savings of a run."""
_TREE_FORMATS: Final = (".svg", ".dot", ".tex")


@dataclass(frozen=True)
class Limits:
    """The limits of a run; None for a default."""

    iterations: int | None
    exploitability: float | None
    seconds: float | None
    max_nodes: int | None
    max_sequences: int | None


@dataclass(frozen=True)
class Files:
    """Files to write; None for none."""

    save: str | None
    strategy: str | None
    tree: str | None


@dataclass(frozen=True)
class _Result:
    profile: Profile
    fields: dict[str, Any]
    """What a method adds to the output."""
    seconds: float
    """The time of solving, without building the tree."""
    interrupted: bool = False


def run(
    name: str,
    method: str,
    limits: Limits,
    files: Files,
    rows: int,
    backend: str | None,
    as_json: bool,
) -> int:
    """Solve a game and print the equilibrium; return the exit code."""
    _check(method, limits, files, rows, backend)
    game = load(name)
    with Progress("nodes") as progress:
        progress.start(None)
        max_nodes = MAX_NODES if limits.max_nodes is None else limits.max_nodes
        tree = build_tree(game, max_nodes, progress.update)
    form = SequenceForm.of(tree)
    if method == linear_program.METHOD:
        find_solver()  # loading it takes longer than a small game
        started = time.perf_counter()
        max_sequences = limits.max_sequences
        if max_sequences is None:
            max_sequences = linear_program.MAX_SEQUENCES
        profile = linear_program.solve_sequence_form(tree, form, max_sequences)
        result = _Result(profile, {}, time.perf_counter() - started)
    else:
        result = _minimize(tree, form, method, limits, files, cast(Backend, backend or "compiled"))
    if files.strategy is not None:
        content = {"game": name, **_summary(result), "sets": result.profile.rows()}
        _write(files.strategy, json.dumps(content, indent=1) + "\n")
    if files.tree is not None:
        _write(files.tree, _tree_text(result.profile, files.tree))
    if as_json:
        print_json({"game": name, **_summary(result), "seconds": result.seconds,
                    "sets": result.profile.rows()[:rows]})  # fmt: skip
    else:
        _print(console(), result, rows)
    return exits.INTERRUPTED if result.interrupted else exits.DONE


def _check(method: str, limits: Limits, files: Files, rows: int, backend: str | None) -> None:
    if method not in METHODS:
        raise UnknownName("method", method, METHODS, lists_all=True)
    if backend is not None and backend not in BACKENDS:
        raise UnknownName("backend", backend, BACKENDS)
    if rows < 0:
        raise PlyforgeError(f"--rows must be at least 0, not {rows}")
    if limits.max_sequences is not None and limits.max_sequences < 1:
        raise PlyforgeError(f"--max-sequences must be at least 1, not {limits.max_sequences}")
    for_cfr = {"--iterations": limits.iterations, "--exploitability": limits.exploitability,
               "--time": limits.seconds, "--save": files.save}  # fmt: skip
    for option, value in for_cfr.items():
        if method == linear_program.METHOD and value is not None:
            raise PlyforgeError(f"{option} is for --method cfr and cfr+; 'lp' is exact")
    if method != linear_program.METHOD:
        cfr.check_limits(*_cfr_limits(limits))
    if files.tree is not None and Path(files.tree).suffix.lower() not in _TREE_FORMATS:
        raise PlyforgeError(f"'{files.tree}' must end in {', '.join(_TREE_FORMATS)}")
    for file in (files.save, files.strategy, files.tree):
        if file is not None and not Path(file).parent.is_dir():
            raise PlyforgeError(f"'{file}': there is no folder '{Path(file).parent}'")


def _cfr_limits(limits: Limits) -> tuple[int | None, float | None, float | None]:
    target = limits.exploitability
    if limits.iterations is None and limits.seconds is None and target is None:
        target = DEFAULT_EXPLOITABILITY
    return limits.iterations, target, limits.seconds


def _minimize(
    tree: GameTree,
    form: SequenceForm,
    method: str,
    limits: Limits,
    files: Files,
    backend: Backend,
) -> _Result:
    minimizer = cfr.RegretMinimizer(tree, form, method, backend)
    save = None if files.save is None else Path(files.save)
    if save is not None and save.exists():
        minimizer.resume(save)
    resumed = minimizer.iterations
    saved = time.monotonic()
    interrupted = False
    with Progress("iterations") as progress:
        progress.start(limits.iterations, resumed)

        def report(state: cfr.Progress) -> None:
            nonlocal saved
            note = f"exploitability {state.exploitability:.3g}"
            progress.update(state.iterations, lambda: note)
            if save is not None and time.monotonic() - saved > _SAVE_EVERY:
                minimizer.save(save)
                saved = time.monotonic()

        try:
            minimizer.run(*_cfr_limits(limits), report=report)
        except KeyboardInterrupt:
            if not minimizer.iterations:
                raise
            interrupted = True
    if save is not None:
        minimizer.save(save)
    fields = {"iterations": minimizer.iterations, "resumed": resumed}
    return _Result(minimizer.profile(), fields, minimizer.seconds, interrupted)


def _summary(result: _Result) -> dict[str, Any]:
    profile = result.profile
    tree = profile.tree
    return {
        "method": profile.method,
        "value": profile.value,
        "exploitability": profile.exploitability,
        **result.fields,
        "nodes": tree.size,
        "ends": len(tree.ends),
        "information_sets": len(tree.sets),
        "sequences": list(tree.sequence_counts),
    }


def _print(out: Console, result: _Result, rows: int) -> None:
    profile = result.profile
    tree, game = profile.tree, profile.tree.game
    out.print(f"{game.title}: {tree.describe()}", markup=False)
    fraction = fraction_text(profile.value)
    exact = f" = {fraction}" if "/" in fraction else ""
    out.print(f"value {profile.value:.7g}{exact} for {game.players[0]}", markup=False)
    how = ", ".join(f"{count:,} {name}" for name, count in result.fields.items() if count)
    out.print(
        f"{profile.method}{f', {how}' if how else ''}, exploitability"
        f" {profile.exploitability:.3g}, {result.seconds:.2f} s",
        markup=False,
    )
    shown = tree.sets[:rows]
    width = max((len(one.label) for one in shown), default=0)
    for player in (0, 1):
        for number, one in enumerate(shown):
            if one.player == player:
                moves = "  ".join(
                    f"{move} {_share_text(share)}" for move, share in profile.moves(number).items()
                )
                note = "" if profile.is_reached(number) else "  (not reached)"
                name = game.players[player]
                out.print(f"{name:<7} {one.label:<{width}}  {moves}{note}", markup=False)
    more = len(tree.sets) - rows
    if more > 0:
        out.print(
            f"and {more:,} more information set{'' if more == 1 else 's'}; --strategy FILE writes"
            " all",
            markup=False,
        )
    if result.interrupted:
        out.print("interrupted; the strategy is the average so far", markup=False)


def _share_text(share: float) -> str:
    text = fraction_text(share)
    return text if len(text) <= 5 else f"{share:.4f}"


def _tree_text(profile: Profile, file: str) -> str:
    from plyforge.equilibrium.tracing import trace_profile
    from plyforge.interfaces.drawing.tree import tree
    from plyforge.search.textbook.export import to_dot, to_tikz

    trace = trace_profile(profile)
    match Path(file).suffix.lower():
        case ".dot":
            return to_dot(trace)
        case ".tex":
            return to_tikz(trace)
    return tree(trace, standalone=True)


def _write(file: str, text: str) -> None:
    write_atomically(Path(file), text.encode("utf-8"))
