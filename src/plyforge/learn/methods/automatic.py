"""The parameters of learning an automatic evaluation: generations of games and a fit after each."""

from dataclasses import dataclass

from plyforge.learn.methods.logistic import LogisticParameters
from plyforge.learn.methods.parameters import integer, real


@dataclass(frozen=True)
class AutomaticParameters(LogisticParameters):
    """The parameters: those of logistic regression with other defaults, and those of the games."""

    penalty: float = real(
        64.0,
        "how much large weights cost: ρ is this divided by the number of positions, for values as"
        " log odds; later fits try a quarter and four times the last one, by held-out games",
        0.0,
        1e12,
    )
    iterations: int = integer(100, "the maximum number of steps of a fit", 1, 1_000_000)
    tolerance: float = real(
        1e-7, "stop when no derivative of the loss by a weight is larger", 0.0, 1.0
    )
    held_out: float = real(0.1, "the share of games that are not trained on", 0.0, 0.9)
    generation: int = integer(500, "games that are played with the same weights", 2, 10_000_000)
    positions: int = integer(20, "the positions of a game that are learned from", 1, 10_000)
