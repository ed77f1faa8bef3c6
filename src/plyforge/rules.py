"""Names for files of rules: results, bits, rankings, board shapes, forms of evaluations, records.

>>> from plyforge.rules import DRAW, LOSS, ONGOING, WIN, ctz, popcount, u64
"""

from numpy import uint64 as u64

from plyforge.core.bits import byteswap, clz, ctz, logical_shift, popcount
from plyforge.core.geometry import Geometry, boxes, edges, hexagons, pits, points, squares
from plyforge.core.randomness import random_words
from plyforge.core.ranking import (
    SLICE_SHIFT,
    choose,
    gather_bits,
    rank_bits,
    spread_bits,
    unrank_bits,
)
from plyforge.core.scores import DRAW, LOSS, ONGOING, WIN
from plyforge.game.forms import Evaluation, linear, net, patterns, random_weights, table
from plyforge.records import taggedtext
from plyforge.records.record import GameRecord

__all__ = [
    "DRAW",
    "LOSS",
    "ONGOING",
    "SLICE_SHIFT",
    "WIN",
    "Evaluation",
    "GameRecord",
    "Geometry",
    "boxes",
    "byteswap",
    "choose",
    "clz",
    "ctz",
    "edges",
    "gather_bits",
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
    "rank_bits",
    "spread_bits",
    "squares",
    "table",
    "taggedtext",
    "u64",
    "unrank_bits",
]
