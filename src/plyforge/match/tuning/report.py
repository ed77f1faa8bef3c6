"""Results of a tuning: a table, settings for a game's `SEARCH`, and the match that tests them."""

import shlex
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from plyforge.engine.clock import Clock
from plyforge.engine.drivers import DEFAULT, find_driver, parameters_for
from plyforge.game.game import Game
from plyforge.match.openings import OpeningSource
from plyforge.match.plan import Plan
from plyforge.match.players import Description
from plyforge.match.ratings import Sprt
from plyforge.match.referee import MatchRules
from plyforge.match.tables import Table
from plyforge.match.tuning.plan import TuningPlan, format_value
from plyforge.search.options import PRESETS, Options

SPECIALISE: Final = "specialise"
"""Both players of a comparison use the same kernel: a special one would be faster."""


def values_table(plan: TuningPlan, values: Sequence[float]) -> Table:
    """Return the table of the parameters: where they started, and where they are."""
    rows = []
    for one, rounded, value in zip(plan.parameters, plan.round(values), values, strict=True):
        texts = (format_value(one, number) for number in (one.start, rounded))
        span = f"{one.minimum:g} to {one.maximum:g}"
        rows.append((one.name, *texts, f"{value:.6g}", span, f"{one.step:g}"))
    return Table(("parameter", "start", "tuned", "unrounded", "range", "step"), tuple(rows))


# The settings for a game's file


def search_settings(game: Game, plan: TuningPlan, values: Sequence[float]) -> dict[str, Any] | None:
    """Return the game's `SEARCH` with the values in the preset of the player.

    None if `SEARCH` cannot have them: those of a preset that is kept as printed, or of a driver or
    a step in a file of the user.
    """
    player = Description.parse(plan.player)
    preset = player.settings["preset"]
    known = parameters_for(find_driver(DEFAULT))
    tuned = dict(zip((one.name for one in plan.parameters), plan.round(values), strict=True))
    fixed = {
        name: _read(known, name, text)
        for name, text in player.settings.items()
        if name in known and name != SPECIALISE
    }
    on, off = player.names("on"), player.names("off")
    own_names = {*tuned, *player.settings} - {*known, *_NOT_SEARCH}
    if PRESETS[preset].as_printed or own_names or not {*on, *off} <= {"all", *Options().rows}:
        return None
    search = dict(game.rules.constant("SEARCH"))
    changes: Mapping[str, Any] = search.get(preset, {})
    before_on = [] if "all" in off else [name for name in changes.get("on", ()) if name not in off]
    before_off = [name for name in changes.get("off", ()) if name not in on]
    merged = {
        "on": list(dict.fromkeys([*before_on, *on])),
        "off": list(dict.fromkeys([*before_off, *off])),
        "set": {**changes.get("set", {}), **fixed, **tuned},
    }
    search[preset] = {key: value for key, value in merged.items() if value}
    return search


_NOT_SEARCH: Final = (
    *("preset", "on", "off", "hash", "entries", "threads", "parallel", "evaluation", "driver"),
)
"""Settings of a player that say nothing about switches and parameters."""


def _read(known: Mapping[str, Any], name: str, text: str) -> Any:
    return known[name].read(text.replace("+", ",") if known[name].sequence else text)


def search_text(search: Mapping[str, Any]) -> str:
    """Return `SEARCH` as a game's file has it.

    >>> print(search_text({"play": {"on": ["lmr"], "set": {"lmr-base": 0.6}}}))
    SEARCH = {
        "play": {
            "on": ["lmr"],
            "set": {"lmr-base": 0.6},
        },
    }
    """
    return f"SEARCH = {_text(search, 0)}"


def _text(value: Any, indent: int) -> str:
    """Return the text of a value as formatters of code write it: long ones on several lines."""
    if isinstance(value, str):
        return f'"{value}"'
    if not isinstance(value, (Mapping, list, tuple)):
        return repr(value)
    inner = indent + 4
    if isinstance(value, Mapping):
        begin, end = "{", "}"
        parts = [f'"{key}": {_text(one, inner)}' for key, one in value.items()]
        long = bool({*PRESETS, *_SWITCHES} & {*value})
    else:
        begin, end = "[]" if isinstance(value, list) else "()"
        parts = [_text(one, inner) for one in value]
        long = False
    line = ", ".join(parts)
    if not long and indent + len(line) <= _MAX_LINE and "\n" not in line:
        return f"{begin}{line},{end}" if begin == "(" and len(parts) == 1 else begin + line + end
    rows = "".join(f"{' ' * inner}{part},\n" for part in parts)
    return f"{begin}\n{rows}{' ' * indent}{end}"


_MAX_LINE: Final = 70
_SWITCHES: Final = ("on", "off", "set")


# The match that confirms a result


def confirmation(
    game: Game, plan: TuningPlan, values: Sequence[float], games: int, sprt: Sprt
) -> Plan | None:
    """Return a match of the tuned player against the one at the start; None if they are equal.

    Its seed is another one, so that the openings are not those of the tuning.  It has fewer games
    if there are not enough openings.
    """
    rounded = plan.round(values)
    start = tuple(one.start for one in plan.parameters)
    tuned_text, start_text = (plan.describe_player(point) for point in (rounded, start))
    if tuned_text == start_text:
        return None
    seed = plan.seed + 1
    openings = _count_openings(game, plan.openings, seed, games // 2)
    return Plan(
        plan.game,
        (plan.describe_player(rounded, "tuned"), plan.describe_player(start, "start")),
        min(games, max(2, 2 * openings)),
        openings=plan.openings,
        seed=seed,
        limits=plan.limits,
        rules=plan.rules,
        sprt=sprt,
    )


def _count_openings(game: Game, source: OpeningSource, seed: int, needed: int) -> int:
    """Return how many openings there are, up to the needed number.

    Balanced ones, which take long to find, are not counted.
    """
    if source.kind == "balanced":
        return needed
    return sum(1 for _ in islice(source.openings(game, seed), needed))


def match_command(plan: Plan, file: str) -> str:
    """Return the command that plays a match of two players, for a shell."""
    limits, rules = plan.limits, plan.rules
    options: dict[str, Any] = {
        "--games": plan.games,
        "--openings": plan.openings,
        "--depth": limits.depth,
        "--nodes": limits.nodes,
        "--time": limits.time,
        "--clock": None if limits.clock is None else _clock_text(limits.clock),
        "--max-plies": None if rules.max_plies == MatchRules().max_plies else rules.max_plies,
        "--adjudicate-win": rules.adjudication.win,
        "--adjudicate-draw": rules.adjudication.draw,
        "--sprt": None if plan.sprt is None else _sprt_text(plan.sprt),
        "--seed": plan.seed,
        "--db": file,
    }
    words = ["plyforge", "match", plan.game, *plan.players]
    for name, value in options.items():
        if value is not None:
            words += [name, str(value)]
    return shlex.join(words)


def _clock_text(clock: Clock) -> str:
    increment = f"+{clock.increment!r}" if clock.increment else ""
    limit = "" if clock.max_per_move is None else f"/{clock.max_per_move!r}"
    return f"{clock.left!r}{increment}{limit}"


def _sprt_text(sprt: Sprt) -> str:
    numbers = (sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta)
    shown = numbers[:2] if numbers[2:] == (0.05, 0.05) else numbers
    return ",".join(f"{number:g}" for number in shown)
