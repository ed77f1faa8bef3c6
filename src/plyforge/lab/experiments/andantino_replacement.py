"""Replacement in small tables over whole games of Andantino: new against old (Koneru, Table 3)."""

from plyforge.core.game import Game
from plyforge.core.history import History
from plyforge.core.randomness import Stream
from plyforge.engine import Engine
from plyforge.engine.clock import Clock
from plyforge.games.andantino.rules import Position
from plyforge.lab import Case, Chart, Data, Finding, Series, Variation, opened, shown
from plyforge.match.players import Choice, Player, player
from plyforge.match.referee import House, Referee
from plyforge.rules import u64

TITLE = "New against old replacement in Andantino"
SOURCE = "S. Koneru, Alpha Beta Search on Andantino, Table 3"
GAME = "andantino"
PLIES = 2
POSITIONS = 40
DEPTHS = (4,)
QUICK = (4, DEPTHS)
METRICS = (("nodes", "White's nodes"), ("moves", "stones on the board at the end"))
BITS = (8, 12, 16, 20)
NEW, OLD = "new", "old"
PUBLISHED = {
    NEW: {8: (18868, 25), 12: (88476, 36), 16: (71939, 35), 20: (72489, 35)},
    OLD: {8: (41285, 33), 12: (227284, 54), 16: (71707, 35), 20: (72525, 35)},
}
"""White's nodes and the number of moves, by the bits of the index."""
