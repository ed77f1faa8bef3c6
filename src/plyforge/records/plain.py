"""The plain format: records of any game as lines of text.

    Plyforge record 1: connect4:5x4
    tag Event: Summer cup
    start: ...../...../..X../.OX.. O
    note: the position before the first move
    1. c3
    2.?? d1
    note: a comment on the second move
    variation:
    2. b1
    end of variation
    result: 1-0

A variation follows the move that it replaces, and the note on it.

Each line holds one item, so a move or a value may contain any character.  A text that does not fit
on a line as it is (empty, with line breaks, with spaces at its ends, or beginning with a quotation
mark) is written as a JSON string.
"""

import json
import re
from collections.abc import Iterator
from typing import Final

from plyforge.core.errors import clip
from plyforge.records.record import MARKS, MAX_NESTING, RESULTS, GameRecord

HEADER: Final = "Plyforge record"
VERSION: Final = "1"
_HEADER: Final = re.compile(rf"{HEADER} (\S+): (.+)")
_MOVE: Final = re.compile(r"(\d{1,9})\.(\S*) (.*)")
_VARIATION: Final = "variation:"
_END_OF_VARIATION: Final = "end of variation"
_FORMS: Final = "'tag NAME: VALUE', 'start: POSITION', 'note: TEXT', '1. MOVE' or 'result: 1-0'"


def is_plain(text: str) -> bool:
    """Return whether a text is in the plain format, by its first line."""
    return text.lstrip().startswith(HEADER)


def write(game: str, record: GameRecord) -> str:
    """Return a record as text; `game` is the name of its game, with the variant."""
    return "".join(f"{line}\n" for line in _lines(game, record))


def _lines(game: str, record: GameRecord) -> Iterator[str]:
    yield f"{HEADER} {VERSION}: {game}"
    for name, value in record.tags.items():
        yield f"tag {_quote(name, ':')}: {_quote(value)}"
    if record.start is not None:
        yield f"start: {_quote(record.start)}"
    yield from _move_lines(record, 0)
    yield f"result: {record.result}"


def _move_lines(record: GameRecord, before: int) -> Iterator[str]:
    """Yield moves, notes and variations; `before` is the number of moves before the first."""
    yield from _note(record, 0)
    for number, move in enumerate(record.moves, 1):
        yield f"{before + number}.{record.marks.get(number, '')} {_quote(move)}"
        yield from _note(record, number)
        for variation in record.variations.get(number, ()):
            yield _VARIATION
            yield from _move_lines(variation, before + number - 1)
            yield _END_OF_VARIATION


def _note(record: GameRecord, number: int) -> Iterator[str]:
    if number in record.comments:
        yield f"note: {_quote(record.comments[number])}"


def _quote(text: str, stop: str = "\0") -> str:
    plain = text and text == text.strip() and text.isprintable() and text[0] != '"'
    return text if plain and stop not in text else json.dumps(text)


def read(text: str) -> list[tuple[str, GameRecord]]:
    """Read the records of a text, each with the name of its game; `ValueError` names the line."""
    records = []
    draft: _Draft | None = None
    outer: list[_Draft] = []
    """The record and the variations around the draft."""
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            if draft is None:
                draft = _start_record(line, number)
            elif line.strip() == _VARIATION:
                outer.append(draft)
                draft = draft.start_variation(number, len(outer))
            elif line.strip() == _END_OF_VARIATION:
                if not outer:
                    raise ValueError("no variation has begun before this line")
                variation, draft = draft, outer.pop()
                draft.add_variation(variation.record())
            else:
                draft.add(line.strip(), number)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        if draft.result is not None:
            if outer:
                raise ValueError(
                    f"line {number}: a variation is not ended; write '{_END_OF_VARIATION}' before"
                    " the result"
                )
            records.append((draft.game, draft.record()))
            draft = None
    if draft is not None:
        raise ValueError(
            f"line {draft.lines[-1]}: the file ends after move {len(draft.moves)} without a"
            " result; end the record with 'result: *'"
        )
    return records


class _Draft:
    """A record while it is read."""

    def __init__(self, game: str, line: int, before: int = 0) -> None:
        self.game = game
        self._before = before
        """The number of moves before its first: a variation begins within a game."""
        self.variations: dict[int, tuple[GameRecord, ...]] = {}
        self.lines = [line]
        self.moves: list[str] = []
        self.tags: dict[str, str] = {}
        self.comments: dict[int, str] = {}
        self.marks: dict[int, str] = {}
        self.start: str | None = None
        self.result: str | None = None

    def add(self, line: str, number: int) -> None:
        """Add a line of the file."""
        move = _MOVE.fullmatch(line)
        if move:
            self._add_move(int(move[1]), move[2], _unquote(move[3]))
            self.lines.append(number)
        elif line.startswith("tag "):
            self._add_tag(line)
        elif line.startswith("start: "):
            self._check_once("start", self.start is not None or bool(self.moves))
            self.start, self.lines[0] = _unquote(line[7:]), number
        elif line.startswith("note: "):
            self._check_once("note of this move", len(self.moves) in self.comments)
            self.comments[len(self.moves)] = _unquote(line[6:])
        elif line.startswith("result: "):
            self._set_result(line[8:].strip())
            self.lines.append(number)
        elif _HEADER.fullmatch(line):
            raise ValueError("a record begins before the previous one has a 'result: ...' line")
        else:
            raise ValueError(
                f"after move {len(self.moves)}: '{clip(line, 60)}' is not one of {_FORMS}"
            )

    def _add_move(self, number: int, mark: str, text: str) -> None:
        expected = self._before + len(self.moves) + 1
        if number != expected:
            raise ValueError(f"move {number} is out of order; move {expected} must come here")
        if mark and mark not in MARKS:
            raise ValueError(f"move {number}: unknown mark '{clip(mark)}'; use {' '.join(MARKS)}")
        self.moves.append(text)
        if mark:
            self.marks[len(self.moves)] = mark

    def start_variation(self, line: int, nesting: int) -> "_Draft":
        """Return a draft of an alternative to the last move."""
        if not self.moves:
            raise ValueError("a variation must follow the move that it replaces")
        if nesting > MAX_NESTING:
            raise ValueError(f"variations are nested more than {MAX_NESTING} deep")
        return _Draft(self.game, line, self._before + len(self.moves) - 1)

    def add_variation(self, variation: GameRecord) -> None:
        if variation.moves:
            number = len(self.moves)
            self.variations[number] = (*self.variations.get(number, ()), variation)

    def _add_tag(self, line: str) -> None:
        match = re.fullmatch(r'tag ("(?:[^"\\]|\\.)*"|[^:"][^:]*): (.*)', line)
        if not match:
            raise ValueError(f"a tag must have the form 'tag NAME: VALUE', not '{clip(line, 60)}'")
        name = _unquote(match[1])
        self._check_once(f"tag '{clip(name)}'", name in self.tags)
        self.tags[name] = _unquote(match[2])

    def _check_once(self, item: str, present: bool) -> None:
        if present:
            raise ValueError(f"the {item} is given twice or too late; give it once")

    def _set_result(self, result: str) -> None:
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
            self.variations,
            tuple(self.lines),
        )


def _start_record(line: str, number: int) -> _Draft:
    match = _HEADER.fullmatch(line.strip())
    if not match:
        raise ValueError(
            f"a record must begin with '{HEADER} {VERSION}: GAME', not '{clip(line, 60)}'"
        )
    if match[1] != VERSION:
        raise ValueError(f"unknown version {clip(match[1])} of this format; use {VERSION}")
    return _Draft(match[2].strip(), number)


def _unquote(text: str) -> str:
    if not text.startswith('"'):
        return text.strip()
    try:
        return str(json.loads(text))
    except json.JSONDecodeError as error:
        raise ValueError(
            f"'{clip(text, 60)}' begins with a quotation mark but is not a JSON string: {error.msg}"
        ) from None
