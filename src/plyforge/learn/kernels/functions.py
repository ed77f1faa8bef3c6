"""Activations and what predictions are made of, as arithmetic that compiles to vector code.

`exp` and `tanh` of the C library work on one number at a time.  These are sums and products only,
so that a loop over a layer works on several units at once.  Errors are below 1e-15.
"""

from typing import Any, Final

import numpy as np

LINEAR: Final = 0
RELU: Final = 1
CLIPPED: Final = 2
TANH: Final = 3
SIGMOID: Final = 4
ACTIVATION_CODES: Final = {
    "linear": LINEAR,
    "relu": RELU,
    "clipped relu": CLIPPED,
    "tanh": TANH,
    "sigmoid": SIGMOID,
}

_LOG2_E: Final = 1.4426950408889634
# The natural logarithm of 2 in two parts: products of the first one with small integers are exact.
_LN2_HIGH: Final = 0.693147180369123816490
_LN2_LOW: Final = 1.90821492927058770002e-10
_MAGIC: Final = 6755399441055744.0
"""1.5 * 2^52: the sum of this and a small number has the nearest integer in its lowest bits."""
_MAX_EXPONENT: Final = 700.0
_BIAS: Final = 1023
_FRACTION_BITS: Final = 52
# 1 / n! for n from 2 to 13.
_C2: Final = 1 / 2
_C3: Final = 1 / 6
_C4: Final = 1 / 24
_C5: Final = 1 / 120
_C6: Final = 1 / 720
_C7: Final = 1 / 5040
_C8: Final = 1 / 40320
_C9: Final = 1 / 362880
_C10: Final = 1 / 3628800
_C11: Final = 1 / 39916800
_C12: Final = 1 / 479001600
_C13: Final = 1 / 6227020800


def exp_minus_one(x: float) -> float:
    """Return e^x - 1 for x from -700 to 0.

    x = k ln 2 + r with |r| <= ln 2 / 2, so e^x - 1 = 2^k (e^r - 1) + (2^k - 1).
    """
    shifted = np.float64(x * _LOG2_E + _MAGIC)
    k = shifted - _MAGIC
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    tail = _C8 + r * (_C9 + r * (_C10 + r * (_C11 + r * (_C12 + r * _C13))))
    series = _C2 + r * (_C3 + r * (_C4 + r * (_C5 + r * (_C6 + r * (_C7 + r * tail)))))
    power = np.int64((shifted.view(np.int64) + _BIAS) << _FRACTION_BITS).view(np.float64)
    return power * (r + r * r * series) + (power - 1.0)


def tanh(x: float) -> float:
    """Return the hyperbolic tangent."""
    size = min(abs(x), 0.5 * _MAX_EXPONENT)
    less = exp_minus_one(-2.0 * size)
    value = -less / (less + 2.0)
    return value if x >= 0.0 else -value


def sigmoid(x: float) -> float:
    """Return 1 / (1 + e^-x)."""
    return 0.5 * (1.0 + tanh(0.5 * x))


def activate(code: int, values: Any, slopes: Any, count: int) -> None:
    """Replace the sums of a layer by their activations, and write the derivatives of these."""
    if code == TANH:
        for j in range(count):
            y = tanh(values[j])
            values[j] = y
            slopes[j] = 1.0 - y * y
    elif code == SIGMOID:
        for j in range(count):
            y = sigmoid(values[j])
            values[j] = y
            slopes[j] = y * (1.0 - y)
    elif code == RELU:
        for j in range(count):
            x = values[j]
            values[j] = max(x, 0.0)
            slopes[j] = 1.0 if x > 0.0 else 0.0
    elif code == CLIPPED:
        for j in range(count):
            x = values[j]
            values[j] = min(max(x, 0.0), 1.0)
            slopes[j] = 1.0 if 0.0 < x < 1.0 else 0.0
    else:
        for j in range(count):
            slopes[j] = 1.0
