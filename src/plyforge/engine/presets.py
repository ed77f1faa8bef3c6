"""The options of a game: presets with the changes that the game declares in `SEARCH`."""

from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.engine.driver import Driver
from plyforge.engine.drivers import DEFAULT, find_driver, parameters_for
from plyforge.game.game import Game
from plyforge.search.options import Options, preset


def preset_for(game: Game, name: str, driver: Driver) -> Options:
    """Return a preset for a driver, with the changes of the game's `SEARCH`."""
    options = Options.preset(name).declaring(parameters_for(driver))
    changes = game.rules.constant("SEARCH")
    if preset(name).as_printed:
        return options
    try:
        unknown = set(changes) - {"on", "off", "set"}
        if unknown:
            raise PlyforgeError(f"it has the key '{min(unknown)}'; the keys are on, off and set")
        return options.changed(changes.get("on", ()), changes.get("off", ()), changes.get("set"))
    except PlyforgeError as error:
        raise GameFileError(f"{game.rules.file}: SEARCH: {error}") from error


def uses_special_kernel(game: Game, options: Options) -> bool:
    """Whether a search gets a kernel with its options as constants.

    Such a kernel is faster, and no other options can use it.  So by default only the options that a
    game is searched with unless others are asked for have one.
    """
    choice = options.get("specialise")
    if choice != "auto":
        return bool(choice == "yes")
    usual = preset_for(game, "exact", find_driver(DEFAULT))
    same = options.switches == usual.switches and options.settings == usual.settings
    return same and not options.added
