"""A game in progress as pages show it: the board, the legal moves, the moves made."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from plyforge.game.game import Game, History
from plyforge.interfaces.drawing.board import board
from plyforge.interfaces.drawing.pieces import looks, occupied_cells
from plyforge.interfaces.web.outgoing import LegalMove, Move

_MAX_TEXTS: Final = 20_000
"""Moves whose texts are remembered."""
Arrow = tuple[str, str, int]
"""Start cell, end cell and rank; rank 0 is the best move."""


def board_fields(
    history: History, arrows: Sequence[Arrow | None] = (), turned: bool = False
) -> dict[str, Any]:
    """Return the fields of a `BoardView`."""
    game, last = history.game, last_cells(history)
    geometry = game.geometry(history.position)
    return {
        "board": board(
            game,
            history.position,
            geometry=geometry,
            last=last,
            arrows=[one for one in arrows if one],
            rotated=turned,
        ),
        "turned": turned,
        "kind": None if geometry is None else geometry.kind,
        "path": last,
        "position": game.text(history.position),
    }


def is_at_top(game: Game, side: int) -> bool:
    """Return whether a side starts the game at the top of the board."""
    position = game.initial()
    geometry = game.geometry(position)
    if geometry is None:
        return False
    pieces = occupied_cells(game.pieces(position))
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
    """Return a move as an arrow; None if it touches no cell, like a pass."""
    cells = history.game.move_cells(history.position, move)
    return (cells[0], cells[-1], rank) if cells else None


def start_text(history: History) -> str | None:
    """Return the position that a game started from; None for the game's own start."""
    game, first = history.game, history.positions[0]
    return None if game.position_type.equal(first, game.initial()) else game.text(first)


def last_ply(history: History) -> int | None:
    """Return the number of moves before the last one of a player; outcomes of chance are none."""
    is_chance = history.game.is_chance
    plies = reversed(range(len(history.moves)))
    return next((ply for ply in plies if not is_chance(history.positions[ply])), None)


def last_cells(history: History) -> list[str]:
    """Return the cells of a player's last move, from first to last."""
    ply = last_ply(history)
    if ply is None:
        return []
    return history.game.move_cells(history.positions[ply], history.moves[ply])


def readable_move(game: Game, position: Any, move: int) -> str:
    """Return a move as pages show it.

    All moves of a game are sent whenever it changes, and a notation that depends on the position
    takes long to find; so it is remembered.
    """
    if "readable_move" not in game.rules.hooks:
        return game.move_text(position, move)
    try:
        return _remembered_text(game, position, move)
    except TypeError:  # a position that cannot be a key, like one with arrays
        return game.readable_move(position, move)


@lru_cache(maxsize=_MAX_TEXTS)
def _remembered_text(game: Game, position: Any, move: int) -> str:
    return game.readable_move(position, move)


def legal_moves(history: History, moves: Sequence[int]) -> list[LegalMove]:
    """Return moves with their texts and cells; a page names a move by its text."""
    game, position = history.game, history.position
    return [
        LegalMove(text=readable_move(game, position, move), cells=game.move_cells(position, move))
        for move in moves
    ]


def moves_made(history: History, first: int = 0) -> list[Move]:
    """Return the moves made so far, from ply `first` on, and who made them."""
    return [
        Move(
            side=history.turn_at(ply),
            text=readable_move(history.game, history.positions[ply], move),
        )
        for ply, move in enumerate(history.moves[first:], first)
    ]
