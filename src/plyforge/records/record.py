"""A game as it was played, apart from any file format."""

from dataclasses import dataclass, field
from typing import Final

RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
MARKS: Final = ("!", "?", "!!", "??", "!?", "?!")
"""What may stand behind a move; the numbers 1 to 6 of PGN's annotation glyphs, in this order."""


@dataclass(frozen=True)
class GameRecord:
    """A start position, moves and a result.

    `start` is a position text (None for the game's own start); `moves` are move texts as the
    game's `move_text` writes them; `result` is in view of the first player: '1-0', '0-1',
    '1/2-1/2' or '*'.  `tags` keep their order.
    `comments[n]` belongs to the position after `n` moves, `marks[n]` to the nth move.
    `lines` says where it was read: the line of the start, of each move, and of the result.
    """

    moves: tuple[str, ...]
    result: str = "*"
    start: str | None = None
    tags: dict[str, str] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)
    marks: dict[int, str] = field(default_factory=dict)
    lines: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.result not in RESULTS:
            raise ValueError(f"unknown result '{self.result}'; use 1-0, 0-1, 1/2-1/2 or *")
        for mark in self.marks.values():
            if mark not in MARKS:
                raise ValueError(f"unknown mark '{mark}'; use one of {' '.join(MARKS)}")

    def place(self, number: int) -> str:
        """`line 7, `, where it is known: of the start (0), of a move, or of what follows them."""
        return f"line {self.lines[number]}, " if number < len(self.lines) else ""
