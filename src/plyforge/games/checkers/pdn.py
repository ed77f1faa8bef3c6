"""Portable Draughts Notation: games as text.

PDN is PGN with the moves of draughts.  In PDN 1-0 is a win for White, as the standard says,
although Black moves first in English checkers.  A record's result is for the first player, so it
is swapped in reading and in writing.
"""

import re
from dataclasses import replace
from typing import Final

from plyforge.games.checkers.notation import from_text, to_text
from plyforge.rules import GameRecord, taggedtext

GAME_TYPE: Final = "21"
"""English checkers in PDN's list of games.  Give-away has no number; the tag Variant marks it."""
GIVE_AWAY: Final = "Give-away"
_JUMP: Final = re.compile("[xX:]")
_DIALECT: Final = taggedtext.Dialect(("GameType", "Variant"), second_player_first=True)


def read_games(text: str) -> list[GameRecord]:
    """Return the games in a PDN text, with moves as written there; `ValueError` names the line."""
    return _read(text, give_away=False)


def write_game(record: GameRecord) -> str:
    """Return a game in PDN, with a newline at the end."""
    return _write(record, {"GameType": GAME_TYPE})


def read_give_away(text: str) -> list[GameRecord]:
    """Like `read_games`, for give-away checkers; the tag Variant may be missing."""
    return _read(text, give_away=True)


def write_give_away(record: GameRecord) -> str:
    """Like `write_game`, with the tag Variant that marks give-away checkers."""
    return _write(record, {"GameType": GAME_TYPE, "Variant": GIVE_AWAY})


def _read(text: str, give_away: bool) -> list[GameRecord]:
    games = taggedtext.read(text, _DIALECT)
    for tags, record in games:
        kind = tags.get("GameType", GAME_TYPE).partition(",")[0].strip()
        if kind != GAME_TYPE:
            raise ValueError(
                f"line {record.lines[0]}: GameType {kind} is another kind of draughts; English"
                f" checkers is {GAME_TYPE}"
            )
        if tags.get("Variant") == GIVE_AWAY and not give_away:
            raise ValueError(
                f"line {record.lines[0]}: a game of give-away checkers; read it as 'giveaway'"
            )
    return [_join_jumps(record) for _, record in games]


def _join_jumps(record: GameRecord) -> GameRecord:
    """Return the record with captures that are written jump by jump as one move each.

    `1x10 10x17` is one capture: the square where a piece lands is taken, so the opponent's move
    cannot start there.
    """
    moves: list[str] = []
    counts, lines = [0], [record.lines[0]]
    for text, line in zip(record.moves, record.lines[1:-1], strict=True):
        squares = _JUMP.split(text)
        earlier = _JUMP.split(moves[-1]) if moves else []
        if len(squares) > 1 and len(earlier) > 1 and squares[0] == earlier[-1]:
            moves[-1] = "x".join([*earlier, *squares[1:]])
        else:
            moves.append(text)
            lines.append(line)
        counts.append(len(moves))
    comments: dict[int, str] = {}
    for number, comment in record.comments.items():
        words = [comments.get(counts[number], ""), comment]
        comments[counts[number]] = " ".join(filter(None, words))
    marks = {counts[number]: mark for number, mark in record.marks.items()}
    variations: dict[int, tuple[GameRecord, ...]] = {}
    for number, others in record.variations.items():
        earlier_ones = variations.get(counts[number], ())
        variations[counts[number]] = (*earlier_ones, *map(_join_jumps, others))
    return replace(
        record,
        moves=tuple(moves),
        comments=comments,
        marks=marks,
        variations=variations,
        lines=(*lines, record.lines[-1]),
    )


def _write(record: GameRecord, fields: dict[str, str]) -> str:
    second_begins = False
    if record.start is not None:
        start = from_text(record.start)
        fields |= {"FEN": to_text(start), "SetUp": "1"}
        second_begins = start.side == 1
    numbering = taggedtext.Numbering(second_begins=second_begins)
    return taggedtext.write(record, _DIALECT, numbering, fields)
