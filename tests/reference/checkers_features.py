"""The features of a checkers position, square by square.

A position is a dict from squares, 1 to 32, to `b`, `w` (men), `B`, `W` (kings), and whose turn it
is; every feature is a function of both, from the perspective of the side to move.
"""

from collections.abc import Callable

from tests.reference.checkers import Pieces, directions, neighbour, place_of

CENTRE = (10, 11, 14, 15, 18, 19, 22, 23)


def other(colour: str) -> str:
    return "w" if colour == "b" else "b"


def rows_advanced(square: int, colour: str) -> int:
    """Rows from the colour's home row."""
    row = place_of(square)[0]
    return row if colour == "b" else 7 - row


def squares_of(pieces: Pieces, colour: str, kings: bool) -> list[int]:
    wanted = colour.upper() if kings else colour
    return [square for square, piece in pieces.items() if piece == wanted]


def all_of(pieces: Pieces, colour: str) -> list[int]:
    return squares_of(pieces, colour, False) + squares_of(pieces, colour, True)


def squares_ahead(square: int, colour: str) -> set[int]:
    """Where a man could get to on an empty board."""
    found: set[int] = set()
    for direction in directions(colour):
        target = neighbour(square, direction, 1)
        if target is not None:
            found |= {target} | squares_ahead(target, colour)
    return found


def steps(pieces: Pieces, colour: str) -> int:
    return sum(
        neighbour(square, direction, 1) is not None
        and neighbour(square, direction, 1) not in pieces
        for square in all_of(pieces, colour)
        for direction in directions(pieces[square])
    )


def prey(pieces: Pieces, colour: str) -> int:
    """How many opposing pieces a colour could jump over."""
    found = set()
    for square in all_of(pieces, colour):
        for direction in directions(pieces[square]):
            over, target = neighbour(square, direction, 1), neighbour(square, direction, 2)
            if (
                target is not None
                and target not in pieces
                and over in all_of(pieces, other(colour))
            ):
                found.add(over)
    return len(found)


def runaway_men(pieces: Pieces, colour: str) -> int:
    count = 0
    for square in squares_of(pieces, colour, False):
        ahead = squares_ahead(square, colour)
        clear = not ahead & set(all_of(pieces, other(colour)))
        count += clear and 4 <= rows_advanced(square, colour) <= 6
    return count


def men_in_dog_holes(pieces: Pieces, colour: str) -> int:
    hole, corner = (28, 32) if colour == "b" else (5, 1)
    return int(pieces.get(hole) == colour and pieces.get(corner) == other(colour))


def has_the_move(pieces: Pieces, colour: str) -> bool:
    parity = 0 if colour == "b" else 1
    return sum(place_of(square)[0] % 2 == parity for square in pieces) % 2 == 1


def _balance(count: Callable[[Pieces, str], float]) -> Callable[[Pieces, str], float]:
    return lambda pieces, mover: count(pieces, mover) - count(pieces, other(mover))


def _majority(pieces: Pieces, mover: str) -> float:
    mine, theirs = len(all_of(pieces, mover)), len(all_of(pieces, other(mover)))
    return (mine - theirs) / (mine + theirs) if pieces else 0.0


def _the_move(pieces: Pieces, mover: str) -> int:
    if len(all_of(pieces, "b")) != len(all_of(pieces, "w")):
        return 0
    return 1 if has_the_move(pieces, mover) else -1


FEATURES: dict[str, Callable[[Pieces, str], float]] = {
    "men": _balance(lambda p, c: len(squares_of(p, c, False))),
    "kings": _balance(lambda p, c: len(squares_of(p, c, True))),
    "majority": _majority,
    "advancement": _balance(lambda p, c: sum(rows_advanced(s, c) for s in squares_of(p, c, False))),
    "back row": _balance(
        lambda p, c: sum(rows_advanced(s, c) == 0 for s in squares_of(p, c, False))
    ),
    "men in centre": _balance(lambda p, c: sum(s in CENTRE for s in squares_of(p, c, False))),
    "kings in centre": _balance(lambda p, c: sum(s in CENTRE for s in squares_of(p, c, True))),
    "mobility": _balance(steps),
    "attacking": lambda pieces, mover: prey(pieces, mover),
    "attacked": lambda pieces, mover: prey(pieces, other(mover)),
    "runaway men": _balance(runaway_men),
    "dog holes": _balance(men_in_dog_holes),
    "the move": _the_move,
}
