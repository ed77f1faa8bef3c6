"""`plyforge tune`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyforge.core.errors import PlyforgeError
from plyforge.games import load
from plyforge.interfaces.cli import exits, match
from plyforge.interfaces.cli.engines import EngineOptions
from plyforge.interfaces.cli.executors import ExecutorOptions
from plyforge.interfaces.cli.output import console, plot_path, print_json, print_table
from plyforge.interfaces.cli.progress import Progress
from plyforge.match.openings import OpeningSource
from plyforge.match.plan import Plan
from plyforge.match.players import MoveLimits, player
from plyforge.match.players.computer import EnginePlayer
from plyforge.match.players.limits import parse_clock
from plyforge.match.ratings import Sprt
from plyforge.match.referee import Adjudication, MatchRules
from plyforge.match.tuning import Tuner, TuningPlan, TuningStore, read_parameters
from plyforge.match.tuning.plan import format_value
from plyforge.match.tuning.report import (
    SPECIALISE,
    confirmation,
    match_command,
    search_settings,
    search_text,
    values_table,
)


@dataclass(frozen=True)
class Confirmation:
    """The match that tests the result."""

    play: bool
    """Whether to play it; otherwise only its command is printed."""
    sprt: str
    games: int

    def test(self) -> Sprt:
        """Return the sequential test; reject values that no match could have."""
        if self.games < 2 or self.games % 2:
            raise PlyforgeError(f"--games must be an even number, at least 2, not {self.games}")
        test = match.parse_sprt(self.sprt)
        assert test is not None
        return test


def make_plan(
    words: list[str],
    options: EngineOptions,
    iterations: int,
    pairs: int,
    rate: float | None,
    openings: str,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    clock: str | None,
    max_plies: int,
    adjudicate_win: float | None,
    adjudicate_draw: float | None,
    seed: int,
) -> TuningPlan:
    """Make the plan of a command line, checking its values."""
    if not words:
        raise PlyforgeError(
            "the game is missing; write 'plyforge tune chess lmr-base lmr-divisor --nodes 20000',"
            " or give --resume"
        )
    name, texts = words[0], words[1:]
    game = load(name)
    for text in texts:
        tuned = text.partition("=")[0].strip()
        if tuned in options.settings():
            raise PlyforgeError(
                f"parameter '{tuned}' is tuned and set; leave out --set {tuned}, and write its"
                f" start as {tuned}=START"
            )
    description = str(options.player(**{SPECIALISE: "no"}))
    parsed_clock = None if clock is None else parse_clock(clock)
    limits = MoveLimits(depth, nodes, seconds, parsed_clock)
    if not limits.any:
        raise PlyforgeError(
            "the moves have no limit; give one of --depth, --nodes, --time and --clock"
        )
    one = player(game, description, limits)
    assert isinstance(one, EnginePlayer)
    return TuningPlan(
        name,
        description,
        read_parameters(texts, one.options, one.driver),
        iterations,
        pairs,
        rate,
        OpeningSource.parse(openings),
        seed,
        limits,
        MatchRules(
            max_plies, parsed_clock, adjudication=Adjudication(adjudicate_win, adjudicate_draw)
        ),
    )


def stored_plan(file: str) -> TuningPlan:
    """Return the plan of the tuning that a file holds."""
    with TuningStore.open_read_only(file) as store:
        settings = store.settings()
    if settings is None:
        raise PlyforgeError(f"{file} holds no tuning; 'plyforge tune GAME PARAMETER' begins one")
    return TuningPlan.from_settings(settings)


def run(
    plan: TuningPlan,
    file: str,
    workers: ExecutorOptions,
    confirm: Confirmation,
    plot: str | None,
    as_json: bool,
) -> int:
    """Play the games that are not stored, then print; return 130 if interrupted."""
    path = None if plot is None else plot_path(plot)
    test = confirm.test()
    plan.read_files()  # one that is missing must not create a database
    executor = workers.choose()
    with TuningStore(file) as store:
        tuner = Tuner(plan, store, executor)
        interrupted = not _play(tuner)
        following = None
        if not interrupted:
            values = tuner.state.values
            following = confirmation(tuner.game, plan, values, confirm.games, test)
        if path is not None:
            _plot(tuner, path)
        fields = _fields(tuner, following, interrupted)
        if not as_json:
            _print(tuner, following, interrupted)
    # The match is stored in the same file, which is closed by now.
    if interrupted or not confirm.play or following is None:
        if as_json:
            print_json(fields)
        return exits.INTERRUPTED if interrupted else exits.DONE
    return match.run(
        following,
        file,
        workers,
        match.Outputs(),
        as_json,
        lambda result: print_json({**fields, "match": result}),
    )


def _play(tuner: Tuner) -> bool:
    """Play the games with a progress bar; return False if interrupted."""
    try:
        with Progress("iterations", tuner.executor) as progress:
            if tuner.state.done:
                progress.print(
                    f"{tuner.state.done} iterations are stored already in {tuner.store.file}"
                )
            if tuner.ended:
                return True
            tuner.prepare(lambda what: progress.prepare(f"preparing {what}"))
            progress.start(tuner.plan.iterations, tuner.state.done)
            for done in tuner.run():
                progress.update(done, lambda: _note(tuner))
    except KeyboardInterrupt:
        return False
    return True


def _note(tuner: Tuner) -> str:
    """Return the values of the parameters now."""
    pairs = zip(tuner.plan.parameters, tuner.state.values, strict=True)
    return ", ".join(f"{one.name} {value:.4g}" for one, value in pairs)


def _plot(tuner: Tuner, path: Path) -> None:
    from plyforge.interfaces.plots.tuning import draw

    title = f"{tuner.game.title}: {tuner.state.done} iterations, {tuner.games} games"
    draw(title, tuner.plan.parameters, tuner.state.course, path)


def _print(tuner: Tuner, following: Plan | None, interrupted: bool) -> None:
    plan, file = tuner.plan, tuner.store.file
    lines = [f"{tuner.state.done} of {plan.iterations} iterations, {tuner.games} games"]
    if tuner.forfeits:
        lines[0] += f", {tuner.forfeits} of them lost by a fault"
    if interrupted:
        lines.append(
            f"interrupted; run the same command, or 'plyforge tune --resume --db {file}', to resume"
        )
    elif following is None:
        lines.append("the tuned values are those of the start: there is nothing to confirm")
    else:
        lines += ["", *_settings_lines(tuner), "", "To confirm the result, play:"]
        lines.append(match_command(following, str(file)))
    print_table(values_table(plan, tuner.state.values))
    for line in lines:
        console().print(line, markup=False)


def _settings_lines(tuner: Tuner) -> list[str]:
    """Return the result as the game's file has it, or as options of commands."""
    values = tuner.state.values
    search = search_settings(tuner.game, tuner.plan, values)
    if search is not None:
        return search_text(search).splitlines()
    return [" ".join(f"--set {name}={text}" for name, text in _tuned(tuner.plan, values))]


def _tuned(plan: TuningPlan, values: Sequence[float]) -> list[tuple[str, str]]:
    pairs = zip(plan.parameters, plan.round(values), strict=True)
    return [(one.name, format_value(one, value)) for one, value in pairs]


def _fields(tuner: Tuner, following: Plan | None, interrupted: bool) -> dict[str, Any]:
    plan, values = tuner.plan, tuner.state.values
    return {
        "game": plan.game,
        "iterations": tuner.state.done,
        "total": plan.iterations,
        "games": tuner.games,
        "forfeits": tuner.forfeits,
        "interrupted": interrupted,
        "file": str(tuner.store.file),
        "seed": plan.seed,
        "parameters": [
            {
                "name": one.name,
                "start": one.start,
                "tuned": rounded,
                "unrounded": value,
                "range": [one.minimum, one.maximum],
                "step": one.step,
            }
            for one, rounded, value in zip(plan.parameters, plan.round(values), values, strict=True)
        ],
        "search": search_settings(tuner.game, plan, values),
        "command": None if following is None else match_command(following, str(tuner.store.file)),
    }
