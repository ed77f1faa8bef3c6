"""Supervised training of a net: mini-batches, Adam, and an early stop on held-out games.

    D. Kingma, J. Ba, Adam: a method for stochastic optimization, ICLR 2015.
    L. Prechelt, Early stopping - but when?, 1998.

The gradient g of the mean loss of a batch, and of ½ρ|w|², moves the weights by

    m ← 0.9 m + 0.1 g,   v ← 0.999 v + 0.001 g²
    w ← w - α (m / (1 - 0.9ᵗ)) / (√(v / (1 - 0.999ᵗ)) + 10⁻⁸)

or, with `optimizer = "plain"`, by -α g.  After each epoch the loss in games that were held out is
measured; if it has not fallen for `patience` epochs, training stops.  The weights with the smallest
loss are returned.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.learn.inputs import Inputs, Reals
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
    batch: int = integer(256, "positions between two changes of the weights", 1, 10_000_000)
    epochs: int = integer(100, "the maximum number of passes over the positions", 1, 1_000_000)
    loss: str = choice("squared", "what is minimised", tuple(LOSSES))
    optimizer: str = choice("adam", "how the gradient moves the weights", tuple(OPTIMIZERS))
    penalty: float = real(0.0, "ρ: how much large weights cost", 0.0, 1e12)
    held_out: float = real(0.1, "the share of games that are not trained on", 0.0, 0.9)
    patience: int = integer(10, "epochs without a smaller loss after which it stops", 1, 1_000_000)
    seed: int = integer(0, "the seed of the order of positions and of held-out games", 0, 2**63 - 1)


@QUIETLY
def learn_supervised(
    model: Model,
    weights: Reals,
    samples: Samples,
    parameters: SupervisedParameters,
    report: ReportEpoch = lambda epoch, loss, held_out: None,
) -> Learned:
    """Train a model, from the given weights.  Ctrl-C between epochs can be caught by `report`."""
    if parameters.loss == "cross-entropy":
        check_probabilities(model, samples)
    stream = Stream(parameters.seed)
    train, held = samples.split(parameters.held_out, stream.next_word())
    trainer = Trainer(model, weights, train, parameters)
    best, best_loss, best_epoch = trainer.weights.copy(), np.inf, 0
    history: list[tuple[float, float | None]] = []
    for epoch in range(1, parameters.epochs + 1):
        loss = trainer.epoch(random_order(train.inputs.count, stream.next_word()))
        where, remedy = f"in epoch {epoch}", f"use a rate less than {parameters.rate:g}"
        check_finite(loss, trainer.weights, "supervised training", where, remedy)
        judged, held_loss = loss, None
        if held is not None:
            predictions = model.predictions(trainer.weights, held.inputs)
            judged = held_loss = mean_loss(parameters.loss, predictions, held.targets)
        history.append((loss, held_loss))
        report(epoch, loss, held_loss)
        if judged < best_loss:
            best, best_loss, best_epoch = trainer.weights.copy(), judged, epoch
        elif epoch - best_epoch >= parameters.patience:
            break
    loss, held_loss = history[best_epoch - 1] if best_epoch else history[-1]
    return Learned(best, loss, held_loss, tuple(history))


class Trainer:
    """The weights and the moments of one training."""

    def __init__(
        self, model: Model, weights: Reals, samples: Samples, parameters: SupervisedParameters
    ) -> None:
        self.weights = np.array(weights, np.float64)
        self._model, self._samples, self._parameters = model, samples, parameters
        self._means, self._squares = np.zeros(model.size), np.zeros(model.size)
        self._steps = 0
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

    def epoch(self, order: np.ndarray[tuple[int], np.dtype[np.int64]]) -> float:
        """Train with all positions once, in this order; return the mean loss while training."""
        if self._context is None:
            return self.epoch_uncompiled(order)
        self._context.set(order=order)
        return self._context.run() / len(order)

    def epoch_uncompiled(self, order: np.ndarray[tuple[int], np.dtype[np.int64]]) -> float:
        """Do the same in NumPy, for any model."""
        model, samples, parameters = self._model, self._samples, self._parameters
        total = 0.0
        for first in range(0, len(order), parameters.batch):
            batch = samples.take(order[first : first + parameters.batch])
            predictions = model.predictions(self.weights, batch.inputs)
            total += len(predictions) * mean_loss(parameters.loss, predictions, batch.targets)
            outer = loss_slopes(parameters.loss, predictions, batch.targets) / len(predictions)
            gradient = model.gradient(self.weights, batch.inputs, outer)
            gradient += parameters.penalty * self.weights
            if parameters.optimizer == "plain":
                self.weights -= parameters.rate * gradient
                continue
            self._steps += 1
            self._means += (1.0 - _MEAN_DECAY) * (gradient - self._means)
            self._squares += (1.0 - _SQUARE_DECAY) * (gradient**2 - self._squares)
            mean = self._means / (1.0 - _MEAN_DECAY**self._steps)
            root = np.sqrt(self._squares / (1.0 - _SQUARE_DECAY**self._steps))
            self.weights -= parameters.rate * mean / (root + _EPSILON)
        return total / len(order)
