"""A record of a game, independent of file formats."""

from dataclasses import dataclass, field
from typing import Final

RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
MARKS: Final = ("!", "?", "!!", "??", "!?", "?!")
"""Annotations of moves; in this order PGN's annotation glyphs 1 to 6."""
MAX_NESTING: Final = 60
"""Variations within variations."""


@dataclass(frozen=True)
class GameRecord:
    """A start position, moves and a result.

    `start` is a position text (None for the game's start position); `moves` are move texts as the
    game's `move_text` writes them; `result` is for the first player: '1-0', '0-1', '1/2-1/2' or
    '*'.  `tags` keep their order.  `comments[n]` belongs to the position after `n` moves,
    `marks[n]` to the nth move.  `variations[n]` are alternatives to the nth move: records of other
    moves from the position before it, which may have variations themselves.  `lines` are line
    numbers in the file: of the start, of each move, and of the result.
    """

    moves: tuple[str, ...]
    result: str = "*"
    start: str | None = None
    tags: dict[str, str] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)
    marks: dict[int, str] = field(default_factory=dict)
    variations: dict[int, tuple["GameRecord", ...]] = field(default_factory=dict)
    lines: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.result not in RESULTS:
            raise ValueError(f"unknown result '{self.result}'; use 1-0, 0-1, 1/2-1/2 or *")
        for mark in self.marks.values():
            if mark not in MARKS:
                raise ValueError(f"unknown mark '{mark}'; use one of {' '.join(MARKS)}")

    def place(self, number: int) -> str:
        """Return `line 7, ` for the start (0), a move or the result, if the line is known."""
        return f"line {self.lines[number]}, " if number < len(self.lines) else ""
