"""Othello transcripts: a game per line, `f5d6c3d3c4 +12`.

Passes are left out.  After the moves there may be the result (1-0 if Black has won), the discs of
both sides (38-26) or Black's discs minus White's (+12).
"""

import re
from typing import Final

from plyforge.games.othello.notation import split_moves
from plyforge.rules import GameRecord

_RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
_SCORE: Final = re.compile(r"[+-][0-9]{1,2}|0")
_DISCS: Final = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")


def read_games(text: str) -> list[GameRecord]:
    """Return the games of a text, one per line; blank lines and `#` comments are skipped."""
    lines = enumerate(text.removeprefix("\ufeff").splitlines(), 1)
    return [_read(line, n) for n, line in lines if line.strip() and line.strip()[0] != "#"]


def _read(line: str, number: int) -> GameRecord:
    words = line.split()
    result, tags = _result(words[-1])
    moves = split_moves(" ".join(words if result is None else words[:-1]))
    places = (number,) * (len(moves) + 2)
    return GameRecord(tuple(moves), result or "*", tags=tags, lines=places)


def _result(word: str) -> tuple[str | None, dict[str, str]]:
    """The result that a word stands for, if any, and its score as a tag."""
    if word in _RESULTS:
        return word, {}
    discs = _DISCS.fullmatch(word)
    if not discs and not _SCORE.fullmatch(word):
        return None, {}
    score = int(discs[1]) - int(discs[2]) if discs else int(word)
    if score == 0:
        return "1/2-1/2", {}
    return "1-0" if score > 0 else "0-1", {"Score": f"{score:+d}"}


def write_game(record: GameRecord) -> str | None:
    """Return a game as a line; None for a record with more than a transcript can hold."""
    end = record.tags.get("Score", record.result)
    notes = record.comments or record.marks or record.variations
    unfit = notes or record.start or not record.moves
    if unfit or _result(end) != (record.result, record.tags):
        return None
    last = len(record.moves) - 1
    moves = (m for number, m in enumerate(record.moves) if m != "pass" or number == last)
    return f"{''.join(moves)} {end}\n"
