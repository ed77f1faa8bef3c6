"""Tic-tac-toe, slow and obvious: the twin that the game's rules are compared with."""

LINES = [
    ["a1", "a2", "a3"],
    ["b1", "b2", "b3"],
    ["c1", "c2", "c3"],
    ["a1", "b1", "c1"],
    ["a2", "b2", "c2"],
    ["a3", "b3", "c3"],
    ["a1", "b2", "c3"],
    ["a3", "b2", "c1"],
]
ROWS = [["a3", "b3", "c3"], ["a2", "b2", "c2"], ["a1", "b1", "c1"]]


class Game:
    """A game in progress: a dict from cell names to stones, and whose turn it is."""

    def __init__(self) -> None:
        self.stones: dict[str, str] = {}
        self.mover = "X"

    def moves(self) -> set[str]:
        return {cell for row in ROWS for cell in row if cell not in self.stones}

    def play(self, cell: str) -> None:
        assert cell in self.moves()
        self.stones[cell] = self.mover
        self.mover = "O" if self.mover == "X" else "X"

    def has_line(self, player: str) -> bool:
        return any(all(self.stones.get(cell) == player for cell in line) for line in LINES)

    def result(self) -> str:
        """`win`, `loss`, `draw` or `ongoing`, for the side to move."""
        if self.has_line("O" if self.mover == "X" else "X"):
            return "loss"
        if self.has_line(self.mover):
            return "win"
        return "ongoing" if self.moves() else "draw"

    def text(self) -> str:
        rows = ["".join(self.stones.get(cell, ".") for cell in row) for row in ROWS]
        return "/".join(rows) + " " + self.mover
