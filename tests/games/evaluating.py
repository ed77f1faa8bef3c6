"""A game's compiled evaluation, for comparison with the uncompiled one."""

from collections.abc import Callable
from typing import Any

from plyforge import Game
from plyforge.core.compilation.holes import evaluate
from plyforge.core.compilation.kernel import Kernel, build


def evaluated(position: Any) -> float:
    return float(evaluate(position))


EVALUATED = Kernel("evaluated", evaluated, "float64(position)")


def compiled_evaluation(game: Game) -> Callable[[Any], float]:
    return build(EVALUATED, game.rules, game.position_type, "compiled").call
