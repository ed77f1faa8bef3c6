"""Positions of random games, from which properties of a game are found."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from plyforge.game.game import Game


class RandomPosition(NamedTuple):
    """A position of a random game."""

    game: int
    """The number of the game."""
    side: int
    """The side to move, 0 or 1."""
    position: Any
    ended: bool
    """Whether there are no legal moves."""


def play_random_games(
    game: Game, count: int, max_plies: int, choose: Callable[[list[int]], int]
) -> Iterator[RandomPosition]:
    """Yield the positions of games until so many have not ended; `choose` chooses among moves.

    A game is played to its end, or for `max_plies`.
    """
    number = found = 0
    while found < count:
        position = game.initial()
        side = game.turn(position) or 0
        before = found
        for _ in range(max_plies):
            moves = game.legal_moves(position)
            yield RandomPosition(number, side, position, not moves)
            if not moves:
                break
            found += 1
            position = game.play(position, choose(moves))
            turn = game.turn(position)
            side = 1 - side if turn is None else turn
        if found == before:
            return  # the start position is the end of the game
        number += 1
