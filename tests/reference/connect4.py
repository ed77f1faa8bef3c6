"""Connect four, slow and obvious: the twin that the game's rules are compared with."""


class Game:
    """A game in progress: a list of stones per column, from the bottom up, and whose turn it is."""

    def __init__(self, width: int = 7, height: int = 6) -> None:
        self.width = width
        self.height = height
        self.columns: list[list[str]] = [[] for _ in range(width)]
        self.mover = "X"

    def moves(self) -> set[str]:
        return {str(c + 1) for c in range(self.width) if len(self.columns[c]) < self.height}

    def play(self, column: str) -> None:
        assert column in self.moves()
        self.columns[int(column) - 1].append(self.mover)
        self.mover = self.opponent()

    def opponent(self) -> str:
        return "O" if self.mover == "X" else "X"

    def at(self, column: int, row: int) -> str:
        if 0 <= column < self.width and 0 <= row < len(self.columns[column]):
            return self.columns[column][row]
        return "."

    def has_four(self, player: str) -> bool:
        for column in range(self.width):
            for row in range(self.height):
                for right, up in [(1, 0), (0, 1), (1, 1), (1, -1)]:
                    line = [self.at(column + k * right, row + k * up) for k in range(4)]
                    if line == [player] * 4:
                        return True
        return False

    def result(self) -> str:
        """`loss`, `draw` or `ongoing`, for the side to move, who cannot have won."""
        if self.has_four(self.opponent()):
            return "loss"
        return "ongoing" if self.moves() else "draw"

    def text(self) -> str:
        rows = [
            "".join(self.at(column, row) for column in range(self.width))
            for row in reversed(range(self.height))
        ]
        return "/".join(rows) + " " + self.mover
