"""Compression keeps every value that is kept."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plyforge.database.compression import compress, decompress, decompress_block
from plyforge.database.kernels.probing import BLOCK
from plyforge.database.kernels.values import INVALID, LEFT_OUT


@given(
    st.integers(1, 3 * BLOCK + 5),
    st.integers(1, 256),
    st.sampled_from([0.001, 0.05, 0.5, 1.0]),
    st.integers(0, 2**32),
)
def test_values_survive_and_gaps_take_any(size, symbols, changes, seed):
    random = np.random.default_rng(seed)
    choices = random.choice(np.arange(-16_000, 16_001), symbols, replace=False).astype(np.int16)
    places = np.where(random.random(size) < changes, np.arange(size), 0)
    values = choices[random.integers(0, symbols, size)][np.maximum.accumulate(places)]
    marks = random.random(size)
    values = np.where(marks < 0.1, np.int16(INVALID), values)
    values = np.where(marks > 0.95, np.int16(LEFT_OUT), values)
    packed = compress(values)
    kept = (values != INVALID) & (values != LEFT_OUT)
    result = decompress(packed, size)
    assert np.array_equal(result[kept], values[kept])
    for block in range(-(-size // BLOCK)):
        part = decompress_block(packed, block)
        assert np.array_equal(part, result[block * BLOCK : (block + 1) * BLOCK])


def test_long_runs_take_few_bytes():
    values = np.zeros(100 * BLOCK, np.int16)
    assert len(compress(values).data) == 100
    values[::2000] = 1
    assert len(compress(values).data) < 1000
