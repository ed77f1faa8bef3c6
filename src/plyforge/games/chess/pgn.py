"""Portable Game Notation: games as text.

Reads the import format and writes the export format of the PGN standard (1994), sections 3, 7
and 8.  Variations and numeric annotation glyphs are read over; comments are kept.
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from plyforge.games.chess.fen import from_text, to_text
from plyforge.games.chess.position import Position
from plyforge.games.chess.rules import initial, play
from plyforge.games.chess.san import move_text, parse_move, san
from plyforge.rules import GameRecord

_ROSTER: Final = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
}
_RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
# What a record holds in fields of its own is not repeated among its tags.
_FIELDS: Final = ("Result", "FEN", "SetUp")

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
    |(?P<move>[A-Za-z0-9][\w+#=:/-]*[!?]*)
    """,
    re.VERBOSE | re.MULTILINE,
)


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
    start: Position = field(default_factory=initial)
    position: Position = field(default_factory=initial)
    from_fen: bool = False
    moves: list[str] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    in_moves: bool = False

    def add_tag(self, token: _Token) -> None:
        value = re.sub(r"\\(.)", r"\1", token.text)
        self.tags[token.name] = value
        if token.name == "FEN":
            try:
                self.start = self.position = from_text(value)
            except ValueError as error:
                raise ValueError(f"line {token.line}: {error}") from None
            self.from_fen = True

    def add_move(self, token: _Token) -> None:
        self.in_moves = True
        try:
            move = parse_move(self.position, token.text)
        except ValueError as error:
            dots = "..." if self.position.side else "."
            number = f"{self.position.fullmove}{dots}"
            raise ValueError(f"line {token.line}: move {number} {error}") from None
        self.moves.append(move_text(self.position, move))
        self.position = play(self.position, move)

    def add_comment(self, token: _Token) -> None:
        self.in_moves = True
        earlier = self.comments.get(len(self.moves), "")
        words = [*earlier.split(), *token.text.split()]
        if words:
            self.comments[len(self.moves)] = " ".join(words)

    def finish(self, result: str | None) -> GameRecord:
        tagged = self.tags.get("Result", "*")
        return GameRecord(
            tuple(self.moves),
            result or (tagged if tagged in _RESULTS else "*"),
            to_text(self.start) if self.from_fen else None,
            {name: value for name, value in self.tags.items() if name not in _FIELDS},
            self.comments,
        )


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
        elif kind not in ("space", "escape", "glyph", "number"):
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


@np.errstate(over="ignore")
def read_games(text: str) -> list[GameRecord]:
    """The games in a PGN text; `ValueError` names the line and the move that is wrong."""
    games: list[GameRecord] = []
    draft = _Draft()
    depth = 0
    opened = 0
    for token in _tokens(text.removeprefix("\ufeff")):
        if token.kind == "open":
            opened = opened if depth else token.line
            depth += 1
        elif token.kind == "close":
            depth -= 1
            if depth < 0:
                raise ValueError(f"line {token.line}: ')' closes no variation")
        elif depth:
            continue
        elif token.kind == "tag":
            if draft.in_moves:
                games.append(draft.finish(None))
                draft = _Draft()
            draft.add_tag(token)
        elif token.kind == "comment":
            draft.add_comment(token)
        elif token.kind == "move":
            draft.add_move(token)
        else:
            games.append(draft.finish(token.text))
            draft = _Draft()
    if depth:
        raise ValueError(f"line {opened}: this variation is never closed with ')'")
    if draft.tags or draft.moves:
        games.append(draft.finish(None))
    return games


@np.errstate(over="ignore")
def write_game(record: GameRecord) -> str:
    """One game in PGN's export format, with a newline at the end.

    A closing brace cannot stand in a PGN comment and is written as a parenthesis.
    """
    tags = _ROSTER | {name: record.tags[name] for name in _ROSTER if name in record.tags}
    tags["Result"] = record.result
    others = {k: v for k, v in record.tags.items() if k not in tags and k not in _FIELDS}
    if record.start is not None:
        others |= {"FEN": to_text(from_text(record.start)), "SetUp": "1"}
    tags |= dict(sorted(others.items()))
    header = "\n".join(f'[{name} "{_escaped(value)}"]' for name, value in tags.items())
    movetext = " ".join([*_movetext(record), record.result])
    # The standard asks for lines of less than 80 columns.
    wrapped = textwrap.fill(movetext, 79, break_long_words=False, break_on_hyphens=False)
    return f"{header}\n\n{wrapped}\n"


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _movetext(record: GameRecord) -> Iterator[str]:
    """Numbered moves and comments; Black's move gets a number where White's is not before it."""
    position = initial() if record.start is None else from_text(record.start)
    yield from _comment(record, 0)
    numbered = False
    for count, text in enumerate(record.moves, 1):
        if position.side == 0:
            yield f"{position.fullmove}."
        elif not numbered:
            yield f"{position.fullmove}..."
        try:
            move = parse_move(position, text)
        except ValueError as error:
            raise ValueError(f"move {count} of the record: {error}") from None
        yield san(position, move)
        numbered = position.side == 0 and count not in record.comments
        position = play(position, move)
        yield from _comment(record, count)


def _comment(record: GameRecord, count: int) -> Iterator[str]:
    words = record.comments.get(count, "").replace("}", ")").split()
    if words:
        yield "{" + " ".join(words) + "}"
