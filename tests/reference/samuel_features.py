"""The features after Samuel, square by square and move by move.

A position is a dict from squares, 1 to 32, to `b`, `w` (men), `B`, `W` (kings), and whose turn it
is.  Steps and captures are played on copies of the dict.
"""

from collections.abc import Callable, Iterator

from tests.reference.checkers import Pieces, Place, directions, neighbour, place_of
from tests.reference.checkers_features import (
    CENTRE,
    all_of,
    has_the_move,
    other,
    prey,
    rows_advanced,
    squares_of,
)
from tests.reference.checkers_features import (
    FEATURES as HAND_FEATURES,
)

ALL_SQUARES = range(1, 33)
DIAGONALS: list[Place] = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
Feature = Callable[[Pieces, str], float]


def opposite(direction: Place) -> Place:
    return -direction[0], -direction[1]


def rotated(square: int, colour: str) -> int:
    """The square that Black sees where White sees the given one."""
    return square if colour == "b" else 33 - square


def credit(pieces: Pieces, colour: str) -> int:
    men, kings = squares_of(pieces, colour, False), squares_of(pieces, colour, True)
    return 2 * len(men) + 3 * len(kings)


def has_no_king(pieces: Pieces, colour: str) -> bool:
    return not squares_of(pieces, colour, True)


def occupies(pieces: Pieces, colour: str, *squares: int) -> bool:
    """Whether a colour has pieces on squares that are numbered as Black sees them."""
    return all(rotated(square, colour) in all_of(pieces, colour) for square in squares)


def has_bridge(pieces: Pieces, colour: str) -> bool:
    return occupies(pieces, colour, 1, 3)


def has_triangle(pieces: Pieces, colour: str) -> bool:
    return occupies(pieces, colour, 2, 3, 7)


def cramps(pieces: Pieces, colour: str) -> bool:
    helped = occupies(pieces, colour, 9) or occupies(pieces, colour, 14)
    blocked = [rotated(square, colour) for square in (17, 21, 22, 25)]
    held = all(square in all_of(pieces, other(colour)) for square in blocked)
    return occupies(pieces, colour, 13) and helped and held


def has_apex_against(pieces: Pieces, colour: str) -> bool:
    if any(piece.isupper() for piece in pieces.values()):
        return False
    return other(colour) in (pieces.get(7), pieces.get(26)) and colour not in (
        pieces.get(7),
        pieces.get(26),
    )


def diagonal_distance(square: int) -> int:
    """How many diagonals a square is away from the nearer double-corner file."""
    row, column = place_of(square)
    return (abs(column - row) - 1) // 2


def neighbours(square: int) -> list[int]:
    found = [neighbour(square, direction, 1) for direction in DIAGONALS]
    return [square for square in found if square is not None]


def advance_credit(pieces: Pieces, colour: str) -> int:
    rows = [1 + rows_advanced(square, colour) for square in squares_of(pieces, colour, False)]
    return sum(row in (5, 6) for row in rows) - sum(row in (3, 4) for row in rows)


# Shapes


def is_exposed(pieces: Pieces, square: int) -> bool:
    for direction in DIAGONALS:
        one, two = neighbour(square, direction, 1), neighbour(square, opposite(direction), 1)
        if one is not None and two is not None and one not in pieces and two not in pieces:
            return True
    return False


def dykes(pieces: Pieces, colour: str) -> list[set[int]]:
    """Every three adjacent squares of a diagonal that a colour occupies."""
    own = all_of(pieces, colour)
    found = []
    for square in own:
        for direction in [(1, -1), (1, 1)]:
            line = [neighbour(square, direction, steps) for steps in (0, 1, 2)]
            if all(one in own for one in line):
                found.append({one for one in line if one is not None})
    return found


def is_gap(pieces: Pieces, square: int, colour: str, edges: bool) -> bool:
    if square in pieces:
        return False
    for direction in DIAGONALS:
        one, two = neighbour(square, direction, 1), neighbour(square, opposite(direction), 1)
        beyond = two in all_of(pieces, colour) or (edges and two is None)
        if one in all_of(pieces, colour) and beyond:
            return True
    return False


# Steps and what follows


def steps(pieces: Pieces, colour: str) -> Iterator[tuple[int, int]]:
    for square in all_of(pieces, colour):
        for direction in directions(pieces[square]):
            target = neighbour(square, direction, 1)
            if target is not None and target not in pieces:
                yield square, target


def moved(pieces: Pieces, start: int, end: int, *removed: int) -> Pieces:
    kept = {s: piece for s, piece in pieces.items() if s not in (start, *removed)}
    return kept | {end: pieces[start]}


def jumps_over(pieces: Pieces, over: int) -> Iterator[tuple[int, int]]:
    """The jumps of the other colour over the piece on a square: start and end."""
    for square in all_of(pieces, other(pieces[over].lower())):
        for direction in directions(pieces[square]):
            end = neighbour(square, direction, 2)
            if neighbour(square, direction, 1) == over and end is not None and end not in pieces:
                yield square, end


def jumps_by(pieces: Pieces, square: int) -> list[int]:
    """The pieces that the piece on a square can jump over."""
    own = pieces[square].lower()
    victims = [over for over in pieces if pieces[over].lower() != own]
    return [over for over in victims if square in [start for start, _ in jumps_over(pieces, over)]]


def captures_after(pieces: Pieces, start: int, end: int) -> list[bool]:
    """For each jump over a piece that has stepped: whether the jumping piece can be recaptured."""
    after = moved(pieces, start, end)
    found = []
    for jumper, landing in jumps_over(after, end):
        last = moved(after, jumper, landing, end)
        found.append(any(True for _ in jumps_over(last, landing)))
    return found


def reached(pieces: Pieces, colour: str) -> set[int]:
    return {end for _, end in steps(pieces, colour)}


def capturable(pieces: Pieces, colour: str) -> set[int]:
    return {end for start, end in steps(pieces, colour) if captures_after(pieces, start, end)}


def denied(pieces: Pieces, colour: str) -> set[int]:
    return {
        end for start, end in steps(pieces, colour) if not all(captures_after(pieces, start, end))
    }


def threats(pieces: Pieces, colour: str) -> set[int]:
    return {end for start, end in steps(pieces, colour) if jumps_by(moved(pieces, start, end), end)}


def forks(pieces: Pieces, colour: str) -> set[int]:
    found = set()
    for start, end in steps(pieces, colour):
        victims = jumps_by(moved(pieces, start, end), end)
        rows = [place_of(victim)[0] for victim in victims]
        if any(rows.count(row) == 2 for row in rows):
            found.add(end)
    return found


def reached_by_kings(pieces: Pieces, colour: str) -> set[int]:
    return {end for start, end in steps(pieces, colour) if pieces[start].isupper()}


def escapes(pieces: Pieces, colour: str) -> bool:
    own = credit(pieces, colour)
    weak = own <= 6 and own < credit(pieces, other(colour))
    return weak and bool(reached(pieces, colour) & {1, 5, 28, 32})


# Features


def balance(count: Callable[[Pieces, str], float], unit: float = 1) -> Feature:
    return lambda pieces, mover: (count(pieces, mover) - count(pieces, other(mover))) / unit


def lead(count: Callable[[Pieces, str], int], sign: int, unit: float) -> Feature:
    """How far the mover, or with -1 the opponent, is ahead; 0 if it is not."""
    return lambda p, c: max(0, sign * (count(p, c) - count(p, other(c)))) / unit


def the_move(pieces: Pieces, mover: str) -> float:
    even = len(all_of(pieces, "b")) == len(all_of(pieces, "w"))
    few = credit(pieces, "b") + credit(pieces, "w") < 24
    return float(even and few and has_the_move(pieces, mover))


def unguarded(holds: Callable[[Pieces, str], bool]) -> Feature:
    return balance(lambda p, c: holds(p, c) and has_no_king(p, other(c)))


def count_squares(is_counted: Callable[[Pieces, int, str], bool]) -> Callable[[Pieces, str], int]:
    return lambda p, c: sum(is_counted(p, square, c) for square in ALL_SQUARES)


def _empty_neighbours(pieces: Pieces, square: int) -> int:
    return sum(one not in pieces for one in neighbours(square))


def _is_pole(pieces: Pieces, square: int) -> bool:
    return _empty_neighbours(pieces, square) == len(neighbours(square))


FEATURES: dict[str, Feature] = {
    "piece advantage": lead(lambda p, c: len(all_of(p, c)), 1, 4),
    "piece disadvantage": lead(lambda p, c: len(all_of(p, c)), -1, 4),
    "king advantage": balance(lambda p, c: len(squares_of(p, c, True)), 4),
    "piece threat": lambda p, c: prey(p, other(c)) / 2,
    "piece take": lambda p, c: prey(p, c) / 2,
    "advancement": balance(advance_credit, 4),
    "double diagonal": balance(
        lambda p, c: sum(diagonal_distance(s) == 0 for s in all_of(p, c)), 4
    ),
    "diagonal moment": balance(
        lambda p, c: sum((3 - diagonal_distance(s)) / 2 for s in all_of(p, c)), 8
    ),
    "back row bridge": unguarded(has_bridge),
    "triangle of Oreo": unguarded(has_triangle),
    "guard": unguarded(lambda p, c: has_bridge(p, c) or has_triangle(p, c)),
    "apex": balance(lambda p, c: -has_apex_against(p, c)),
    "cramp": balance(cramps),
    "centre control": balance(lambda p, c: sum(s in CENTRE for s in squares_of(p, c, False)), 4),
    "king centre control": balance(
        lambda p, c: sum(s in CENTRE for s in squares_of(p, c, True)), 2
    ),
    "X centre control": balance(
        lambda p, c: sum(s in all_of(p, c) or s in reached(p, c) for s in CENTRE), 8
    ),
    "total mobility": balance(lambda p, c: len(reached(p, c)), 8),
    "king mobility": balance(lambda p, c: len(reached_by_kings(p, c)), 8),
    "double corner": balance(escapes),
    "threat": balance(lambda p, c: len(threats(p, c)), 4),
    "taken": lambda p, c: len(capturable(p, c)) / 8,
    "deny": balance(lambda p, c: len(denied(p, c)), 4),
    "exchange": balance(lambda p, c: len(capturable(p, c) - denied(p, c)), 4),
    "fork": balance(lambda p, c: len(forks(p, c)), 2),
    "exposure": balance(lambda p, c: sum(is_exposed(p, s) for s in all_of(p, c)), 4),
    "dyke": balance(lambda p, c: len(dykes(p, c)), 4),
    "gap": balance(count_squares(lambda p, s, c: is_gap(p, s, c, True)), 8),
    "hole": balance(
        count_squares(
            lambda p, s, c: s not in p and sum(n in all_of(p, c) for n in neighbours(s)) >= 3
        ),
        4,
    ),
    "node": balance(lambda p, c: sum(_empty_neighbours(p, s) >= 3 for s in all_of(p, c)), 4),
    "pole": balance(lambda p, c: sum(_is_pole(p, s) for s in squares_of(p, c, False)), 4),
    "the move": the_move,
}

VARIATIONS: dict[str, Feature] = {
    "material advantage": lead(credit, 1, 8),
    "material disadvantage": lead(credit, -1, 8),
    "rows advanced": lambda p, c: HAND_FEATURES["advancement"](p, c) / 32,
    "lasting bridge": balance(has_bridge),
    "lasting triangle": balance(has_triangle),
    "pieces in centre": balance(lambda p, c: sum(s in CENTRE for s in all_of(p, c)), 4),
    "step mobility": balance(lambda p, c: len(list(steps(p, c))), 8),
    "undenied mobility": balance(lambda p, c: len(reached(p, c) - denied(p, c)), 8),
    "safe threat": balance(lambda p, c: len(threats(p, c) - capturable(p, c)), 4),
    "dyke pieces": balance(lambda p, c: len(set().union(*dykes(p, c))), 8),
    "inner gap": balance(count_squares(lambda p, s, c: is_gap(p, s, c, False)), 4),
    "inner pole": balance(
        lambda p, c: sum(
            len(neighbours(s)) == _empty_neighbours(p, s) == 4 for s in squares_of(p, c, False)
        ),
        4,
    ),
    "signed move": HAND_FEATURES["the move"],
}
