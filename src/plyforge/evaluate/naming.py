"""Names of single weights, for tables and charts."""

from plyforge.core.errors import PlyforgeError
from plyforge.game.forms import Form, Net, Own, Sum
from plyforge.game.forms.rows import Feature, Row
from plyforge.game.forms.sums import PHASES, Blend


def weight_name(form: Form, place: int) -> str:
    """Return the name of the weight at a place in the vector of a form."""
    if not 0 <= place < form.size:
        raise PlyforgeError(f"the form has {form.size} weights; there is no number {place}")
    if isinstance(form, Own):
        return form.names[place]
    return _sum_name(form, place) if isinstance(form, Sum) else _net_name(form, place)


def _sum_name(form: Sum, place: int) -> str:
    """Weights are ordered by stage, then by row."""
    stage, column = divmod(place, form.width)
    name = _row_name(form.rows, column)
    if form.stages is None:
        return name
    return f"{name}, {PHASES[stage] if isinstance(form.stages, Blend) else f'stage {stage + 1}'}"


def _net_name(form: Net, place: int) -> str:
    """Weights of a layer are ordered by input, then by output; its biases follow."""
    layers = form.layers
    number = max(n for n, layer in enumerate(layers) if layer.start <= place)
    layer = layers[number]
    source, target = divmod(place - layer.start, layer.outputs)
    to = "output" if number == len(layers) - 1 else f"unit {number + 1}.{target + 1}"
    if source == layer.inputs:
        return f"bias of {to}"
    return f"{f'unit {number}.{source + 1}' if number else _row_name(form.rows, source)} → {to}"


def _row_name(rows: tuple[Row, ...], column: int) -> str:
    """Return the name of a feature, or of a table with the number of an entry."""
    for row in rows:
        if column < row.size:
            return row.names[column] if isinstance(row, Feature) else f"{row.name} {column}"
        column -= row.size
    raise IndexError(column)
