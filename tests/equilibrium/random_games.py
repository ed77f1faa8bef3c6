"""Small random games with chance and hidden moves, in which players remember what they saw."""

import random
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from plyforge.game.game import Game
from plyforge.game.validation import read_module
from plyforge.rules import ONGOING


def game_of(**hooks: Any) -> Game:
    """Return a game with these functions."""
    module = ModuleType("made")
    vars(module).update(hooks)
    return Game(read_module("made", module), None, "python")


def random_game(seed: int) -> Game:
    """Return a game of one chance move and three or four moves of the players."""
    numbers = random.Random(seed)
    movers = [2, *(numbers.randrange(2) for _ in range(numbers.choice((3, 4))))]
    counts = [numbers.choice((2, 3)), *(2 for _ in movers[1:])]
    seen = [[numbers.random() < 0.5 for _ in movers] for _ in range(2)]
    """Whether each player sees the move of each ply; they always see their own."""
    shares = [numbers.random() + 0.1 for _ in range(counts[0])]
    payoffs: dict[tuple[int, ...], int] = {}

    def initial() -> tuple[int, ...]:
        return ()

    def chance(position: tuple[int, ...]) -> bool:
        return len(position) == 0

    def chance_outcomes(position: tuple[int, ...]) -> Iterator[tuple[int, float]]:
        for outcome, share in enumerate(shares):
            yield outcome, share / sum(shares)

    def turn(position: tuple[int, ...]) -> int:
        return movers[len(position)] % 2 if len(position) < len(movers) else 0

    def moves(position: tuple[int, ...]) -> Iterator[int]:
        yield from range(counts[len(position)])

    def play(position: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*position, move)

    def outcome(position: tuple[int, ...]) -> int:
        if len(position) < len(movers):
            return ONGOING
        return payoffs.setdefault(position, random.Random(f"{seed}{position}").randint(-9, 9))

    def information(position: tuple[int, ...]) -> str:
        mover = turn(position)
        known = (
            str(move) if movers[ply] == mover or seen[mover][ply] else "?"
            for ply, move in enumerate(position)
        )
        return f"{len(position)}:" + "".join(known)

    return game_of(
        initial=initial, chance=chance, chance_outcomes=chance_outcomes, turn=turn, moves=moves,
        play=play, outcome=outcome, information=information,
    )  # fmt: skip
