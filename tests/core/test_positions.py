"""Positions as bytes, and what keeps them from being compiled."""

import dataclasses
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from plyforge.core.errors import PositionError
from plyforge.core.positions import position_type


class Mixed(NamedTuple):
    cells: NDArray[np.int8]
    count: int
    board: np.uint64
    grid: NDArray[np.float32]
    done: bool
    score: float


class Numbers(NamedTuple):
    count: int
    score: float


words = st.integers(-(2**63), 2**63 - 1)
reals = st.floats()
mixed = st.builds(
    Mixed,
    arrays(np.int8, array_shapes(max_dims=1, min_side=0)),
    words,
    st.integers(0, 2**64 - 1).map(np.uint64),
    arrays(np.float32, array_shapes(min_dims=2, max_dims=2, min_side=0)),
    st.booleans(),
    reals,
)
EXAMPLE = Mixed(np.zeros(3, np.int8), 0, np.uint64(0), np.zeros((2, 2), np.float32), False, 0.0)
KIND = position_type(EXAMPLE)


def as_comparable(position: Any) -> list[Any]:
    """Every bit of a position, with the types: NaN is equal to itself, and -0 not to 0."""
    return [
        (value.dtype, value.shape, value.tobytes())
        if isinstance(value, np.ndarray)
        else (type(value), np.array(value).tobytes())
        for value in position
    ]


@given(mixed)
def test_bytes_give_back_every_bit_and_type(position: Mixed) -> None:
    found = KIND.from_bytes(KIND.to_bytes(position))
    assert type(found) is Mixed
    assert as_comparable(found) == as_comparable(position)
    assert found.cells.flags.writeable, "a rule may write into a copy"


@given(words, reals)
def test_numbers_take_eight_bytes_each(count: int, score: float) -> None:
    kind = position_type(Numbers(0, 0.0))
    assert len(kind.to_bytes(Numbers(count, score))) == 16


def test_numbers_are_little_endian() -> None:
    kind = position_type(Numbers(0, 0.0))
    assert kind.to_bytes(Numbers(258, 1.0)) == b"\x02\x01" + 6 * b"\0" + 6 * b"\0" + b"\xf0\x3f"


@given(mixed, st.data())
def test_other_lengths_are_refused(position: Mixed, data: Any) -> None:
    packed = KIND.to_bytes(position)
    cut = data.draw(st.integers(0, len(packed) - 1))
    for wrong in (packed[:cut], packed + b"\0"):
        with pytest.raises(PositionError):
            KIND.from_bytes(wrong)


def test_a_shape_larger_than_the_bytes_is_refused() -> None:
    packed = bytearray(KIND.to_bytes(EXAMPLE))
    packed[8 + 8 + 1 + 8 : 8 + 8 + 1 + 8 + 4] = b"\xff\xff\xff\xff"
    with pytest.raises(PositionError, match="not a position"):
        KIND.from_bytes(bytes(packed))


class WithList(NamedTuple):
    side: int
    board: list[int]


class WithText(NamedTuple):
    side: int
    who: str


@dataclasses.dataclass(frozen=True)
class Record:
    heap: int


@pytest.mark.parametrize(
    ("position", "obstacle", "remedy"),
    [
        ([3, 4], "list objects", "'name: int' for each of its 2 entries, or a field 'board: ND"),
        ((3, 4, 0), "tuple objects", "class Position(NamedTuple) with 'name: int' for each of its"),
        ((3, "x"), "tuple objects", "a name and a type for each of its 2 entries"),
        ({"heap": 3}, "dict objects", "with int fields, and NDArray[np.int8] for a board"),
        ("abc", "str objects", "with int fields"),
        (Record(3), "Record objects", "derive Record from NamedTuple instead of @dataclass"),
        (WithList(0, [1]), "'board' is declared list[int]", "'board: NDArray[np.int8]', or an int"),
        (WithText(0, "w"), "'who' is declared str", "'who: int', with a number for each value"),
    ],
)
def test_a_position_that_cannot_be_compiled_has_a_remedy(
    position: Any, obstacle: str, remedy: str
) -> None:
    kind = position_type(position)
    assert not kind.compilable
    assert obstacle in kind.obstacle
    assert remedy in kind.remedy
