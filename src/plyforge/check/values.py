"""The types and ranges of the values that hooks may return."""

import math
import numbers
from typing import Any

from plyforge.core.rules import Rules
from plyforge.core.scores import LOSS, ONGOING, SCORE_LIMIT, WIN, is_result

_WORD = (1 << 64) - 1
_TOLERANCE = 1e-9
"""Mathematical functions of two libraries may differ in the last bits."""


class WrongType(ValueError):
    """A value has another type than the contract requires."""


def read(hook: str, returns: str, raw: Any) -> Any:
    """Return a hook's value in its declared type."""
    if returns == "bool":
        if raw is None:
            raise WrongType(f"'{hook}' returned None; the contract requires True or False")
        return bool(raw)
    if returns == "score":
        if not isinstance(raw, numbers.Real):
            raise WrongType(f"'{hook}' returned {raw!r}; the contract requires a number")
        return float(raw)
    if not isinstance(raw, numbers.Integral):
        value = f"{raw!r}, a float (use // for /)" if isinstance(raw, numbers.Real) else repr(raw)
        raise WrongType(f"'{hook}' returned {value}; the contract requires an int")
    return int(raw) & _WORD if returns == "key" else int(raw)


def same(one: Any, other: Any) -> bool:
    """Whether both backends gave the same value."""
    if isinstance(one, float) and isinstance(other, float):
        both_nan = math.isnan(one) and math.isnan(other)
        return both_nan or one == other or math.isclose(one, other, rel_tol=_TOLERANCE)
    return bool(one == other)


def complaint(hook: str, value: Any, rules: Rules) -> str | None:
    """Return why a value is out of range, or None if it is not."""
    if isinstance(value, float) and math.isnan(value):
        return f"'{hook}' returned NaN, which cannot be compared"
    if hook in ("outcome", "probe", "proven_result") and not (value == ONGOING or is_result(value)):
        allowed = "ONGOING, WIN, LOSS, DRAW or a score within ±2^23"
        return f"'{hook}' returned {value:.12g}; it must be {allowed}"
    if hook == "stuck" and not is_result(value):
        text = "ONGOING" if value == ONGOING else f"{value:.12g}"
        return f"'stuck' returned {text}; it must be WIN, LOSS, DRAW or a score within ±2^23"
    if hook in ("outcome", "stuck") and "chance" in rules.hooks and abs(value) <= SCORE_LIMIT:
        minimum, maximum = rules.constant("EVALUATION_RANGE")
        if not minimum <= value <= maximum:
            return (
                f"'{hook}' returned the score {value:g}, which is outside of EVALUATION_RANGE"
                f" ({minimum:g}, {maximum:g}); in a game of chance it must lie in it"
            )
    if hook == "turn" and value not in (0, 1):
        return f"'turn' returned {value}; it must be 0 for the first player or 1 for the second"
    if hook == "evaluate":
        return _evaluation(value, rules)
    if hook in ("move_gain", "exchange") and not abs(value) < SCORE_LIMIT:
        return f"'{hook}' returned {value:g}; it must lie within ±2^23"
    if hook == "quick_value" and value not in (ONGOING, WIN - 1, LOSS + 2):
        return f"'quick_value' returned {value:.12g}; it must be ONGOING, WIN - 1 or LOSS + 2"
    if hook == "move_priority" and not abs(value) < 1 << 20:
        return f"'move_priority' returned {value}; it must lie within ±2^20"
    if hook == "move_slot":
        slots = int(rules.constant("MOVE_SLOTS"))
        if not 0 <= value < slots:
            return f"'move_slot' returned {value}; MOVE_SLOTS = {slots} allows 0 to {slots - 1}"
    if hook == "phase":
        phases = int(rules.constant("PHASES"))
        if not 0 <= value < phases:
            return f"'phase' returned {value}; PHASES = {phases} allows 0 to {phases - 1}"
    if hook == "move_target" and value < -1:
        return f"'move_target' returned {value}; it must be a square's number, or -1 for none"
    if hook in ("move_kind", "progress") and value < 0:
        return f"'{hook}' returned {value}; it cannot be below 0"
    return None


def _evaluation(value: float, rules: Rules) -> str | None:
    minimum, maximum = rules.constant("EVALUATION_RANGE")
    if not abs(value) < SCORE_LIMIT:
        return f"'evaluate' returned {value:.12g}; evaluations must lie within ±2^23"
    if not minimum <= value <= maximum:
        bounds = f"({minimum:g}, {maximum:g})"
        return f"'evaluate' returned {value:g}, outside of EVALUATION_RANGE = {bounds}"
    return None
