"""Compression of outcomes: frequencies in contexts and an entropy code, in blocks.

The context of a place consists of the outcomes at some offsets before it in its block; places
before the block count as losses.  Offsets are chosen for each slice: 1, and distances at which
positions are alike, such as those at which one piece stands on the next square.  The file has the
frequencies of the three outcomes in each context, and a block is coded by an asymmetric numeral
system (Duda 2013) with them, backwards, so that it is read forwards.  Places without a value take
the outcome that is most frequent in their context.  A block with one outcome is one byte.

Blocks are independent of each other: here, each operation works on the same place of all blocks.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from plyforge.database.kernels.probing import (
    LOW_STATE,
    MAX_OFFSET,
    OUTCOME_BLOCK,
    OUTCOMES,
    SCALE,
    SCALE_BITS,
    STATE_BYTES,
)
from plyforge.database.kernels.values import INVALID, LEFT_OUT

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]

MAX_PARTS: Final = 6
"""The places that a context has at most."""
_NEAR: Final = 8
"""Offsets up to this are always tried."""
_PEAKS: Final = 40
"""The number of other offsets that are tried."""
_SAMPLE_BLOCKS: Final = 16
_THRESHOLD_BITS: Final = 32
"""The bits of a context in a file."""
_GROUP: Final = 2048
"""The blocks that are coded at the same time."""
_SMALL_GROUP: Final = 128
_STEP_BITS: Final = 8
_NO_OUTCOME: Final = 255
READ_AHEAD: Final = 2 * OUTCOME_BLOCK + STATE_BYTES
"""The bytes that decoding a block may read, at most, even if they are not what was written."""


@dataclass(frozen=True)
class Model:
    """Frequencies of outcomes in contexts."""

    offsets: tuple[int, ...]
    thresholds: NDArray[np.uint16]
    """For each context, the sums of the frequencies before a draw and before a win."""

    def frequencies(self) -> Numbers:
        """Return the frequency of each outcome, by context times `OUTCOMES` plus outcome."""
        ends = np.pad(self.thresholds.astype(np.int64), ((0, 0), (1, 1)))
        ends[:, -1] = SCALE
        return np.diff(ends, axis=1).reshape(-1)

    def starts(self) -> Numbers:
        """Return the sum of the frequencies before each outcome, in the same order."""
        return np.pad(self.thresholds.astype(np.int64), ((0, 0), (1, 0))).reshape(-1)


@dataclass(frozen=True)
class CompressedOutcomes:
    """The compressed outcomes of a slice."""

    model: Model
    starts: NDArray[np.uint64]
    """Where each block starts in `data`, and the end of the last."""
    data: Bytes


def compress_outcomes(values: NDArray[np.int16]) -> CompressedOutcomes:
    """Compress the signs of values; those of `INVALID` and `LEFT_OUT` are not kept."""
    kept = (values != INVALID) & (values != LEFT_OUT)
    outcomes = np.where(kept, np.sign(values) + 1, _NO_OUTCOME).astype(np.uint8)
    blocks = _to_blocks(outcomes)
    low = blocks.min(axis=1)
    high = np.where(blocks == _NO_OUTCOME, 0, blocks).max(axis=1)
    mixed = np.flatnonzero(low < high)
    chosen = blocks[mixed]
    lengths = np.full(len(mixed), blocks.shape[1])
    if len(mixed) and mixed[-1] == len(blocks) - 1:
        lengths[-1] = len(values) - OUTCOME_BLOCK * (len(blocks) - 1)
    model = _fit(chosen, lengths)
    coded = iter(_encode(model, chosen, lengths))
    kinds = set(mixed.tolist())
    parts = [
        next(coded) if number in kinds else bytes([int(outcome) % _NO_OUTCOME])
        for number, outcome in enumerate(low.tolist())
    ]
    ends = np.cumsum([0, *map(len, parts)]).astype(np.uint64)
    return CompressedOutcomes(model, ends, np.frombuffer(b"".join(parts), np.uint8))


def decompress_outcomes(compressed: CompressedOutcomes, size: int) -> NDArray[np.int16]:
    """Return -1, 0 or 1 for all places of a slice."""
    starts = compressed.starts.astype(np.int64)
    lengths = np.diff(starts)
    result = np.zeros((len(lengths), OUTCOME_BLOCK), np.uint8)
    single = lengths == 1
    result[single] = compressed.data[starts[:-1][single], None]
    places = np.full(len(lengths), OUTCOME_BLOCK)
    places[-1] = size - OUTCOME_BLOCK * (len(lengths) - 1)
    mixed = np.flatnonzero(~single)
    for first in range(0, len(mixed), _GROUP):
        chosen = mixed[first : first + _GROUP]
        decoded = _decode(compressed, starts[chosen], places[chosen])
        result[chosen, : decoded.shape[1]] = decoded
    return result.reshape(-1)[:size].astype(np.int16) - np.int16(1)


def _to_blocks(outcomes: Bytes) -> Bytes:
    """Return a row for each block; the last is filled up with places without a value."""
    blocks = -(-len(outcomes) // OUTCOME_BLOCK)
    width = OUTCOME_BLOCK if blocks > 1 else len(outcomes)
    missing = blocks * width - len(outcomes)
    return np.pad(outcomes, (0, missing), constant_values=_NO_OUTCOME).reshape(blocks, width)


# The model


def _fit(blocks: Bytes, lengths: Numbers) -> Model:
    """Return the model of a slice from its blocks, and fill their gaps by it, in place."""
    if len(blocks) == 0:
        return Model((), np.zeros((1, 2), np.uint16))
    kept = blocks != _NO_OUTCOME
    for first in range(0, len(blocks), _SMALL_GROUP):
        _repeat_last(blocks[first : first + _SMALL_GROUP])
    step = -(-len(blocks) // _SAMPLE_BLOCKS)
    sample = blocks[::step]
    offsets = _choose_offsets(sample, kept[::step], len(blocks) / len(sample))
    _fill(blocks, kept, offsets, _count(blocks, kept, offsets))
    kept[:] = np.arange(blocks.shape[1]) < lengths[:, None]
    return Model(offsets, _thresholds(_count(blocks, kept, offsets)))


def _repeat_last(blocks: Bytes) -> None:
    """Give places without a value that of the last one before them in the block, or the first."""
    places = np.where(blocks == _NO_OUTCOME, 0, np.arange(blocks.shape[1], dtype=np.int32))
    np.maximum.accumulate(places, axis=1, out=places)
    first = np.argmax(blocks != _NO_OUTCOME, axis=1)
    np.maximum(places, first[:, None], out=places)
    blocks[:] = np.take_along_axis(blocks, places.astype(np.int64), axis=1)


def _contexts(blocks: Bytes, offsets: tuple[int, ...]) -> NDArray[np.int16]:
    """Return the number of the context of every place."""
    result = np.zeros(blocks.shape, np.int16)
    for offset in offsets:
        result *= OUTCOMES
        result[:, offset:] += blocks[:, :-offset]
    return result


def _count(blocks: Bytes, kept: NDArray[np.bool_], offsets: tuple[int, ...]) -> Numbers:
    """Count the outcomes in each context, at places that are kept."""
    total = np.zeros(OUTCOMES ** (len(offsets) + 1), np.int64)
    for first in range(0, len(blocks), _GROUP):
        some, used = blocks[first : first + _GROUP], kept[first : first + _GROUP]
        events = _contexts(some, offsets) * OUTCOMES + some
        total += np.bincount(events[used], minlength=len(total))
    return total.reshape(-1, OUTCOMES)


def _cost(events: NDArray[np.int16]) -> float:
    """Return the bits that events take, which are context times `OUTCOMES` plus outcome."""
    found = np.bincount(events)
    counts = np.pad(found, (0, -len(found) % OUTCOMES)).reshape(-1, OUTCOMES)
    sums = counts.sum(axis=1)
    return float((_bits(sums) - _bits(counts).sum(axis=1)).sum())


def _bits(counts: Numbers) -> NDArray[np.float64]:
    return counts.astype(np.float64) * np.log2(np.maximum(counts, 1).astype(np.float64))


def _choose_offsets(blocks: Bytes, kept: NDArray[np.bool_], scale: float) -> tuple[int, ...]:
    """Return the offsets that save most, one after the other, until one does not pay."""
    near = range(1, min(_NEAR, blocks.shape[1] - 1) + 1)
    candidates = {*near, *_peaks(blocks)}
    chosen: tuple[int, ...] = ()
    known = _cost(blocks[kept].astype(np.int16))
    while len(chosen) < min(MAX_PARTS, len(candidates)):
        base = _contexts(blocks, chosen) * OUTCOMES**2
        costs = {}
        for offset in candidates - set(chosen):
            events = base + blocks
            events[:, offset:] += OUTCOMES * blocks[:, :-offset].astype(np.int16)
            costs[offset] = _cost(events[kept])
        best = min(costs, key=lambda offset: (costs[offset], offset))
        added = (OUTCOMES - 1) * OUTCOMES ** len(chosen) * _THRESHOLD_BITS
        if (known - costs[best]) * scale <= added:
            break
        chosen, known = (*chosen, best), costs[best]
    return chosen


def _peaks(blocks: Bytes) -> list[int]:
    """Return the offsets at which places are alike more often than at those beside them."""
    width = blocks.shape[1]
    limit = min(MAX_OFFSET, width // 2)
    if limit < 2:
        return []
    part = blocks[::4] if len(blocks) > 4 else blocks
    tail = part[:, limit:]
    alike = np.array(
        [0.0]
        + [
            np.count_nonzero(tail == part[:, limit - offset : width - offset])
            for offset in range(1, limit + 1)
        ]
    )
    inner = alike[1:-1]
    rise = np.minimum(inner - alike[:-2], inner - alike[2:])
    found = np.flatnonzero(rise > 0) + 1
    best = sorted(found.tolist(), key=lambda offset: (-rise[offset - 1], offset))
    return best[:_PEAKS]


def _fill(
    blocks: Bytes, kept: NDArray[np.bool_], offsets: tuple[int, ...], counts: Numbers
) -> None:
    """Give places that are not kept the outcome that is most frequent in their context."""
    likely = np.argmax(counts, axis=1).astype(np.uint8)
    for first in range(0, len(blocks), _GROUP):
        used = np.ascontiguousarray(kept[first : first + _GROUP].T)
        rows = _by_place(blocks[first : first + _GROUP])
        for place in range(blocks.shape[1]):
            row = rows[MAX_OFFSET + place]
            if not used[place].all():
                guess = likely[_context_row(rows, place, offsets)]
                np.copyto(row, guess, where=~used[place])
        blocks[first : first + _GROUP] = rows[MAX_OFFSET:].T


def _by_place(blocks: Bytes) -> Bytes:
    """Return a row for each place, after `MAX_OFFSET` rows of zeros."""
    rows = np.zeros((MAX_OFFSET + blocks.shape[1], len(blocks)), np.uint8)
    rows[MAX_OFFSET:] = blocks.T
    return rows


def _context_row(rows: Bytes, place: int, offsets: tuple[int, ...]) -> NDArray[np.int16]:
    result = np.zeros(rows.shape[1], np.int16)
    for offset in offsets:
        result *= OUTCOMES
        result += rows[MAX_OFFSET + place - offset]
    return result


def _thresholds(counts: Numbers) -> NDArray[np.uint16]:
    """Turn counts into frequencies that sum to `SCALE`; one that occurs is at least 1."""
    sums = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    scaled = np.where(counts > 0, np.maximum(np.rint(counts * (SCALE / sums)), 1), 0)
    frequencies = scaled.astype(np.int64)
    largest = np.argmax(frequencies, axis=1)
    frequencies[np.arange(len(counts)), largest] += SCALE - frequencies.sum(axis=1)
    return np.cumsum(frequencies, axis=1)[:, :-1].astype(np.uint16)


# The code


def _encode(model: Model, blocks: Bytes, lengths: Numbers) -> Iterator[bytes]:
    """Yield the bytes of each block; `lengths` are the places to code of each."""
    frequencies, starts = model.frequencies(), model.starts()
    for first in range(0, len(blocks), _GROUP):
        some = blocks[first : first + _GROUP]
        events = np.ascontiguousarray((_contexts(some, model.offsets) * OUTCOMES + some).T)
        used = lengths[first : first + _GROUP]
        for start, count in _equal_runs(used):
            part = events[:, start : start + count]
            yield from _encode_rows(part[: used[start]], frequencies, starts)


def _equal_runs(numbers: Numbers) -> Iterator[tuple[int, int]]:
    """Yield where runs of equal numbers start, and their lengths."""
    begins = np.flatnonzero(np.diff(numbers, prepend=-1))
    for first, last in zip(begins, [*begins[1:], len(numbers)], strict=True):
        yield int(first), int(last - first)


def _encode_rows(
    events: NDArray[np.int16], frequencies: Numbers, starts: Numbers
) -> Iterator[bytes]:
    """Yield the bytes of each column; a row has the events of one place."""
    count = events.shape[1]
    states = np.full(count, LOW_STATE, np.int64)
    written = np.zeros((count, 256), np.uint8)
    sizes = np.zeros(count, np.int64)
    limit_shift = (LOW_STATE.bit_length() - 1) - SCALE_BITS + _STEP_BITS
    for row in events[::-1]:
        frequency = frequencies[row]
        while True:
            full = np.flatnonzero(states >= frequency << limit_shift)
            if len(full) == 0:
                break
            if sizes[full].max() == written.shape[1]:
                written = np.pad(written, ((0, 0), (0, written.shape[1])))
            written[full, sizes[full]] = states[full] & 0xFF
            sizes[full] += 1
            states[full] >>= _STEP_BITS
        quotient, rest = np.divmod(states, frequency)
        states = (quotient << SCALE_BITS) + rest + starts[row]
    for column in range(count):
        body = written[column, : sizes[column]][::-1].tobytes()
        yield int(states[column]).to_bytes(STATE_BYTES, "big") + body


def _decode(compressed: CompressedOutcomes, starts: Numbers, lengths: Numbers) -> Bytes:
    """Return a row for each of the blocks that start at these bytes."""
    model = compressed.model
    frequencies, before = model.frequencies(), model.starts()
    draw, win = model.thresholds.astype(np.int64).T
    data = np.pad(compressed.data, (0, READ_AHEAD))
    rows = np.zeros((MAX_OFFSET + int(lengths.max()), len(starts)), np.uint8)
    places = starts.copy()
    states = np.zeros(len(starts), np.int64)
    for _ in range(STATE_BYTES):
        states = states << _STEP_BITS | data[places]
        places += 1
    active = slice(None)
    for place in range(int(lengths.max())):
        if place == lengths[-1]:
            active = slice(0, len(starts) - 1)  # the last block of a slice is shorter
        contexts = _context_row(rows, place, model.offsets)[active].astype(np.int64)
        state = states[active]
        slots = state & (SCALE - 1)
        found = (slots >= draw[contexts]).astype(np.int64) + (slots >= win[contexts])
        rows[MAX_OFFSET + place, active] = found
        events = contexts * OUTCOMES + found
        state = frequencies[events] * (state >> SCALE_BITS) + slots - before[events]
        while True:
            short = np.flatnonzero(state < LOW_STATE)
            if len(short) == 0:
                break
            state[short] = state[short] << _STEP_BITS | data[places[short]]
            places[short] += 1
        states[active] = state
    return rows[MAX_OFFSET:].T
