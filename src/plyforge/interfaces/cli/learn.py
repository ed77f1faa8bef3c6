"""`plyforge learn`: run, list, show and export."""

import json
import shlex
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyforge.core.errors import PlyforgeError, clip
from plyforge.evaluate import AUTOMATIC, evaluation_of, save_evaluation, weights_beside
from plyforge.evaluate.files import SUFFIX, read_weights
from plyforge.evaluate.fingerprint import form_fingerprint
from plyforge.evaluate.quantisation import PRECISIONS
from plyforge.game.forms import Form
from plyforge.game.game import Game
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.engines import parse_settings
from plyforge.interfaces.cli.executors import ExecutorOptions
from plyforge.interfaces.cli.interrupts import DelayedInterrupts
from plyforge.interfaces.cli.output import (
    console,
    format_duration,
    plot_path,
    print_json,
    print_table,
)
from plyforge.interfaces.cli.positions import check_backend
from plyforge.interfaces.cli.progress import Progress
from plyforge.learn.choosing import open_run
from plyforge.learn.curves import WeightCurves
from plyforge.learn.datasets import CSV, rows_of_games, write_csv, write_games
from plyforge.learn.games import GamePlan
from plyforge.learn.methods import GENERATIONS, JUDGED, METHODS, TEACHER, Method, find_method
from plyforge.learn.plan import AUTO, PATTERNS, LearningPlan, default_name
from plyforge.learn.report import errors_table, last_held_out, last_score, rounds_table
from plyforge.learn.runs import LearningRun
from plyforge.learn.store import LearningStore, Round, RunRow, State
from plyforge.learn.teacher import AGREEMENT
from plyforge.match.files import check_output
from plyforge.match.tables import Table


@dataclass(frozen=True)
class LearnOptions:
    """The options of `learn run`, as typed."""

    game: str
    method: str
    games: int | None
    depth: int
    evaluation: str | None
    start: str | None
    data: str | None
    settings: list[str] | None
    opponent: str
    round_games: int
    tournament: int
    replace_above: float
    slow_after: int
    search_weight: float
    squash: str | None
    scale: float
    opening: int
    explored: int
    max_plies: int
    positions: int
    quiet: bool
    test_rounds: int | None
    test_games: int
    seed: int
    backend: str | None
    workers: ExecutorOptions
    db: str
    name: str | None
    output: str | None
    precision: str
    plot: str | None
    overwrite: bool
    json: bool

    @property
    def learned_evaluation(self) -> str:
        """The evaluation whose weights are learned; empty for the game's own."""
        usual = {AUTO: AUTOMATIC, PATTERNS: PATTERNS}
        return self.evaluation or usual.get(self.method, "")

    def plan(self) -> LearningPlan:
        """Return the plan; reject values that make no sense."""
        method = find_method(self.method)
        games = GamePlan(
            self.game,
            self.learned_evaluation,
            self.depth,
            self.seed,
            self.opening,
            self.explored,
            self.max_plies,
            method.needs_lines,
            check_backend(self.backend),
        )
        return LearningPlan(
            games,
            self.method,
            parameters_of(method, self.settings or []),
            self.start or "",
            self.data or "",
            self.opponent,
            self.round_games,
            self.tournament,
            self.replace_above,
            self.squash or "",
            self.scale,
            self.search_weight,
            self._test_rounds(method),
            self.test_games,
            slow_after=self.slow_after,
            positions=self.positions,
            quiet=self.quiet,
        )

    def _test_rounds(self, method: Method) -> int:
        """Return the rounds between two tests; a generation has many more games than a round."""
        if self.test_rounds is not None:
            return self.test_rounds
        usual = {JUDGED: 1, GENERATIONS: 1, TEACHER: 5}
        return usual.get(method.data, LearningPlan.test_rounds)


def parameters_of(method: Method, texts: list[str]) -> dict[str, Any]:
    """Return the parameters that `--set` gives; the method checks their values."""
    known = method.ranges()
    values: dict[str, Any] = {}
    for name, text in parse_settings(texts).items():
        limits = known.get(name.replace("-", "_"))
        try:
            kind = str if limits is None or limits.choices else int if limits.integer else float
            values[name] = kind(text)
        except ValueError:
            raise PlyforgeError(f"{name} must be {limits}, not '{clip(text)}'") from None
    return values


def run(options: LearnOptions) -> int:
    """Learn, write the weights, and return the exit code."""
    plan = options.plan()
    check_precision(options.precision)
    game = plan.load_game()
    name = options.name or default_name(game, options.method, options.evaluation or "")
    output = options.output or default_output(game, options.method, name)
    path = weights_path(output, options.overwrite, name)
    picture = None if options.plot is None else plot_path(options.plot)
    executor = options.workers.choose(allow_zero=True)
    with ExitStack() as stack:
        store = stack.enter_context(LearningStore(options.db))
        learning = open_run(plan, store, name, executor)
        interrupts, interrupted = stack.enter_context(DelayedInterrupts()), False
        try:
            with interrupts.raising():
                _learn(learning, options.games)
        except KeyboardInterrupt:
            interrupted = True
            interrupts.delay()  # if it came when the block was being left
        state = learning.reload()
        if not state.round.number:
            if interrupted or interrupts.interrupted:
                return exits.INTERRUPTED
            raise PlyforgeError("nothing was learned; give more games (--games)")
        evaluation = learning.model.with_weights(state.weights)
        made, precision = how_made(learning.row, state), options.precision
        error = save_evaluation(path, learning.game, evaluation, made=made, precision=precision)
        rounds = store.rounds(learning.row.id) or [state.round]
        if picture is not None:
            _draw(store, [(learning.row, rounds, learning.model.evaluation.form)], picture)
        _report(learning, rounds, path, str(error), options, interrupted)
        interrupted = interrupted or interrupts.interrupted
    return exits.INTERRUPTED if interrupted else exits.DONE


def default_output(game: Game, method: str, name: str) -> str:
    """Return the file of weights that is written by default.

    An automatic evaluation of a user's game is written beside its file, where it is found.
    """
    beside = weights_beside(game) if method == AUTO else None
    return str(beside or f"{name}{SUFFIX}")


def _learn(learning: LearningRun, games: int | None) -> None:
    """Run to the end, with progress on standard error."""
    note, total = "", learning.total_games(games)
    steps = learning.run(games)
    try:
        with Progress("games", learning.executor) as progress:
            first = next(steps)
            if first.games:
                stored = f"{first.games:,} of {total:,} games"
                progress.print(f"{stored} are already stored in {learning.store.file}")
            progress.start(total, first.games)
            for step in steps:
                note = step.note or (note if step.round is None else _note(step.round, note))
                progress.update(step.games, lambda text=note: text)  # type: ignore[misc]
    finally:
        steps.close()


def _note(last: Round, before: str) -> str:
    """Return the loss and the last score; that of the text before if there is no new one."""
    loss = "" if last.loss is None else f"loss {last.loss:.4g}"
    score = before.partition("; ")[2]
    if last.score is not None:
        score = f"{last.score:.0%} against the start"
    return "; ".join(filter(None, [loss, score]))


def how_made(row: RunRow, state: State) -> dict[str, Any]:
    """Return how weights were made, for their file."""
    plan = _without_folders(row.plan)
    done = {"games": state.round.games, "seconds": round(state.round.seconds, 1)}
    made = {"command": "plyforge learn", "run": row.name, **plan, **done}
    return {**made, **_chosen(state), "begun": row.created[:16]}


def _without_folders(plain: Any) -> Any:
    """Return plain data in which full paths are file names: a file may go to other machines.

    >>> _without_folders({"data": "/home/me/chess.games", "seed": 1})
    {'data': 'chess.games', 'seed': 1}
    """
    if isinstance(plain, dict):
        return {_without_folders(name): _without_folders(value) for name, value in plain.items()}
    if isinstance(plain, str) and Path(plain).is_absolute():
        return Path(plain).name
    return plain


def _chosen(state: State | None) -> dict[str, Any]:
    """Return the features that were chosen, if the method chooses any."""
    chosen = None if state is None else state.extra.get("features")
    return {} if chosen is None else {"features": chosen}


def _report(
    learning: LearningRun,
    rounds: list[Round],
    path: Path,
    error: str,
    options: LearnOptions,
    interrupted: bool,
) -> None:
    last = rounds[-1]
    seconds = sum(one.seconds for one in rounds)
    if options.json:
        print_json(
            {
                "run": learning.name,
                "file": str(path),
                "games": last.games,
                "rounds": last.number,
                "loss": last.loss,
                "held_out_loss": last.held_out_loss,
                "score": last_score(rounds),
                "seconds": seconds,
                "interrupted": interrupted,
                **_chosen(learning.state),
                **_errors(learning.state),
                "plan": learning.row.plan,
            }
        )
        return
    print_table(rounds_table(rounds))
    _print_chosen(learning.state)
    _print_errors(learning.state)
    out = console()
    rate = f", {last.games / seconds:,.1f} games a second" if seconds > 0 else ""
    out.print(
        f"{last.games:,} games in {format_duration(seconds)}{rate}; wrote {path}: {error}",
        markup=False,
    )
    if options.plot is not None:
        out.print(f"wrote {options.plot}", markup=False)
    agreed, held_out = learning.state.extra.get(AGREEMENT), last_held_out(rounds)
    if agreed is not None and held_out is not None:
        out.print(
            f"the search chooses {1.0 - held_out:.1%} of the teacher's moves in held-out games;"
            f" before, {agreed:.1%}",
            markup=False,
        )
    _print_fit(learning)
    if interrupted:
        out.print("interrupted; run the same command to resume", markup=False)
        return
    against = ",evaluation=none" if options.method == AUTO else ""
    words = ["plyforge", "match", options.game, f"engine:depth=4{against}"]
    words.append(f"engine:depth=4,evaluation={_evaluation_text(options, path)}")
    out.print(f"try it: {shlex.join(words)} --games 100", markup=False)


def _print_fit(learning: LearningRun) -> None:
    """Print what is known about a fit: the scale, the loss before, and whether there is enough."""
    extra, out = learning.state.extra, console()
    if "scale" in extra:
        out.print(f"predictions are 1 / (1 + e^(-value / {extra['scale']:.4g}))", markup=False)
    before = extra.get("held-out loss of the start")
    if before is not None:
        out.print(f"the loss of the start in held-out games is {before:.5f}", markup=False)
    positions, weights = extra.get("positions"), extra.get("used weights", learning.model.size)
    if positions is not None and positions < weights:
        out.print(
            f"warning: {positions:,} positions are few for the {weights:,} weights that they"
            " depend on; give more games (--games), and the run continues",
            markup=False,
        )


def _print_chosen(state: State | None) -> None:
    for features in _chosen(state).values():
        text = f"the {len(features)} features of the weights: {', '.join(features)}"
        console().print(text, markup=False)


def _errors(state: State) -> dict[str, Any]:
    """Return the errors by stage, if the method measures them."""
    return {key: value for key, value in state.extra.items() if key == "errors"}


def _print_errors(state: State | None) -> None:
    errors = None if state is None else state.extra.get("errors")
    if errors:
        print_table(errors_table(errors))


def _evaluation_text(options: LearnOptions, path: Path) -> str:
    code = options.evaluation or ""
    return f"{code}:{path}" if code.endswith(".py") else str(path)


def list_runs(db: str, as_json: bool) -> int:
    """Print the runs of a file."""
    with LearningStore.open_read_only(db) as store:
        runs = [(run, store.rounds(run.id)) for run in store.runs()]
    if as_json:
        print_json({"runs": [_fields(run, rounds) for run, rounds in runs]})
        return exits.DONE
    if not runs:
        console().print(f"{db} holds no runs yet", markup=False)
        return exits.DONE
    rows = []
    for run, rounds in runs:
        last, score = rounds[-1] if rounds else Round(0, 0), last_score(rounds)
        rows.append(
            (
                run.name,
                str(run.plan["game"]),
                str(run.plan["method"]),
                f"{last.games:,}",
                "" if last.loss is None else f"{last.loss:.4g}",
                "" if score is None else f"{score:.1%}",
                run.created.replace("T", " ")[:16],
            )
        )
    headings = ("run", "game", "method", "games", "loss", "against the start", "begun")
    print_table(Table(headings, tuple(rows)))
    return exits.DONE


def _fields(run: RunRow, rounds: list[Round]) -> dict[str, Any]:
    return {
        "name": run.name,
        "created": run.created,
        "plan": run.plan,
        "rounds": [vars(one) for one in rounds],
    }


def show(names: list[str], db: str, plot: str | None, as_json: bool) -> int:
    """Print the settings and the rounds of runs; plot them side by side."""
    picture = None if plot is None else plot_path(plot)
    with LearningStore.open_read_only(db) as store:
        runs = [store.find(name) for name in names]
        found = [(run, store.rounds(run.id), store.last_state(run.id)) for run in runs]
        if picture is not None:
            _draw(store, [(run, rounds, _form_of(run)) for run, rounds, _ in found], picture)
    if as_json:
        fields = [{**_fields(run, rounds), **_chosen(state)} for run, rounds, state in found]
        print_json({"runs": fields})
    for run, rounds, state in [] if as_json else found:
        out = console()
        out.print(f"{run.name}, begun {run.created.replace('T', ' ')[:16]}", markup=False)
        out.print(_describe(run.plan), markup=False)
        if rounds:
            print_table(rounds_table(rounds))
            _print_chosen(state)
            _print_errors(state)
        else:
            out.print("no round has ended yet", markup=False)
    if picture is not None and not as_json:
        console().print(f"wrote {plot}", markup=False)
    return exits.DONE


_NOT_SHOWN = ("files", "fingerprint", "form", "program")
"""What a plan has to recognise its files and its rules by."""


def _describe(plan: dict[str, Any]) -> str:
    """Return the settings of a plan as text, without what has its default of nothing."""
    shown = {k: v for k, v in plan.items() if k not in _NOT_SHOWN and v not in ("", {}, None)}
    return ", ".join(
        f"{key} ({_describe(value)})" if isinstance(value, dict) else f"{key} {value}"
        for key, value in shown.items()
    )


def _form_of(run: RunRow) -> Form | None:
    """Return the form whose weights a run learns; None if that is not known any more."""
    try:
        games_plan = GamePlan(str(run.plan["game"]), str(run.plan["evaluation"]))
        game = games_plan.load_game(untrained=True)
    except PlyforgeError:
        return None
    form = evaluation_of(game).form
    return form if form_fingerprint(form) == run.plan["form"] else None


def _draw(
    store: LearningStore, runs: list[tuple[RunRow, list[Round], Form | None]], picture: Path
) -> None:
    from plyforge.interfaces.plots.learning import MAX_POINTS, PlottedRun, draw_learning

    plotted = [
        PlottedRun(run.name, rounds, WeightCurves.read(store, run, form, MAX_POINTS))
        for run, rounds, form in runs
    ]
    draw_learning(plotted, picture)


def export(
    name: str, db: str, output: str | None, data: str | None, precision: str, overwrite: bool
) -> int:
    """Write the weights of a run, or its games."""
    if output is None and data is None:
        raise PlyforgeError("nothing to export; give --output for weights or --data for games")
    check_precision(precision)
    path = None if output is None else weights_path(output, overwrite)
    with LearningStore.open_read_only(db) as store:
        run = store.find(name)
        state, games = store.last_state(run.id), store.games(run.id)
    plan = run.plan
    games_plan = GamePlan(str(plan["game"]), str(plan["evaluation"]))
    game = games_plan.load_game(untrained=True)  # the form alone: its weights follow
    out = console()
    if path is not None:
        if state is None:
            raise PlyforgeError(f"no round of '{name}' has ended yet; there are no weights")
        evaluation = evaluation_of(game).with_weights(state.weights)
        made = how_made(run, state)
        error = save_evaluation(path, game, evaluation, made=made, precision=precision)
        out.print(f"wrote {path}: {error}", markup=False)
    if data is not None:
        file = Path(data)
        check_output(file, overwrite)
        played = [games[number] for number in sorted(games)]
        if not played:
            raise PlyforgeError(
                f"the games of '{name}' are not stored: only methods that learn from a data set"
                f" keep it, not '{plan['method']}'"
            )
        if file.suffix.lower() == CSV:
            rows = list(rows_of_games(game, played, int(plan["opening"])))
            write_csv(file, game, rows)
            out.print(f"wrote {file}: {len(rows):,} positions", markup=False)
        else:
            write_games(file, game, played)
            out.print(f"wrote {file}: {len(played):,} games", markup=False)
    return exits.DONE


def print_methods() -> int:
    """Print the methods with their parameters."""
    out = console()
    for method in METHODS.values():
        out.print(f"{method.name}: {method.summary} ({method.paper})", markup=False)
        defaults = method.make_parameters()
        for name, limits in method.ranges().items():
            text = f"  {name.replace('_', '-')}={getattr(defaults, name)}: {limits.summary}"
            out.print(f"{text} ({limits})", markup=False)
    return exits.DONE


def weights_path(text: str, overwrite: bool, run: str | None = None) -> Path:
    """Return the file of weights to write; raise an error if that is not possible.

    An earlier file of the same run may be replaced: that is what resuming it does.
    """
    path = Path(text)
    if path.suffix != SUFFIX:
        raise PlyforgeError(f"--output '{clip(text)}' must end in {SUFFIX}")
    check_output(path, overwrite or (run is not None and _run_of(path) == run))
    return path


def _run_of(path: Path) -> str | None:
    """Return the name of the run that wrote a file, None if it is no such file."""
    try:
        return str(json.loads(read_weights(path).made)["made"]["run"])
    except (PlyforgeError, OSError, KeyError, TypeError, ValueError):
        return None


def check_precision(precision: str) -> None:
    """Reject an unknown precision before any work is done."""
    if precision not in PRECISIONS:
        raise PlyforgeError(f"--precision must be {' or '.join(PRECISIONS)}, not '{precision}'")
