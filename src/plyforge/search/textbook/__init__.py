"""The algorithms of the textbooks as short plain functions: to read, to test against, to draw.

>>> import plyforge
>>> from plyforge.search.textbook import View, alpha_beta
>>> game = plyforge.load("tree")
>>> view = View(game)
>>> alpha_beta(view, view.root(game.parse("[[3,12,8],[2,4,6],[14,5,2]]")), depth=2)
3.0
"""

from plyforge.search.textbook.alpha_beta import alpha_beta
from plyforge.search.textbook.alpha_beta_table import alpha_beta_table
from plyforge.search.textbook.dual import dual
from plyforge.search.textbook.expectimax import expectimax
from plyforge.search.textbook.explain import explain
from plyforge.search.textbook.export import to_dot, to_json, to_tikz
from plyforge.search.textbook.fail_hard import alpha_beta_fail_hard
from plyforge.search.textbook.minimal import minimal_tree
from plyforge.search.textbook.minimax import minimax
from plyforge.search.textbook.mtd import mtd
from plyforge.search.textbook.mtdf import mtdf
from plyforge.search.textbook.negamax import negamax
from plyforge.search.textbook.negascout import negascout
from plyforge.search.textbook.sss import sss
from plyforge.search.textbook.star1 import star1
from plyforge.search.textbook.star2 import star2
from plyforge.search.textbook.trace import Trace, Visit
from plyforge.search.textbook.view import MAX, MIN, Node, View, for_max
from plyforge.search.textbook.vision_draughts import vision_draughts

__all__ = [
    "MAX",
    "MIN",
    "Node",
    "Trace",
    "View",
    "Visit",
    "alpha_beta",
    "alpha_beta_fail_hard",
    "alpha_beta_table",
    "dual",
    "expectimax",
    "explain",
    "for_max",
    "minimal_tree",
    "minimax",
    "mtd",
    "mtdf",
    "negamax",
    "negascout",
    "sss",
    "star1",
    "star2",
    "to_dot",
    "to_json",
    "to_tikz",
    "vision_draughts",
]
