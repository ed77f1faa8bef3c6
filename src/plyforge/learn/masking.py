"""Models that use some of the features of an evaluation only.

A net over fewer features would be another form, and every form has compiled searches of its own,
which take seconds.  Here the form stays, and features that are left out count for nothing: their
weights, for a net those of its first layer, are 0 and stay 0.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.game.forms import Evaluation, Form, Net, Sum
from plyforge.game.forms.layers import matrix
from plyforge.game.forms.rows import Feature
from plyforge.game.game import Game
from plyforge.learn.inputs import AnyInputs, Indices, Inputs, Reals
from plyforge.learn.model import GameModel
from plyforge.learn.prediction import Prediction


def feature_names(form: Form) -> tuple[str, ...]:
    """Return the names of a form's features, one for each input; refuse a form with tables."""
    if not isinstance(form, (Sum, Net)) or not all(isinstance(row, Feature) for row in form.rows):
        raise PlyforgeError(
            "features can be chosen from an evaluation that consists of named features only, not"
            " from tables or a function"
        )
    return tuple(name for row in form.rows if isinstance(row, Feature) for name in row.names)


def keep_columns(inputs: Inputs, kept: NDArray[np.bool_]) -> Inputs:
    """Return the inputs with 0 in all columns but those that are kept.

    >>> keep_columns(Inputs.from_rows([[3, 4], [5, 0]]), np.array([False, True])).factors.tolist()
    [4.0]
    """
    places = kept[inputs.columns]
    rows = np.repeat(np.arange(inputs.count), np.diff(inputs.starts))[places]
    counts = np.bincount(rows, minlength=inputs.count)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Inputs(starts, inputs.columns[places], inputs.factors[places])


class MaskedModel(GameModel):
    """The evaluation of a game, of which only the chosen features count."""

    def __init__(
        self,
        game: Game,
        chosen: Iterable[str],
        evaluation: Evaluation | None = None,
        prediction: Prediction | None = None,
    ) -> None:
        super().__init__(game, evaluation, prediction)
        names = feature_names(self.evaluation.form)
        wanted = set(chosen)
        for name in sorted(wanted):
            if name not in names:
                raise UnknownName("feature", name, names)
        if not wanted:
            raise PlyforgeError("at least one feature must be chosen")
        self.kept: NDArray[np.bool_] = np.array([name in wanted for name in names])
        form = self.evaluation.form
        if isinstance(form, Sum):
            self.kept = np.tile(self.kept, form.set_count)

    def mask(self, weights: Reals) -> Reals:
        """Return the weights, with 0 for features that are not chosen."""
        masked = np.array(weights, np.float64)
        if isinstance(self.evaluation.form, Net):
            matrix(self.evaluation.form.layers[0], masked)[~self.kept] = 0.0
        else:
            masked[~self.kept] = 0.0
        return masked

    def read(self, positions: Sequence[Any]) -> AnyInputs:
        """Return the inputs of positions, those of the chosen features."""
        return self._keep(super().read(positions))

    def read_line(self, start: Any, moves: Sequence[int]) -> tuple[AnyInputs, Indices]:
        """Return the same for a whole game, and who is to move in each position."""
        inputs, sides = super().read_line(start, moves)
        return self._keep(inputs), sides

    def _keep(self, inputs: AnyInputs) -> AnyInputs:
        assert isinstance(inputs, Inputs)
        return keep_columns(inputs, self.kept)
