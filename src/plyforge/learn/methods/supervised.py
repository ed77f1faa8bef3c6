"""Supervised training of a net: mini-batches, Adam, and an early stop on held-out games.

    D. Kingma, J. Ba, Adam: a method for stochastic optimization, ICLR 2015.
    L. Prechelt, Early stopping - but when?, 1998.

The gradient g of the mean loss of a batch, and of ½ρ|w|², moves the weights by

    m ← 0.9 m + 0.1 g,   v ← 0.999 v + 0.001 g²
    w ← w - α (m / (1 - 0.9ᵗ)) / (√(v / (1 - 0.999ᵗ)) + 10⁻⁸)

or, with `optimizer = "plain"`, by -α g.  With `slow_after`, α becomes smaller from epoch to epoch,
which lets the weights settle.  After each epoch the loss in games that were held out is
measured; if it has not fallen for `patience` epochs, training stops.  The weights with the smallest
loss are returned.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.learn.inputs import Indices, Inputs, Reals
from plyforge.learn.kernels import tasks
from plyforge.learn.losses import LOSSES, QUIETLY, check_finite, loss_slopes, mean_loss
from plyforge.learn.methods.logistic import check_probabilities
from plyforge.learn.methods.outcome import Learned
from plyforge.learn.methods.parameters import MAX_RATE, RATE, Parameters, choice, integer, real
from plyforge.learn.model import Model
from plyforge.learn.samples import Samples, random_order

OPTIMIZERS: Final = {"adam": tasks.ADAM, "plain": tasks.PLAIN}
_MEAN_DECAY, _SQUARE_DECAY, _EPSILON = 0.9, 0.999, 1e-8

ReportEpoch = Callable[[int, float, float | None], object]
"""Called after each epoch with its number and the losses in training and in held-out games."""


@dataclass(frozen=True)
class SupervisedParameters(Parameters):
    """The parameters of supervised training."""

    rate: float = real(0.001, RATE, 0.0, MAX_RATE, above=True)
    slow_after: int = integer(
        0, "epochs after which α is half, a third after twice as many; 0 for never", 0, 1_000_000
    )
    batch: int = integer(256, "positions between two changes of the weights", 1, 10_000_000)
    epochs: int = integer(100, "the maximum number of passes over the positions", 1, 1_000_000)
    loss: str = choice("squared", "what is minimised", tuple(LOSSES))
    optimizer: str = choice("adam", "how the gradient moves the weights", tuple(OPTIMIZERS))
    penalty: float = real(0.0, "ρ: how much large weights cost", 0.0, 1e12)
    held_out: float = real(0.1, "the share of games that are not trained on", 0.0, 0.9)
    patience: int = integer(10, "epochs without a smaller loss after which it stops", 1, 1_000_000)
    seed: int = integer(0, "the seed of the order of positions and of held-out games", 0, 2**63 - 1)

    def rate_in(self, epoch: int) -> float:
        """Return the step size in an epoch; the first has number 1."""
        return self.rate / (1.0 + (epoch - 1) / self.slow_after) if self.slow_after else self.rate


@dataclass(frozen=True, eq=False)
class TrainingState:
    """All that the next epoch depends on, besides the samples and the parameters."""

    weights: Reals
    means: Reals
    """Adam's m and v."""
    squares: Reals
    best: Reals
    """The weights with the smallest loss so far."""
    steps: int
    """The number of updates by Adam."""
    best_epoch: int
    history: tuple[tuple[float, float | None], ...]
    """The losses of every epoch so far, in training and in held-out games."""

    @property
    def learned(self) -> Learned:
        """The result, if training ends here."""
        loss, held_loss = self.history[self.best_epoch - 1] if self.best_epoch else self.history[-1]
        return Learned(self.best, loss, held_loss, self.history)

    def to_bytes(self) -> bytes:
        """Return the state for a file; `from_bytes` restores it bit for bit."""
        numbers = json.dumps([self.steps, self.best_epoch, self.history])
        vectors = (self.weights, self.means, self.squares, self.best)
        return b"\n".join([numbers.encode(), b"".join(vector.tobytes() for vector in vectors)])

    @classmethod
    def from_bytes(cls, data: bytes) -> "TrainingState":
        """Return the state that `to_bytes` has described."""
        numbers, _, vectors = data.partition(b"\n")
        steps, best_epoch, history = json.loads(numbers)
        rows = np.frombuffer(vectors).reshape(4, -1).copy()
        losses = tuple((loss, held) for loss, held in history)
        return cls(rows[0], rows[1], rows[2], rows[3], steps, best_epoch, losses)


def learn_supervised(
    model: Model,
    weights: Reals,
    samples: Samples,
    parameters: SupervisedParameters,
    report: ReportEpoch = lambda epoch, loss, held_out: None,
) -> Learned:
    """Train a model, from the given weights.  Ctrl-C between epochs can be caught by `report`."""
    state = None
    for state in train_epochs(model, weights, samples, parameters):
        report(len(state.history), *state.history[-1])
    assert state is not None
    return state.learned


def train_epochs(
    model: Model,
    weights: Reals,
    samples: Samples,
    parameters: SupervisedParameters,
    state: TrainingState | None = None,
) -> Iterator[TrainingState]:
    """Train a model; yield the state after each epoch.

    With the state of an earlier training on the same samples, it continues there, and its states
    are those of an uninterrupted training.
    """
    if parameters.loss == "cross-entropy":
        check_probabilities(model, samples)
    stream = Stream(parameters.seed)
    train, held = samples.split(parameters.held_out, stream.next_word())
    trainer = Trainer(model, weights, train, parameters)
    if state is None:
        state = trainer.state(trainer.weights.copy(), 0, ())
    else:
        trainer.restore(state)
        yield state
    for epoch in range(1, parameters.epochs + 1):
        order_seed = stream.next_word()
        if epoch <= len(state.history):
            continue
        if state.history and len(state.history) - state.best_epoch >= parameters.patience:
            return
        trainer.rate = parameters.rate_in(epoch)
        loss, held_loss = _losses(trainer, random_order(train.inputs.count, order_seed), held)
        where, remedy = f"in epoch {epoch}", f"use a rate less than {parameters.rate:g}"
        for one in (loss, held_loss or 0.0):
            check_finite(one, trainer.weights, "supervised training", where, remedy)
        best, best_epoch = state.best, state.best_epoch
        if not best_epoch or _rated(loss, held_loss) < _rated(*state.history[best_epoch - 1]):
            best, best_epoch = trainer.weights.copy(), epoch
        state = trainer.state(best, best_epoch, (*state.history, (loss, held_loss)))
        yield state


@QUIETLY
def _losses(trainer: "Trainer", order: Indices, held: Samples | None) -> tuple[float, float | None]:
    """Train for an epoch; return the losses in training and in held-out games."""
    loss = trainer.epoch(order)
    if held is None:
        return loss, None
    predictions = trainer.model.predictions(trainer.weights, held.inputs)
    return loss, mean_loss(trainer.parameters.loss, predictions, held.targets)


def _rated(loss: float, held_loss: float | None) -> float:
    """Return the loss that decides when training stops."""
    return loss if held_loss is None else held_loss


class Trainer:
    """The weights and the moments of one training."""

    def __init__(
        self, model: Model, weights: Reals, samples: Samples, parameters: SupervisedParameters
    ) -> None:
        self.weights = np.array(weights, np.float64)
        self.model, self._samples, self.parameters = model, samples, parameters
        self._means, self._squares = np.zeros(model.size), np.zeros(model.size)
        self._steps = 0
        self.rate = parameters.rate
        self._context = None
        if model.network is not None:
            if not isinstance(samples.inputs, Inputs):
                raise PlyforgeError("the samples were read for another model")
            self._context = model.network.context(
                self.weights,
                samples.inputs,
                model.prediction,
                task=tasks.TRAIN,
                count=samples.inputs.count,
                batch=parameters.batch,
                loss=LOSSES[parameters.loss],
                update=OPTIMIZERS[parameters.optimizer],
                rate=parameters.rate,
                penalty=parameters.penalty,
                targets=np.ascontiguousarray(samples.targets, np.float64),
                gradient=np.zeros(model.size),
                means=self._means,
                squares=self._squares,
            )

    def state(
        self, best: Reals, best_epoch: int, history: tuple[tuple[float, float | None], ...]
    ) -> TrainingState:
        """Return a copy of the state, with what the caller knows."""
        steps = self._steps if self._context is None else int(self._context.record.steps)
        vectors = (self.weights.copy(), self._means.copy(), self._squares.copy())
        return TrainingState(*vectors, best, steps, best_epoch, history)

    def restore(self, state: TrainingState) -> None:
        """Set weights and moments to those of a state."""
        if state.weights.shape != self.weights.shape:
            raise PlyforgeError(
                f"the model has {len(self.weights)} weights, not {len(state.weights)}"
            )
        # The kernel has the addresses of these arrays.
        np.copyto(self.weights, state.weights)
        np.copyto(self._means, state.means)
        np.copyto(self._squares, state.squares)
        self._steps = state.steps
        if self._context is not None:
            self._context.set(steps=state.steps)

    def epoch(self, order: Indices) -> float:
        """Train with all positions once, in this order; return the mean loss while training."""
        if self._context is None:
            return self.epoch_uncompiled(order)
        self._context.set(order=order, rate=self.rate)
        return self._context.run() / len(order)

    def epoch_uncompiled(self, order: Indices) -> float:
        """Do the same in NumPy, for any model."""
        model, samples, parameters = self.model, self._samples, self.parameters
        total = 0.0
        for first in range(0, len(order), parameters.batch):
            batch = samples.take(order[first : first + parameters.batch])
            predictions = model.predictions(self.weights, batch.inputs)
            total += len(predictions) * mean_loss(parameters.loss, predictions, batch.targets)
            outer = loss_slopes(parameters.loss, predictions, batch.targets) / len(predictions)
            gradient = model.gradient(self.weights, batch.inputs, outer)
            gradient += parameters.penalty * self.weights
            if parameters.optimizer == "plain":
                self.weights -= self.rate * gradient
                continue
            self._steps += 1
            self._means += (1.0 - _MEAN_DECAY) * (gradient - self._means)
            self._squares += (1.0 - _SQUARE_DECAY) * (gradient**2 - self._squares)
            mean = self._means / (1.0 - _MEAN_DECAY**self._steps)
            root = np.sqrt(self._squares / (1.0 - _SQUARE_DECAY**self._steps))
            self.weights -= self.rate * mean / (root + _EPSILON)
        return total / len(order)
