"""Products and activations of whole layers: compiled as uncompiled, bit for bit."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.compilation.hooks_api import pointer
from plyforge.compilation.kernel import Kernel, build
from plyforge.core import memory
from plyforge.core.memory import add_products, apply_sigmoid, apply_tanh, float32s, float64s, int16s

WIDTH, ROWS = 39, 7
"""Vectors of 16, 4, 2 and 1 numbers, and more of them than are kept in registers."""
LIMITS = (0.0, -0.0, 1e-300, 0.5, -0.5, 1.0, 20.0, -20.0, 80.0, 1e6, -1e6, 1e308, math.inf)


def layers(position: Any, blocks: Any) -> int:
    at = pointer(blocks)
    add_products(float64s(at[0], 0), float64s(at[4], 0), float64s(at[5], 0), 3, 7, 39)
    add_products(float64s(at[1], 0), float64s(at[4], 0), float32s(at[6], 0), 3, 7, 39)
    add_products(float64s(at[2], 0), float64s(at[4], 0), int16s(at[7], 0), 3, 7, 39)
    apply_tanh(float64s(at[3], 0), 0.25, 39)
    apply_sigmoid(float64s(at[3], 320), 0.25, 39)
    return 0


def make_blocks() -> list[Any]:
    stream = np.random.default_rng(5)
    blocks = [memory.new_block(8 * 80) for _ in range(4)]
    for block in blocks[:3]:
        block.view(np.float64)[:WIDTH] = stream.normal(size=WIDTH)
    blocks[3].view(np.float64)[:] = [*stream.normal(0, 8, 80 - len(LIMITS)), *LIMITS]
    values = memory.new_block(8 * ROWS)
    values.view(np.float64)[:ROWS] = stream.normal(size=ROWS)
    matrices = [memory.new_block(8 * (3 + ROWS * WIDTH)) for _ in range(3)]
    for block, kind in zip(matrices, (np.float64, np.float32, np.int16), strict=True):
        numbers = stream.normal(0, 1000, 3 + ROWS * WIDTH).astype(kind)
        block.view(kind)[: numbers.size] = numbers
    return [*blocks, values, *matrices]


def test_compiled_layers_are_the_uncompiled_ones_bit_for_bit() -> None:
    game = plyforge.load("tictactoe")
    kernel = Kernel("layers", layers, "int64(position, address)")
    plain, compiled = make_blocks(), make_blocks()
    build(kernel, game.rules, game.position_type, "python").call(game.initial(), plain)
    addresses = np.array([block.ctypes.data for block in compiled], np.int64)
    build(kernel, game.rules, game.position_type).call(game.initial(), addresses.ctypes.data)
    for one, other in zip(plain, compiled, strict=True):
        assert (one == other).all()
    assert (plain[0] != make_blocks()[0]).any()


def test_products_are_those_of_matrices() -> None:
    target, values, matrix = (np.random.default_rng(seed).normal(size=300) for seed in range(3))
    blocks = [memory.Numbers(array.copy()) for array in (target, values, matrix)]
    add_products(*blocks, 3, ROWS, WIDTH)
    expected = target[:WIDTH] + values[:ROWS] @ matrix[3 : 3 + ROWS * WIDTH].reshape(ROWS, WIDTH)
    assert blocks[0].array[:WIDTH] == pytest.approx(expected)
    assert (blocks[0].array[WIDTH:] == target[WIDTH:]).all()


@given(st.floats(-1e9, 1e9) | st.floats(-5, 5))
def test_activations_are_those_of_the_library_up_to_the_last_bits(x: float) -> None:
    numbers = memory.Numbers(np.array([x, x]))
    apply_tanh(numbers, 1.0, 1)
    apply_sigmoid(memory.part(numbers, 1), 1.0, 1)
    tanh, sigmoid = numbers.array.tolist()
    assert tanh == pytest.approx(math.tanh(x), abs=5e-16, rel=0)
    assert sigmoid == pytest.approx(0.5 + 0.5 * math.tanh(x / 2), abs=5e-16, rel=0)
    assert -1 <= tanh <= 1
    assert 0 <= sigmoid <= 1
