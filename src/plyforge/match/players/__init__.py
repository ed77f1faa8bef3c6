"""Players: objects that choose moves.

A description names a player: `engine:depth=6,off=history`, `cluster:workers=4,nodes=2000`,
`random`, `textbook:negascout,depth=3`, `python:mine.py`, `uci:stockfish`.  The kinds are rows of
one table; a new kind is a new row.  A game may add players by name.
"""

from collections.abc import Callable
from typing import Final

from plyforge.game.game import Game
from plyforge.match.players.cluster import cluster_player
from plyforge.match.players.computer import engine_player
from plyforge.match.players.description import Description, Kind
from plyforge.match.players.limits import MoveLimits
from plyforge.match.players.player import Choice, Cloneable, Interruptible, Player
from plyforge.match.players.random import RandomPlayer, random_player
from plyforge.match.players.script import script_player
from plyforge.match.players.textbook import textbook_player
from plyforge.match.players.uci import uci_player

Factory = Callable[[Game, Description, MoveLimits], Player]

FACTORIES: Final[dict[Kind, Factory]] = {
    Kind.ENGINE: engine_player,
    Kind.CLUSTER: cluster_player,
    Kind.RANDOM: random_player,
    Kind.TEXTBOOK: textbook_player,
    Kind.PYTHON: script_player,
    Kind.UCI: uci_player,
}

__all__ = [
    "Choice",
    "Cloneable",
    "Description",
    "Interruptible",
    "Kind",
    "MoveLimits",
    "Player",
    "RandomPlayer",
    "player",
    "read_description",
]


def read_description(game: Game, text: str) -> Description:
    """Parse the description of a player; it may be one that the game names."""
    return Description.parse(text, game.rules.constant("NAMED_PLAYERS"))


def player(game: Game, description: Description | str, limits: MoveLimits | None = None) -> Player:
    """Return a player made from a description; `limits` apply if the description gives none."""
    if isinstance(description, str):
        description = read_description(game, description)
    return FACTORIES[description.kind](game, description, limits or MoveLimits())
