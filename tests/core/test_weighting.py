"""Weighted sums: their order of addition, and the compiled form."""

import numba
import numpy as np

from plyforge.rules import weighted_sum

FLOATS = (0.1, -3.7, 1e16, 2.5)
WEIGHTS = (3.3, 0.7, 1.0, -1.1)


def test_products_are_added_from_left_to_right():
    assert weighted_sum(FLOATS, WEIGHTS) == ((0.1 * 3.3 + -3.7 * 0.7) + 1e16) + 2.5 * -1.1


def test_ints_stay_ints():
    assert repr(weighted_sum((3, -1), (100, 1))) == "299"


def test_the_compiled_sum_is_the_same():
    compiled = numba.njit(weighted_sum)
    assert compiled(FLOATS, WEIGHTS) == weighted_sum(FLOATS, WEIGHTS)
    assert compiled((3, -1), np.array([100, 1])) == 299
    assert compiled((3, -1), WEIGHTS[:2]) == weighted_sum((3, -1), WEIGHTS[:2])
