"""Reading and writing games: in the game's own format if it has one, else in the plain one."""

from collections.abc import Iterable

import numpy as np

from plyforge.core.errors import GameFileError, PlyforgeError, RecordError, clip
from plyforge.game.base import BaseGame
from plyforge.game.replay import check_record
from plyforge.records import plain
from plyforge.records.record import GameRecord


def read_games(game: BaseGame, text: str, variations: bool = False) -> list[GameRecord]:
    """Read the games of a text and check every move; an error names game, line and move."""
    records = []
    for number, record in enumerate(parse_games(game, text), 1):
        try:
            records.append(check_record(game, record, variations))
        except RecordError as error:
            raise RecordError(f"game {number}, {error}") from error
    return records


def parse_games(game: BaseGame, text: str) -> list[GameRecord]:
    """Return the games of a text with moves as it writes them; they are not checked."""
    if "\0" in text:
        raise RecordError("the file is binary; give a text file of games")
    return _parse(game, text.removeprefix("\ufeff"))


def write_games(game: BaseGame, records: Iterable[GameRecord], plain_format: bool = False) -> str:
    """Return games as text: in the game's own format if it can hold all, else in the plain one."""
    records = list(records)
    own_format = [None if plain_format else _write_by_hook(game, record) for record in records]
    texts = [text for text in own_format if text is not None]
    if len(texts) < len(records):
        texts = [plain.write(full_name(game), record) for record in records]
    separator = "\n" if any(text.count("\n") > 1 for text in texts) else ""
    return separator.join(texts)


def _write_by_hook(game: BaseGame, record: GameRecord) -> str | None:
    if "write_game" not in game.rules.hooks:
        return None
    try:
        with np.errstate(over="ignore"):
            text = game.rules.hooks["write_game"](record)
    except ValueError as error:
        raise RecordError(f"the record cannot be written: {error}") from error
    except Exception:
        with game.rules.blame("write_game"):
            raise
    if text is None or isinstance(text, str):
        return text
    raise GameFileError(
        f"{game.rules.file}: 'write_game' returned {clip(repr(text))}; it must return a"
        " string, or None for a record that the format cannot hold"
    )


def full_name(game: BaseGame) -> str:
    """Return the game's name with its variant, as `connect4:5x4`."""
    return f"{game.name}:{game.variant}" if game.variant else game.name


def _parse(game: BaseGame, text: str) -> list[GameRecord]:
    if plain.is_plain(text) or "read_games" not in game.rules.hooks:
        try:
            records = plain.read(text)
        except ValueError as error:
            raise RecordError(str(error)) from error
        return [_check_game(game, name, record) for name, record in records]
    return _parse_by_hook(game, text)


def _parse_by_hook(game: BaseGame, text: str) -> list[GameRecord]:
    try:
        records = game.rules.hooks["read_games"](text)
    except ValueError as error:
        raise RecordError(clip(str(error), 600)) from error
    except Exception:
        with game.rules.blame("read_games"):
            raise
    if not isinstance(records, list) or not all(isinstance(r, GameRecord) for r in records):
        raise GameFileError(
            f"{game.rules.file}: 'read_games' returned {clip(repr(records))}; it must return a"
            " list of GameRecord"
        )
    return records


def _check_game(game: BaseGame, name: str, record: GameRecord) -> GameRecord:
    """Return the record if it belongs to this game in this variant, else raise `RecordError`."""
    stem, _, variant = name.partition(":")
    if stem == game.name and _same_variant(game, variant or None):
        return record
    raise RecordError(
        f"{record.place(0)}this is a record of '{clip(name)}', not of"
        f" '{full_name(game)}'; give the game as '{clip(name)}'"
    )


def _same_variant(game: BaseGame, variant: str | None) -> bool:
    """Return whether a variant has the game's start position, however it is written."""
    if variant == game.variant:
        return True
    try:
        other = type(game)(game.rules, variant, game.backend)
        return game.position_type.equal(game.initial(), other.initial())
    except PlyforgeError:
        return False
