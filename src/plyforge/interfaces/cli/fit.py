"""`plyforge fit`."""

from pathlib import Path
from typing import Any

from plyforge.core.errors import PlyforgeError, clip
from plyforge.engine.limits import validate_depth
from plyforge.evaluate import with_evaluation
from plyforge.game.game import Game
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.executors import choose_executor
from plyforge.interfaces.cli.output import console, plot_path, print_json, print_table
from plyforge.interfaces.cli.positions import open_game
from plyforge.interfaces.cli.progress import Progress
from plyforge.learn.fitting import Method, SampleStore, collect, find_method, make_fit
from plyforge.learn.selfplay import SelfPlay
from plyforge.match.files import check_output
from plyforge.match.tables import Table
from plyforge.search.fits import SUFFIX, Fit, fingerprint_of

MIN_DEPTH = 3


def run(
    name: str,
    method_name: str,
    games: int | None,
    depth: int | None,
    seed: int,
    evaluation: str | None,
    file: str | None,
    jobs: int | None,
    db: str,
    output: str | None,
    plot: str | None,
    overwrite: bool,
    json: bool,
) -> int:
    """Collect samples, fit, write the file; return the exit code."""
    method = find_method(method_name)
    game = open_game(name, None)
    if evaluation:
        game = with_evaluation(game, evaluation)
    path = Path(output or f"{game.name}-{method_name}{SUFFIX}")
    if path.suffix != SUFFIX:
        raise PlyforgeError(f"--output '{clip(str(path))}' must end in {SUFFIX}")
    check_output(path, overwrite)
    picture = None if plot is None else plot_path(plot)
    depth = validate_depth(method.depth if depth is None else depth)
    made: dict[str, Any] = {"evaluation": evaluation or ""}
    interrupted = False
    if file is not None:
        samples = _read(method, method_name, game, Path(file))
        made["file"] = Path(file).name
    else:
        if method_name == "probcut" and depth < MIN_DEPTH:
            raise PlyforgeError(
                f"--depth must be at least {MIN_DEPTH} for {method_name}, not {depth}"
            )
        plan = SelfPlay(name, evaluation or "", depth, seed)
        made |= {"depth": depth, "seed": seed}
        samples, interrupted = _play(
            method, method_name, game, plan, method.games if games is None else games, jobs, db
        )
    fit = make_fit(method_name, game, samples, depth, made)
    fit.save(path)
    if picture is not None:
        from plyforge.interfaces.plots.fits import draw_fit

        draw_fit(fit, samples, picture)
    _report(fit, path, plot, json, interrupted)
    return exits.INTERRUPTED if interrupted else exits.DONE


def _read(method: Method, name: str, game: Game, path: Path) -> list[Any]:
    if method.read is None:
        raise PlyforgeError(f"'{name}' needs values of searches, which a file of games has not")
    return method.read(game, path)


def _play(
    method: Method, name: str, game: Game, plan: SelfPlay, games: int, jobs: int | None, db: str
) -> tuple[list[Any], bool]:
    """Return the samples of the games, and whether the user interrupted them."""
    executor = choose_executor(jobs, allow_zero=True)
    with SampleStore(db) as store:
        number = store.open_fit(name, plan, fingerprint_of(game))
        steps = collect(method, plan, games, store, number, executor)
        interrupted = False
        try:
            with Progress("games") as progress:
                done = next(steps)
                if done:
                    progress.print(f"{done:,} of {games:,} games are already stored in {db}")
                progress.start(games, done)
                for done in steps:
                    progress.update(done)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            steps.close()
        samples = [data for place, data in store.samples(number).items() if place < games]
    if interrupted and not samples:
        raise KeyboardInterrupt
    return samples, interrupted


def _report(fit: Fit, path: Path, plot: str | None, json: bool, interrupted: bool) -> None:
    made = dict(fit.made)
    if json:
        print_json(
            {
                "file": str(path),
                "method": fit.method,
                "game": fit.game,
                "made": made,
                "interrupted": interrupted,
                "rows": [dict(row) for row in fit.rows],
            }
        )
        return
    cells = [tuple(f"{value:,g}" for value in row.values()) for row in fit.rows]
    print_table(Table(tuple(fit.rows[0]), tuple(cells)))
    out = console()
    if interrupted:
        out.print("interrupted; run the same command again for the other games", markup=False)
    step = {"probcut": "multi-probcut", "realization": "realization-probability"}[fit.method]
    out.print(
        f"{made['games']:,} games, {made['positions']:,} positions; wrote {path}", markup=False
    )
    if plot is not None:
        out.print(f"wrote {plot}", markup=False)
    out.print(
        f"use it: plyforge analyse {fit.game} --on {step} --set {step}-fit={path}", markup=False
    )
