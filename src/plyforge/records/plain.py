"""The plain format: records of any game as lines of text.

    Plyforge record 1: connect4:5x4
    tag Event: Summer cup
    start: ...../...../..X../.OX.. O
    note: the position before the first move
    1. c3
    2.?? d1
    note: what is said of the second move
    result: 1-0

Every line is one thing, so that a move or a value may hold any sign.  A text that a line cannot
hold as it is (with line breaks, spaces at its ends, a quotation mark first, or empty) is written
as a JSON string.
"""

import json
import re
from collections.abc import Iterator
from typing import Final

from plyforge.core.errors import clip
from plyforge.records.record import MARKS, RESULTS, GameRecord

HEADER: Final = "Plyforge record"
VERSION: Final = "1"
_HEADER: Final = re.compile(rf"{HEADER} (\S+): (.+)")
_MOVE: Final = re.compile(r"(\d{1,9})\.(\S*) (.*)")
_FORMS: Final = "'tag NAME: VALUE', 'start: POSITION', 'note: TEXT', '1. MOVE' or 'result: 1-0'"


def is_plain(text: str) -> bool:
    """Whether a text is a file of the plain format: its first line says so."""
    return text.lstrip().startswith(HEADER)


def write(game: str, record: GameRecord) -> str:
    """One record as text; `game` is its name, with the variant."""
    return "".join(f"{line}\n" for line in _lines(game, record))


def _lines(game: str, record: GameRecord) -> Iterator[str]:
    yield f"{HEADER} {VERSION}: {game}"
    for name, value in record.tags.items():
        yield f"tag {_quoted(name, ':')}: {_quoted(value)}"
    if record.start is not None:
        yield f"start: {_quoted(record.start)}"
    yield from _note(record, 0)
    for number, move in enumerate(record.moves, 1):
        yield f"{number}.{record.marks.get(number, '')} {_quoted(move)}"
        yield from _note(record, number)
    yield f"result: {record.result}"


def _note(record: GameRecord, number: int) -> Iterator[str]:
    if number in record.comments:
        yield f"note: {_quoted(record.comments[number])}"


def _quoted(text: str, stop: str = "\0") -> str:
    plain = text and text == text.strip() and text.isprintable() and text[0] != '"'
    return text if plain and stop not in text else json.dumps(text)


def read(text: str) -> list[tuple[str, GameRecord]]:
    """The records of a text, each with the name of its game; `ValueError` names the line."""
    found = []
    draft: _Draft | None = None
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            if draft is None:
                draft = _begun(line, number)
            else:
                draft.add(line.strip(), number)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        if draft.result is not None:
            found.append((draft.game, draft.record()))
            draft = None
    if draft is not None:
        raise ValueError(
            f"line {draft.lines[-1]}: the file ends after move {len(draft.moves)} without a"
            " result; end the record with 'result: *'"
        )
    return found


class _Draft:
    """A record while it is being read."""

    def __init__(self, game: str, line: int) -> None:
        self.game = game
        self.lines = [line]
        self.moves: list[str] = []
        self.tags: dict[str, str] = {}
        self.comments: dict[int, str] = {}
        self.marks: dict[int, str] = {}
        self.start: str | None = None
        self.result: str | None = None

    def add(self, line: str, number: int) -> None:
        move = _MOVE.fullmatch(line)
        if move:
            self._add_move(int(move[1]), move[2], _unquoted(move[3]))
            self.lines.append(number)
        elif line.startswith("tag "):
            self._add_tag(line)
        elif line.startswith("start: "):
            self._refuse_twice("start", self.start is not None or bool(self.moves))
            self.start, self.lines[0] = _unquoted(line[7:]), number
        elif line.startswith("note: "):
            self._refuse_twice("note of this move", len(self.moves) in self.comments)
            self.comments[len(self.moves)] = _unquoted(line[6:])
        elif line.startswith("result: "):
            self._end(line[8:].strip())
            self.lines.append(number)
        elif _HEADER.fullmatch(line):
            raise ValueError("a record begins before the one above it has a 'result: ...' line")
        else:
            raise ValueError(
                f"after move {len(self.moves)}: '{clip(line, 60)}' is none of {_FORMS}"
            )

    def _add_move(self, number: int, mark: str, text: str) -> None:
        if number != len(self.moves) + 1:
            raise ValueError(f"move {number} stands where move {len(self.moves) + 1} should")
        if mark and mark not in MARKS:
            raise ValueError(f"move {number}: unknown mark '{clip(mark)}'; use {' '.join(MARKS)}")
        self.moves.append(text)
        if mark:
            self.marks[number] = mark

    def _add_tag(self, line: str) -> None:
        match = re.fullmatch(r'tag ("(?:[^"\\]|\\.)*"|[^:"][^:]*): (.*)', line)
        if not match:
            raise ValueError(f"a tag must read 'tag NAME: VALUE', not '{clip(line, 60)}'")
        name = _unquoted(match[1])
        self._refuse_twice(f"tag '{clip(name)}'", name in self.tags)
        self.tags[name] = _unquoted(match[2])

    def _refuse_twice(self, what: str, there: bool) -> None:
        if there:
            raise ValueError(f"the {what} is given twice or too late; give it once")

    def _end(self, result: str) -> None:
        if result not in RESULTS:
            raise ValueError(f"unknown result '{clip(result)}'; use {', '.join(RESULTS)}")
        self.result = result

    def record(self) -> GameRecord:
        return GameRecord(
            tuple(self.moves),
            self.result or "*",
            self.start,
            self.tags,
            self.comments,
            self.marks,
            tuple(self.lines),
        )


def _begun(line: str, number: int) -> _Draft:
    match = _HEADER.fullmatch(line.strip())
    if not match:
        raise ValueError(f"a record begins with '{HEADER} {VERSION}: GAME', not '{clip(line, 60)}'")
    if match[1] != VERSION:
        raise ValueError(f"version {clip(match[1])} of this format is not known; use {VERSION}")
    return _Draft(match[2].strip(), number)


def _unquoted(text: str) -> str:
    if not text.startswith('"'):
        return text.strip()
    try:
        return str(json.loads(text))
    except json.JSONDecodeError as error:
        raise ValueError(
            f"'{clip(text, 60)}' begins with a quotation mark and is no JSON string: {error.msg}"
        ) from None
