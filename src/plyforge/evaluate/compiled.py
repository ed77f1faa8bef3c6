"""A game's evaluation as a compiled function, for code that searches in Python."""

from collections.abc import Callable
from typing import Any, Final

from plyforge.compilation.hooks_api import begin, evaluate
from plyforge.compilation.kernel import Kernel, build
from plyforge.game.game import Game


def _value(position: Any, states: Any, weights: Any) -> float:
    begin(position, states, weights)
    return evaluate(position, states, 0, weights)


_EVALUATE: Final = Kernel("evaluate", _value, "float64(position, address, address)")


def compiled_evaluation(game: Game) -> Callable[[Any], float]:
    """Return the game's evaluation of a position for the side to move, compiled.

    It is for one thread at a time: the memory for its state is not shared safely.

    >>> import plyforge
    >>> game = plyforge.load("tictactoe")
    >>> compiled_evaluation(game)(game.parse("X../.../... O"))
    -3.0
    """
    call = build(_EVALUATE, game.rules, game.position_type).call
    block, states = game.rules.weights, game.rules.new_states(1)

    def value(position: Any) -> float:
        weights = 0 if block is None else block.words.ctypes.data
        return float(call(position, states.ctypes.data, weights))

    return value
