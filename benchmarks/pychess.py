"""python-chess: the usual way to write chess in Python."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks.clock import Contender, Missing, Settings, in_process
from benchmarks.compare import compare
from benchmarks.table import Row

DEPTH, NODES = 4, 197_281
QUICK_DEPTH, QUICK_NODES = 3, 8_902


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


def prepare(depth: int, settings: Settings) -> Contender:
    """python-chess on the start position."""
    try:
        import chess
    except ImportError as error:
        raise Missing("python-chess is not installed") from error
    board = chess.Board()
    return in_process(lambda: perft(board, depth), settings.least_seconds)


def rows(settings: Settings) -> Iterator[Row]:
    """The start position, at a depth that python-chess finishes in a second."""
    depth, nodes = (QUICK_DEPTH, QUICK_NODES) if settings.quick else (DEPTH, NODES)
    yield compare(
        "pychess",
        "chess",
        f"start d{depth}",
        rival=partial(prepare, depth, settings),
        depth=depth,
        nodes=nodes,
        settings=settings,
    )
