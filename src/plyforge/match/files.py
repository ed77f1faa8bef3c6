"""Files of games: finding the game, reading and writing."""

import os
import re
from pathlib import Path
from typing import Final

from plyforge.compilation.kernel import Backend
from plyforge.core.errors import PlyforgeError, RecordError, clip
from plyforge.core.writing import write_atomically
from plyforge.game.game import Game
from plyforge.games import load, names
from plyforge.records import plain
from plyforge.records.record import GameRecord

_BY_SUFFIX: Final = {".pgn": "chess", ".pdn": "checkers"}
_GIVE_AWAY: Final = re.compile(r'^\[Variant "Give-away"\]', re.MULTILINE)


def read_file(
    path: Path, game: str | None = None, backend: Backend | None = None
) -> tuple[Game, list[GameRecord]]:
    """Read a file; return its game and records.  `game` names the game if the file does not."""
    text = read_text(path)
    loaded = load(game or find_game(path, text), backend)
    return loaded, _parse_records(loaded, path, text)


def read_records(path: Path, game: Game) -> list[GameRecord]:
    """Read the records of a file of a known game."""
    return _parse_records(game, path, read_text(path))


def _parse_records(game: Game, path: Path, text: str) -> list[GameRecord]:
    try:
        records = game.read_games(text)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error
    if not records:
        raise RecordError(f"{path} contains no games")
    return records


def read_text(path: Path) -> str:
    """Read a text file in UTF-8, or in Latin-1, as old game files are."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise RecordError(f"no file {clip(str(path))}") from None
    except OSError as error:
        raise RecordError(f"{clip(str(path))} cannot be read: {error.strerror}") from error
    except ValueError as error:  # a null byte or an incomplete character in the name
        raise RecordError(f"{str(path)!r} is not a file name: {error}") from None
    if b"\0" in data:
        raise RecordError(f"{path} is binary data; give a file of games as text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def find_game(path: Path, text: str) -> str:
    """Return the name of a file's game, from its first line or its suffix.

    Only built-in games are found: a user's game file is executed when loaded, and a record must not
    cause that.
    """
    if plain.is_plain(text):
        named = text.lstrip().splitlines()[0].partition(": ")[2].strip()
        if named.partition(":")[0] in names():
            return named
        raise PlyforgeError(
            f"{path} is a record of '{clip(named)}', which is not a built-in game; name the file"
            " of its rules"
        )
    name = _BY_SUFFIX.get(path.suffix.lower())
    if name is None:
        raise PlyforgeError(f"{path} does not say which game it is; name the game")
    return "giveaway" if name == "checkers" and _GIVE_AWAY.search(text) else name


def check_output(path: Path, overwrite: bool, remedy: str = "give --overwrite") -> None:
    """Reject a file that cannot or must not be written, before any work is done."""
    # Unlike the methods of Path, these functions never raise.
    if not os.path.isdir(path.parent):  # noqa: PTH112
        raise PlyforgeError(f"there is no folder '{clip(str(path.parent))}'; make it first")
    exists = os.path.exists(path)  # noqa: PTH110
    if exists and not path.is_file():
        raise PlyforgeError(f"'{path}' is not a regular file; name another")
    if exists and not overwrite:
        raise PlyforgeError(f"'{path}' exists; choose another name, or {remedy}")


def write_text(path: Path, text: str) -> None:
    """Write a file atomically: a reader sees the old text or the new one."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise PlyforgeError(f"'{clip(str(path))}' cannot be written: {error}") from None
    write_atomically(path, data)
