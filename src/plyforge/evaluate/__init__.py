"""Evaluations as data: a form and a vector of weights.

Games declare forms with names from `plyforge.rules`; a form is linked to its weights in
`plyforge.game.forms`.  This package does what is done with weights: gradients for learning, files,
fewer bits, and the choice of another evaluation for a game.

>>> import plyforge
>>> from plyforge.evaluate import evaluation_of, gradient
>>> game = plyforge.load("tictactoe")
>>> gradient(evaluation_of(game), game.parse("X../.../... O")).tolist()
[-3.0]
"""

from plyforge.evaluate.batch import Batch, gradient, make_batch
from plyforge.evaluate.choosing import (
    AUTOMATIC,
    EvaluationChoice,
    evaluation_of,
    find_form,
    learned_beside,
    load_evaluation,
    weights_beside,
    with_evaluation,
    with_weights,
)
from plyforge.evaluate.compiled import compiled_evaluation
from plyforge.evaluate.files import WeightsFile, WeightsFileError, read_weights, save_weights
from plyforge.evaluate.fingerprint import form_fingerprint
from plyforge.evaluate.naming import weight_name
from plyforge.evaluate.quantisation import (
    PRECISIONS,
    QuantisationError,
    quantisation_error,
    quantise,
)
from plyforge.evaluate.sampling import random_positions
from plyforge.evaluate.saving import save_evaluation
from plyforge.game.forms import Evaluation, linear, net, patterns, table

__all__ = [
    "AUTOMATIC",
    "PRECISIONS",
    "Batch",
    "Evaluation",
    "EvaluationChoice",
    "QuantisationError",
    "WeightsFile",
    "WeightsFileError",
    "compiled_evaluation",
    "evaluation_of",
    "find_form",
    "form_fingerprint",
    "gradient",
    "learned_beside",
    "linear",
    "load_evaluation",
    "make_batch",
    "net",
    "patterns",
    "quantisation_error",
    "quantise",
    "random_positions",
    "read_weights",
    "save_evaluation",
    "save_weights",
    "table",
    "weight_name",
    "weights_beside",
    "with_evaluation",
    "with_weights",
]
