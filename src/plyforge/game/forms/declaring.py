"""The names with which a game declares its evaluation: `linear`, `patterns`, `net`, and so on."""

from collections.abc import Mapping
from types import FunctionType
from typing import Any

import numpy as np

from plyforge.game.forms.evaluation import Evaluation, unscaled
from plyforge.game.forms.finish import Finish
from plyforge.game.forms.layers import ACTIVATIONS, initial_weights
from plyforge.game.forms.nets import Net
from plyforge.game.forms.rows import (
    Table,
    TableDeclaration,
    is_int,
    labels,
    plain_function,
    read_rows,
    table,
    weights_by_set,
)
from plyforge.game.forms.sums import Blend, Shared, Stages, Sum
from plyforge.game.forms.weights import Numbers, Reals, as_numbers

MAX_STAGES = 1024
MAX_UNITS = 4096
"""The maximum size of a hidden layer, and of all indices of a net's tables: states hold them."""


def linear(
    features: Any,
    weights: Any = None,
    *,
    stages: Any = None,
    blend: Any = None,
    unit: float = 1,
    limit: float | None = None,
    rounding: str | None = None,
) -> Evaluation:
    """Declare a weighted sum of features.

    `features` maps names to functions of the position, to pairs of function and weight, or to a
    `table`.  `weights` gives all weights at once: by name, or in order.  If one function counts
    all features and returns a tuple, give the function, and weights by name in its order.

    `stages`, a pair (function, count), chooses one of `count` sets of weights by the function's
    value, from 0 on.  `blend`, a pair (function, full), moves from a second set of weights to the
    first one as the function's value rises from 0 to `full`.  A weight is then a tuple with a
    number for each set; an array of weights has a line for each.

    The sum is divided by `unit`, rounded to an integer if `rounding` is 'nearest' or 'zero', and
    limited to ±`limit`.

    >>> from collections import namedtuple
    >>> Position = namedtuple("Position", "mine theirs")
    >>> def lead(position): return position.mine - position.theirs
    >>> linear({"lead": (lead, 3)}).evaluate(Position(5, 3))
    6
    """
    if isinstance(features, FunctionType):
        if not isinstance(weights, Mapping):
            raise ValueError("a function of all features needs weights by name: {'men': 4, ...}")
        features, weights = {tuple(weights): (features, tuple(weights.values()))}, None
    return _sum("linear", features, weights, stages, blend, Finish(unit, limit, rounding))


def patterns(
    tables: Mapping[Any, Any],
    weights: Any = None,
    *,
    stages: Any = None,
    blend: Any = None,
    unit: float = 1,
    limit: float | None = None,
    rounding: str | None = None,
    shared: Shared | None = None,
) -> Evaluation:
    """Declare a sum of table entries.

    `tables` maps names to `table` declarations, or to triples (index function, entries, count), of
    which the count may be left out.  Features may be among them.  For the rest see `linear`.

    Entries may be known to be equal, such as a pattern and its mirror image: `shared()` returns, by
    the name of a table, an array with the entry whose weight each entry has.  `plyforge learn`
    keeps them equal.
    """
    rows = {
        name: table(*value) if isinstance(value, tuple) and len(value) in (2, 3) else value
        for name, value in tables.items()
    }
    if not any(isinstance(value, TableDeclaration) for value in rows.values()):
        raise ValueError("patterns needs a table, as {'corner': (corner_index, 6561)}")
    return _sum("patterns", rows, weights, stages, blend, Finish(unit, limit, rounding), shared)


def net(
    inputs: Mapping[Any, Any],
    hidden: Any,
    weights: Any = None,
    *,
    activation: Any = "clipped relu",
    output: str = "linear",
    unit: float = 1,
    limit: float | None = None,
    rounding: str | None = None,
) -> Evaluation:
    """Declare a small net with fully connected layers.

    `inputs` are features and tables, as in `linear`, without weights.  `hidden` are the sizes of
    the hidden layers, as (16, 8).  `activation` is that of the hidden layers, or a tuple with one
    for each, and `output` that of the output: 'linear', 'relu', 'clipped relu' (0 to 1), 'tanh' or
    'sigmoid'.  `weights` has, for each layer, a number for each input and output, ordered by input,
    then the biases.
    """
    rows, _ = read_rows(inputs, 1)
    for row in rows:
        if isinstance(row, Table) and not row.count:
            raise ValueError(f"table '{row.name}': a net needs a function that returns indices")
    indices = sum(row.count for row in rows if isinstance(row, Table))
    if indices > MAX_UNITS:
        raise ValueError(f"the tables of a net have at most {MAX_UNITS} indices, not {indices}")
    sizes = tuple(hidden) if isinstance(hidden, (tuple, list)) else (hidden,)
    if not sizes or not all(is_int(size) and 1 <= size <= MAX_UNITS for size in sizes):
        raise ValueError(
            f"hidden must be sizes of layers between 1 and {MAX_UNITS}, as (16, 8), not {hidden!r}"
        )
    each = (activation,) * len(sizes) if isinstance(activation, str) else tuple(activation)
    if len(each) != len(sizes):
        raise ValueError(f"there are {len(each)} activations for {len(sizes)} hidden layers")
    for name in (*each, output):
        if name not in ACTIVATIONS:
            raise ValueError(f"unknown activation {name!r}; use one of {', '.join(ACTIVATIONS)}")
    form = Net(rows, sizes, (*each, output), Finish(unit, limit, rounding))
    numbers = np.zeros(form.size) if weights is None else as_numbers(weights, "weights")
    return Evaluation(form, unscaled(form, numbers.reshape(-1).astype(np.float64)))


def random_weights(evaluation: Evaluation, seed: int) -> Reals:
    """Return random weights from which a net can learn, with biases of 0.

    In every layer they are between ±√(6 / (inputs + outputs)).

    >>> from plyforge.rules import net
    >>> def lead(position): return position.mine - position.theirs
    >>> random_weights(net({"lead": lead}, hidden=(2,)), seed=1).round(3).tolist()
    [0.188, 0.695, 0.0, 0.0, -0.158, 0.744, 0.0]
    """
    form = evaluation.form
    if not isinstance(form, Net):
        raise ValueError(f"random weights are for a net, not for a form of kind '{form.kind}'")
    return initial_weights(form, seed)


def _sum(
    kind: str,
    features: Any,
    weights: Any,
    stages: Any,
    blend: Any,
    finish: Finish,
    shared: Shared | None = None,
) -> Evaluation:
    if stages is not None and blend is not None:
        raise ValueError("give stages or blend, not both")
    choice: Stages | Blend | None = None
    if stages is not None:
        function, count = _pair(stages, "stages", "(function, count)")
        if not 1 <= count <= MAX_STAGES:
            raise ValueError(f"stages must have a count between 1 and {MAX_STAGES}, not {count}")
        choice = Stages(function, count)
    if blend is not None:
        choice = Blend(*_pair(blend, "blend", "(function, full)"))
        if choice.full < 1:
            raise ValueError(f"blend must have a full share of at least 1, not {choice.full}")
    rows, numbers = read_rows(features, choice.count if choice else 1)
    for row in rows:
        if isinstance(row, Table) and row.by_place and row.update:
            raise ValueError(f"table '{row.name}': places are updated in a net only")
    form = Sum(kind, rows, choice, finish, shared=shared)
    if weights is not None:
        if numbers.any():
            raise ValueError("give weights with the features or all at once, not both")
        numbers = _read_weights(form, weights)
    return Evaluation(form, unscaled(form, numbers.reshape(-1)))


def _read_weights(form: Sum, weights: Any) -> Numbers:
    """Return weights that are given all at once, a line for each stage."""
    if isinstance(weights, Mapping):
        if any(isinstance(row, Table) for row in form.rows):
            raise ValueError("give the weights of tables with the tables, or all in an array")
        names = [name for row in form.rows for name in labels(row)]
        if list(weights) != names:
            raise ValueError(f"the weights are those of {list(weights)}, the features {names}")
        columns = [weights_by_set(weight, form.set_count, name) for name, weight in weights.items()]
        return np.stack(columns, axis=1)
    numbers = as_numbers(weights, "weights")
    if numbers.size != form.size:
        raise ValueError(
            f"there are {numbers.size} weights; the form has {form.set_count} x {form.width}"
        )
    return numbers


def _pair(value: Any, what: str, expected: str) -> tuple[Any, int]:
    if not (isinstance(value, tuple) and len(value) == 2 and is_int(value[1])):
        raise ValueError(f"{what} must be a pair {expected}, not {value!r}")
    return plain_function(value[0], f"the function of {what}"), int(value[1])
