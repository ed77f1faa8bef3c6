"""Probing in a kernel: the value of a position from compressed blocks, with a cache of blocks.

A database is an array of words: `HEADER_WORDS` of them, then a table of slices, open addressed by
their codes.  Each block of the database has a number; the cache keeps a decoded block at this
number modulo its size.  One thread uses a cache.
"""

from typing import Any, Final

import numpy as np

from plyforge.compilation.hooks_api import (
    in_check,
    index,
    octets,
    offset,
    pointer,
    secured_score,
    unsigned,
)
from plyforge.core.ranking import SLICE_SHIFT
from plyforge.core.scores import LOSS, ONGOING, WIN
from plyforge.database.kernels.values import MAX_SCORE, WON

BLOCK_BITS: Final = 12
BLOCK: Final = 1 << BLOCK_BITS
"""The places of a block."""

# Words of the header.
SLICE_MASK: Final = 0
"""The number of entries of the table, minus 1."""
TAGS: Final = 1
"""The address of the numbers of the cached blocks, plus 1."""
CACHE: Final = 2
"""The address of their symbols, one byte a place."""
CACHE_MASK: Final = 3
"""The number of cached blocks, minus 1."""
LOADED: Final = 4
"""Counts the blocks that were decoded."""
HEADER_WORDS: Final = 8

# Words of a slice.
CODE: Final = 0
"""The code + 1; 0 for an empty entry."""
SIZE: Final = 1
LEAVES_OUT: Final = 2
FIRST_BLOCK: Final = 3
"""The number of its first block."""
STARTS: Final = 4
DATA: Final = 5
TOKEN_SYMBOLS: Final = 6
TOKEN_LENGTHS: Final = 7
SYMBOLS: Final = 8
"""The address of its values by symbol, int64 like the lengths."""
SLICE_WORDS: Final = 10

LEFT_OUT: Final = -ONGOING
"""The result for a position that its slice leaves out: its moves lead to values."""
SPREAD: Final = 0x9E3779B1
_PLACES = (1 << SLICE_SHIFT) - 1


def find_slice(code: int, database: Any) -> int:
    """The place of a slice in the database, or -1."""
    mask = database[SLICE_MASK]
    slot = code * SPREAD >> 8 & mask
    while database[HEADER_WORDS + slot * SLICE_WORDS] != 0:
        if database[HEADER_WORDS + slot * SLICE_WORDS] == code + 1:
            return HEADER_WORDS + slot * SLICE_WORDS
        slot = slot + 1 & mask
    return -1


def load_block(block: int, slot: int, database: Any, entry: Any) -> None:
    """Decode a block of a slice into the cache."""
    starts, data = unsigned(entry[STARTS]), octets(entry[DATA])
    symbols, lengths = octets(entry[TOKEN_SYMBOLS]), pointer(entry[TOKEN_LENGTHS])
    cache = octets(database[CACHE])
    place = slot << BLOCK_BITS
    for byte in range(np.int64(starts[block]), np.int64(starts[block + 1])):
        token = data[byte]
        symbol = symbols[token]
        for _ in range(lengths[token]):
            cache[place] = symbol
            place += 1
    database[LOADED] += 1


def database_value(position: Any, database: Any) -> float:
    """The value of a position for the side to move, with wins counted from it.

    It is `ONGOING` for a position that is in no slice.
    """
    number = np.int64(index(position))
    if number < 0:
        return ONGOING
    at = find_slice(number >> SLICE_SHIFT, database)
    if at < 0:
        return ONGOING
    entry = offset(database, at)
    place = number & _PLACES
    if place >= entry[SIZE]:
        return ONGOING
    if entry[LEAVES_OUT] != 0 and in_check(position):
        return LEFT_OUT
    block = place >> BLOCK_BITS
    tag = entry[FIRST_BLOCK] + block
    slot = tag & database[CACHE_MASK]
    tags = pointer(database[TAGS])
    if tags[slot] != tag + 1:
        load_block(block, slot, database, entry)
        tags[slot] = tag + 1
    symbol = octets(database[CACHE])[slot << BLOCK_BITS | place & (BLOCK - 1)]
    value = pointer(entry[SYMBOLS])[symbol]
    if value > MAX_SCORE:
        return float(WIN - WON + value)
    if value < -MAX_SCORE:
        return float(LOSS + WON + value)
    return value + secured_score(position)
