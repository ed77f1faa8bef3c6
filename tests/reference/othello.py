"""Othello, slow and obvious: the twin that the game's rules are compared with.

A board is rows from the top, each a list of `X` (black), `O` (white) and `-`; any even size works.
"""

from copy import deepcopy

Place = tuple[int, int]

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
OTHER = {"X": "O", "O": "X"}


def start(size: int) -> list[list[str]]:
    rows = [["-"] * size for _ in range(size)]
    middle = size // 2
    rows[middle - 1][middle - 1] = rows[middle][middle] = "O"
    rows[middle - 1][middle] = rows[middle][middle - 1] = "X"
    return rows


def name_of(place: Place) -> str:
    row, column = place
    return "abcdefghijklmnopqrstuvwxyz"[column] + str(row + 1)


class Game:
    """A game in progress; `empties` gives the cells left empty to the winner."""

    def __init__(
        self,
        size: int = 8,
        rows: list[list[str]] | None = None,
        mover: str = "X",
        empties: bool = False,
    ) -> None:
        self.rows = start(size) if rows is None else deepcopy(rows)
        self.size = len(self.rows)
        self.mover = mover
        self.empties = empties

    def copy(self) -> "Game":
        return Game(self.size, self.rows, self.mover, self.empties)

    def on_board(self, row: int, column: int) -> bool:
        return 0 <= row < self.size and 0 <= column < self.size

    def discs_to_flip(self, place: Place, colour: str) -> list[Place]:
        """The discs that a new one of a colour would turn over; none on a taken cell."""
        if self.rows[place[0]][place[1]] != "-":
            return []
        found = []
        for down, right in DIRECTIONS:
            row, column = place[0] + down, place[1] + right
            line = []
            while self.on_board(row, column) and self.rows[row][column] == OTHER[colour]:
                line.append((row, column))
                row, column = row + down, column + right
            if self.on_board(row, column) and self.rows[row][column] == colour:
                found += line
        return found

    def placements(self, colour: str) -> dict[str, Place]:
        places = [(row, column) for row in range(self.size) for column in range(self.size)]
        return {name_of(place): place for place in places if self.discs_to_flip(place, colour)}

    def moves(self) -> list[str]:
        """Cells, or `pass` alone where only the other side can place a disc."""
        if mine := self.placements(self.mover):
            return sorted(mine)
        return ["pass"] if self.placements(OTHER[self.mover]) else []

    def play(self, text: str) -> None:
        assert text in self.moves()
        if text != "pass":
            place = self.placements(self.mover)[text]
            for row, column in [place, *self.discs_to_flip(place, self.mover)]:
                self.rows[row][column] = self.mover
        self.mover = OTHER[self.mover]

    def discs(self, colour: str) -> int:
        return sum(row.count(colour) for row in self.rows)

    def score(self) -> int | None:
        """The final score for the side to move; None if the game is not over."""
        if self.moves():
            return None
        mine, theirs, empty = self.discs(self.mover), self.discs(OTHER[self.mover]), self.discs("-")
        if self.empties and mine > theirs:
            mine += empty
        if self.empties and theirs > mine:
            theirs += empty
        return mine - theirs

    def text(self) -> str:
        cells = "".join("".join(row) for row in self.rows)
        return f"{cells} {self.mover}" + (" empties" if self.empties else "")


def perft(game: Game, depth: int, finished: int = 1) -> int:
    """Sequences of moves, a pass being one; what a finished game adds at every later depth."""
    if depth == 0:
        return 1
    moves = game.moves()
    if not moves:
        return finished
    total = 0
    for move in moves:
        after = game.copy()
        after.play(move)
        total += perft(after, depth - 1, finished)
    return total
