"""Names for files of rules: results, bit operations, 64-bit words, board shapes and records.

>>> from plyforge.rules import DRAW, LOSS, ONGOING, WIN, ctz, popcount, u64
"""

from numpy import uint64 as u64

from plyforge.core.bits import byteswap, clz, ctz, logical_shift, popcount
from plyforge.core.geometry import Geometry, hexagons, pits, squares
from plyforge.core.randomness import random_words
from plyforge.core.scores import DRAW, LOSS, ONGOING, WIN
from plyforge.core.weighting import weighted_sum
from plyforge.records import taggedtext
from plyforge.records.record import GameRecord

__all__ = [
    "DRAW",
    "LOSS",
    "ONGOING",
    "WIN",
    "GameRecord",
    "Geometry",
    "byteswap",
    "clz",
    "ctz",
    "hexagons",
    "logical_shift",
    "pits",
    "popcount",
    "random_words",
    "squares",
    "taggedtext",
    "u64",
    "weighted_sum",
]
