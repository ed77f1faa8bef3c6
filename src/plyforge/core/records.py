"""A game as it was played, apart from any file format."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class GameRecord:
    """A start position, moves and a result.

    `start` is a position text (None for the game's own start); `moves` are move texts as the
    game's `move_text` writes them; `result` is in view of the first player: '1-0', '0-1',
    '1/2-1/2' or '*'.  `tags` keep their order.
    `comments[n]` belongs to the position after `n` moves.
    """

    moves: tuple[str, ...]
    result: str = "*"
    start: str | None = None
    tags: dict[str, str] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.result not in ("1-0", "0-1", "1/2-1/2", "*"):
            raise ValueError(f"unknown result '{self.result}'; use 1-0, 0-1, 1/2-1/2 or *")
