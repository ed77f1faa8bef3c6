"""Files of games: the game's own format where it has one, the plain format otherwise."""

from collections.abc import Iterable

import numpy as np

from plyforge.core.errors import GameFileError, PlyforgeError, RecordError, clip
from plyforge.game.base import BaseGame
from plyforge.game.replay import checked
from plyforge.records import plain
from plyforge.records.record import GameRecord


def read_games(game: BaseGame, text: str) -> list[GameRecord]:
    """The games of a text, every one of them played; an error names game, line and move."""
    if "\0" in text:
        raise RecordError("this is binary data; give a file of games as text")
    records = _parsed(game, text.removeprefix("\ufeff"))
    found = []
    for number, record in enumerate(records, 1):
        try:
            found.append(checked(game, record))
        except RecordError as error:
            raise RecordError(f"game {number}, {error}") from error
    return found


def write_games(game: BaseGame, records: Iterable[GameRecord]) -> str:
    """Games as text, all in one format: the plain one if the game's own cannot hold them all."""
    records = list(records)
    own = [_written_by_hook(game, record) for record in records]
    texts = [text for text in own if text is not None]
    if len(texts) < len(records):
        texts = [plain.write(full_name(game), record) for record in records]
    apart = "\n" if any(text.count("\n") > 1 for text in texts) else ""
    return apart.join(texts)


def _written_by_hook(game: BaseGame, record: GameRecord) -> str | None:
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
        f"{game.rules.file}: 'write_game' returned {clip(repr(text))}; it must be a text, or"
        " None for a record that the format cannot hold"
    )


def full_name(game: BaseGame) -> str:
    """The game's name with its variant, as `connect4:5x4`."""
    return f"{game.name}:{game.variant}" if game.variant else game.name


def _parsed(game: BaseGame, text: str) -> list[GameRecord]:
    if plain.is_plain(text) or "read_games" not in game.rules.hooks:
        try:
            named = plain.read(text)
        except ValueError as error:
            raise RecordError(str(error)) from error
        return [_of_this_game(game, name, record) for name, record in named]
    return _parsed_by_hook(game, text)


def _parsed_by_hook(game: BaseGame, text: str) -> list[GameRecord]:
    try:
        records = game.rules.hooks["read_games"](text)
    except ValueError as error:
        raise RecordError(clip(str(error), 600)) from error
    except Exception:
        with game.rules.blame("read_games"):
            raise
    if not isinstance(records, list) or not all(isinstance(r, GameRecord) for r in records):
        raise GameFileError(
            f"{game.rules.file}: 'read_games' returned {clip(repr(records))}; it must be a list"
            " of GameRecord"
        )
    return records


def _of_this_game(game: BaseGame, name: str, record: GameRecord) -> GameRecord:
    """The record, if it is of this game in this variant."""
    stem, _, variant = name.partition(":")
    if stem == game.name and _same_variant(game, variant or None):
        return record
    raise RecordError(
        f"{record.place(0)}a record of '{clip(name)}', but it is read as"
        f" '{full_name(game)}'; name the game '{clip(name)}'"
    )


def _same_variant(game: BaseGame, variant: str | None) -> bool:
    """Whether a variant is the game's, maybe in other words: a variant is its start position."""
    if variant == game.variant:
        return True
    try:
        other = type(game)(game.rules, variant, game.backend)
        return game.position_type.equal(game.initial(), other.initial())
    except PlyforgeError:
        return False
