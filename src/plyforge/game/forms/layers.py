"""The layers of a net, and their activations."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from plyforge.core.randomness import random_words
from plyforge.game.forms.weights import Numbers, Reals


def linear_unit(x: float) -> float:
    return x


def relu(x: float) -> float:
    return max(x, 0.0)


def clipped_relu(x: float) -> float:
    return min(max(x, 0.0), 1.0)


def tanh(x: float) -> float:
    return math.tanh(x)


def sigmoid(x: float) -> float:
    if x >= 0.0:
        return 1.0 / (1.0 + math.exp(-x))
    small = math.exp(x)
    return small / (1.0 + small)


ACTIVATIONS: Final = {
    "linear": linear_unit,
    "relu": relu,
    "clipped relu": clipped_relu,
    "tanh": tanh,
    "sigmoid": sigmoid,
}
"""The activations by name, as compiled code calls them; `activate` is the same for arrays."""


def activate(name: str, x: Reals) -> Reals:
    """Return the activation of an array."""
    if name == "tanh":
        return np.tanh(x)
    if name == "sigmoid":
        return 0.5 * (1.0 + np.tanh(0.5 * x))
    if name == "relu":
        return np.maximum(x, 0.0)
    return np.clip(x, 0.0, 1.0) if name == "clipped relu" else x


def slope(name: str, x: Reals) -> Reals:
    """Return the derivative of the activation of an array."""
    y = activate(name, x)
    if name == "tanh":
        return 1.0 - y * y
    if name == "sigmoid":
        return y * (1.0 - y)
    if name == "linear":
        return np.ones_like(x)
    return ((x > 0.0) & ((x < 1.0) | (name == "relu"))).astype(np.float64)


@dataclass(frozen=True)
class Layer:
    """A layer: its size, where its weights begin, and its activation."""

    inputs: int
    outputs: int
    start: int
    activation: str

    @property
    def biases(self) -> int:
        """Where the biases begin."""
        return self.start + self.inputs * self.outputs

    @property
    def size(self) -> int:
        """The number of weights and biases."""
        return (self.inputs + 1) * self.outputs


def matrix(layer: Layer, vector: Numbers) -> Numbers:
    """Return the weights of a layer, by input and output."""
    return vector[layer.start : layer.biases].reshape(layer.inputs, layer.outputs)


class Layered(Protocol):
    """Layers whose weights and biases are parts of one vector."""

    @property
    def layers(self) -> Sequence[Layer]: ...

    @property
    def size(self) -> int:
        """The length of the vector."""


def initial_weights(net: Layered, seed: int, gain: float = 1.0) -> Reals:
    """Return random weights to start from, between ±gain √(6 / (inputs + outputs)) of each layer.

    X. Glorot, Y. Bengio, Understanding the difficulty of training deep feedforward neural networks,
    2010.  Biases are 0.
    """
    vector = np.zeros(net.size)
    words = random_words(net.size, seed) >> np.uint64(11)
    uniform = words.astype(np.float64) / 2.0**52 - 1.0
    for layer in net.layers:
        bound = gain * np.sqrt(6.0 / (layer.inputs + layer.outputs))
        vector[layer.start : layer.biases] = bound * uniform[layer.start : layer.biases]
    return vector
