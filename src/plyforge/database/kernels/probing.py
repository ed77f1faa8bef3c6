"""Probing in a kernel: the value of a position from compressed blocks, with a cache of blocks.

A database is an array of words: `HEADER_WORDS` of them, then a table of slices, open addressed by
their codes.  Each block of the database has a number; the cache keeps a decoded block at this
number modulo its size.  One thread uses a cache.

There are two kinds of slices.  With distances, a place is one byte in the cache, the number of its
value.  With outcomes alone, four places share a byte, and a block has four times as many places;
a win has the value `KNOWN_WIN`, or `OPEN_WIN` in the slice of the root.
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
from plyforge.core.scores import KNOWN_WIN, LOSS, ONGOING, WIN
from plyforge.database.kernels.values import MAX_SCORE, WON

BLOCK_BITS: Final = 12
BLOCK: Final = 1 << BLOCK_BITS
"""The places of a block with distances, and the bytes of any block in the cache."""
OUTCOME_BLOCK_BITS: Final = BLOCK_BITS + 2
OUTCOME_BLOCK: Final = 1 << OUTCOME_BLOCK_BITS
"""The places of a block without distances."""

# The code of outcomes: see `outcome_coding`.
SCALE_BITS: Final = 14
SCALE: Final = 1 << SCALE_BITS
"""The sum of the frequencies of the outcomes in a context."""
LOW_STATE: Final = 1 << 23
"""The decoder's state is at least this, and takes another byte if it is less."""
STATE_BYTES: Final = 4
"""The bytes of the first state; a block of one byte has that outcome everywhere."""
MAX_OFFSET: Final = 4096
OUTCOMES: Final = 3

# Words of the header.
SLICE_MASK: Final = 0
"""The number of entries of the table, minus 1."""
TAGS: Final = 1
"""The address of the numbers of the cached blocks, plus 1."""
CACHE: Final = 2
"""The address of their bytes."""
CACHE_MASK: Final = 3
"""The number of cached blocks, minus 1."""
LOADED: Final = 4
"""Counts the blocks that were decoded."""
ROOT_SLICE: Final = 5
"""The code of the slice of the root + 1; 0 if it has none."""
SCRATCH: Final = 6
"""The address of `MAX_OFFSET` zeros, and bytes for the outcomes of a block."""
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
CONTEXT_PLACES: Final = 9
"""The number of places that a context consists of, plus 1; 0 for a slice with distances."""
SLICE_WORDS: Final = 10
# A slice without distances has other words in the place of tokens.
OFFSETS: Final = TOKEN_SYMBOLS
"""The address of how far before a place those of its context are."""
THRESHOLDS: Final = TOKEN_LENGTHS
"""The address of two numbers for each context: the sums of frequencies before a draw and a win."""

LEFT_OUT: Final = -ONGOING
"""The result for a position that its slice leaves out: its moves lead to values."""
OPEN_WIN: Final = 8_700_000
"""The value of a win in a slice without distances to which the root belongs: to win, the search
has to find a way out of the slice."""
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


def load_outcomes(block: int, slot: int, database: Any, entry: Any) -> None:
    """Decode a block of a slice without distances into the cache."""
    starts, data = unsigned(entry[STARTS]), octets(entry[DATA])
    cache, scratch = octets(database[CACHE]), octets(database[SCRATCH])
    first, at = slot << BLOCK_BITS, np.int64(starts[block])
    database[LOADED] += 1
    if np.int64(starts[block + 1]) - at == 1:
        four = np.int64(data[at]) * 0b01010101
        for place in range(first, first + BLOCK):
            cache[place] = four
        return
    count = min(OUTCOME_BLOCK, entry[SIZE] - (block << OUTCOME_BLOCK_BITS))
    decode_outcomes(at, count, data, scratch, entry)
    for place in range((count + 3) >> 2):
        four = 0
        for part in range(4):
            four |= np.int64(scratch[MAX_OFFSET + 4 * place + part]) << 2 * part
        cache[first + place] = four


def decode_outcomes(at: int, count: int, data: Any, scratch: Any, entry: Any) -> None:
    """Decode outcomes from the byte at `at` on into `scratch`, after `MAX_OFFSET` zeros."""
    offsets, thresholds = pointer(entry[OFFSETS]), pointer(entry[THRESHOLDS])
    parts = entry[CONTEXT_PLACES] - 1
    state = 0
    for _ in range(STATE_BYTES):
        state = state << 8 | np.int64(data[at])
        at += 1
    for place in range(MAX_OFFSET, MAX_OFFSET + count):
        context = 0
        for part in range(parts):
            context = context * OUTCOMES + np.int64(scratch[place - offsets[part]])
        slot = state & (SCALE - 1)
        draw, win = thresholds[2 * context], thresholds[2 * context + 1]
        if slot < draw:
            scratch[place] = 0
            state = draw * (state >> SCALE_BITS) + slot
        elif slot < win:
            scratch[place] = 1
            state = (win - draw) * (state >> SCALE_BITS) + slot - draw
        else:
            scratch[place] = 2
            state = (SCALE - win) * (state >> SCALE_BITS) + slot - win
        while state < LOW_STATE:
            state = state << 8 | np.int64(data[at])
            at += 1


def outcome_value(place: int, database: Any, entry: Any) -> float:
    """The value of a place of a slice without distances."""
    block = place >> OUTCOME_BLOCK_BITS
    tag = entry[FIRST_BLOCK] + block
    slot = tag & database[CACHE_MASK]
    tags = pointer(database[TAGS])
    if tags[slot] != tag + 1:
        load_outcomes(block, slot, database, entry)
        tags[slot] = tag + 1
    within = place & (OUTCOME_BLOCK - 1)
    four = np.int64(octets(database[CACHE])[slot << BLOCK_BITS | within >> 2])
    sign = (four >> 2 * (within & 3) & 3) - 1
    if entry[CODE] == database[ROOT_SLICE]:
        return float(sign * OPEN_WIN)
    return float(sign * KNOWN_WIN)


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
    if entry[CONTEXT_PLACES] != 0:
        return outcome_value(place, database, entry)
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
