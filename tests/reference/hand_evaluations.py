"""The hand evaluations written out as plain sums, as they were before they had forms.

The features are those of the games, which have twins of their own; what is done with them and the
weights is written once more here.
"""

from collections.abc import Callable, Sequence
from typing import Any

from plyforge.games.andantino.evaluation import features as andantino_features
from plyforge.games.checkers import features as draughts
from plyforge.games.chess import features as men
from plyforge.games.chess.tables import LINES, PASSED
from plyforge.games.chess.teaching import knight_places
from plyforge.games.connect4.evaluation import features as connect4_features
from plyforge.games.hex.distance import net, potential
from plyforge.games.hex.rules import may_swap
from plyforge.games.kalah.evaluation import features as kalah_features
from plyforge.games.othello.evaluation import features as othello_features
from plyforge.games.tictactoe import open_lines

OTHELLO = [
    [147, -15, 80, -100, -9, -22, 70, 4, 119],
    [107, -20, 190, -194, -10, -20, 70, 5, 128],
    [75, -44, 340, -322, -20, -8, 70, 4, 112],
    [60, -60, 490, -500, -83, 9, 74, 8, 109],
    [56, -72, 580, -620, -155, 30, 96, 12, 114],
    [52, -80, 600, -700, -190, 50, 120, 16, 110],
    [52, -80, 600, -700, -190, 60, 120, 16, 84],
    [52, -80, 600, -700, -190, 60, 120, 16, 84],
]
CHESS = [
    *((88, 108), (325, 300), (335, 315), (475, 530), (975, 980), (28, 48), (-9, -18), (-12, -10)),
    *((22, 8), (11, 0), (4, 3), (4, 5), (2, 4)),
]


def left_to_right(features: Sequence[float], weights: Sequence[float]) -> float:
    total: float = 0
    for feature, weight in zip(features, weights, strict=True):
        total += feature * weight
    return total


def checkers(position: Any) -> float:
    names = (
        *("men", "kings", "majority", "advancement", "back_row", "men_in_centre"),
        *("kings_in_centre", "mobility", "attacking", "attacked", "runaways", "dog_holes"),
        "the_move",
    )
    weights = (4.07, 5.61, 7.3, -0.047, 0.37, 0.13, 0.29, 0.113, 1.9, -0.71, 0.71, -0.83, 0.13)
    return left_to_right([getattr(draughts, name)(position) for name in names], weights)


def giveaway(position: Any) -> float:
    names = ("men", "kings", "advancement", "kings_in_centre", "mobility", "attacking", "the_move")
    weights = (-4.13, -2.29, 0.09, 0.67, 0.53, -2.17, -2.3)
    return left_to_right([getattr(draughts, name)(position) for name in names], weights)


def connect4(position: Any) -> float:
    total = left_to_right(connect4_features(position), (400, 40, 80, 10, 24, 4))
    return max(-999, min(999, total))


def kalah(position: Any) -> float:
    points = left_to_right(kalah_features(position), (64, 10, 80, 88, -30, 60, -32))
    return max(-127, min(127, (points + 32) // 64))


def othello(position: Any) -> float:
    empty = int(position.board & ~(position.mine | position.theirs)).bit_count()
    total = left_to_right(othello_features(position), OTHELLO[empty // 8])
    return max(-63 * 64, min(63 * 64, total)) / 64


def hexagons(position: Any) -> float:
    far = 2 * position.size + 2
    least, count = potential(net(position, position.side), far)
    other_least, other_count = potential(net(position, 1 - position.side), far)
    closer, wider = int(other_least - least), int(count - other_count)
    if may_swap(position) and 100 * closer + wider < 0:
        closer, wider = -closer, -wider
    return 100 * closer + wider


def andantino(position: Any) -> float:
    return left_to_right(andantino_features(position), (1, 2, 4, 0, 0, 1, 10))


def chess(position: Any) -> float:
    counts = [
        *(men.balance(position, piece(position)) for piece in (men.pawns, men.knights)),
        *(men.balance(position, piece(position)) for piece in (men.bishops, men.rooks)),
        men.balance(position, men.queens(position)),
        *(men.bishop_pairs(position), men.doubled_pawns(position), men.isolated_pawns(position)),
        *(men.rooks_on_open_files(position), men.shield(position), men.knight_mobility(position)),
        *(men.bishop_mobility(position), men.rook_mobility(position)),
    ]
    sums = []
    for late in (0, 1):
        total = left_to_right(counts, [weights[late] for weights in CHESS])
        total += men.passed_pawns(position, PASSED[late])
        sums.append(total + men.placement(position, placement_table(late)))
    phase = men.phase(position)
    parts = int(sums[0] * phase + sums[1] * (24 - phase))
    return parts // 24 if parts >= 0 else -(-parts // 24)


def placement_table(late: int) -> list[int]:
    table = [0] * 512
    for piece, lines in LINES.items():
        ranks, files = lines[2 * late : 2 * late + 2]
        for square in range(64):
            table[64 * piece + square] = ranks[square // 8] + files[square % 8]
    return table


def teaching(position: Any) -> float:
    pieces = (men.queens, men.rooks, men.bishops, men.knights, men.pawns)
    counts = [men.balance(position, piece(position)) for piece in pieces]
    return left_to_right([*counts, knight_places(position)], (10.0, 5.0, 3.0, 3.0, 1.0, 0.1))


REFERENCES: dict[str, Callable[[Any], float]] = {
    "tictactoe": open_lines,
    "connect4": connect4,
    "checkers": checkers,
    "giveaway": giveaway,
    "othello": othello,
    "hex": hexagons,
    "kalah": kalah,
    "andantino": andantino,
    "chess basic": chess,
    "chess teaching": teaching,
}
