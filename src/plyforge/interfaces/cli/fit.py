"""`plyforge fit`."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.engine.limits import validate_depth
from plyforge.evaluate import with_evaluation
from plyforge.game.game import Game
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.executors import ExecutorOptions
from plyforge.interfaces.cli.output import console, plot_path, print_json, print_table
from plyforge.interfaces.cli.positions import open_game
from plyforge.interfaces.cli.progress import Progress
from plyforge.learn.fitting import Method, SampleStore, collect, find_method, make_fit
from plyforge.learn.selfplay import SelfPlay
from plyforge.match.files import check_output
from plyforge.match.tables import Table
from plyforge.search.fits import SUFFIX, Fit, fingerprint_of

_STEPS: Final = {"probcut": "multi-probcut", "realization": "realization-probability"}
"""The step that reads the numbers of a method."""


@dataclass(frozen=True)
class FitOptions:
    """The options of a fit, as typed."""

    game: str
    method: str
    games: int | None
    depth: int | None
    opening: int
    seed: int
    evaluation: str | None
    file: str | None
    workers: ExecutorOptions
    db: str
    output: str | None
    plot: str | None
    overwrite: bool
    json: bool

    def load_game(self) -> Game:
        game = open_game(self.game, None)
        return with_evaluation(game, self.evaluation) if self.evaluation else game

    def path(self, game: Game) -> Path:
        """Return the file to write; raise an error if that is not possible."""
        variant = re.sub(r"\W+", "-", f"-{game.variant}") if game.variant else ""
        path = Path(self.output or f"{game.name}{variant}-{self.method}{SUFFIX}")
        if path.suffix != SUFFIX:
            raise PlyforgeError(f"--output '{clip(str(path))}' must end in {SUFFIX}")
        check_output(path, self.overwrite)
        return path

    def plan(self, method: Method) -> SelfPlay:
        depth = validate_depth(method.depth if self.depth is None else self.depth)
        if depth < method.min_depth:
            raise PlyforgeError(
                f"--depth must be at least {method.min_depth} for {self.method}, not {depth}"
            )
        if self.opening < 0:
            raise PlyforgeError(f"--opening must be at least 0, not {self.opening}")
        return SelfPlay(self.game, self.evaluation or "", depth, self.seed, self.opening)


def run(options: FitOptions) -> int:
    """Collect samples, fit, write the file; return the exit code."""
    method = find_method(options.method)
    game = options.load_game()
    path = options.path(game)
    picture = None if options.plot is None else plot_path(options.plot)
    plan = options.plan(method)
    made: dict[str, Any] = {"evaluation": options.evaluation or ""}
    if options.file is not None:
        samples = _read(method, options.method, game, Path(options.file))
        made["file"] = Path(options.file).name
    else:
        samples = _play(method, game, plan, options)
        made |= {"depth": plan.depth, "seed": plan.seed, "opening": plan.opening}
    fit = make_fit(options.method, game, samples, plan.depth, made)
    fit.save(path)
    if picture is not None:
        from plyforge.interfaces.plots.fits import draw_fit

        draw_fit(fit, samples, picture)
    _report(fit, path, options)
    return exits.DONE


def _read(method: Method, name: str, game: Game, path: Path) -> list[Any]:
    if method.read is None:
        raise PlyforgeError(
            f"'{name}' needs values of searches, which a file of games does not contain;"
            " leave out --file"
        )
    return method.read(game, path)


def _play(method: Method, game: Game, plan: SelfPlay, options: FitOptions) -> list[Any]:
    """Return the samples of the games; those of an interrupted command are kept for the next."""
    games = method.games if options.games is None else options.games
    executor = options.workers.choose(allow_zero=True)
    with SampleStore(options.db) as store:
        number = store.open_fit(options.method, plan, fingerprint_of(game))
        steps = collect(method, plan, games, store, number, executor)
        try:
            with Progress("games", executor) as progress:
                done = next(steps)
                if done:
                    present = f"{done:,} of {games:,} games"
                    progress.print(f"{present} are already stored in {options.db}")
                progress.start(games, done)
                for done in steps:
                    progress.update(done)
        finally:
            steps.close()
        return [data for place, data in store.samples(number).items() if place < games]


def _report(fit: Fit, path: Path, options: FitOptions) -> None:
    made = dict(fit.made)
    if options.json:
        print_json(
            {
                "file": str(path),
                "method": fit.method,
                "game": fit.game,
                "made": made,
                "rows": [dict(row) for row in fit.rows],
            }
        )
        return
    cells = [tuple(f"{value:,g}" for value in row.values()) for row in fit.rows]
    print_table(Table(tuple(fit.rows[0]), tuple(cells)))
    out = console()
    size = f"{made['games']:,} games, {made['positions']:,} positions"
    out.print(f"{size}; wrote {path}", markup=False)
    if options.plot is not None:
        out.print(f"wrote {options.plot}", markup=False)
    step = _STEPS[fit.method]
    words = ["plyforge", "analyse", options.game, "--on", step, "--set", f"{step}-fit={path}"]
    if options.evaluation:
        words += ["--evaluation", options.evaluation]
    out.print(f"use it: {shlex.join(words)}", markup=False)
