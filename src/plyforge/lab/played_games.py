"""Positions of games that start with random moves and are played on by a shallow search.

After random moves alone, pieces often hang and values jump; here both sides answer threats.
"""

from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.games import load
from plyforge.lab.cases import Case, random_game
from plyforge.lab.measuring import open_engine
from plyforge.lab.variations import Variation

_ATTEMPTS: Final = 500
"""How many games may end too early before the request is rejected."""


def play_game(
    name: str, opening: int, plies: int, player: Variation, depth: int, seed: int, number: int
) -> Case:
    """Return the position after `plies` plies of a game that is not over then.

    The first `opening` moves are random; then both sides play the best move of a search to `depth`.
    The game depends on `seed` and `number`.
    """
    game, stream = load(name), Stream(seed).split(f"game {number}")
    for _ in range(_ATTEMPTS):
        moves = random_game(game, opening, stream)
        if moves is None:
            continue
        engine, history = open_engine(Case(name, moves), player)
        while len(history.moves) < plies and not history.verdict().over:
            history.play(engine.analyse(history, depth=depth).move)
            engine.clear()
        if not history.verdict().over:
            return Case(name, tuple(history.moves), label=f"game {number + 1}")
    raise PlyforgeError(
        f"{game.name}: {_ATTEMPTS:,} games all ended within {plies} plies; use fewer plies"
    )
