"""A game in progress as a page needs it: the picture, the moves that can be made, those made."""

from collections.abc import Sequence
from typing import Any

from plyforge.game.game import Game, History
from plyforge.interfaces.drawing.board import board
from plyforge.interfaces.drawing.pieces import looks, occupied

Arrow = tuple[str, str, int]
"""From a cell to a cell, and its rank: 0 for the best move."""


def board_fields(
    history: History, arrows: Sequence[Arrow | None] = (), turned: bool = False
) -> dict[str, Any]:
    """The board with its last move, and the position in the game's notation."""
    game, last = history.game, last_cells(history)
    geometry = game.geometry(history.position)
    return {
        "board": board(
            game,
            history.position,
            last=last,
            arrows=[one for one in arrows if one],
            rotated=turned,
        ),
        "turned": turned,
        "kind": None if geometry is None else geometry.kind,
        "path": last,
        "position": game.text(history.position),
    }


def has_top(game: Game, side: int) -> bool:
    """Whether a side begins the game at the top of the board."""
    position = game.initial()
    geometry = game.geometry(position)
    if geometry is None:
        return False
    pieces = occupied(game.pieces(position))
    look = looks(game, pieces.values())
    owners = {cell: look[piece].side for cell, piece in pieces.items()} | dict(geometry.owners)
    heights: tuple[list[float], list[float]] = ([], [])
    for cell, owner in owners.items():
        if owner is not None:
            heights[owner].append(geometry.cells[cell][1])
    if geometry.kind == "tree" or not all(heights):
        return False
    own, other = (sum(ys) / len(ys) for ys in (heights[side], heights[1 - side]))
    return own < other


def arrow(history: History, move: int, rank: int = 0) -> Arrow | None:
    """A move as an arrow; None if it touches no cell, as a pass."""
    cells = history.game.move_cells(history.position, move)
    return (cells[0], cells[-1], rank) if cells else None


def start_text(history: History) -> str | None:
    """The position that a game began from; None for the game's own start."""
    game, first = history.game, history.positions[0]
    return None if game.position_type.equal(first, game.initial()) else game.text(first)


def last_cells(history: History) -> list[str]:
    """The cells of the last move, from first to last."""
    if not history.moves:
        return []
    return history.game.move_cells(history.positions[-2], history.moves[-1])


def legal_fields(history: History, moves: Sequence[int]) -> list[dict[str, Any]]:
    """Moves with their texts and cells; by the texts a page tells which it means."""
    game, position = history.game, history.position
    return [
        {"text": game.move_text(position, move), "cells": game.move_cells(position, move)}
        for move in moves
    ]


def move_fields(history: History) -> list[dict[str, Any]]:
    """The moves made so far, and who made them."""
    return [
        {
            "side": history.turn_at(ply),
            "text": history.game.move_text(history.positions[ply], move),
        }
        for ply, move in enumerate(history.moves)
    ]
