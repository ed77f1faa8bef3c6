"""Files of games on disk: which game they are of, reading, and writing them as a whole."""

import os
import re
import tempfile
from pathlib import Path
from typing import Final

from plyforge.compilation.kernel import Backend
from plyforge.core.errors import PlyforgeError, RecordError, clip
from plyforge.game.game import Game
from plyforge.games import load, names
from plyforge.records import plain
from plyforge.records.record import GameRecord

_BY_SUFFIX: Final = {".pgn": "chess", ".pdn": "checkers"}
_GIVE_AWAY: Final = re.compile(r'^\[Variant "Give-away"\]', re.MULTILINE)


def read_file(
    path: Path, game: str | None = None, backend: Backend | None = None
) -> tuple[Game, list[GameRecord]]:
    """The game and the records of a file; `game` is needed where the file does not tell it."""
    text = read_text(path)
    found = load(game or game_named(path, text), backend)
    return found, _records(found, path, text)


def read_records(path: Path, game: Game) -> list[GameRecord]:
    """The records of a file that is known to be of a game."""
    return _records(game, path, read_text(path))


def _records(game: Game, path: Path, text: str) -> list[GameRecord]:
    try:
        records = game.read_games(text)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error
    if not records:
        raise RecordError(f"{path} holds no games")
    return records


def read_text(path: Path) -> str:
    """A text file in UTF-8, or else in Latin-1 as old game files are."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise RecordError(f"no file {clip(str(path))}") from None
    except OSError as error:
        raise RecordError(f"{clip(str(path))} cannot be read: {error.strerror}") from error
    except ValueError as error:  # a null byte or half a character in the name
        raise RecordError(f"{str(path)!r} is no file's name: {error}") from None
    if b"\0" in data:
        raise RecordError(f"{path} is binary data; give a file of games as text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def game_named(path: Path, text: str) -> str:
    """The game that a file is of: by its first line, or by the ending of its name.

    Only built-in games are found so: a user's file of rules is executed, and no record may ask
    for that.
    """
    if plain.is_plain(text):
        named = text.lstrip().splitlines()[0].partition(": ")[2].strip()
        if named.partition(":")[0] in names():
            return named
        raise PlyforgeError(
            f"{path} is a record of '{clip(named)}', which is no built-in game; name the file"
            " of its rules"
        )
    name = _BY_SUFFIX.get(path.suffix.lower())
    if name is None:
        raise PlyforgeError(f"{path} does not tell which game it is of; name the game")
    return "giveaway" if name == "checkers" and _GIVE_AWAY.search(text) else name


def check_output(path: Path, overwrite: bool, remedy: str = "give --overwrite") -> None:
    """Refuse what could not be written, or should not be, before any work is done."""
    # os.path, unlike Path, never raises, whatever the name.
    if not os.path.isdir(path.parent):  # noqa: PTH112
        raise PlyforgeError(f"there is no folder '{clip(str(path.parent))}'; make it first")
    exists = os.path.exists(path)  # noqa: PTH110
    if exists and not path.is_file():
        raise PlyforgeError(f"'{path}' is no ordinary file; name one")
    if exists and not overwrite:
        raise PlyforgeError(f"'{path}' exists; choose another name, or {remedy}")


def write_text(path: Path, text: str) -> None:
    """Write a file as a whole: whoever reads it finds the old text or the new one."""
    try:
        path = path.resolve()
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            Path(name).chmod(path.stat().st_mode if path.exists() else _new_mode())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        told = clip(str(path))
        raise PlyforgeError(f"'{told}' cannot be written: {error.strerror}") from error
    except ValueError as error:  # a null byte or half a character in the name
        raise PlyforgeError(f"{clip(repr(str(path)))} is no file's name: {error}") from None


def _new_mode() -> int:
    """The permissions of a file that the user makes; a temporary one is closed to others."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
