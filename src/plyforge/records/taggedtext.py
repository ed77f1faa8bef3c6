"""What PGN and PDN have in common: tags in brackets, then numbered moves, comments, a result.

Only the text is looked at here; whoever reads plays the moves.  Variations are read over, glyphs
but the six usual marks, too.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from plyforge.core.errors import clip
from plyforge.records.record import MARKS, RESULTS, GameRecord

ROSTER: Final = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
}
"""The tags that a file must have, with what stands for an unknown value."""
_FIELDS: Final = ("Result", "FEN", "SetUp")
"""What a record holds in fields of its own is not repeated among its tags."""
_SWAPPED: Final = {"1-0": "0-1", "0-1": "1-0"}

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+)
    |(?P<escape>^%[^\n]*)
    |(?P<tag>\[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\])
    |\{(?P<comment>[^}]*)\}
    |;(?P<remark>[^\n]*)
    |(?P<glyph>\$\d+|[!?]+)
    |(?P<open>\()
    |(?P<close>\))
    |(?P<result>1-0|0-1|1/2-1/2|\*)(?=[\s(){;$]|$)
    |(?P<number>\d+\.*(?=[^\w/-]|$)|\d+\.+|\.+)
    |(?P<move>[A-Za-z0-9][\w+#=:/-]*)
    """,
    re.VERBOSE | re.MULTILINE,
)


@dataclass(frozen=True)
class Dialect:
    """Where the formats differ.

    `fields` are further tags that belong to the format rather than to the game;
    `second_player_first` says that '1-0' in the file is a win of the second player.
    """

    fields: tuple[str, ...] = ()
    second_player_first: bool = False

    def result(self, text: str) -> str:
        """A result of the file in view of the first player, and the other way round."""
        return _SWAPPED.get(text, text) if self.second_player_first else text


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    line: int
    name: str = ""


@dataclass
class _Draft:
    """A game while it is being read."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    marks: dict[int, str] = field(default_factory=dict)
    lines: list[int] = field(default_factory=lambda: [0])
    in_moves: bool = False

    def add_tag(self, token: _Token) -> None:
        self.lines[0] = self.lines[0] or token.line
        self.tags[token.name] = re.sub(r"\\(.)", r"\1", token.text)
        if token.name == "FEN":
            self.lines[0] = token.line
        if token.name == "Result" and token.text not in (*RESULTS, "?", ""):
            raise ValueError(
                f"line {token.line}: unknown result '{clip(token.text)}'; use {', '.join(RESULTS)}"
            )

    def add_move(self, token: _Token) -> None:
        self.in_moves = True
        self.moves.append(token.text)
        self.lines.append(token.line)

    def add_comment(self, token: _Token) -> None:
        self.in_moves = True
        earlier = self.comments.get(len(self.moves), "")
        words = [*earlier.split(), *token.text.split()]
        if words:
            self.comments[len(self.moves)] = " ".join(words)

    def add_glyph(self, token: _Token) -> None:
        mark = token.text
        if mark.startswith("$"):
            number = int(mark[1:4])
            mark = MARKS[number - 1] if 1 <= number <= len(MARKS) else ""
        if self.moves and mark in MARKS:
            self.marks.setdefault(len(self.moves), mark)

    def finish(self, end: _Token | None, dialect: Dialect) -> GameRecord:
        tagged = self.tags.get("Result", "*")
        tagged = tagged if tagged in RESULTS else "*"
        # An asterisk may just end the moves, as PDN 3.0 has it.
        result = tagged if end is None or end.text == "*" else end.text
        line = end.line if end else self.lines[-1]
        if len({result, tagged} - {"*"}) > 1:
            raise ValueError(
                f"line {line}: the game ends with {result} after move {len(self.moves)}, but its"
                f" tag Result says {tagged}; make them equal"
            )
        return GameRecord(
            tuple(self.moves),
            dialect.result(result),
            self.tags.get("FEN"),
            {n: v for n, v in self.tags.items() if _is_told(n, v, dialect)},
            self.comments,
            self.marks,
            (*self.lines, line),
        )


def _is_told(name: str, value: str, dialect: Dialect) -> bool:
    return name not in (*_FIELDS, *dialect.fields) and ROSTER.get(name) != value


def _tokens(text: str) -> Iterator[_Token]:
    place, line = 0, 1
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise ValueError(f"line {line}: {_complaint(text[place:])}")
        kind = match.lastgroup or ""
        for group in ("tag", "comment", "remark"):
            if match[group] is not None:
                kind = group
        if kind == "tag":
            yield _Token(kind, match["value"], line, match["name"])
        elif kind not in ("space", "escape", "number"):
            yield _Token("comment" if kind == "remark" else kind, match[kind], line)
        line += match[0].count("\n")
        place = match.end()


def _complaint(rest: str) -> str:
    if rest[0] == "{":
        return "this comment is never closed with '}'"
    if rest[0] == "[":
        shown = rest.splitlines()[0][:60]
        return f"a tag must read [Name \"value\"], not '{shown}'"
    return f"unexpected '{rest.split()[0][:20]}'"


def read(text: str, dialect: Dialect) -> list[tuple[dict[str, str], GameRecord]]:
    """The games of a text, each with all tags of the file; `ValueError` names the line.

    The moves are as the file writes them, and nobody has looked whether they are legal.
    """
    reader = _Reader(dialect)
    for token in _tokens(text.removeprefix("\ufeff")):
        reader.take(token)
    return reader.end()


class _Reader:
    """Puts tokens together to games."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._games: list[tuple[dict[str, str], GameRecord]] = []
        self._draft = _Draft()
        self._opened: list[int] = []

    def take(self, token: _Token) -> None:
        if token.kind == "open":
            self._opened.append(token.line)
        elif token.kind == "close":
            if not self._opened:
                raise ValueError(f"line {token.line}: ')' closes no variation")
            self._opened.pop()
        elif not self._opened:
            self._take_outside(token)

    def _take_outside(self, token: _Token) -> None:
        draft = self._draft
        if token.kind == "result":
            self._finish(token)
        elif token.kind == "tag":
            if draft.in_moves:
                self._finish(None)
            self._draft.add_tag(token)
        elif token.kind == "move":
            draft.add_move(token)
        elif token.kind == "glyph":
            draft.add_glyph(token)
        else:
            draft.add_comment(token)

    def _finish(self, token: _Token | None) -> None:
        self._games.append((self._draft.tags, self._draft.finish(token, self._dialect)))
        self._draft = _Draft()

    def end(self) -> list[tuple[dict[str, str], GameRecord]]:
        if self._opened:
            raise ValueError(f"line {self._opened[0]}: this variation is never closed with ')'")
        if self._draft.tags or self._draft.moves:
            self._finish(None)
        return self._games


@dataclass(frozen=True)
class Numbering:
    """The number of the first move, and whether the side that moves second begins."""

    first: int = 1
    second_begins: bool = False


def write(
    record: GameRecord,
    moves: Iterable[str],
    dialect: Dialect,
    numbering: Numbering,
    fields: Mapping[str, str],
) -> str:
    """One game as text, with a newline at the end; `moves` are as the file shall write them.

    A closing brace cannot stand in a comment and is written as a parenthesis.
    """
    result = dialect.result(record.result)
    tags = ROSTER | {name: record.tags[name] for name in ROSTER if name in record.tags}
    tags["Result"] = result
    others = {k: v for k, v in record.tags.items() if k not in tags and k not in _FIELDS}
    tags |= dict(sorted((others | dict(fields)).items()))
    header = "\n".join(f'[{_name(name)} "{_escaped(value)}"]' for name, value in tags.items())
    movetext = " ".join([*_movetext(record, moves, numbering), result])
    # The standard asks for lines of less than 80 columns.
    wrapped = textwrap.fill(movetext, 79, break_long_words=False, break_on_hyphens=False)
    return f"{header}\n\n{wrapped}\n"


def _name(name: str) -> str:
    """A tag's name with nothing in it but letters, digits and underscores."""
    return re.sub(r"\W+", "_", name) or "_"


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _movetext(record: GameRecord, moves: Iterable[str], numbering: Numbering) -> Iterator[str]:
    """Numbered moves and comments; a second side's move gets a number where no first is before."""
    yield from _comment(record, 0)
    ply = 2 * numbering.first + numbering.second_begins
    numbered = False
    for count, move in enumerate(moves, 1):
        second = ply % 2 == 1
        if not second:
            yield f"{ply // 2}."
        elif not numbered:
            yield f"{ply // 2}..."
        yield move
        if count in record.marks:
            yield f"${MARKS.index(record.marks[count]) + 1}"
        yield from _comment(record, count)
        numbered = not second and count not in record.comments
        ply += 1


def _comment(record: GameRecord, count: int) -> Iterator[str]:
    words = record.comments.get(count, "").replace("}", ")").split()
    if words:
        yield "{" + " ".join(words) + "}"
