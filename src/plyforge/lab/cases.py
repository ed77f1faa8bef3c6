"""The positions of an experiment, which depend only on the seed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.game.game import Game, History
from plyforge.games import load

_ATTEMPTS: Final = 500
"""How many random games may end too early before the request is rejected."""
_TREES: Final = 1_000_000
"""How many trees a seed has before those of the next seed."""


@dataclass(frozen=True)
class Case:
    """A position of a game, given by the moves that lead to it."""

    game: str
    moves: tuple[int, ...] = ()
    start: str | None = None
    """The text of the starting position; None for the game's own."""
    label: str = ""

    def history(self, game: Game) -> History:
        """Return the game up to this position."""
        history = game.history(None if self.start is None else game.parse(self.start))
        for move in self.moves:
            history.play(move)
        return history

    def text(self) -> str:
        """Return the text of the position."""
        if self.start is not None and not self.moves:
            return self.start
        game = load(self.game)
        return game.text(self.history(game).position)


def game_cases(name: str, plies: int, seed: int, count: int) -> list[Case]:
    """Return every position of random games of `plies` plies, including the start of each.

    A game that ends earlier is replaced by another one.
    """
    return list(islice(_positions_of_games(name, plies, seed), count))


def _positions_of_games(name: str, plies: int, seed: int) -> Iterator[Case]:
    game, number = load(name), 0
    if plies < 1:
        raise PlyforgeError(f"plies must be at least 1, not {plies}")
    while True:
        moves = _random_moves(game, plies, Stream(seed).split(f"game {number}"))
        for ply in range(plies):
            yield Case(name, moves[:ply], label=f"game {number + 1}, ply {ply}")
        number += 1


def random_cases(name: str, plies: int, seed: int, count: int) -> list[Case]:
    """Return the positions after `plies` plies of `count` random games."""
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
    """Return `random_cases` of several games, alternating, for an experiment with these `GROUPS`.

    `plies` gives the number of random plies for each game.
    """
    each = -(-count // len(plies))
    lists = [random_cases(name, number, seed, each) for name, number in plies.items()]
    return [case for turn in zip(*lists, strict=True) for case in turn][:count]


def tree_seed(seed: int, number: int) -> int:
    """Return the seed of an artificial tree, in 32 bits, for any integer `seed`."""
    return (_TREES * seed + number) % 2**32


def _random_moves(game: Game, plies: int, stream: Stream) -> tuple[int, ...]:
    """Return the moves of a random game that is not over after `plies` plies."""
    for _ in range(_ATTEMPTS):
        moves = random_game(game, plies, stream)
        if moves is not None:
            return moves
    raise PlyforgeError(
        f"{game.name}: {_ATTEMPTS:,} random games all ended within {plies} plies; use fewer plies"
    )


def random_game(game: Game, plies: int, stream: Stream) -> tuple[int, ...] | None:
    """Return the moves of a random game, or None if it is over after `plies` plies."""
    history = game.history()
    while len(history.moves) < plies and (legal := history.legal_moves()):
        history.play(stream.choice(legal))
    if len(history.moves) < plies or history.verdict().over:
        return None
    return tuple(history.moves)
