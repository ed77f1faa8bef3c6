"""The position, the layout of a move, and the codes of pieces."""

from typing import Final, NamedTuple

from plyforge.rules import u64

RANK_1: Final = u64(0xFF)
RANK_3: Final = u64(0xFF_0000)
RANK_6: Final = u64(0xFF00_0000_0000)
RANK_8: Final = u64(0xFF00_0000_0000_0000)
EDGES: Final = RANK_1 | RANK_8

# A piece's code is its bits in the planes: steppers 1, diagonals 2, straights 4.
PAWN: Final = 1
BISHOP: Final = 2
KNIGHT: Final = 3
ROOK: Final = 4
KING: Final = 5
QUEEN: Final = 6


class Position(NamedTuple):
    """A position seen from the side to move, whose pieces always move up the board.

    When Black is to move, all words are turned upside down (e7 is on e2's bit).  Three planes
    code the piece on a square: pawns are steppers only, knights steppers and diagonals, kings
    steppers and straights, bishops diagonals, rooks straights, queens diagonals and straights.
    `rights` marks the rooks that may still castle and, on the sixth rank, the square where a
    legal en-passant capture ends.
    """

    own: u64
    steppers: u64
    diagonals: u64
    straights: u64
    rights: u64
    side: int
    halfmove: int
    fullmove: int


# A move is source | target << 6 | piece << 12 | kind << 15, with squares as the mover sees them.
# The piece is the one that stands on the target afterwards.
PLAIN: Final = 0
DOUBLE_PUSH: Final = 1
EN_PASSANT: Final = 2
CASTLING: Final = 3
PROMOTION: Final = 4
PASS: Final = 5
PASS_MOVE: Final = PASS << 15

LETTERS: Final = {PAWN: "P", BISHOP: "B", KNIGHT: "N", ROOK: "R", KING: "K", QUEEN: "Q"}


def square_name(square: int) -> str:
    """The name of an absolute square, 0 for a1."""
    return "abcdefgh"[square % 8] + "12345678"[square // 8]


def square_number(name: str) -> int:
    """The absolute square of a name such as `e4`."""
    return "abcdefgh".index(name[0]) + 8 * "12345678".index(name[1])


def seen_by(side: int, square: int) -> int:
    """Convert between absolute squares and squares as the side to move numbers them."""
    return square ^ 56 if side else square


def with_rights(position: Position, rights: u64) -> Position:
    """The same position with other castling and en-passant rights."""
    return Position(
        position.own,
        position.steppers,
        position.diagonals,
        position.straights,
        rights,
        position.side,
        position.halfmove,
        position.fullmove,
    )
