"""Portable Game Notation: games as text.

Reads the import format and writes the export format of the PGN standard (1994), sections 3, 7
and 8.  Variations, comments and the six usual marks are kept.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from plyforge.games.chess.fen import from_text, to_text
from plyforge.games.chess.position import Position
from plyforge.games.chess.rules import initial, play
from plyforge.games.chess.san import parse_move, san
from plyforge.rules import GameRecord, taggedtext

_DIALECT: Final = taggedtext.Dialect()


def read_games(text: str) -> list[GameRecord]:
    """Return the games in a PGN text, with moves as written there; `ValueError` names the line."""
    return [record for _, record in taggedtext.read(text, _DIALECT)]


@np.errstate(over="ignore")
def write_game(record: GameRecord) -> str:
    """Return a game in PGN's export format, with a newline at the end."""
    start = initial() if record.start is None else from_text(record.start)
    fields = {} if record.start is None else {"FEN": to_text(start), "SetUp": "1"}
    numbering = taggedtext.Numbering(int(start.fullmove), start.side == 1)
    return taggedtext.write(_with_san(start, record), _DIALECT, numbering, fields)


def _with_san(position: Position, record: GameRecord) -> GameRecord:
    """Return a record with its moves in short algebraic notation, those of variations too."""
    moves, variations = [], {}
    for count, text in enumerate(record.moves, 1):
        if count in record.variations:
            others = record.variations[count]
            variations[count] = tuple(_with_san(position, other) for other in others)
        try:
            move = parse_move(position, text)
        except ValueError as error:
            raise ValueError(f"move {count} of the record: {error}") from None
        moves.append(san(position, move))
        position = play(position, move)
    return replace(record, moves=tuple(moves), variations=variations)
