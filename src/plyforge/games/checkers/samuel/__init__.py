"""A net over features of the board after Samuel (1959) and Lynch's NeuroDraughts (1997).

`samuel_net` builds a net over any of the features by name.  A file of weights of such a net names
its features, so the file alone is enough to load it.  Every feature is about -1 to 1, or 0 to 1.
The definitions, and where the sources leave them open, are in docs/games/checkers-features.md.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.games.checkers.rules import Position
from plyforge.games.checkers.samuel import material, places, shapes, tactics
from plyforge.rules import Evaluation, net, random_weights

Feature = Callable[[Position], float]

FEATURES: dict[str, Feature] = {
    "piece advantage": material.piece_advantage,
    "piece disadvantage": material.piece_disadvantage,
    "king advantage": material.king_advantage,
    "piece threat": material.piece_threat,
    "piece take": material.piece_take,
    "advancement": places.advancement,
    "double diagonal": places.double_diagonal,
    "diagonal moment": places.diagonal_moment,
    "back row bridge": places.back_row_bridge,
    "triangle of Oreo": places.triangle_of_oreo,
    "guard": places.guard,
    "apex": places.apex,
    "cramp": places.cramp,
    "centre control": places.centre_control,
    "king centre control": places.king_centre_control,
    "X centre control": tactics.x_centre_control,
    "total mobility": tactics.total_mobility,
    "king mobility": tactics.king_mobility,
    "double corner": tactics.double_corner,
    "threat": tactics.threat,
    "taken": tactics.taken,
    "deny": tactics.deny,
    "exchange": tactics.exchange,
    "fork": tactics.fork,
    "exposure": shapes.exposure,
    "dyke": shapes.dyke,
    "gap": shapes.gap,
    "hole": shapes.hole,
    "node": shapes.node,
    "pole": shapes.pole,
    "the move": material.the_move,
}
"""The features of the evaluation `samuel`."""

VARIATIONS: dict[str, Feature] = {
    "material advantage": material.material_advantage,
    "material disadvantage": material.material_disadvantage,
    "rows advanced": places.rows_advanced,
    "lasting bridge": places.lasting_bridge,
    "lasting triangle": places.lasting_triangle,
    "pieces in centre": places.pieces_in_centre,
    "step mobility": tactics.step_mobility,
    "undenied mobility": tactics.undenied_mobility,
    "safe threat": tactics.safe_threat,
    "dyke pieces": shapes.dyke_pieces,
    "inner gap": shapes.inner_gap,
    "inner pole": shapes.inner_pole,
    "signed move": material.signed_move,
}
"""Other readings of definitions that the sources leave open."""

NEURODRAUGHTS = (
    "piece advantage",
    "piece disadvantage",
    "piece threat",
    "piece take",
    "advancement",
    "double diagonal",
    "back row bridge",
    "centre control",
    "X centre control",
    "total mobility",
    "exposure",
    "king centre control",
)
"""Features that Lynch chose by hand."""

HIDDEN = (20,)
EVALUATION_RANGE = (-1.0, 1.0)
EVALUATION_MEANING = "probability"


def samuel_net(
    names: Iterable[str] = tuple(FEATURES),
    hidden: tuple[int, ...] | int = HIDDEN,
    *,
    activation: str | tuple[str, ...] = "tanh",
    output: str = "tanh",
    seed: int | None = None,
) -> Evaluation:
    """Return a net over some of the features and variations, in the order of `names`.

    With a seed, it has the weights of `random_weights`.  Without one, all weights are 0.

    >>> samuel_net(["dyke", "threat"], hidden=(4,), seed=1).form.size
    17
    """
    empty = net(_features(names), hidden, activation=activation, output=output)
    return empty if seed is None else empty.with_weights(random_weights(empty, seed))


def evaluation_like(form: Mapping[str, Any]) -> Evaluation | None:
    """Return the net, with weights of 0, that the description of a form names; None if none does.

    A file of weights contains the description.
    """
    if form.get("kind") != "net":
        return None
    try:
        *activation, output = form["activations"]
        names = [name for name, _ in form["rows"]]
        return samuel_net(names, form["hidden"], activation=tuple(activation), output=output)
    except (PlyforgeError, KeyError, TypeError, ValueError):  # a net of other features, or damaged
        return None


def _features(names: Iterable[str]) -> dict[str, Feature]:
    known = FEATURES | VARIATIONS
    if isinstance(names, str):
        raise PlyforgeError(f"names must be a list of features, as ['dyke', 'gap'], not {names!r}")
    chosen: dict[str, Feature] = {}
    for name in names:
        if name not in known:
            raise UnknownName("feature", str(name), known)
        if name in chosen:
            raise PlyforgeError(f"feature '{name}' is named twice")
        chosen[name] = known[name]
    if not chosen:
        raise PlyforgeError("a net needs at least one feature")
    return chosen


EVALUATION = samuel_net()
