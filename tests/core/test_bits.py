"""Bit operations: compared with Python's own, and compiled with uncompiled."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.compilation.intrinsics import COMPILED_FORMS
from plyforge.rules import byteswap, clz, ctz, logical_shift, popcount, u64

WORD = 2**64 - 1
signed = st.integers(-(2**63), 2**63 - 1)
words = st.integers(0, WORD)


def both_types(number: int) -> tuple[Any, Any]:
    """Return the same 64 bits as a signed int and as a u64."""
    word = number & WORD
    return word - 2**64 if word >> 63 else word, u64(word)


@given(words)
def test_popcount_counts_the_ones_of_64_bits(word: int) -> None:
    assert {popcount(form) for form in both_types(word)} == {bin(word).count("1")}


@given(words.filter(bool))
def test_ctz_is_the_index_of_the_lowest_one(word: int) -> None:
    lowest = f"{word:064b}"[::-1].index("1")
    assert {ctz(form) for form in both_types(word)} == {lowest}


@given(words.filter(bool))
def test_clz_is_the_number_of_zeros_above_the_highest_one(word: int) -> None:
    above = f"{word:064b}".index("1")
    assert {clz(form) for form in both_types(word)} == {above}


@given(words)
def test_byteswap_reverses_the_bytes_and_keeps_the_type(word: int) -> None:
    reversed_bytes = int.from_bytes(word.to_bytes(8, "big"), "little")
    for form in both_types(word):
        swapped = byteswap(form)
        assert int(swapped) & WORD == reversed_bytes
        assert type(swapped) is type(form)
        assert byteswap(swapped) == form


@given(words, st.integers(1, 63))
def test_logical_shift_fills_with_zeros_and_keeps_the_type(word: int, count: int) -> None:
    for form in both_types(word):
        shifted = logical_shift(form, count)
        assert shifted == word >> count
        assert type(shifted) is type(form)


@given(signed)
def test_a_shift_by_zero_keeps_the_number(number: int) -> None:
    assert [logical_shift(form, 0) for form in both_types(number)] == list(both_types(number))


EDGES = [1, 2, 3, 0x80, 2**31, 2**32 - 1, 2**62, 2**63 - 1, 2**63, WORD, 0x0123456789ABCDEF]


@pytest.fixture(scope="module")
def compiled() -> dict[str, Any]:
    """The compiled forms of the functions."""
    import numba

    forms = {function.__name__: form for function, form in COMPILED_FORMS.items()}
    one = {
        name: numba.njit(lambda value, form=forms[name]: form(value))
        for name in ("popcount", "ctz", "clz", "byteswap")
    }
    shift = forms["logical_shift"]
    return {**one, "logical_shift": numba.njit(lambda value, count: shift(value, count))}


def test_compiled_and_uncompiled_functions_agree(compiled: dict[str, Any]) -> None:
    for edge in EDGES:
        for form in both_types(edge):
            for function in (popcount, ctz, clz, byteswap):
                assert int(compiled[function.__name__](form)) == int(function(form))
            for count in (1, 31, 63):
                shifted = compiled["logical_shift"](form, count)
                assert int(shifted) == int(logical_shift(form, count))


def test_numpy_integers_are_accepted() -> None:
    assert popcount(np.int64(-1)) == 64
    assert ctz(np.int64(-8)) == 3
    assert clz(np.uint64(1)) == 63
