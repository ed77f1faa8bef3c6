"""Compression of values: blocks of run lengths, one byte a run.

The different values of a slice are its symbols.  A byte stands for a symbol and a length; symbols
with long runs have more lengths than others.  A run is written as the longest of these that fit,
one after the other.  Positions without a value, and numbers that stand for no position, take the
value before them, which makes runs longer.  A block has `BLOCK` places and can be read alone.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError
from plyforge.database.kernels.probing import BLOCK
from plyforge.database.kernels.values import INVALID, LEFT_OUT

TOKENS: Final = 256

Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class Code:
    """The meaning of the bytes of a slice."""

    symbols: NDArray[np.int16]
    """The different values."""
    token_symbols: Bytes
    """The symbol of each byte."""
    token_lengths: NDArray[np.uint16]
    """The length of each byte; 0 for bytes that are not used."""


@dataclass(frozen=True)
class Compressed:
    """The compressed values of a slice."""

    code: Code
    starts: NDArray[np.uint64]
    """Where each block starts in `data`, and the end of the last."""
    data: Bytes


def compress(values: NDArray[np.int16]) -> Compressed:
    """Compress the values of a slice; `INVALID` and `LEFT_OUT` are not kept."""
    symbols, codes = _to_symbols(values)
    starts = _run_starts(codes)
    lengths = np.diff(np.append(starts, len(codes)))
    kinds = codes[starts]
    code = _make_code(symbols, kinds, lengths)
    counts, data = _write_runs(code, kinds, lengths)
    ends = np.concatenate([[0], np.cumsum(counts)])
    first_runs = np.searchsorted(starts, np.arange(0, len(codes), BLOCK))
    offsets = np.append(ends[first_runs], ends[-1]).astype(np.uint64)
    return Compressed(code, offsets, data)


def decompress(compressed: Compressed, size: int) -> NDArray[np.int16]:
    """Return the values of all places of a slice."""
    code, data = compressed.code, compressed.data
    lengths = code.token_lengths[data]
    values = np.repeat(code.symbols[code.token_symbols[data]], lengths)
    if len(values) != size or np.any(lengths == 0):
        raise ValueError(f"it has {len(values)} values instead of {size}")
    return values


def decompress_block(compressed: Compressed, block: int) -> NDArray[np.int16]:
    """Return the values of one block."""
    code = compressed.code
    data = compressed.data[int(compressed.starts[block]) : int(compressed.starts[block + 1])]
    return np.repeat(code.symbols[code.token_symbols[data]], code.token_lengths[data])


def _to_symbols(values: NDArray[np.int16]) -> tuple[NDArray[np.int16], Bytes]:
    """Return the different values, and the number of each place's; gaps are filled."""
    present = np.flatnonzero(np.bincount(values.astype(np.int32) + 32_768, minlength=65_536))
    known = present[(present != INVALID + 32_768) & (present != LEFT_OUT + 32_768)]
    symbols = (known - 32_768).astype(np.int16)
    if len(symbols) == 0:
        symbols = np.zeros(1, np.int16)
    if len(symbols) > TOKENS:
        raise PlyforgeError(
            f"a slice has {len(symbols)} different values; a file holds at most {TOKENS}"
        )
    table = np.zeros(65_536, np.uint8)
    table[symbols.astype(np.int32) + 32_768] = np.arange(len(symbols))
    kept = np.flatnonzero((values != INVALID) & (values != LEFT_OUT))
    codes = table[values.astype(np.int32) + 32_768]
    if len(kept) == 0:
        return symbols, np.zeros(len(values), np.uint8)
    if len(kept) < len(values):
        # Each place takes the last kept place before it, the first places the first kept one.
        source = np.zeros(len(values), np.int64)
        source[kept] = kept
        np.maximum.accumulate(source, out=source)
        source[: kept[0]] = kept[0]
        codes = codes[source]
    return symbols, codes


def _run_starts(codes: Bytes) -> NDArray[np.int64]:
    begins = np.ones(len(codes), np.bool_)
    begins[1:] = codes[1:] != codes[:-1]
    begins[::BLOCK] = True
    return np.flatnonzero(begins)


def _make_code(symbols: NDArray[np.int16], kinds: Bytes, lengths: NDArray[np.int64]) -> Code:
    """Give each symbol a byte for single places, and share the others out by runs."""
    count = len(symbols)
    # A run of length n is worth about log2(n) more bytes than one.
    weights = np.bincount(kinds, np.log2(lengths), count)
    spare = TOKENS - count
    shares = np.zeros(count, np.int64)
    if spare and weights.sum() > 0:
        shares = np.floor(spare * weights / weights.sum()).astype(np.int64)
        shares[np.argmax(weights)] += spare - shares.sum()
    token_symbols, token_lengths = np.zeros(TOKENS, np.uint8), np.zeros(TOKENS, np.uint16)
    token = 0
    for symbol in range(count):
        longest = int(lengths[kinds == symbol].max(initial=1))
        for length in _lengths(1 + int(shares[symbol]), longest):
            token_symbols[token], token_lengths[token] = symbol, length
            token += 1
    return Code(symbols, token_symbols, token_lengths)


def _lengths(count: int, longest: int) -> list[int]:
    """Return so many lengths at most, from 1 to the longest, in about equal ratios."""
    if count == 1 or longest == 1:
        return [1]
    if longest <= count:
        return list(range(1, longest + 1))
    result = [1]
    for place in range(1, count):
        # Where equal ratios would repeat a length, lengths go up by one.
        ratio = (longest / result[-1]) ** (1 / (count - place))
        result.append(min(longest, max(result[-1] + 1, round(result[-1] * ratio))))
    return result


def _write_runs(
    code: Code, kinds: Bytes, lengths: NDArray[np.int64]
) -> tuple[NDArray[np.int64], Bytes]:
    """Return the number of bytes of each run, and all bytes."""
    available: list[list[tuple[int, int]]] = [[] for _ in code.symbols]
    for token in np.flatnonzero(code.token_lengths).tolist():
        available[code.token_symbols[token]].append((int(code.token_lengths[token]), token))
    pairs, which = np.unique(kinds.astype(np.int64) << 16 | lengths, return_inverse=True)
    pool: list[int] = []
    first, sizes = [], []
    for pair in pairs.tolist():
        rest, begin = pair & 0xFFFF, len(pool)
        for length, token in reversed(available[pair >> 16]):
            pool += [token] * (rest // length)
            rest %= length
        first.append(begin)
        sizes.append(len(pool) - begin)
    counts = np.array(sizes, np.int64)[which]
    ends = np.cumsum(counts)
    shift = np.repeat(np.array(first, np.int64)[which] - (ends - counts), counts)
    data = np.array(pool, np.uint8)[shift + np.arange(len(shift))]
    return counts, data
