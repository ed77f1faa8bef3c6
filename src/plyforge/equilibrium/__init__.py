"""Equilibria: matrix games, and games with hidden information.

>>> from plyforge.equilibrium import MatrixGame, solve_zero_sum
>>> solution = solve_zero_sum(MatrixGame.zero_sum([[3, -1], [-2, 4]]))
>>> round(solution.value, 9), [round(float(share), 9) for share in solution.row]
(1.0, [0.6, 0.4])
"""

from plyforge.equilibrium.best_response import BestResponse, best_response, exploitability
from plyforge.equilibrium.bimatrix import Equilibria, Equilibrium, find_equilibria
from plyforge.equilibrium.cfr import RegretMinimizer
from plyforge.equilibrium.dominance import Elimination, eliminate
from plyforge.equilibrium.game_tree import GameTree, InformationSet, build_tree
from plyforge.equilibrium.linear_program import solve_sequence_form
from plyforge.equilibrium.loading import load, names
from plyforge.equilibrium.matrix import MatrixGame, best_replies, payoffs_of
from plyforge.equilibrium.matrix_file import parse_matrix, read_matrix
from plyforge.equilibrium.profile import Profile
from plyforge.equilibrium.sequence_form import SequenceForm
from plyforge.equilibrium.zero_sum import ZeroSumSolution, solve_zero_sum

__all__ = [
    "BestResponse",
    "Elimination",
    "Equilibria",
    "Equilibrium",
    "GameTree",
    "InformationSet",
    "MatrixGame",
    "Profile",
    "RegretMinimizer",
    "SequenceForm",
    "ZeroSumSolution",
    "best_replies",
    "best_response",
    "build_tree",
    "eliminate",
    "exploitability",
    "find_equilibria",
    "load",
    "names",
    "parse_matrix",
    "payoffs_of",
    "read_matrix",
    "solve_sequence_form",
    "solve_zero_sum",
]
