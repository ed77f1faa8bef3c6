"""The default hooks, for those that a game does not define."""

from typing import Any

from plyforge.core.scores import LOSS, ONGOING


def outcome(position: Any) -> float:
    return ONGOING


def stuck(position: Any) -> float:
    return LOSS


def can_move(position: Any) -> bool:
    return False


def drawn(position: Any) -> bool:
    return False


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


def probe(position: Any) -> float:
    return ONGOING


def secured_score(position: Any) -> float:
    return 0.0
