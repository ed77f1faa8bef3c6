"""English checkers, slow and obvious: the twin that the game's rules are compared with.

A position is a dict from squares, 1 to 32, to `b`, `w` (men), `B`, `W` (kings), and whose turn it
is.  Black, who moves first, goes from the low squares to the high ones.
"""

from collections.abc import Iterator
from itertools import pairwise

Place = tuple[int, int]
Pieces = dict[int, str]

START: Pieces = dict.fromkeys(range(1, 13), "b") | dict.fromkeys(range(21, 33), "w")


def place_of(square: int) -> Place:
    """Row and column from the top left of the 8 x 8 board."""
    row = (square - 1) // 4
    column = 2 * ((square - 1) % 4) + (1 if row % 2 == 0 else 0)
    return row, column


SQUARES = {place_of(square): square for square in range(1, 33)}


def directions(piece: str) -> list[Place]:
    down, up = [(1, -1), (1, 1)], [(-1, -1), (-1, 1)]
    return {"b": down, "w": up}.get(piece, down + up)


def neighbour(square: int, direction: Place, steps: int) -> int | None:
    row, column = place_of(square)
    return SQUARES.get((row + steps * direction[0], column + steps * direction[1]))


def is_king_row(piece: str, square: int) -> bool:
    return (piece == "b" and square >= 29) or (piece == "w" and square <= 4)


def steps_from(pieces: Pieces, square: int) -> Iterator[list[int]]:
    for direction in directions(pieces[square]):
        target = neighbour(square, direction, 1)
        if target is not None and target not in pieces:
            yield [square, target]


def jumps_from(pieces: Pieces, square: int) -> Iterator[list[int]]:
    """Every complete capture of the piece on a square, as the squares that it visits."""
    piece = pieces[square]
    for direction in directions(piece):
        over, target = neighbour(square, direction, 1), neighbour(square, direction, 2)
        if over is None or target is None or target in pieces or over not in pieces:
            continue
        if pieces[over].lower() == piece.lower():
            continue
        after = {s: p for s, p in pieces.items() if s not in (square, over)} | {target: piece}
        onward = [] if is_king_row(piece, target) else list(jumps_from(after, target))
        if onward:
            yield from ([square, *rest] for rest in onward)
        else:
            yield [square, target]


class Game:
    """A game in progress; `giveaway` makes the side that cannot move the winner."""

    def __init__(
        self, pieces: Pieces | None = None, mover: str = "b", giveaway: bool = False
    ) -> None:
        self.pieces = dict(START if pieces is None else pieces)
        self.mover = mover
        self.giveaway = giveaway

    def own(self) -> list[int]:
        return [square for square, piece in self.pieces.items() if piece.lower() == self.mover]

    def routes(self) -> list[list[int]]:
        jumps = [route for square in self.own() for route in jumps_from(self.pieces, square)]
        return jumps or [step for square in self.own() for step in steps_from(self.pieces, square)]

    def is_capture(self, route: list[int]) -> bool:
        """A step changes the row by one, a jump by two."""
        return abs(place_of(route[0])[0] - place_of(route[1])[0]) == 2

    def text_of(self, route: list[int]) -> str:
        return ("x" if self.is_capture(route) else "-").join(map(str, route))

    def moves(self) -> list[str]:
        return sorted(self.text_of(route) for route in self.routes())

    def play(self, text: str) -> None:
        (route,) = [route for route in self.routes() if self.text_of(route) == text]
        piece = self.pieces.pop(route[0])
        if self.is_capture(route):
            for start, end in pairwise(route):
                (row, column), (end_row, end_column) = place_of(start), place_of(end)
                del self.pieces[SQUARES[(row + end_row) // 2, (column + end_column) // 2]]
        self.pieces[route[-1]] = piece.upper() if is_king_row(piece, route[-1]) else piece
        self.mover = "w" if self.mover == "b" else "b"

    def result(self) -> str:
        """`win`, `loss` or `ongoing`, for the side to move."""
        if self.routes():
            return "ongoing"
        return "win" if self.giveaway else "loss"

    def text(self) -> str:
        def listed(colour: str) -> str:
            mine = sorted(s for s, piece in self.pieces.items() if piece.lower() == colour)
            return ",".join(("K" if self.pieces[s].isupper() else "") + str(s) for s in mine)

        return f"{self.mover.upper()}:W{listed('w')}:B{listed('b')}"
