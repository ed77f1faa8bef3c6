"""The common syntax of PGN and PDN: tags in brackets, numbered moves, comments and a result.

Moves are texts here; the caller checks them.  Annotation glyphs other than the six usual marks are
skipped.
"""

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from plyforge.core.errors import clip
from plyforge.records.record import MARKS, MAX_NESTING, RESULTS, GameRecord

ROSTER: Final = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
}
"""The tags that a file must have, with their values for "unknown"."""
_FIELDS: Final = ("Result", "FEN", "SetUp")
"""Tags that a record stores in other fields, and not among its tags."""
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
    |(?P<jumps>\d+(?:\s*[xX:]\s*\d+)+)(?=[\s(){;$!?]|$)
    |(?P<number>\d+\.*(?=[^\w/-]|$)|\d+\.+|\.+)
    |(?P<move>[A-Za-z0-9][\w+#=:/-]*)
    """,
    re.VERBOSE | re.MULTILINE,
)


@dataclass(frozen=True)
class Dialect:
    """The differences between formats.

    `fields` are additional tags that belong to the format rather than to the game.  With
    `second_player_first`, '1-0' in the file is a win of the second player.
    """

    fields: tuple[str, ...] = ()
    second_player_first: bool = False

    def result(self, text: str) -> str:
        """Convert a result between the file and a record."""
        return _SWAPPED.get(text, text) if self.second_player_first else text


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    line: int
    name: str = ""


@dataclass
class _Draft:
    """A game while it is read."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    marks: dict[int, str] = field(default_factory=dict)
    variations: dict[int, tuple[GameRecord, ...]] = field(default_factory=dict)
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

    def add_variation(self, variation: "_Draft") -> None:
        """Add an alternative to the last move; one before the first move has nothing to replace."""
        number = len(self.moves)
        if number and variation.moves:
            earlier = self.variations.get(number, ())
            self.variations[number] = (*earlier, variation.to_variation())

    def to_variation(self) -> GameRecord:
        return GameRecord(
            tuple(self.moves),
            comments=self.comments,
            marks=self.marks,
            variations=self.variations,
            lines=(*self.lines, self.lines[-1]),
        )

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
            {n: v for n, v in self.tags.items() if _is_kept(n, v, dialect)},
            self.comments,
            self.marks,
            self.variations,
            (*self.lines, line),
        )


def _is_kept(name: str, value: str, dialect: Dialect) -> bool:
    """Return whether a tag of the file belongs among the tags of a record."""
    return name not in (*_FIELDS, *dialect.fields) and ROSTER.get(name) != value


def _tokens(text: str) -> Iterator[_Token]:
    place, line = 0, 1
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise ValueError(f"line {line}: {_syntax_error(text[place:])}")
        kind = match.lastgroup or ""
        for group in ("tag", "comment", "remark"):
            if match[group] is not None:
                kind = group
        if kind == "tag":
            yield _Token(kind, match["value"], line, match["name"])
        elif kind == "jumps":
            yield _Token("move", "".join(match[kind].split()), line)
        elif kind not in ("space", "escape", "number"):
            yield _Token("comment" if kind == "remark" else kind, match[kind], line)
        line += match[0].count("\n")
        place = match.end()


def _syntax_error(rest: str) -> str:
    """Describe what is wrong at the beginning of the rest of a text."""
    if rest[0] == "{":
        return "this comment is never closed with '}'"
    if rest[0] == "[":
        line = rest.splitlines()[0][:60]
        return f"a tag must have the form [Name \"value\"], not '{line}'"
    return f"unexpected '{rest.split()[0][:20]}'"


def read(text: str, dialect: Dialect) -> list[tuple[dict[str, str], GameRecord]]:
    """Read the games of a text, each with all tags of the file; `ValueError` names the line.

    The moves are as the file writes them, and not checked.
    """
    reader = _Reader(dialect)
    for token in _tokens(text.removeprefix("\ufeff")):
        reader.add(token)
    return reader.finish()


class _Reader:
    """Builds games from tokens."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._games: list[tuple[dict[str, str], GameRecord]] = []
        self._draft = _Draft()
        self._open: list[_Draft] = []
        """The variations that are not closed yet, the innermost last."""

    def add(self, token: _Token) -> None:
        if token.kind == "open":
            if len(self._open) >= MAX_NESTING:
                raise ValueError(
                    f"line {token.line}: variations are nested more than {MAX_NESTING} deep"
                )
            self._open.append(_Draft(lines=[token.line]))
        elif token.kind == "close":
            if not self._open:
                raise ValueError(f"line {token.line}: ')' closes no variation")
            variation = self._open.pop()
            (self._open[-1] if self._open else self._draft).add_variation(variation)
        elif self._open:
            if token.kind not in ("result", "tag"):
                self._add_to_moves(self._open[-1], token)
        elif token.kind == "result":
            self._finish_game(token)
        elif token.kind == "tag":
            if self._draft.in_moves:
                self._finish_game(None)
            self._draft.add_tag(token)
        else:
            self._add_to_moves(self._draft, token)

    def _add_to_moves(self, draft: _Draft, token: _Token) -> None:
        if token.kind == "move":
            draft.add_move(token)
        elif token.kind == "glyph":
            draft.add_glyph(token)
        else:
            draft.add_comment(token)

    def _finish_game(self, token: _Token | None) -> None:
        self._games.append((self._draft.tags, self._draft.finish(token, self._dialect)))
        self._draft = _Draft()

    def finish(self) -> list[tuple[dict[str, str], GameRecord]]:
        if self._open:
            line = self._open[0].lines[0]
            raise ValueError(f"line {line}: this variation is never closed with ')'")
        if self._draft.tags or self._draft.moves:
            self._finish_game(None)
        return self._games


@dataclass(frozen=True)
class Numbering:
    """The number of the first move, and whether the second side makes it."""

    first: int = 1
    second_begins: bool = False


def write(
    record: GameRecord,
    dialect: Dialect,
    numbering: Numbering,
    fields: Mapping[str, str],
) -> str:
    """Return one game as text with a final newline; its moves are written as they are.

    A comment cannot contain a closing brace; it is written as a parenthesis.
    """
    result = dialect.result(record.result)
    tags = ROSTER | {name: record.tags[name] for name in ROSTER if name in record.tags}
    tags["Result"] = result
    others = {k: v for k, v in record.tags.items() if k not in tags and k not in _FIELDS}
    tags |= dict(sorted((others | dict(fields)).items()))
    header = "\n".join(f'[{_name(name)} "{_escape(value)}"]' for name, value in tags.items())
    first = 2 * numbering.first + numbering.second_begins
    movetext = " ".join([*_movetext(record, first), result])
    # The standard asks for lines of less than 80 columns.
    wrapped = textwrap.fill(movetext, 79, break_long_words=False, break_on_hyphens=False)
    return f"{header}\n\n{wrapped}\n"


def _name(name: str) -> str:
    """Return the name of a tag with letters, digits and underscores only."""
    return re.sub(r"\W+", "_", name) or "_"


def _escape(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _movetext(record: GameRecord, ply: int) -> Iterator[str]:
    """Yield numbered moves, comments and variations; `ply` is twice the first move's number.

    A move of the second side, whose ply is odd, has a number if it comes first, or after a comment
    or a variation.
    """
    yield from _comment(record, 0)
    numbered = False
    for count, move in enumerate(record.moves, 1):
        second = ply % 2 == 1
        if not second:
            yield f"{ply // 2}."
        elif not numbered:
            yield f"{ply // 2}..."
        yield move
        if count in record.marks:
            yield f"${MARKS.index(record.marks[count]) + 1}"
        yield from _comment(record, count)
        for variation in record.variations.get(count, ()):
            yield f"({' '.join(_movetext(variation, ply))})"
        interrupted = count in record.comments or count in record.variations
        numbered = not second and not interrupted
        ply += 1


def _comment(record: GameRecord, count: int) -> Iterator[str]:
    words = record.comments.get(count, "").replace("}", ")").split()
    if words:
        yield "{" + " ".join(words) + "}"
