"""Positions made of pieces: what may be put on a board, and the position that it makes."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from plyforge.core.errors import PlyforgeError, PositionError, clip
from plyforge.game.base import BaseGame


def known_pieces(game: BaseGame, position: Any) -> list[Any]:
    """The pieces that a game is known to have: those it declares, then those that can be seen.

    Seen are those of the position and of the start.  A number counts what lies in a cell: any
    other may be put there too.

    >>> import plyforge
    >>> game = plyforge.load("tictactoe")
    >>> known_pieces(game, game.initial())
    ['X', 'O']
    """
    declared = list(game.rules.constant("PIECES"))
    seen = [*game.pieces(position).values(), *game.pieces(game.initial()).values()]
    return list(dict.fromkeys([*declared, *seen]))


def check_pieces(game: BaseGame, position: Any, pieces: Mapping[str, Any]) -> None:
    """Raise `PositionError` unless each piece is one of the game, on a cell of the board."""
    geometry = game.geometry(position)
    known = known_pieces(game, position)
    for cell, piece in pieces.items():
        if geometry is not None and cell not in geometry.cells:
            some = ", ".join(list(geometry.cells)[:5])
            raise PositionError(
                f"cell '{clip(str(cell), 40)}' is not on the board (it has {some}, ...)"
            )
        if isinstance(piece, str) and piece not in known:
            letters = ", ".join(letter for letter in known if isinstance(letter, str))
            raise PositionError(
                f"'{clip(piece, 40)}' on {cell} is no piece of {game.title}; its pieces are"
                f" {letters or 'numbers'}"
            )


def hook_of(game: BaseGame) -> Callable[..., Any]:
    """The game's `arrange`; an error if it has none."""
    hook = game.rules.hooks.get("arrange")
    if hook is None:
        raise PlyforgeError(
            f"{game.rules.file}: {game.title} has no 'arrange', so pieces cannot be set up one by"
            " one; write the position in the game's notation, or define 'arrange'"
        )
    return hook


def arranged(game: BaseGame, position: Any, pieces: Mapping[str, Any], side: int) -> Any:
    """What `Game.arrange` returns."""
    hook = hook_of(game)
    if isinstance(side, bool) or side not in (0, 1):
        raise PositionError(f"side to move {side!r}: it must be 0 or 1")
    check_pieces(game, position, pieces)
    try:
        with np.errstate(over="ignore"):
            found = hook(position, dict(pieces), int(side))
    except ValueError as error:
        told = clip(str(error), 600)
        raise PositionError(f"there is no such position: {told}") from error
    except Exception:
        with game.rules.blame("arrange"):
            raise
    with game.rules.blame("arrange"):
        return game.position_type.cast(found)
