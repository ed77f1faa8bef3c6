"""Values, mixes and dominated strategies as people read them."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from plyforge.equilibrium.dominance import Dominated
from plyforge.equilibrium.matrix import MatrixGame, Reals

PLAYERS: Final = ("row", "column")
MAX_DENOMINATOR: Final = 360
_TOLERANCE: Final = 1e-9
_MIN_SHARE: Final = 1e-12


def fraction_text(value: float) -> str:
    """Format a number as a fraction if it is one with a small denominator.

    >>> fraction_text(1 / 3), fraction_text(-1 / 18), fraction_text(0.0856064), fraction_text(2.0)
    ('1/3', '-1/18', '0.0856064', '2')
    """
    near = Fraction(value).limit_denominator(MAX_DENOMINATOR)
    if abs(value - near) <= _TOLERANCE * max(1.0, abs(value)):
        return str(near)
    return f"{value:.6g}"


def mix_text(names: Sequence[str], mix: Reals, separator: str = "  ") -> str:
    """Format a mix; strategies with share 0 are left out."""
    return separator.join(
        f"{name} {fraction_text(float(share))}"
        for name, share in zip(names, mix, strict=True)
        if share > _MIN_SHARE
    )


def describe_step(game: MatrixGame, step: Dominated) -> str:
    """Say what dominates a strategy."""
    names = game.names[step.player]
    by = " + ".join(
        names[k] if share == 1.0 else f"{fraction_text(share)} {names[k]}" for k, share in step.by
    )
    how = "strictly" if step.strict else "weakly"
    return f"{PLAYERS[step.player]} {names[step.strategy]} is {how} dominated by {by}"
