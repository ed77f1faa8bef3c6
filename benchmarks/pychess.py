"""python-chess, the common chess library for Python."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks.clock import Contender, MeasurementError, Settings, in_process
from benchmarks.compare import compare
from benchmarks.table import Row

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
CASES: tuple[tuple[str, str | None, int, int], ...] = (
    ("start", None, 5, 4_865_609),
    ("Kiwipete", KIWIPETE, 4, 4_085_603),
)
QUICK_CASES: tuple[tuple[str, str | None, int, int], ...] = (("start", None, 3, 8_902),)


def perft(board: Any, depth: int) -> int:
    """Count the tree; the last ply is the length of its list of legal moves."""
    if depth == 1:
        return len(list(board.generate_legal_moves()))
    nodes = 0
    for move in board.generate_legal_moves():
        board.push(move)
        nodes += perft(board, depth - 1)
        board.pop()
    return nodes


def prepare(fen: str | None, depth: int, settings: Settings) -> Contender:
    """Prepare python-chess on a position."""
    try:
        import chess
    except ImportError as error:
        raise MeasurementError("python-chess is not installed") from error
    board = chess.Board() if fen is None else chess.Board(fen)
    return in_process(lambda: perft(board, depth), settings.min_seconds)


def rows(settings: Settings) -> Iterator[Row]:
    """Yield rows for trees that python-chess counts in seconds."""
    for name, fen, depth, nodes in QUICK_CASES if settings.quick else CASES:
        yield compare(
            "pychess",
            "chess",
            f"{name} d{depth}",
            rival=partial(prepare, fen, depth, settings),
            depth=depth,
            nodes=nodes,
            position=fen,
            settings=settings,
        )
