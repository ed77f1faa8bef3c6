"""The code of outcomes keeps every outcome that is kept, and kernels read what was written."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.compilation.hooks_api import offset, pointer
from plyforge.compilation.kernel import Kernel, build
from plyforge.core.scores import KNOWN_WIN
from plyforge.database.files import Header, SliceFile
from plyforge.database.folder import Database
from plyforge.database.kernels.probing import OUTCOME_BLOCK, find_slice, outcome_value
from plyforge.database.kernels.values import INVALID, LEFT_OUT
from plyforge.database.outcome_coding import compress_outcomes, decompress_outcomes
from plyforge.games import load


def make_values(size, changes, gaps, seed, stride=0):
    """Return values with long runs, some of which are alike `stride` places further on."""
    random = np.random.default_rng(seed)
    places = np.where(random.random(size) < changes, np.arange(size), 0)
    values = random.choice(np.array([-15_990, 0, 15_980], np.int16), size)
    values = values[np.maximum.accumulate(places)]
    if stride:
        values = np.tile(values[:stride], -(-size // stride))[:size]
    marks = random.random(size)
    values = np.where(marks < gaps, np.int16(INVALID), values)
    return np.where(marks > 1 - gaps, np.int16(LEFT_OUT), values)


def is_kept(values):
    return (values != INVALID) & (values != LEFT_OUT)


@given(
    st.integers(1, 300),
    st.sampled_from([0.001, 0.05, 0.5, 1.0]),
    st.sampled_from([0.0, 0.1, 0.45, 0.5]),
    st.integers(0, 2**32),
)
def test_outcomes_survive_and_gaps_take_any(size, changes, gaps, seed):
    values = make_values(size, changes, gaps, seed)
    packed = compress_outcomes(values)
    kept = is_kept(values)
    assert np.array_equal(decompress_outcomes(packed, size)[kept], np.sign(values)[kept])


def test_one_outcome_takes_a_byte_a_block():
    assert len(compress_outcomes(np.zeros(5 * OUTCOME_BLOCK, np.int16)).data) == 5
    nothing = np.full(OUTCOME_BLOCK + 1, LEFT_OUT, np.int16)
    assert len(compress_outcomes(nothing).data) == 2


def test_places_that_are_alike_at_an_offset_take_little():
    alike = compress_outcomes(make_values(8000, 0.5, 0.0, 1, stride=37))
    assert 37 in alike.model.offsets
    assert len(alike.data) < 0.1 * len(compress_outcomes(make_values(8000, 0.5, 0.0, 1)).data)


def read_outcome(root, place, code, address):
    """Return the value of a place as a search reads it."""
    database = pointer(address)
    return outcome_value(place, database, offset(database, find_slice(code, database)))


READING = Kernel("outcomes", read_outcome, "float64(position, int64, int64, address)")


def write_file(size, values):
    packed = compress_outcomes(values)
    header = Header(
        *(2, "tictactoe", "", "", "X", 7, size, size, size, False, False, 0, 0, 0, 0, -1, (), 0),
        offsets=packed.model.offsets,
    )
    return SliceFile(Path("X.wdl"), header, packed)


def test_the_kernel_reads_what_was_written():
    game = load("tictactoe", "python")
    size = 2 * OUTCOME_BLOCK + 501
    values = make_values(size, 0.1, 0.1, 5, stride=203)
    values[:OUTCOME_BLOCK] = 15_000
    file = write_file(size, values)
    assert len(file.compressed.model.offsets) > 1
    assert file.compressed.starts[1] == 1
    kept = is_kept(values)
    assert np.array_equal(np.sign(file.values())[kept], np.sign(values)[kept])
    table = Database(Path(), game, {7: file}).table("python")
    kernel = build(READING, game.rules, game.position_type, "python")
    expected = file.values()
    for place in [*range(0, size, 97), size - 1, OUTCOME_BLOCK - 1, OUTCOME_BLOCK]:
        value = kernel.call(game.initial(), place, 7, table.words)
        assert value == float(np.sign(expected[place])) * KNOWN_WIN
    assert table.blocks_loaded == 3


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_tiny_slices_are_possible(size):
    values = np.array([15_000, 0, -15_000, 15_000, 0], np.int16)[:size]
    packed = compress_outcomes(values)
    assert np.array_equal(decompress_outcomes(packed, size), np.sign(values))
