"""Features of the numbers of pieces."""

from plyforge.games.checkers import features as count
from plyforge.games.checkers.features import balance
from plyforge.games.checkers.rules import Position
from plyforge.games.checkers.samuel.sides import BLACK_SYSTEM, WHITE_SYSTEM
from plyforge.rules import popcount

KING_CREDIT, MAN_CREDIT = 3, 2
FULL_CREDIT = 24


def pieces(position: Position) -> int:
    return balance(position, popcount(position.black), popcount(position.white))


def credit(board: int, kings: int) -> int:
    """Samuel's material credit: two for a man, three for a king."""
    return MAN_CREDIT * popcount(board) + (KING_CREDIT - MAN_CREDIT) * popcount(board & kings)


def credits(position: Position) -> int:
    kings = position.kings
    return balance(position, credit(position.black, kings), credit(position.white, kings))


def piece_advantage(position: Position) -> float:
    """Pieces that the mover has more than the opponent, men and kings alike; 0 if fewer."""
    return max(pieces(position), 0) / 4


def piece_disadvantage(position: Position) -> float:
    """Pieces that the mover has fewer than the opponent; 0 if more."""
    return max(-pieces(position), 0) / 4


def king_advantage(position: Position) -> float:
    """Kings, a difference."""
    return count.kings(position) / 4


def piece_threat(position: Position) -> float:
    """The mover's pieces that the opponent could jump over if it were to move."""
    return count.attacked(position) / 2


def piece_take(position: Position) -> float:
    """The opponent's pieces that the mover can jump over now."""
    return count.attacking(position) / 2


def the_move(position: Position) -> float:
    """1 if the mover has "the move" by Samuel's rule, else 0.

    The sides have equal numbers of pieces and less than 24 credits together, and the number of all
    pieces in the mover's system is odd.  Black's system is the columns that start with squares 1
    to 4, White's the others.
    """
    black, white = position.black, position.white
    total = credit(black | white, position.kings)
    even = int(popcount(black) == popcount(white)) & int(total < FULL_CREDIT)
    system = WHITE_SYSTEM if position.side else BLACK_SYSTEM
    return float(even & popcount((black | white) & system) & 1)


def material_advantage(position: Position) -> float:
    """The piece advantage with two for a man and three for a king."""
    return max(credits(position), 0) / 8


def material_disadvantage(position: Position) -> float:
    """The piece disadvantage with two for a man and three for a king."""
    return max(-credits(position), 0) / 8


def signed_move(position: Position) -> float:
    """With equal numbers of pieces, 1 if the mover has "the move", else -1."""
    return float(count.the_move(position))
