"""What the positional evaluation of chess counts, by python-chess and square by square."""

import chess

from plyforge.games.chess.positional import PASSED, WEIGHTS
from plyforge.games.chess.positional.places import FORMULAS
from tests.reference.chess_features import (
    CODES,
    Count,
    doubled_pawns,
    isolated_pawns,
    mobility,
    number,
    open_rooks,
    opposing_pawns,
    pawns,
    phase,
    rank_of,
)

OFFICERS = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
POWER = {chess.KNIGHT: 2, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 5}
Place = tuple[int, int]
"""File and rank, as one side sees it."""


def place_of(square: int, colour: chess.Color) -> Place:
    return chess.square_file(square), rank_of(square, colour)


def square_at(place: Place, colour: chess.Color) -> int:
    file, rank = place
    return chess.square(file, rank if colour else 7 - rank)


def attacks(board: chess.Board, colour: chess.Color, kinds: tuple[int, ...]) -> list[int]:
    """The squares that a side's pieces of some kinds attack, once for each attacker."""
    return [
        target
        for kind in kinds
        for square in board.pieces(kind, colour)
        for target in board.attacks(square)
    ]


def targets(board: chess.Board, colour: chess.Color, kinds: tuple[int, ...]) -> set[int]:
    """The squares of the opponent's pieces of some kinds."""
    return {square for kind in kinds for square in board.pieces(kind, not colour)}


def tempo(board: chess.Board, colour: chess.Color) -> int:
    return int(board.turn == colour)


def outposts(board: chess.Board, colour: chess.Color) -> int:
    count = 0
    for square in board.pieces(chess.KNIGHT, colour):
        file, rank = place_of(square, colour)
        guarded = any(abs(f - file) == 1 and r == rank - 1 for f, r in pawns(board, colour))
        attackable = any(abs(f - file) == 1 and r > rank for f, r in opposing_pawns(board, colour))
        count += 3 <= rank <= 5 and 1 <= file <= 6 and guarded and not attackable
    return count


def half_open_rooks(board: chess.Board, colour: chess.Color) -> int:
    mine = {file for file, _ in pawns(board, colour)}
    theirs = {file for file, _ in pawns(board, not colour)}
    files = [chess.square_file(square) for square in board.pieces(chess.ROOK, colour)]
    return sum(file not in mine and file in theirs for file in files)


def attacks_by_pawns(board: chess.Board, colour: chess.Color) -> int:
    return len(set(attacks(board, colour, (chess.PAWN,))) & targets(board, colour, OFFICERS))


def attacks_on_stronger(board: chess.Board, colour: chess.Color) -> int:
    by_minors = set(attacks(board, colour, (chess.KNIGHT, chess.BISHOP)))
    by_rooks = set(attacks(board, colour, (chess.ROOK,)))
    majors = targets(board, colour, (chess.ROOK, chess.QUEEN))
    return len(by_minors & majors) + len(by_rooks & targets(board, colour, (chess.QUEEN,)))


def undefended_targets(board: chess.Board, colour: chess.Color) -> int:
    return sum(
        piece.color != colour
        and board.is_attacked_by(colour, square)
        and not board.is_attacked_by(not colour, square)
        for square, piece in board.piece_map().items()
    )


def attack_on_the_king(board: chess.Board, colour: chess.Color) -> int:
    king = board.king(not colour)
    attackers = power = 0
    for kind in OFFICERS:
        for square in board.pieces(kind, colour):
            hits = sum(chess.square_distance(king, target) <= 1 for target in board.attacks(square))
            attackers += hits > 0
            power += hits + POWER[kind] * (hits > 0)
    return min(power, 30) ** 2 // 4 if attackers >= 2 else 0


def pawns_before_the_king(ranks: int) -> Count:
    def count(board: chess.Board, colour: chess.Color) -> int:
        file, rank = place_of(board.king(colour), colour)
        return sum(abs(f - file) <= 1 and r == rank + ranks for f, r in pawns(board, colour))

    return count


def open_files_beside_the_king(board: chess.Board, colour: chess.Color) -> int:
    king = chess.square_file(board.king(colour))
    files = {file for file in (king - 1, king, king + 1) if 0 <= file <= 7}
    return len(files - {file for file, _ in pawns(board, colour)})


def backward_pawns(board: chess.Board, colour: chess.Color) -> int:
    mine, theirs = pawns(board, colour), opposing_pawns(board, colour)
    count = 0
    for file, rank in mine:
        beside = [r for f, r in mine if abs(f - file) == 1]
        stopped = any(abs(f - file) == 1 and r == rank + 2 for f, r in theirs)
        count += bool(beside) and min(beside) > rank and stopped
    return count


def is_supported(board: chess.Board, colour: chess.Color, pawn: Place) -> bool:
    file, rank = pawn
    return any(abs(f - file) == 1 and r == rank - 1 for f, r in pawns(board, colour))


def passed(board: chess.Board, colour: chess.Color) -> list[Place]:
    against = opposing_pawns(board, colour)
    return [
        (file, rank)
        for file, rank in pawns(board, colour)
        if not any(abs(f - file) <= 1 and r > rank for f, r in against)
    ]


def supported_pawns(board: chess.Board, colour: chess.Color) -> int:
    return sum(is_supported(board, colour, pawn) for pawn in pawns(board, colour))


def supported_passed_pawns(board: chess.Board, colour: chess.Color) -> int:
    return sum(is_supported(board, colour, pawn) for pawn in passed(board, colour))


def free_passed_pawns(board: chess.Board, colour: chess.Color) -> int:
    return sum(
        rank - 1
        for file, rank in passed(board, colour)
        if board.piece_at(square_at((file, rank + 1), colour)) is None
    )


def kings_near_passed_pawns(board: chess.Board, colour: chess.Color) -> int:
    total = 0
    for file, rank in passed(board, colour):
        stop = square_at((file, rank + 1), colour)
        theirs = chess.square_distance(board.king(not colour), stop)
        mine = chess.square_distance(board.king(colour), stop)
        total += max(rank - 2, 0) * (theirs - mine)
    return total


def passed_by_rank(stage: int) -> Count:
    return lambda board, colour: sum(PASSED[stage][rank] for _, rank in passed(board, colour))


def placement(stage: int) -> Count:
    def count(board: chess.Board, colour: chess.Color) -> int:
        return sum(
            FORMULAS[CODES[piece.piece_type]](rank_of(square, colour), chess.square_file(square))[
                stage
            ]
            for square, piece in board.piece_map().items()
            if piece.color == colour
        )

    return count


COUNTS: dict[str, Count] = {
    "tempo": tempo,
    "pawns": number(chess.PAWN),
    "knights": number(chess.KNIGHT),
    "bishops": number(chess.BISHOP),
    "rooks": number(chess.ROOK),
    "queens": number(chess.QUEEN),
    "bishop pair": lambda board, colour: len(board.pieces(chess.BISHOP, colour)) >= 2,
    "knight mobility": mobility(chess.KNIGHT),
    "bishop mobility": mobility(chess.BISHOP),
    "rook mobility": mobility(chess.ROOK),
    "queen mobility": mobility(chess.QUEEN),
    "outposts": outposts,
    "rooks on open files": open_rooks,
    "rooks on half-open files": half_open_rooks,
    "attacks by pawns": attacks_by_pawns,
    "attacks on stronger pieces": attacks_on_stronger,
    "undefended targets": undefended_targets,
    "attack on the king": attack_on_the_king,
    "pawns before the king": pawns_before_the_king(1),
    "pawns two ranks before the king": pawns_before_the_king(2),
    "open files beside the king": open_files_beside_the_king,
    "doubled pawns": doubled_pawns,
    "isolated pawns": isolated_pawns,
    "backward pawns": backward_pawns,
    "supported pawns": supported_pawns,
    "supported passed pawns": supported_passed_pawns,
    "free passed pawns": free_passed_pawns,
    "kings near passed pawns": kings_near_passed_pawns,
    "passed pawns, opening": passed_by_rank(0),
    "passed pawns, ending": passed_by_rank(1),
    "placement, opening": placement(0),
    "placement, ending": placement(1),
}


def feature(name: str, board: chess.Board) -> int:
    """The mover's count minus the opponent's."""
    return COUNTS[name](board, board.turn) - COUNTS[name](board, not board.turn)


def value(board: chess.Board) -> int:
    """The evaluation for the side to move."""
    sums = []
    for stage, name in enumerate(("opening", "ending")):
        total = sum(weights[stage] * feature(term, board) for term, weights in WEIGHTS.items())
        total += feature(f"passed pawns, {name}", board) + feature(f"placement, {name}", board)
        sums.append(total)
    parts = sums[0] * phase(board) + sums[1] * (24 - phase(board))
    return parts // 24 if parts >= 0 else -(-parts // 24)
