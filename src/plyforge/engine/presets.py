"""The options of a game: presets with the changes that the game declares in `SEARCH`."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.engine.driver import Driver
from plyforge.engine.drivers import DEFAULT, find_driver, parameters_for
from plyforge.game.game import Game
from plyforge.search.fits import belongs_to, beside_game, fit_path, read_fit
from plyforge.search.options import PRESETS, Options, preset

_KEYS: Final = ("on", "off", "set")


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
        options = _changed(options, changes, (*_KEYS, *PRESETS))
        own = changes.get(name, {})
        if not isinstance(own, Mapping):
            raise PlyforgeError(f"'{name}' must be a dict of changes, not {own!r}")
        return _without_foreign_fits(game, _changed(options, own, _KEYS))
    except PlyforgeError as error:
        raise GameFileError(f"{game.rules.file}: SEARCH: {error}") from error


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


def _changed(options: Options, changes: Mapping[str, Any], keys: Sequence[str]) -> Options:
    """Apply the switches and settings of `SEARCH`, or of a preset in it."""
    unknown = set(changes) - set(keys)
    if unknown:
        raise PlyforgeError(f"it has the key '{min(unknown)}'; the keys are {', '.join(keys)}")
    settings = dict(changes.get("set") or {})
    for name, value in settings.items():
        if name in options.parameters and options.parameters[name].file:
            settings[name] = beside_game(str(value))
    return options.changed(changes.get("on", ()), changes.get("off", ()), settings)


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
