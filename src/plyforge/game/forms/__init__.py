"""Forms of evaluations, as games declare them, and functions made from them.

A form says how a position becomes a value and which weights this takes.  With weights it is an
`Evaluation`, which has the functions `evaluate` and `terms`.  `plyforge.evaluate` adds what needs a
game: gradients for learning, files, and the choice of another evaluation.
"""

from plyforge.game.forms.declaring import linear, net, patterns, random_weights
from plyforge.game.forms.evaluation import Evaluation, Form, unscaled
from plyforge.game.forms.installing import install_evaluation, replace_weights
from plyforge.game.forms.nets import Net
from plyforge.game.forms.own import Own
from plyforge.game.forms.reading import read_evaluation, takes_weights
from plyforge.game.forms.rows import Feature, Table, table
from plyforge.game.forms.sums import Blend, Stages, Sum, Term
from plyforge.game.forms.weights import Weights

__all__ = [
    "Blend",
    "Evaluation",
    "Feature",
    "Form",
    "Net",
    "Own",
    "Stages",
    "Sum",
    "Table",
    "Term",
    "Weights",
    "install_evaluation",
    "linear",
    "net",
    "patterns",
    "random_weights",
    "read_evaluation",
    "replace_weights",
    "table",
    "takes_weights",
    "unscaled",
]
