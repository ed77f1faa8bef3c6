"""Defaults of searches that never change, for experiments whose counts must be found again.

A game's `SEARCH`, the presets and the defaults of parameters may improve at any time, and a search
that leaves something open then visits other nodes.  A table here names every switch, the value of
every parameter and the evaluation of every game instead.  An experiment chooses a table with
`DEFAULTS`.

A table never changes, since committed counts depend on it; other defaults get a new table with
another name.  A new parameter enters the tables with the value that keeps their counts; a new step
is off in them.
"""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from plyforge.core.errors import UnknownName
from plyforge.engine.drivers import find_driver, parameters_for
from plyforge.evaluate import evaluation_of
from plyforge.game.forms import read_evaluation
from plyforge.game.game import Game
from plyforge.lab.variations import Variation
from plyforge.search.enhancements import SPECIALISE
from plyforge.search.options import Options
from plyforge.search.steps.files import load_step


@dataclass(frozen=True)
class GameDefaults:
    """What a game's searches have beyond a preset, and the module of its evaluation."""

    evaluation: str = ""
    """Empty if the game has only the evaluation in its rules."""
    on: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PresetDefaults:
    """All switches that are on in a preset, and the parameters that differ in it."""

    switches: tuple[str, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    as_printed: bool = False
    """Whether the game does not change it."""


@dataclass(frozen=True)
class FixedDefaults:
    """The values of all parameters, with the changes of presets and games."""

    settings: Mapping[str, Any]
    presets: Mapping[str, PresetDefaults]
    games: Mapping[str, GameDefaults]


_EVALUATION_ORDER: Final = {"order": ("table", "child-eval", "history")}
_RULES: Final = ("cycles", "horizon-moves", "databases")

TABLES: Final = {
    "2026": FixedDefaults(
        settings={
            "depth-rule": "equal",
            "replace": "two-level",
            "same-position": "yes",
            "stamp": "save",
            "store-leaves": "no",
            "table-move-depth": -1,
            "etc-depth": 3,
            "history-growth": "square",
            "history-penalty": 16,
            "history-ageing": 0,
            "child-eval-depth": 2,
            "child-eval-end": 0,
            "fastest-first-plies": 24,
            "parity-plies": 24,
            "parity-weight": 1.0,
            "score-limit-gate": 1.0,
            "wins-depth": 2,
            "skip-research": "yes",
            "quiescence-plies": 32,
            "quiescence-evasions": 8,
            "quiescence-checks": 0,
            "quiescence-margin": 2.0,
            "quiescence-exchange": "yes",
            "null-move-depth": 3,
            "null-move-reduction": 2,
            "null-move-growth": 4,
            "null-move-step": 2.0,
            "null-move-margin": 0.0,
            "null-move-verify": 10,
            "reverse-futility-depth": 6,
            "reverse-futility-margin": 1.0,
            "probcut-depth": 6,
            "probcut-probability": 0.93,
            "probcut-gate": 1.0,
            "probcut-fit": "",
            "multi-probcut-depth": 3,
            "multi-probcut-probability": 0.93,
            "multi-probcut-gate": 1.0,
            "multi-probcut-fit": "",
            "mate-search-depth": 1,
            "mate-search-nodes": 200,
            "mate-search-at": "open-windows",
            "singular-depth": 6,
            "singular-table": 3,
            "singular-margin": 0.5,
            "singular-count": 1,
            "realization-depth": 3,
            "realization-probability-fit": "",
            "razoring-depth": 3,
            "razoring-margin": 3.0,
            "futility-depth": 4,
            "futility-margin": 1.0,
            "late-move-pruning-depth": 4,
            "late-move-pruning-moves": 4,
            "lmr-depth": 3,
            "lmr-moves": 3,
            "lmr-base": 0.5,
            "lmr-divisor": 2.0,
            "internal-reduction-depth": 4,
            "cycle-policy": "safe",
            "repeats": 0,
            "start": 0,
            "depth-step": 2,
            "parity-first": "any",
            "parity-second": "any",
            "end-share": 0.0,
            "end-share-limited": 0.0,
            "database": "",
            "star2-probes": 1,
            "star2-depth": 1,
            "order": ("table", "wins", "killers", "history", "child-eval"),
            "distinct": "no",
            "specialise": "no",
            "split-choice": "most-work",
            "split-depth": 0,
            "master-depth": 4,
            "remote-depth": 0,
            "guess": "two-back",
            "aspiration": 0.0,
            "aspiration-growth": 4.0,
            "epsilon": 0.01,
            "mtd-step": 1.0,
            "mtd-step-growth": 2.0,
            "closing": "yes",
        },
        presets={
            "exact": PresetDefaults(
                (
                    *("table", "table-move", "etc", "killers", "history", "continuation"),
                    *("pvs", "deepening", *_RULES),
                )
            ),
            "koneru": PresetDefaults(
                (
                    *("table", "table-move", "killers", "child-eval", "wins", "deepening"),
                    *_RULES,
                ),
                {
                    "parity-first": "even",
                    "parity-second": "odd",
                    "order": ("wins", "killers", "table", "child-eval"),
                    "replace": "newer",
                    "child-eval-depth": 1,
                    "wins-depth": 1,
                },
                as_printed=True,
            ),
        },
        games={
            "andantino": GameDefaults("plyforge.games.andantino.evaluation"),
            "checkers": GameDefaults("plyforge.games.checkers.evaluation"),
            "chess": GameDefaults("plyforge.games.chess.evaluation"),
            "connect4": GameDefaults(
                "plyforge.games.connect4.evaluation",
                on=("child-eval",),
                off=("killers",),
                settings=_EVALUATION_ORDER,
            ),
            "giveaway": GameDefaults("plyforge.games.giveaway.evaluation"),
            "hex": GameDefaults("plyforge.games.hex.evaluation"),
            "kalah": GameDefaults("plyforge.games.kalah.evaluation"),
            "othello": GameDefaults(
                "plyforge.games.othello.evaluation",
                on=("child-eval",),
                off=("killers",),
                settings=_EVALUATION_ORDER,
            ),
            "short_keys": GameDefaults("plyforge.games.connect4.evaluation"),
            "tictactoe": GameDefaults(),
            "tree": GameDefaults(),
        },
    ),
}


def find_table(name: str) -> FixedDefaults:
    """Return a table by its name."""
    if name not in TABLES:
        raise UnknownName("table of defaults", name, TABLES)
    return TABLES[name]


def engine_options(game: Game, variation: Variation) -> dict[str, Any]:
    """Return the arguments of the engine that searches a game in a configuration.

    With a table of defaults, these name every switch and every parameter, so the present defaults
    of the game and of the search do not matter.
    """
    arguments = {
        name: getattr(variation, name)
        for name in ("driver", "preset", "on", "off", "settings", "entries", "evaluation", "steps")
    }
    if not variation.defaults:
        return arguments
    table = find_table(variation.defaults)
    options = _resolve_options(table, game, variation)
    on = tuple(step.name for step in options.steps if options.has(step.name))
    off = [step.name for step in options.steps if step.rule or step in options.added]
    arguments |= {
        "preset": "exact",
        "on": on,
        "off": ("all", *(name for name in off if name not in on)),
        "settings": options.settings,
    }
    if variation.evaluation is None:
        arguments["evaluation"] = _named_evaluation(table, game)
    elif variation.evaluation == evaluation_name(game):
        arguments["evaluation"] = None  # the kernel of the game's own is the faster one
    return arguments


def pin_options(name: str, table_name: str, game: Game, options: Options) -> Variation:
    """Return a configuration that has the given options of a game as long as a table exists.

    It names all switches, and the parameters whose values differ from those of the table; but
    `specialise` stays that of the table, so that many configurations share one kernel. The
    evaluation is that of the table.
    """
    before = _resolve_options(find_table(table_name), game, Variation(name))
    on = tuple(step.name for step in options.steps if options.has(step.name))
    rules = tuple(step.name for step in options.steps if step.rule and step.name not in on)
    settings = {
        parameter: options.get(parameter)
        for parameter in options.parameters
        if parameter != SPECIALISE.name and options.get(parameter) != before.get(parameter)
    }
    return Variation(name, on=on, off=("all", *rules), settings=settings, defaults=table_name)


def evaluation_name(game: Game) -> str | None:
    """Return the name of a game's present evaluation among its EVALUATIONS; None without one."""
    for name, module in game.rules.constant("EVALUATIONS").items():
        named = read_evaluation(vars(module), name)
        if named is not None and named.digest == evaluation_of(game).digest:
            return str(name)
    return None


def _resolve_options(table: FixedDefaults, game: Game, variation: Variation) -> Options:
    """Return the options of a configuration, with everything it leaves open from a table."""
    driver = find_driver(variation.driver)
    if variation.preset not in table.presets:
        raise UnknownName("preset in the table of defaults", variation.preset, table.presets)
    preset = table.presets[variation.preset]
    own = _game_defaults(table, game)
    options = Options(frozenset(preset.switches), {**table.settings, **preset.settings})
    options = options.declaring(parameters_for(driver))
    if not preset.as_printed:
        options = options.changed(own.on, own.off, own.settings)
    options = options.with_steps(map(load_step, variation.steps))
    return driver.options(
        options, list(variation.on), list(variation.off), dict(variation.settings)
    )


def _game_defaults(table: FixedDefaults, game: Game) -> GameDefaults:
    """Return the row of a game; the rules of a game that has none are a file of the user."""
    return table.games.get(game.rules.name, GameDefaults())


def _named_evaluation(table: FixedDefaults, game: Game) -> Any:
    """Return the evaluation that a table names, or None if it is the game's present one.

    The game's own is compiled with its weights as constants, and many searches share its kernel.
    """
    name = _game_defaults(table, game).evaluation
    if not name:
        return None
    module = importlib.import_module(name)
    named = read_evaluation(vars(module), name)
    same = named is not None and named.digest == evaluation_of(game).digest
    return None if same else module
