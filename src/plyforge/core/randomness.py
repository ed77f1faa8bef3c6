"""Random streams that are the same on every machine and in every Python version.

The generator is splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014): a counter with the golden ratio as its step, mixed.
"""

import hashlib
from collections.abc import MutableSequence, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from plyforge.core.hashing import GOLDEN, MULTIPLIER_1, MULTIPLIER_2, mix

T = TypeVar("T")

_WORD = (1 << 64) - 1
_WORDS = 1 << 64


class Stream:
    """A stream of random words from a seed.

    >>> Stream(1234567).next_word()
    6457827717110365317
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & _WORD

    def next_word(self) -> int:
        """Return the next 64 random bits."""
        word = mix(self._state, 0)  # mix adds GOLDEN first
        self._state = (self._state + GOLDEN) & _WORD
        return word

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1, uniformly distributed."""
        if not 1 <= bound <= _WORDS:
            raise ValueError(f"bound must be between 1 and 2^64, not {bound}")
        multiple = _WORDS - _WORDS % bound  # rejecting words above it leaves no bias
        word = self.next_word()
        while word >= multiple:
            word = self.next_word()
        return word % bound

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, each with the same probability."""
        if not items:
            raise ValueError("no items to choose from")
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle the items in place; every order has the same probability."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def split(self, label: str) -> "Stream":
        """Return an independent stream for a label, without changing this one.

        Streams with different labels, or split off at different states, are unrelated.
        """
        text = f"{self._state}:{label}".encode()
        return Stream(int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little"))


def random_words(count: int, seed: int = 0) -> NDArray[np.uint64]:
    """Return the first words of a stream as an array, such as a table of Zobrist keys.

    >>> random_words(2, 1234567).tolist()
    [6457827717110365317, 3203168211198807973]
    """
    with np.errstate(over="ignore"):
        words = np.uint64(seed & _WORD) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(
            GOLDEN
        )
        words = (words ^ (words >> np.uint64(30))) * np.uint64(MULTIPLIER_1)
        words = (words ^ (words >> np.uint64(27))) * np.uint64(MULTIPLIER_2)
        return words ^ (words >> np.uint64(31))
