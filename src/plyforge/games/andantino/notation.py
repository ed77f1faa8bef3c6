"""Andantino positions and moves in text, and the board as a picture.

A position is written `side to move/black stones/white stones`, followed by `/side` for a board
smaller than the full one: `W/j10/-` is the start, `B/j10/i9` the game after the first move.
"""

from collections.abc import Set

from plyforge.games.andantino.board import (
    CENTRE,
    MAX_SIDE,
    ROWS,
    Cell,
    cells_by_name,
    name,
    neighbours,
)
from plyforge.games.andantino.rules import (
    PLAYERS,
    Position,
    build,
    captives,
    makes_five,
    stones_of,
    turn,
)
from plyforge.rules import LOSS, ONGOING, WIN, Geometry, hexagons

START: Cell = (CENTRE, CENTRE)


def to_text(position: Position) -> str:
    """The side to move, Black's stones and White's, each in reading order.

    >>> to_text(from_text("B/j10/I9"))
    'B/j10/i9'
    """
    white, black = ([name(cell) for cell in stones_of(position, player)] for player in range(2))
    return _format(turn(position), black, white, position.side)


def _format(mover: int, black: list[str], white: list[str], side: int) -> str:
    size = "" if side == MAX_SIDE else f"/{side}"
    return f"{PLAYERS[mover][0]}/{','.join(black) or '-'}/{','.join(white) or '-'}{size}"


def from_text(text: str) -> Position:
    """Return the position that a text describes; `ValueError` says why no game leads there.

    Not every order of colours is tried, so some unreachable positions pass.
    """
    fields = text.strip().split("/")
    if len(fields) not in (3, 4):
        raise ValueError(f"position: '{text}' is not 'side to move/black/white[/board side]'")
    side = _read_side(fields[3]) if len(fields) == 4 else MAX_SIDE
    black = _read_cells("black", fields[1], side)
    white = _read_cells("white", fields[2], side)
    if black & white:
        raise ValueError(f"white: {name(min(black & white))} is also black")
    mover = _read_mover(fields[0], len(black), len(white))
    _check_placement(black, white)
    return build(black, white, side, _read_result(black, white, mover))


def _read_side(text: str) -> int:
    if text not in map(str, range(2, MAX_SIDE + 1)):
        raise ValueError(f"board side: '{text}' is not between 2 and {MAX_SIDE}")
    return int(text)


def _read_cells(field: str, text: str, side: int) -> set[Cell]:
    cells: set[Cell] = set()
    for word in [] if text == "-" else text.lower().split(","):
        cell = cells_by_name(side).get(word)
        if cell is None:
            raise ValueError(f"{field}: '{word}' is not a cell of the board with side {side}")
        if cell in cells:
            raise ValueError(f"{field}: {word} is given twice")
        cells.add(cell)
    return cells


def _read_mover(text: str, black: int, white: int) -> int:
    mover = {"W": 0, "B": 1}.get(text.upper())
    if mover is None:
        raise ValueError(f"side to move: '{text}' is neither W nor B")
    if black - white != 1 - mover:
        raise ValueError(
            f"side to move: {PLAYERS[mover]} cannot be to move with {black} black and {white} "
            "white stones; Black starts with one stone and White moves first"
        )
    return mover


def _check_placement(black: Set[Cell], white: Set[Cell]) -> None:
    """Raise unless the stones, ignoring colours, can be placed one by one by the rules."""
    if START not in black:
        raise ValueError("black: the stone that the game starts with, on j10, is missing")
    if white and not white & neighbours(START):
        raise ValueError("white: the first stone, next to j10, is missing")
    left = _unplaceable(black, white)
    if left:
        colour = "black" if min(left) in black else "white"
        raise ValueError(f"{colour}: {name(min(left))} cannot have had two neighbours when placed")


def _unplaceable(black: Set[Cell], white: Set[Cell]) -> Set[Cell]:
    """The stones that remain, in the best case, after placing all others one by one.

    More stones never make a cell illegal, so placing any stone that can be placed finds an order
    if there is one.
    """
    rests = [(black | white) - {START}]
    for second in sorted(white & neighbours(START)):
        placed, rest = {START, second}, (black | white) - {START, second}
        while ready := {cell for cell in rest if len(neighbours(cell) & placed) >= 2}:
            placed |= ready
            rest -= ready
        rests.append(rest)
    return min(rests, key=len)


def _read_result(black: Set[Cell], white: Set[Cell], mover: int) -> int:
    """The result for the side to move; raise if no last stone of the other side explains it."""
    result = _result(black, white, mover)
    if result == ONGOING:
        return result
    for last in white if mover == 1 else black - {START}:
        before = (black - {last}, white - {last})
        if _result(*before, 1 - mover) == ONGOING and not _unplaceable(*before):
            return result
    raise ValueError("position: the game was over before the last stone was placed")


def _result(black: Set[Cell], white: Set[Cell], mover: int) -> int:
    """The result for the side to move, from the stones: the last of them was an enemy's."""
    stones = build(black, white, MAX_SIDE, ONGOING).stones
    mine, theirs = mover * ROWS, ROWS - mover * ROWS
    own, other = (white, black) if mover == 0 else (black, white)
    if any(makes_five(stones, theirs, *cell) for cell in other):
        return LOSS
    if any(captives(stones, theirs, *cell) > 0 for cell in own):
        return LOSS
    if any(captives(stones, mine, *cell) > 0 for cell in other):
        return WIN
    # A line of the side to move existed before: no result, but no ongoing game either.
    return WIN if any(makes_five(stones, mine, *cell) for cell in own) else ONGOING


def move_text(position: Position, move: int) -> str:
    return name((move >> 5, move & 31))


def geometry(position: Position) -> Geometry:
    places = {cell: (column, row) for cell, (row, column) in cells_by_name(position.side).items()}
    return hexagons(places)


def pieces(position: Position) -> dict[str, str]:
    return {name(cell): "WB"[player] for player in (0, 1) for cell in stones_of(position, player)}


def arrange(position: Position, pieces: dict[str, str], side: int) -> Position:
    white, black = ([cell for cell, stone in pieces.items() if stone == own] for own in "WB")
    return from_text(_format(side, black, white, position.side))


def move_cells(position: Position, move: int) -> list[str]:
    return [move_text(position, move)]
