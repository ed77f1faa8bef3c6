"""Memory of numbers for generated evaluations, in plain Python.

A block of memory is an array of 64-bit words that holds numbers of several types: the weights of an
evaluation, or its state at one level of a search.  The functions here read and write blocks.  When
an evaluation is compiled, each is replaced by machine code (see `compilation.numbers` and
`compilation.vectors`), and a block is its address.

Numbers are read as int or float, whatever their type, so that sums of small ones do not overflow.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core import hashing

LINE: Final = 64
"""The bytes of a cache line: blocks start at one, and so do vectors in them."""
_WORD: Final = 8
MAX_EXPONENT: Final = 80.0
"""Beyond it tanh and the sigmoid are at their limits."""
EXPONENTIAL: Final = tuple(1 / math.factorial(power) for power in range(13))
"""The Taylor series, up to the precision of float64 for numbers within ±ln 2 / 2."""
TO_INTEGER: Final = 1.5 * 2.0**52
"""Adding this number leaves the nearest integer in the last bits of the sum."""
LOG_2_E: Final = 1 / math.log(2)
LN_2_HIGH, LN_2_LOW = float.fromhex("0x1.62e42feep-1"), 1.9082149292705877e-10
"""ln 2 as a sum; products of its leading bits with small integers are exact."""
Reals = NDArray[np.float64]
_owners = itertools.count(1)


class Numbers:
    """Numbers of one type in a block, from some place on."""

    __slots__ = ("array",)

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array

    def __getitem__(self, index: int) -> Any:
        return self.array[index].item()

    def __setitem__(self, index: int, value: Any) -> None:
        self.array[index] = value


def _view(memory: NDArray[Any], start: int, kind: type) -> Numbers:
    return Numbers(memory.view(np.uint8)[start:].view(kind))


def int16s(memory: Any, start: int) -> Any:
    """Return the int16 numbers of a block, from byte `start` on."""
    return _view(memory, start, np.int16)


def int32s(memory: Any, start: int) -> Any:
    """Return the int32 numbers of a block, from byte `start` on."""
    return _view(memory, start, np.int32)


def int64s(memory: Any, start: int) -> Any:
    """Return the int64 numbers of a block, from byte `start` on."""
    return _view(memory, start, np.int64)


def float32s(memory: Any, start: int) -> Any:
    """Return the float32 numbers of a block, from byte `start` on."""
    return _view(memory, start, np.float32)


def float64s(memory: Any, start: int) -> Any:
    """Return the float64 numbers of a block, from byte `start` on."""
    return _view(memory, start, np.float64)


def part(numbers: Any, start: int) -> Any:
    """Return the numbers from index `start` on."""
    return Numbers(numbers.array[start:])


# Vectors.  A matrix is a sequence of rows of `width` numbers, a literal where this is compiled.


def sum_rows(target: Any, matrix: Any, biases: int, rows: Any, count: int, width: int) -> None:
    """Write the sum of `count` rows of a matrix, and of the numbers at `biases`, to `target`."""
    total = matrix.array[biases : biases + width].astype(np.int64)
    for row in rows.array[:count].tolist():
        total += matrix.array[row * width : (row + 1) * width]
    target.array[:width] = total


def replace_rows(
    target: Any, source: Any, matrix: Any, changes: Any, count: int, width: int
) -> None:
    """Write a sum of rows to `target` that differs from `source` in `count` rows.

    `changes` has two numbers for each of them: the row that no longer counts, and the new one.
    """
    total = source.array[:width].astype(np.int64)
    for index in range(count):
        old, new = changes[2 * index], changes[2 * index + 1]
        total -= matrix.array[old * width : (old + 1) * width]
        total += matrix.array[new * width : (new + 1) * width]
    target.array[:width] = total


def limited_dot(values: Any, factors: Any, low: int, high: int, width: int) -> int:
    """Return the sum of products of values, limited to `low` and `high`, with int16 factors."""
    limited = np.clip(values.array[:width].astype(np.int64), low, high)
    return int(limited @ factors.array[:width].astype(np.int64))


def add_products(target: Any, values: Any, matrix: Any, start: int, count: int, width: int) -> None:
    """Add `count` rows of a matrix to `target`, each times one of the values.

    The numbers of the target and the values are float64; the rows begin at the number `start`.
    """
    for index, value in enumerate(values.array[:count].tolist()):
        row = start + index * width
        target.array[:width] += value * matrix.array[row : row + width].astype(np.float64)


def apply_tanh(values: Any, scale: float, width: int) -> None:
    """Replace each of `width` float64 by the tanh of its product with the scale."""
    x = values.array[:width] * (scale * 2.0)
    values.array[:width] = 1.0 - 2.0 / (exponential(x) + 1.0)


def apply_sigmoid(values: Any, scale: float, width: int) -> None:
    """Replace each of `width` float64 by the sigmoid, 1 / (1 + exp(-x)), of such a product."""
    x = values.array[:width] * (scale * 1.0)
    values.array[:width] = 1.0 - 1.0 / (exponential(x) + 1.0)


def exponential(x: Reals) -> Reals:
    """Return the exponential of numbers, limited to ±`MAX_EXPONENT`.

    x = n ln 2 + r with an integer n: the result is 2^n times a Taylor sum of exp(r), with errors in
    the last two bits.  Compiled code does the same operations in the same order, so that values are
    equal in both backends and on all machines.
    """
    x = np.where(x > -MAX_EXPONENT, x, -MAX_EXPONENT)
    x = np.where(x < MAX_EXPONENT, x, MAX_EXPONENT)
    n = x * LOG_2_E + TO_INTEGER - TO_INTEGER
    rest = x - n * LN_2_HIGH - n * LN_2_LOW
    result: Reals = np.ldexp(polynomial(rest, list(EXPONENTIAL)), n.astype(np.int64))
    return result


def polynomial(x: Reals, terms: list[Any]) -> Any:
    """Return the sum of terms times powers of x, by Estrin's scheme: in pairs, side by side."""
    while len(terms) > 1:
        pairs = [low + high * x for low, high in zip(terms[::2], terms[1::2], strict=False)]
        terms = [*pairs, *terms[2 * len(pairs) :]]
        x = x * x
    return terms[0]


# Blocks


def new_block(size: int) -> NDArray[np.int64]:
    """Return a block of at least `size` bytes, all 0, that starts at a cache line."""
    words = max(-(-size // _WORD), 1)
    memory = np.zeros(words + LINE // _WORD, np.int64)
    skipped = -memory.ctypes.data % LINE // _WORD
    return memory[skipped : skipped + words]


def numbers_start(scales: int) -> int:
    """Return the byte of a block of weights at which the numbers start, after the scales."""
    return -(-scales * _WORD // LINE) * LINE


@dataclass(frozen=True, eq=False)
class WeightBlock:
    """The weights of an evaluation in memory: scales as float64, then numbers of any type."""

    words: NDArray[np.int64]
    salt: int
    """Another one for every block, by which a transposition table tells their values apart."""


def weight_block(numbers: NDArray[Any], scales: Sequence[float]) -> WeightBlock:
    """Copy weights to a new block."""
    start = numbers_start(len(scales))
    words = new_block(start + numbers.nbytes)
    octets = words.view(np.uint8)
    octets[: len(scales) * _WORD] = np.array(scales, np.float64).view(np.uint8)
    octets[start : start + numbers.nbytes] = np.ascontiguousarray(numbers).view(np.uint8)
    words.flags.writeable = False
    return WeightBlock(words, hashing.mix(0, next(_owners)))
