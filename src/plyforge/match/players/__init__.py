"""Players: whatever chooses a move when it is its turn.

A description names one anywhere: `engine:depth=6,off=history`, `random`,
`textbook:negascout,depth=3`, `python:mine.py`.  Kinds are rows of one table; another one, such as
an engine that speaks a protocol, is another row.
"""

from collections.abc import Callable
from typing import Final

from plyforge.game.game import Game
from plyforge.match.players.computer import engine_player
from plyforge.match.players.description import Description, Kind
from plyforge.match.players.limits import MoveLimits
from plyforge.match.players.player import Choice, Interruptible, Player
from plyforge.match.players.random import RandomPlayer, random_player
from plyforge.match.players.script import script_player
from plyforge.match.players.textbook import textbook_player

Maker = Callable[[Game, Description, MoveLimits], Player]

MAKERS: Final[dict[Kind, Maker]] = {
    Kind.ENGINE: engine_player,
    Kind.RANDOM: random_player,
    Kind.TEXTBOOK: textbook_player,
    Kind.PYTHON: script_player,
}

__all__ = [
    "Choice",
    "Description",
    "Interruptible",
    "Kind",
    "MoveLimits",
    "Player",
    "RandomPlayer",
    "player",
]


def player(game: Game, description: Description | str, limits: MoveLimits | None = None) -> Player:
    """The player that a description names; `limits` is what it may use if it does not say."""
    if isinstance(description, str):
        description = Description.read(description)
    return MAKERS[description.kind](game, description, limits or MoveLimits())
