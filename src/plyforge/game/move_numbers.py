"""Moves as the rules give them, checked."""

from typing import Any

import numpy as np

from plyforge.core.contract import MAX_MOVE, MIN_MOVE
from plyforge.core.errors import GameFileError
from plyforge.core.rules import Rules


def as_move(move: Any, rules: Rules, hook: str = "moves") -> int:
    """Return a move of the rules as an int, or raise an error that names the hook."""
    kind = "a move" if hook == "moves" else "an outcome"
    if isinstance(move, (bool, float, np.floating)) or not hasattr(move, "__index__"):
        raise GameFileError(f"{rules.file}: '{hook}' gave {move!r}; {kind} must be an int")
    number = int(move)
    if not MIN_MOVE <= number <= MAX_MOVE:
        raise GameFileError(
            f"{rules.file}: '{hook}' gave {number}; {kind} must be an int between -2^63 and"
            " 2^63 - 1"
        )
    return number
