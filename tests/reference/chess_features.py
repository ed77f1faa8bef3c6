"""The features of a chess position, by python-chess and square by square."""

from collections.abc import Callable

import chess

from plyforge.games.chess.tables import LINES, PASSED

Count = Callable[[chess.Board, chess.Color], int]
OFFICERS = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}
CODES = {
    chess.PAWN: 1, chess.BISHOP: 2, chess.KNIGHT: 3, chess.ROOK: 4, chess.KING: 5, chess.QUEEN: 6,
}  # fmt: skip


def rank_of(square: int, colour: chess.Color) -> int:
    """The rank, 0 to 7, as the colour sees it."""
    rank = chess.square_rank(square)
    return rank if colour else 7 - rank


def pawns(board: chess.Board, colour: chess.Color) -> list[tuple[int, int]]:
    """File and rank of each pawn, ranks as the colour sees them."""
    found = board.pieces(chess.PAWN, colour)
    return [(chess.square_file(square), rank_of(square, colour)) for square in found]


def opposing_pawns(board: chess.Board, colour: chess.Color) -> list[tuple[int, int]]:
    return [(file, 7 - rank) for file, rank in pawns(board, not colour)]


def doubled_pawns(board: chess.Board, colour: chess.Color) -> int:
    mine = pawns(board, colour)
    return sum(any(f == file and r < rank for f, r in mine) for file, rank in mine)


def isolated_pawns(board: chess.Board, colour: chess.Color) -> int:
    mine = pawns(board, colour)
    return sum(not any(abs(f - file) == 1 for f, _ in mine) for file, _ in mine)


def passed_pawns(phase: int) -> Count:
    def count(board: chess.Board, colour: chess.Color) -> int:
        against = opposing_pawns(board, colour)
        return sum(
            PASSED[phase][rank]
            for file, rank in pawns(board, colour)
            if not any(abs(f - file) <= 1 and r > rank for f, r in against)
        )

    return count


def placement(phase: int) -> Count:
    def count(board: chess.Board, colour: chess.Color) -> int:
        total = 0
        for square, piece in board.piece_map().items():
            if piece.color == colour:
                ranks, files = LINES[CODES[piece.piece_type]][2 * phase : 2 * phase + 2]
                total += ranks[rank_of(square, colour)] + files[chess.square_file(square)]
        return total

    return count


def open_rooks(board: chess.Board, colour: chess.Color) -> int:
    files = {chess.square_file(s) for s in chess.SQUARES if board.piece_type_at(s) == chess.PAWN}
    return sum(chess.square_file(s) not in files for s in board.pieces(chess.ROOK, colour))


def shield(board: chess.Board, colour: chess.Color) -> int:
    king = board.king(colour)
    near = board.pieces(chess.PAWN, colour)
    return sum(chess.square_distance(king, square) == 1 for square in near)


def mobility(kind: chess.PieceType) -> Count:
    def count(board: chess.Board, colour: chess.Color) -> int:
        guarded = {t for s in board.pieces(chess.PAWN, not colour) for t in board.attacks(s)}
        return sum(
            target not in guarded and board.color_at(target) != colour
            for square in board.pieces(kind, colour)
            for target in board.attacks(square)
        )

    return count


def number(kind: chess.PieceType) -> Count:
    return lambda board, colour: len(board.pieces(kind, colour))


COUNTS: dict[str, Count] = {
    "pawns": number(chess.PAWN),
    "knights": number(chess.KNIGHT),
    "bishops": number(chess.BISHOP),
    "rooks": number(chess.ROOK),
    "queens": number(chess.QUEEN),
    "bishop pair": lambda board, colour: len(board.pieces(chess.BISHOP, colour)) >= 2,
    "doubled pawns": doubled_pawns,
    "isolated pawns": isolated_pawns,
    "rooks on open files": open_rooks,
    "pawns beside the king": shield,
    "knight mobility": mobility(chess.KNIGHT),
    "bishop mobility": mobility(chess.BISHOP),
    "rook mobility": mobility(chess.ROOK),
    "passed pawns, opening": passed_pawns(0),
    "passed pawns, ending": passed_pawns(1),
    "placement, opening": placement(0),
    "placement, ending": placement(1),
}


def feature(name: str, board: chess.Board) -> int:
    """The mover's count less the opponent's."""
    return COUNTS[name](board, board.turn) - COUNTS[name](board, not board.turn)


def phase(board: chess.Board) -> int:
    kinds = [piece.piece_type for piece in board.piece_map().values()]
    return min(24, sum(OFFICERS.get(kind, 0) for kind in kinds))
