"""The starter game: a small, complete and commented file of rules."""

import os
from importlib import resources
from pathlib import Path

from plyforge.core.errors import PlyforgeError


def template() -> str:
    """Return the source of the starter game."""
    return resources.files(__package__).joinpath("starter_game.txt").read_text(encoding="utf-8")


def write_starter(path: Path) -> Path:
    """Write the starter game to a new file and return its path; never overwrite a file."""
    if not path.name:
        raise PlyforgeError(
            f"'{path}' is not a file name; give one that ends in .py, such as 'mygame.py'"
        )
    if path.name == ".py":
        raise PlyforgeError(f"'{path}' has no name before .py; give one, such as 'mygame.py'")
    if path.suffix != ".py":
        remedy = path.with_name(path.name.rstrip(".") + ".py")
        raise PlyforgeError(f"'{path}' does not end in .py, as a game's file must; give '{remedy}'")
    if not os.path.isdir(path.parent):  # noqa: PTH112 - unlike Path.is_dir it never raises
        raise PlyforgeError(f"there is no folder '{path.parent}'; create it first")
    try:
        file = path.open("x", encoding="utf-8", newline="\n")
    except FileExistsError:
        raise PlyforgeError(f"'{path}' exists already; choose another name or remove it") from None
    except OSError as error:
        raise PlyforgeError(f"'{path}' cannot be written: {error.strerror}") from error
    try:
        with file:
            file.write(template())
    except BaseException as error:  # such as a full disk: leave no half of a file
        path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise PlyforgeError(f"'{path}' cannot be written: {error.strerror}") from error
        raise
    return path
