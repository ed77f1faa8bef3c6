"""Names for files of rules: results, bits, words, board shapes, forms of evaluations, records.

>>> from plyforge.rules import DRAW, LOSS, ONGOING, WIN, ctz, popcount, u64
"""

from numpy import uint64 as u64

from plyforge.core.bits import byteswap, clz, ctz, logical_shift, popcount
from plyforge.core.geometry import Geometry, boxes, edges, hexagons, pits, points, squares
from plyforge.core.randomness import random_words
from plyforge.core.scores import DRAW, LOSS, ONGOING, WIN
from plyforge.game.forms import Evaluation, linear, net, patterns, random_weights, table
from plyforge.records import taggedtext
from plyforge.records.record import GameRecord

__all__ = [
    "DRAW",
    "LOSS",
    "ONGOING",
    "WIN",
    "Evaluation",
    "GameRecord",
    "Geometry",
    "boxes",
    "byteswap",
    "clz",
    "ctz",
    "edges",
    "hexagons",
    "linear",
    "logical_shift",
    "net",
    "patterns",
    "pits",
    "points",
    "popcount",
    "random_weights",
    "random_words",
    "squares",
    "table",
    "taggedtext",
    "u64",
]
