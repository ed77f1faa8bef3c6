"""What a method returns."""

from dataclasses import dataclass

from plyforge.learn.inputs import Reals


@dataclass(frozen=True, eq=False)
class Learned:
    """New weights, and the loss."""

    weights: Reals
    loss: float
    """The mean loss: before the last change of weights for episodes, after it for samples."""
    held_out_loss: float | None = None
    """The mean loss in games that were not trained on, if there are any."""
    history: tuple[tuple[float, float | None], ...] = ()
    """The two losses after each epoch or iteration."""
