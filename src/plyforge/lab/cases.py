"""The positions of an experiment, the same ones for the same seed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.game.game import Game, History
from plyforge.games import load

_ATTEMPTS: Final = 500
"""Random games that end too soon before another is no longer tried."""
_TREES: Final = 1_000_000
"""Trees of one seed before those of the next."""


@dataclass(frozen=True)
class Case:
    """A position of a game, by the moves that lead to it."""

    game: str
    moves: tuple[int, ...] = ()
    start: str | None = None
    """A position text, if not the game's own start."""
    label: str = ""

    def history(self, game: Game) -> History:
        """The game so far."""
        history = game.history(None if self.start is None else game.parse(self.start))
        for move in self.moves:
            history.play(move)
        return history


def game_cases(name: str, plies: int, seed: int, count: int) -> list[Case]:
    """Every position of random games of `plies` plies, the start of each included.

    A game that ends before is drawn anew.
    """
    return list(islice(_positions_of_games(name, plies, seed), count))


def _positions_of_games(name: str, plies: int, seed: int) -> Iterator[Case]:
    game, number = load(name), 0
    if plies < 1:
        raise PlyforgeError(f"games of {plies} plies have no positions; give at least 1")
    while True:
        moves = _random_moves(game, plies, Stream(seed).split(f"game {number}"))
        for ply in range(plies):
            yield Case(name, moves[:ply], label=f"game {number + 1}, ply {ply}")
        number += 1


def random_cases(name: str, plies: int, seed: int, count: int) -> list[Case]:
    """One position of each of many random games, after `plies` plies."""
    game = load(name)
    return [
        Case(
            name,
            _random_moves(game, plies, Stream(seed).split(f"position {number}")),
            label=f"position {number + 1}",
        )
        for number in range(count)
    ]


def mixed_cases(plies: Mapping[str, int], seed: int, count: int) -> list[Case]:
    """Positions of several games in turn, for an experiment whose `GROUPS` they are; of each game
    `random_cases`, after so many plies."""
    each = -(-count // len(plies))
    lists = [random_cases(name, number, seed, each) for name, number in plies.items()]
    return [case for turn in zip(*lists, strict=True) for case in turn][:count]


def tree_seed(seed: int, number: int) -> int:
    """The seed of an artificial tree; `seed` may be any number, a tree takes 32 bits."""
    return (_TREES * seed + number) % 2**32


def _random_moves(game: Game, plies: int, stream: Stream) -> tuple[int, ...]:
    """Moves of a random game that goes on for at least so many plies."""
    for _ in range(_ATTEMPTS):
        moves = random_game(game, plies, stream)
        if moves is not None:
            return moves
    raise PlyforgeError(
        f"{game.name}: {_ATTEMPTS:,} random games were all over after {plies} plies; ask for fewer"
    )


def random_game(game: Game, plies: int, stream: Stream) -> tuple[int, ...] | None:
    """The moves of a random game, or None if it is over after so many plies."""
    history = game.history()
    while len(history.moves) < plies and (legal := history.legal_moves()):
        history.play(stream.choice(legal))
    if len(history.moves) < plies or history.verdict().over:
        return None
    return tuple(history.moves)
