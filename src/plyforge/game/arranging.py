"""Positions set up from pieces, and from what belongs to them besides pieces."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from plyforge.core.errors import GameFileError, PlyforgeError, PositionError, clip
from plyforge.game.base import BaseGame


def known_pieces(game: BaseGame, position: Any) -> list[Any]:
    """Return the pieces of a game: those it declares, then those on the boards.

    The boards are the position's and the start position's.  A number counts the contents of a cell;
    any other number is allowed too.

    >>> import plyforge
    >>> game = plyforge.load("tictactoe")
    >>> known_pieces(game, game.initial())
    ['X', 'O']
    """
    declared = list(game.rules.constant("PIECES"))
    on_boards = [*game.pieces(position).values(), *game.pieces(game.initial()).values()]
    return list(dict.fromkeys([*declared, *on_boards]))


def check_pieces(game: BaseGame, position: Any, pieces: Mapping[str, Any]) -> None:
    """Raise `PositionError` unless each piece belongs to the game and its cell to the board."""
    geometry = game.geometry(position)
    known = known_pieces(game, position)
    for cell, piece in pieces.items():
        if geometry is not None and cell not in geometry.cells:
            examples = ", ".join(list(geometry.cells)[:5])
            raise PositionError(
                f"cell '{clip(str(cell), 40)}' is not on the board (it has {examples}, ...)"
            )
        if isinstance(piece, str) and piece not in known:
            letters = ", ".join(letter for letter in known if isinstance(letter, str))
            raise PositionError(
                f"'{clip(piece, 40)}' on {cell} is not a piece of {game.title}; its pieces are"
                f" {letters or 'numbers'}"
            )


def arrange_hook(game: BaseGame) -> Callable[..., Any]:
    """Return the game's hook `arrange`; raise `PlyforgeError` if it has none."""
    hook = game.rules.hooks.get("arrange")
    if hook is None:
        raise PlyforgeError(
            f"{game.rules.file}: {game.title} has no 'arrange', so pieces cannot be set up one by"
            " one; write the position in the game's notation, or define 'arrange'"
        )
    return hook


def arrange(game: BaseGame, position: Any, pieces: Mapping[str, Any], side: int) -> Any:
    """Return a position with these pieces and that side to move; see `Game.arrange`."""
    hook = arrange_hook(game)
    if isinstance(side, bool) or side not in (0, 1):
        raise PositionError(f"the side to move must be 0 or 1, not {side!r}")
    check_pieces(game, position, pieces)
    try:
        with np.errstate(over="ignore"):
            arranged = hook(position, dict(pieces), int(side))
    except ValueError as error:
        reason = clip(str(error), 600)
        raise PositionError(f"there is no such position: {reason}") from error
    except Exception:
        with game.rules.blame("arrange"):
            raise
    with game.rules.blame("arrange"):
        return game.position_type.cast(arranged)


Extras = dict[str, tuple[str, tuple[str, ...]]]
"""What belongs to a position besides pieces and the side to move: name to (value, choices)."""


def extras(game: BaseGame, position: Any) -> Extras:
    """Return the extras of a position; none if the game does not define them."""
    if "extras" not in game.rules.hooks or "with_extras" not in game.rules.hooks:
        return {}
    found = game.call_hook("extras", position)
    try:
        return {
            str(name): (str(value), tuple(str(choice) for choice in choices))
            for name, (value, choices) in found.items()
        }
    except (AttributeError, TypeError, ValueError):
        raise GameFileError(
            f"{game.rules.source('extras')}: 'extras' returned {clip(repr(found))}; it must return"
            " a dict of name to (value, choices)"
        ) from None


def with_extras(game: BaseGame, position: Any, values: Mapping[str, str]) -> Any:
    """Return a position with other extras; see `Game.with_extras`."""
    known = extras(game, position)
    for name, value in values.items():
        if name not in known:
            names = ", ".join(f"'{one}'" for one in known) or "none"
            raise PositionError(
                f"'{clip(str(name), 40)}' is not an extra of {game.title}; it has {names}"
            )
        if value not in known[name][1]:
            choices = ", ".join(known[name][1])
            raise PositionError(
                f"{name}: '{clip(str(value), 40)}' is not possible in this position; possible:"
                f" {choices}"
            )
    if not values:
        return position
    everything = {name: value for name, (value, _) in known.items()} | dict(values)
    try:
        with np.errstate(over="ignore"):
            changed = game.rules.hooks["with_extras"](position, everything)
    except ValueError as error:
        raise PositionError(f"there is no such position: {clip(str(error), 600)}") from error
    except Exception:
        with game.rules.blame("with_extras"):
            raise
    with game.rules.blame("with_extras"):
        return game.position_type.cast(changed)
