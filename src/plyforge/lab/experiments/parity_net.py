"""Parity: nets with one hidden layer against nets with log2 n hidden layers."""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Final

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.game.forms.layers import Layer, matrix
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    Exactly,
    LessThan,
    MoreThan,
    Series,
    Variation,
    format_estimate,
)
from plyforge.lab.cases import tree_seed
from plyforge.learn.inputs import Inputs, Reals
from plyforge.learn.losses import loss_slopes
from plyforge.learn.methods.supervised import SupervisedParameters, Trainer
from plyforge.learn.model import Model
from plyforge.learn.network import Network, initial_weights
from plyforge.learn.prediction import Prediction
from plyforge.learn.samples import Samples, random_order
from plyforge.match.tables import Table

TITLE = "Parity by one hidden layer, and by log2 n hidden layers"
SOURCE = "Buro and Tuero 2024, lecture notes"
QUESTION = (
    "Does a net with one hidden layer need exponentially many weights to compute the parity of n"
    " bits, and do deeper nets need fewer, built by hand and trained?"
)
DEFAULTS = "2026"
POSITIONS = 16
DEPTHS = (2, 4, 8, 16)
"""The numbers of bits."""
QUICK = (2, (2, 4))
METRICS = (("weights", "weights"), ("right", "share of right outputs"), ("steps", "steps"))

TRAINED_BITS: Final = (4, 8)
"""Nets are trained for these numbers of bits; with two, log2 n layers are one."""
JUDGED: Final = 8
BATCH: Final = 32
STEPS: Final = 10_000
"""The maximum number of updates in a training."""
RATE: Final = 0.01
SLOPE: Final = 40.0
"""How steep the sigmoids of the net that is built by hand are."""
WIDE: Final = 4

BUILT_FLAT = "built, one hidden layer"
BUILT_TREE = "built, log2 n hidden layers"
BUILT_CHAIN = "built, n - 1 hidden layers"
FLAT_SIGMOID = "trained, one hidden layer of n, sigmoid"
FLAT_RELU = "trained, one hidden layer of n, ReLU"
FLAT_WIDE = f"trained, one hidden layer of {WIDE}n, ReLU"
DEEP_SIGMOID = "trained, log2 n hidden layers, sigmoid"
DEEP_RELU = "trained, log2 n hidden layers, ReLU"
DEEP_WIDE = f"trained, log2 n hidden layers {WIDE} times as wide, ReLU"
BUILT: Final = (BUILT_FLAT, BUILT_TREE, BUILT_CHAIN)
TRAINED: Final = {
    FLAT_SIGMOID: ("flat", 1, "sigmoid"),
    FLAT_RELU: ("flat", 1, "relu"),
    FLAT_WIDE: ("flat", WIDE, "relu"),
    DEEP_SIGMOID: ("deep", 1, "sigmoid"),
    DEEP_RELU: ("deep", 1, "relu"),
    DEEP_WIDE: ("deep", WIDE, "relu"),
}
"""Nets that are trained: their shape, how many times as wide they are, and the activation."""


def variations() -> list[Variation]:
    return [Variation(name) for name in (*BUILT, *TRAINED)]


def cases(seed: int, count: int) -> list[Case]:
    return [
        Case("parity", start=f"seed={tree_seed(seed, number)}", label=f"training {number + 1}")
        for number in range(count)
    ]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    return depth in TRAINED_BITS or variation.name in BUILT


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    if depth & (depth - 1) or not 2 <= depth <= max(DEPTHS):
        raise PlyforgeError(f"the number of bits must be a power of two up to 16, not {depth}")
    inputs, targets = all_inputs(depth)
    if variation.name in BUILT:
        network, weights = BUILDERS[variation.name](depth)
        outputs = network.predictions(weights, inputs)
        return {**_figures(outputs, targets), "weights": int(np.count_nonzero(weights))}
    seed = Stream(0).split(f"{case.start} {variation.name} {depth}").next_word()
    return train(*TRAINED[variation.name], depth, seed)


def all_inputs(bits: int) -> tuple[Inputs, Reals]:
    """Return all strings of bits, and the parity of each."""
    rows = (np.arange(1 << bits)[:, None] >> np.arange(bits)) & 1
    return Inputs.from_rows(rows), (rows.sum(axis=1) % 2).astype(np.float64)


def _figures(outputs: Reals, targets: Reals) -> dict[str, float]:
    right = float(np.mean((outputs > 0.5) == (targets > 0.5)))
    error = float(np.abs(outputs - targets).max())
    return {"right": right, "solved": float(right == 1.0), "max_error": error}


# Nets that are built by hand


def layers_of(sizes: list[int], activation: str, output: str) -> tuple[Layer, ...]:
    """Return fully connected layers; sizes are those of the inputs, the hidden layers and 1."""
    layers: list[Layer] = []
    for inputs, outputs in pairwise(sizes):
        start = layers[-1].start + layers[-1].size if layers else 0
        last = len(layers) == len(sizes) - 2
        layers.append(Layer(inputs, outputs, start, output if last else activation))
    return tuple(layers)


def build_flat(bits: int) -> tuple[Network, Reals]:
    """Return a net with n sigmoid units: unit j is on if at least j bits are.

    The output counts these units with alternating signs, which is the parity.
    """
    network = Network(layers_of([bits, bits, 1], "sigmoid", "linear"), biased=True)
    weights = np.zeros(network.size)
    hidden, output = network.layers
    matrix(hidden, weights)[:] = SLOPE
    weights[hidden.biases : hidden.biases + bits] = -SLOPE * (np.arange(bits) + 0.5)
    matrix(output, weights)[:, 0] = [1.0 if j % 2 == 0 else -1.0 for j in range(bits)]
    return network, weights


def build_tree(bits: int) -> tuple[Network, Reals]:
    """Return a tree of XOR gates with log2 n hidden layers, each half as wide as the one before.

    XOR(a, b) = r(a + b) - 2 r(a + b - 1) with r(x) = max(x, 0), so a gate is two units, and its
    value is a sum of both that the units of the next gate contain.
    """
    sizes = [bits]
    while sizes[-1] > 1:
        sizes.append(sizes[-1] if len(sizes) == 1 else sizes[-1] // 2)
    network = Network(layers_of(sizes, "relu", "linear"), biased=True)
    weights = np.zeros(network.size)
    for number, layer in enumerate(network.layers[:-1]):
        columns = matrix(layer, weights)
        reads = [[(2 * g, 1.0), (2 * g + 1, 1.0)] for g in range(layer.outputs // 2)]
        if number:
            reads = [[*_gate(2 * g), *_gate(2 * g + 1)] for g in range(layer.outputs // 2)]
        for gate, parts in enumerate(reads):
            for place, factor in parts:
                columns[place, 2 * gate] = columns[place, 2 * gate + 1] = factor
            weights[layer.biases + 2 * gate + 1] = -1.0
    for place, factor in _gate(0):
        matrix(network.layers[-1], weights)[place, 0] = factor
    return network, weights


def _gate(number: int) -> list[tuple[int, float]]:
    """Return the units whose sum is the value of a gate, with their factors."""
    return [(2 * number, 1.0), (2 * number + 1, -2.0)]


def build_chain(bits: int) -> tuple[Network, Reals]:
    """Return a chain of XOR gates: layer k has the parity of k + 1 bits, and passes on the others.

    Passing on takes weights, too, since these nets have no connections that skip layers.
    """
    network = Network(layers_of([bits, *range(bits, 1, -1), 1], "relu", "linear"), biased=True)
    weights = np.zeros(network.size)
    for number, layer in enumerate(network.layers[:-1]):
        columns = matrix(layer, weights)
        first = [(0, 1.0)] if number == 0 else _gate(0)
        for place, factor in [*first, (len(first), 1.0)]:
            columns[place, :2] = factor
        weights[layer.biases + 1] = -1.0
        for place in range(len(first) + 1, layer.inputs):
            columns[place, place - len(first) + 1] = 1.0
    for place, factor in _gate(0):
        matrix(network.layers[-1], weights)[place, 0] = factor
    return network, weights


BUILDERS: Final[dict[str, Callable[[int], tuple[Network, Reals]]]] = {
    BUILT_FLAT: build_flat,
    BUILT_TREE: build_tree,
    BUILT_CHAIN: build_chain,
}


# Nets that are trained


def train(shape: str, width: int, activation: str, bits: int, seed: int) -> dict[str, float]:
    """Train with all strings of bits until all outputs are right, or the steps are used up."""
    sizes = [width * bits]
    while shape == "deep" and sizes[-1] > 2 * width:
        sizes.append(sizes[-1] // 2)
    network = Network(layers_of([bits, *sizes, 1], activation, "linear"), biased=True)
    model = Model(network, Prediction("sigmoid"))
    inputs, targets = all_inputs(bits)
    count, stream = inputs.count, Stream(seed)
    weights = initial_weights(network, stream.next_word())
    vanishing = gradient_ratio(model, weights, inputs, targets)
    batch = min(BATCH, count)
    parameters = SupervisedParameters(rate=RATE, batch=batch, loss="cross-entropy")
    trainer = Trainer(
        model, weights, Samples(inputs, targets, np.zeros(count, np.int64)), parameters
    )
    steps = 0
    while steps < STEPS:
        trainer.epoch(random_order(count, stream.next_word()))
        steps += count // batch
        outputs = model.predictions(trainer.weights, inputs)
        if ((outputs > 0.5) == (targets > 0.5)).all():
            break
    outputs = model.predictions(trainer.weights, inputs)
    figures = {**_figures(outputs, targets), "weights": network.size, "steps": steps}
    return figures if vanishing is None else {**figures, "vanishing": vanishing}


def gradient_ratio(model: Model, weights: Reals, inputs: Inputs, targets: Reals) -> float | None:
    """Return how much smaller gradients become from a hidden layer to the one before.

    It is the geometric mean over layers of the ratio of root mean squares, at these weights; None
    with one hidden layer.
    """
    network = model.network
    assert network is not None
    hidden = network.layers[:-1]
    if len(hidden) < 2:
        return None
    slopes = loss_slopes("cross-entropy", model.predictions(weights, inputs), targets)
    gradient = model.gradient(weights, inputs, slopes)
    first, last = (
        math.sqrt(float(np.mean(matrix(layer, gradient) ** 2))) for layer in (hidden[0], hidden[-1])
    )
    return (first / last) ** (1 / (len(hidden) - 1)) if last else None


# Claims


def growth(data: Data, name: str, bits: int) -> Estimate | None:
    """Return log2 of how many times as many weights twice as many bits need.

    It is k if weights grow as the k-th power of the number of bits.
    """
    return data.mean_of(
        {
            case: math.log2(
                data.row(name, 2 * bits, case)["weights"] / data.row(name, bits, case)["weights"]
            )
            for case in sorted({*data.cases(bits, (name,))} & {*data.cases(2 * bits, (name,))})
        }
    )


def _rise_of_growth(data: Data) -> Estimate | None:
    """Return by how much the exponent of growth rises from 4 to 8 bits to 8 to 16."""
    every = [set(data.cases(bits, (BUILT_FLAT,))) for bits in (4, 8, 16)]
    rises = {}
    for case in sorted(set.intersection(*every)):
        few, some, many = (data.row(BUILT_FLAT, b, case)["weights"] for b in (4, 8, 16))
        rises[case] = math.log2(many / some) - math.log2(some / few)
    return data.difference_of(rises)


def _spread_of_gates(data: Data) -> Estimate | None:
    """Return by how much the weights per gate differ between numbers of bits."""
    per_gate = [
        data.row(BUILT_TREE, bits, case)["weights"] / (bits - 1)
        for bits in data.depths
        for case in data.cases(bits, (BUILT_TREE,))
    ]
    if len(data.depths) < 2 or not per_gate:
        return None
    return Estimate(max(per_gate) - min(per_gate), math.nan, math.nan, len(per_gate))


def _wrong(name: str) -> Callable[[Data], Estimate | None]:
    def estimate(data: Data) -> Estimate | None:
        cases = data.cases(max(DEPTHS), (name,))
        return data.mean_of(
            {case: 1.0 - data.row(name, max(DEPTHS), case)["right"] for case in cases}
        )

    return estimate


def _difference(name: str, other: str, metric: str) -> Callable[[Data], Estimate | None]:
    def estimate(data: Data) -> Estimate | None:
        cases = data.cases(JUDGED, (name, other), (metric,))
        return data.difference_of(
            {
                case: data.row(name, JUDGED, case)[metric] - data.row(other, JUDGED, case)[metric]
                for case in cases
            }
        )

    return estimate


def claims() -> list[Claim]:
    parity, nets = "The Power of Deep Networks", "Artificial Neural Networks"
    published = "an exponential number of weights"
    return [
        Claim(
            "one hidden layer needs exponentially many weights for parity",
            published,
            "rise of log2(weights of 2n bits / weights of n bits) from n = 4 to n = 8, one hidden"
            " layer of n sigmoids that is right for all inputs",
            MoreThan(1),
            _rise_of_growth,
            place=parity,
            note="the exponent rises by 4 if weights double with each bit, and stays the same if"
            " they grow as a power; one net that is right refutes the need",
        ),
        Claim(
            "log2 n layers of XOR gates compute parity",
            "can accomplish it",
            f"share of wrong outputs for {max(DEPTHS)} bits, all inputs",
            Exactly(0),
            _wrong(BUILT_TREE),
            place=parity,
        ),
        Claim(
            "log2 n layers of XOR gates take a linear number of weights",
            "a linear number of weights",
            "differences between the weights per gate for 2 to 16 bits, weights that are not 0",
            Exactly(0),
            _spread_of_gates,
            place=parity,
        ),
        Claim(
            "n layers of XOR gates compute parity",
            "can accomplish it",
            f"share of wrong outputs for {max(DEPTHS)} bits, all inputs",
            Exactly(0),
            _wrong(BUILT_CHAIN),
            place=parity,
        ),
        Claim(
            "a trained deep net is better than one with a single wide layer and more weights",
            "deep networks are so powerful",
            f"share of right outputs, {JUDGED} bits: '{DEEP_RELU}' minus '{FLAT_WIDE}'",
            MoreThan(0),
            _difference(DEEP_RELU, FLAT_WIDE, "right"),
            place=parity,
        ),
        Claim(
            "gradients quickly vanish with classic link functions",
            "quickly vanish",
            f"root mean square of the gradient by the weights of a hidden layer over that of the"
            f" next, first weights, {JUDGED} bits, sigmoid",
            LessThan(0.5),
            lambda data: data.mean(DEEP_SIGMOID, JUDGED, "vanishing"),
            place=nets,
        ),
        Claim(
            "deeper layers are hard to train with classic link functions",
            "hard to train weights in deeper layers",
            f"share of right outputs, {JUDGED} bits: '{DEEP_SIGMOID}' minus '{FLAT_SIGMOID}'",
            LessThan(0),
            _difference(DEEP_SIGMOID, FLAT_SIGMOID, "right"),
            place=nets,
        ),
        Claim(
            "ReLU makes deep nets trainable",
            "enable us to train large networks",
            f"share of right outputs, {JUDGED} bits: '{DEEP_RELU}' minus '{DEEP_SIGMOID}'",
            MoreThan(0),
            _difference(DEEP_RELU, DEEP_SIGMOID, "right"),
            place=nets,
        ),
    ]


def tables(data: Data) -> list[Table]:
    headings = ("net", *(f"{bits} bits" for bits in data.depths))
    found = []
    for metric, title, scale, unit in (
        ("weights", "Weights: those that are not 0 of nets that are built, all of trained ones",
         1.0, ""),
        ("right", "Right outputs of all strings of bits", 100.0, " %"),
        ("solved", "Nets with all outputs right", 100.0, " %"),
        ("steps", "Updates of the weights until all outputs are right, at most"
         f" {STEPS:,}", 1.0, ""),
        ("vanishing", "Gradient of a hidden layer over that of the next, first weights", 1.0, ""),
    ):  # fmt: skip
        rows = []
        for name in data.variations:
            means = [data.mean(name, bits, metric) for bits in data.depths]
            if any(mean is not None for mean in means):
                scaled = (mean and mean.rescale(scale) for mean in means)
                rows.append((name, *(format_estimate(mean, unit) for mean in scaled)))
        found.append(Table(headings, tuple(rows), title))
    return found


def charts(data: Data) -> list[Chart]:
    def lines(names: tuple[str, ...], metric: str, scale: float = 1.0) -> tuple[Series, ...]:
        return tuple(
            Series.of(
                name,
                [
                    (bits, mean and mean.rescale(scale))
                    for bits in data.depths
                    for mean in (data.mean(name, bits, metric),)
                ],
            )
            for name in names
        )

    exponential = Series(
        "2^n", tuple(DEPTHS), tuple(2.0**bits for bits in DEPTHS), published=True, origin="theory"
    )
    return [
        Chart("weights", "Weights of nets that are right for all inputs, built by hand",
              "bits", "weights", (*lines(BUILT, "weights"), exponential), log_y=True, log_x=True),
        Chart("trained", f"Right outputs after at most {STEPS:,} updates", "bits",
              "right outputs (%)", lines(tuple(TRAINED), "right", 100.0), log_x=True),
    ]  # fmt: skip


METHOD = f"""
Depth is the number of bits n here, and a position is the seed of a training. Three nets are built
by hand: one hidden layer of n steep sigmoids, of which unit j is on if at least j bits are; a tree
of XOR gates of two ReLU units each; and a chain of such gates. All 2^n inputs are tried. The
weights that are not 0 count. Trained nets are fully connected: one hidden layer of n or {WIDE}n
units, or layers of n, n/2, ..., 2 units, and the same {WIDE} times as wide. They start from random
weights (Glorot and Bengio 2010) and are trained with all 2^n inputs, by Adam with a rate of {RATE},
cross-entropy and batches of {BATCH}, until all outputs are right or {STEPS:,} updates are made.
"""

THREATS = """
The statement on one hidden layer holds for other units: layers of AND and OR gates need
exponentially many. The chain is a layered net, in which later bits have to be passed on, and that
takes a quadratic number of weights; with connections that skip layers it would be linear. One rate
and one optimiser are used for all trainings: others might train nets that fail here. Nothing is
held out, so the trainings show what can be fitted, not what generalises.
"""
