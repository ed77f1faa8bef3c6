"""The default hooks, for those that a game does not define."""

import math
from typing import Any, Final

from plyforge.core.scores import LOSS, ONGOING

UNKNOWN_PLIES: Final = 1 << 30
"""More plies than any search is deep."""


def outcome(position: Any) -> float:
    return ONGOING


def stuck(position: Any) -> float:
    return LOSS


def can_move(position: Any) -> bool:
    return False


def drawn(position: Any) -> bool:
    return False


def chance(position: Any) -> bool:
    return False


def chance_outcomes(position: Any, out: Any, probabilities: Any) -> int:
    return 0


def irreversible(position: Any, move: int) -> bool:
    return False


def progress(position: Any) -> int:
    return 0


def evaluate(position: Any) -> float:
    return 0.0


def move_kind(position: Any, move: int) -> int:
    return 0


def move_gain(position: Any, move: int) -> float:
    return 0.0


def exchange(position: Any, move: int) -> float:
    return 0.0


def move_target(position: Any, move: int) -> int:
    return -1


def noisy_moves(position: Any, out: Any) -> int:
    return 0


def in_check(position: Any) -> bool:
    return False


def pass_move(position: Any) -> int:
    return -1


def zugzwang_prone(position: Any) -> bool:
    return False


def phase(position: Any) -> int:
    return 0


def plies_left(position: Any) -> int:
    return UNKNOWN_PLIES


def finish(position: Any, low: float, high: float, words: Any) -> float:
    return ONGOING


def max_score(position: Any) -> float:
    return math.inf


def mobility(position: Any) -> int:
    return 0


def odd_region(position: Any, move: int) -> bool:
    return False


def quick_value(position: Any) -> float:
    return ONGOING


def loses_at_once(position: Any, move: int) -> bool:
    return False


def move_priority(position: Any, move: int) -> int:
    return 0


def canonical_key(position: Any) -> int:
    return 0


def probe(position: Any) -> float:
    return ONGOING


def proven_result(position: Any) -> float:
    return ONGOING


def secured_score(position: Any) -> float:
    return 0.0
