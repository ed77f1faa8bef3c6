"""The options of a game: presets with the changes that the game declares in `SEARCH`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.engine.driver import Driver
from plyforge.engine.drivers import DEFAULT, find_driver, parameters_for
from plyforge.game.game import Game
from plyforge.search.fits import belongs_to, beside_game, fit_path, read_fit
from plyforge.search.options import PRESETS, Options, preset

_KEYS: Final = ("on", "off", "set")
_EVALUATION: Final = "evaluation"
"""The key of a preset in `SEARCH` whose value names one of the game's EVALUATIONS."""


def preset_for(game: Game, name: str, driver: Driver) -> Options:
    """Return a preset for a driver, with the changes of the game's `SEARCH`."""
    options = Options.preset(name).declaring(parameters_for(driver))
    changes = game.rules.constant("SEARCH")
    options = options.changed(
        off=[
            step.name
            for step in options.steps
            if "chance" in step.hooks and not game.has_chance() and options.has(step.name)
        ]
    )
    if preset(name).as_printed:
        return options
    try:
        options = _changed(game, options, changes, (*_KEYS, *PRESETS))
        own = changes.get(name, {})
        if not isinstance(own, Mapping):
            raise PlyforgeError(f"'{name}' must be a dict of changes, not {own!r}")
        return _without_foreign_fits(game, _changed(game, options, own, (*_KEYS, _EVALUATION)))
    except PlyforgeError as error:
        raise GameFileError(f"{game.rules.file}: SEARCH: {error}") from error


@dataclass(frozen=True)
class PresetEvaluation:
    """The evaluation that a game names for a preset."""

    name: str
    """One of the game's EVALUATIONS."""
    suits: Callable[[Any], bool] | None
    """Whether it is made for a position, as the evaluation's own function of this name says."""

    def check(self, position: Any) -> None:
        """Raise an error if the evaluation is not made for a position."""
        if self.suits is not None and not self.suits(position):
            raise PlyforgeError(
                f"the evaluation '{self.name}', which this preset uses, is not made for this"
                " position; name the game's variant that it belongs to, or use the evaluation"
                " 'own' (--evaluation own)"
            )


def evaluation_for(game: Game, name: str) -> PresetEvaluation | None:
    """Return the evaluation that a game names for a preset; None for the game's own.

    An evaluation that does not suit the start position of the variant is not used.
    """
    own = game.rules.constant("SEARCH").get(name)
    chosen = own.get(_EVALUATION) if isinstance(own, Mapping) else None
    if chosen is None:
        return None
    known = game.rules.constant("EVALUATIONS")
    if chosen not in known:
        raise GameFileError(
            f"{game.rules.file}: SEARCH: the evaluation {chosen!r} of '{name}' is not among"
            f" EVALUATIONS ({', '.join(known) or 'there are none'})"
        )
    suits = getattr(known[chosen], "suits", None)
    if suits is not None and not suits(game.initial()):
        return None
    return PresetEvaluation(str(chosen), suits)


def _without_foreign_fits(game: Game, options: Options) -> Options:
    """Switch off steps whose fitted numbers are for another evaluation than the one in use."""
    foreign = [
        step.name
        for step in options.steps
        if step.fit is not None
        and options.has(step.name)
        and not belongs_to(read_fit(fit_path(game.rules, options.get(step.fit_parameter))), game)
    ]
    return options.changed(off=foreign)


def _changed(
    game: Game, options: Options, changes: Mapping[str, Any], keys: Sequence[str]
) -> Options:
    """Apply the switches and settings of `SEARCH`, or of a preset in it."""
    unknown = set(changes) - set(keys)
    if unknown:
        raise PlyforgeError(f"it has the key '{min(unknown)}'; the keys are {', '.join(keys)}")
    settings = dict(changes.get("set") or {})
    for name, value in settings.items():
        if name in options.parameters and options.parameters[name].file:
            files = value if isinstance(value, (tuple, list)) else (value,)
            settings[name] = _file_for(game, [beside_game(str(file)) for file in files])
    return options.changed(changes.get("on", ()), changes.get("off", ()), settings)


def _file_for(game: Game, files: Sequence[str]) -> str:
    """Return the first file that is fitted to the evaluation in use, or the last of all."""
    for file in files[:-1]:
        if belongs_to(read_fit(fit_path(game.rules, file)), game):
            return file
    return files[-1]


def uses_special_kernel(game: Game, options: Options) -> bool:
    """Whether a search gets a kernel with its options as constants.

    Such a kernel is faster, and no other options can use it.  So by default only the options that a
    game is searched with unless others are asked for have one.
    """
    choice = options.get("specialise")
    if choice != "auto":
        return bool(choice == "yes")
    usual = (preset_for(game, name, find_driver(DEFAULT)) for name in ("exact", "play"))
    return not options.added and any(
        options.switches == one.switches and options.settings == one.settings for one in usual
    )
