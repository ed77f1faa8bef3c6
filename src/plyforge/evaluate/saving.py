"""Saving an evaluation of a game, with a statement of what the precision costs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from plyforge.evaluate.choosing import evaluation_of
from plyforge.evaluate.files import save_weights
from plyforge.evaluate.quantisation import INT16, QuantisationError, quantisation_error, quantise
from plyforge.evaluate.sampling import random_positions
from plyforge.game.forms import Evaluation
from plyforge.game.game import Game

SAMPLES: Final = 400
"""Positions of random games in which stored weights are compared with the original ones."""


def save_evaluation(
    path: Path,
    game: Game,
    evaluation: Evaluation | None = None,
    *,
    name: str | None = None,
    made: Any = "",
    precision: str = INT16,
    positions: Sequence[Any] | None = None,
) -> QuantisationError:
    """Write an evaluation's weights to a file, by default those of the game's own evaluation.

    Return how far the stored weights are from the original ones, by default in positions of random
    games.  `made` says how the weights were made, as a text or as plain data; the error is stored
    with it.
    """
    original = evaluation_of(game) if evaluation is None else evaluation
    stored = quantise(original, precision)
    samples = random_positions(game, SAMPLES) if positions is None else positions
    error = quantisation_error(original, stored, samples)
    how = {"made": made, "error": {**vars(error)}}
    save_weights(path, stored, game.name, path.stem if name is None else name, how)
    return error
