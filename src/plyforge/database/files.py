"""Files of slices: `.slice` with distances, `.wdl` with wins, draws and losses alone.

A file begins with `MAGIC`, the length and the CRC-32 of a JSON header, and the header.  Then come,
in a `.wdl` file, the thresholds of the model (uint16), the lengths of the blocks (uint16), a CRC-32
of each block (uint32), and the blocks (see `compression` and `outcome_coding`).  All numbers are
little-endian.  A file depends on the rules alone, and not on how it was built.  It is written under
another name first, so one with its own name is complete.
"""

import io
import os
import struct
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError, clip
from plyforge.database.compression import (
    TOKENS,
    Code,
    Compressed,
    compress,
    decompress,
)
from plyforge.database.fingerprint import rules_fingerprint
from plyforge.database.kernels.probing import (
    BLOCK,
    MAX_OFFSET,
    OUTCOME_BLOCK,
    OUTCOMES,
    SCALE,
    STATE_BYTES,
)
from plyforge.database.kernels.values import WON
from plyforge.database.outcome_coding import (
    MAX_PARTS,
    CompressedOutcomes,
    Model,
    compress_outcomes,
    decompress_outcomes,
)
from plyforge.database.slices import Slice
from plyforge.game.game import Game
from plyforge.jobs.user_files import files_in, read_bytes

MAGIC: Final = b"PLYSLICE"
VERSION: Final = 2
SUFFIX: Final = ".slice"
OUTCOME_SUFFIX: Final = ".wdl"
SUFFIXES: Final = (SUFFIX, OUTCOME_SUFFIX)
_HEAD: Final = struct.Struct("<8sII")
_MAX_HEADER: Final = 1 << 20


class DatabaseError(PlyforgeError):
    """A file or folder of a database that is missing, damaged or of other rules."""


class Header(msgspec.Struct, frozen=True):
    """What a file says about its slice."""

    version: int
    game: str
    variant: str
    fingerprint: str
    """That of the rules."""
    name: str
    code: int
    size: int
    positions: int
    """The places that stand for positions."""
    stored: int
    """The positions whose value is kept."""
    leaves_out: bool
    """Whether positions with `in_check` are left out."""
    distances: bool
    """Whether values have distances; else they are wins, draws and losses."""
    wins: int
    draws: int
    losses: int
    longest: int
    """The greatest distance of a win or loss in plies; 0 in a file without distances."""
    longest_number: int
    """The number of a won position with the longest win; -1 if there is none."""
    needed: tuple[int, ...]
    """The codes of the slices that its moves lead to."""
    table_checksum: int
    """The CRC-32 of what is between header and blocks."""
    symbols: tuple[int, ...] = ()
    token_symbols: tuple[int, ...] = ()
    token_lengths: tuple[int, ...] = ()
    offsets: tuple[int, ...] = ()
    """In a file without distances: the offsets of the model."""

    @property
    def slice(self) -> Slice:
        return Slice(self.name, self.code, self.size)

    @property
    def block(self) -> int:
        """The places of a block."""
        return BLOCK if self.distances else OUTCOME_BLOCK

    @property
    def blocks(self) -> int:
        return -(-self.size // self.block)


@dataclass(frozen=True)
class SliceFile:
    """A file of a slice that was read and checked."""

    path: Path
    header: Header
    compressed: Compressed | CompressedOutcomes

    def values(self) -> NDArray[np.int16]:
        """Return the values of all places; those of positions that are left out mean nothing.

        Without distances, a win is `WON` and a loss `-WON`.
        """
        if isinstance(self.compressed, CompressedOutcomes):
            return decompress_outcomes(self.compressed, self.header.size) * np.int16(WON)
        try:
            return decompress(self.compressed, self.header.size)
        except ValueError as error:
            raise DatabaseError(f"{self.path} is damaged: {error}") from None


def path_of(folder: Path, name: str, distances: bool = True) -> Path:
    """Return the file of a slice in a folder."""
    return folder / f"{name}{SUFFIX if distances else OUTCOME_SUFFIX}"


def find_file(folder: Path, name: str, distances: bool) -> Path | None:
    """Return the file of a slice that is there; one without distances only if that is enough."""
    for wanted in (True,) if distances else (True, False):
        path = path_of(folder, name, wanted)
        if path.exists():
            return path
    return None


def list_files(folder: Path) -> list[Path]:
    """Return the file of each slice in a folder; that with distances if there are two."""
    found = {path.stem: path for path in files_in(folder, [OUTCOME_SUFFIX])}
    found |= {path.stem: path for path in files_in(folder, [SUFFIX])}
    return sorted(found.values())


def database_files(folder: str | None) -> list[str]:
    """Return the names of the files of a database, for jobs that use it; none without a folder."""
    return [str(path) for path in list_files(Path(folder))] if folder else []


def write_slice(folder: Path, header: dict[str, Any], values: NDArray[np.int16]) -> SliceFile:
    """Compress values and write the file of a slice; `header` has what they do not tell."""
    packed: Compressed | CompressedOutcomes
    model = b""
    fields: dict[str, Any]
    if header["distances"]:
        packed = compress(values)
        fields = {
            "symbols": tuple(packed.code.symbols.tolist()),
            "token_symbols": tuple(packed.code.token_symbols.tolist()),
            "token_lengths": tuple(packed.code.token_lengths.tolist()),
        }
    else:
        packed = compress_outcomes(values)
        model = packed.model.thresholds.astype("<u2").tobytes()
        fields = {"offsets": packed.model.offsets}
    ends = packed.starts.astype(np.int64)
    octets = packed.data.tobytes()
    blocks = memoryview(octets)
    pairs = zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
    sums = np.array([zlib.crc32(blocks[first:last]) for first, last in pairs], "<u4")
    tables = model + np.diff(ends).astype("<u2").tobytes() + sums.tobytes()
    full = Header(**header, **fields, version=VERSION, table_checksum=zlib.crc32(tables))
    text = msgspec.json.encode(full)
    head = _HEAD.pack(MAGIC, len(text), zlib.crc32(text))
    path = path_of(folder, full.name, full.distances)
    _write_durably(path, (head, text, tables, octets))
    return SliceFile(path, full, packed)


def _write_durably(path: Path, parts: tuple[bytes, ...]) -> None:
    """Write a file so that one with its name is complete, even after a crash of the machine."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                for part in parts:
                    file.write(part)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise DatabaseError(f"'{clip(str(path))}' cannot be written: {error.strerror}") from None


def read_slice(path: Path, game: Game | None = None) -> SliceFile:
    """Read a file and check it; with `game`, it must belong to its rules."""
    try:
        with io.BytesIO(read_bytes(path)) as file:
            header = _read_header(path, file.read(_HEAD.size), file)
            if game is not None:
                _check_rules(path, header, game)
            count, contexts = header.blocks, _contexts(header)
            size = 4 * contexts + 6 * count
            tables = file.read(size)
            data = np.frombuffer(file.read(), np.uint8)
    except OSError as error:
        raise DatabaseError(f"{clip(str(path))} cannot be read: {error.strerror}") from None
    if len(tables) != size or zlib.crc32(tables) != header.table_checksum:
        raise DatabaseError(f"{path} is damaged: its table of blocks is not complete")
    lengths = np.frombuffer(tables, "<u2", count, 4 * contexts)
    sums = np.frombuffer(tables, "<u4", count, 4 * contexts + 2 * count)
    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.uint64)
    _check_blocks(path, starts, sums, data)
    if not header.distances:
        thresholds = np.frombuffer(tables, "<u2", 2 * contexts).reshape(contexts, 2)
        model = _model_of(path, header, thresholds.astype(np.uint16))
        _check_outcome_blocks(path, lengths, starts, data)
        return SliceFile(path, header, CompressedOutcomes(model, starts, data))
    code = _code_of(path, header)
    _check_lengths(path, header, code, starts, data)
    return SliceFile(path, header, Compressed(code, starts, data))


def _contexts(header: Header) -> int:
    """Return the number of contexts of a file without distances, else 0."""
    return 0 if header.distances else OUTCOMES ** min(len(header.offsets), MAX_PARTS)


def _model_of(path: Path, header: Header, thresholds: NDArray[np.uint16]) -> Model:
    offsets = header.offsets
    known = len(offsets) <= MAX_PARTS and all(0 < offset <= MAX_OFFSET for offset in offsets)
    if not known or np.any(thresholds[:, 0] > thresholds[:, 1]) or np.any(thresholds > SCALE):
        raise DatabaseError(f"{path} is damaged: its frequencies of outcomes have no meaning")
    return Model(offsets, thresholds)


def _check_outcome_blocks(
    path: Path, lengths: NDArray[Any], starts: NDArray[np.uint64], data: NDArray[np.uint8]
) -> None:
    """Check that every block has one outcome, or a state to decode from."""
    single = lengths == 1
    wrong = ~single & (lengths < STATE_BYTES)
    wrong[single] = data[starts[:-1][single].astype(np.int64)] >= OUTCOMES
    if np.any(wrong):
        raise DatabaseError(f"{path} is damaged: block {np.flatnonzero(wrong)[0]} has no outcomes")


def _code_of(path: Path, header: Header) -> Code:
    count = len(header.symbols)
    if not 0 < count <= TOKENS or not all(0 <= s < count for s in header.token_symbols):
        raise DatabaseError(f"{path} is damaged: its codes of runs have no meaning")
    return Code(
        np.array(header.symbols, np.int16),
        np.array(header.token_symbols, np.uint8),
        np.array(header.token_lengths, np.uint16),
    )


def _check_lengths(
    path: Path,
    header: Header,
    code: Code,
    starts: NDArray[np.uint64],
    data: NDArray[np.uint8],
) -> None:
    """Check that every block has as many values as it has places, so that none is overrun."""
    ends = np.concatenate([[0], np.cumsum(code.token_lengths[data], dtype=np.int64)])
    sizes = np.diff(ends[starts.astype(np.int64)])
    expected = np.full(header.blocks, BLOCK)
    expected[-1] = header.size - BLOCK * (header.blocks - 1)
    wrong = np.flatnonzero(sizes != expected)
    if len(wrong):
        raise DatabaseError(f"{path} is damaged: block {wrong[0]} has {sizes[wrong[0]]} values")


def read_header(path: Path) -> Header:
    """Read the header of a file alone."""
    try:
        with path.open("rb") as file:
            return _read_header(path, file.read(_HEAD.size), file)
    except OSError as error:
        raise DatabaseError(f"{clip(str(path))} cannot be read: {error.strerror}") from None


def _read_header(path: Path, head: bytes, file: Any) -> Header:
    if len(head) < _HEAD.size or not head.startswith(MAGIC):
        raise DatabaseError(f"{path} is not a file of `plyforge database build`")
    _, length, checksum = _HEAD.unpack(head)
    text = file.read(length) if length <= _MAX_HEADER else b""
    if len(text) != length or zlib.crc32(text) != checksum:
        raise DatabaseError(f"{path} is damaged: its header is not complete")
    version = msgspec.json.decode(text).get("version")
    if version != VERSION:
        raise DatabaseError(
            f"{path} has version {clip(repr(version))}, and this program reads {VERSION};"
            " build it again"
        )
    header = msgspec.json.decode(text, type=Header)
    tokens = TOKENS if header.distances else 0
    if len(header.token_symbols) != tokens or len(header.token_lengths) != tokens:
        raise DatabaseError(f"{path} is damaged: it does not have {tokens} codes of runs")
    return header


def _check_rules(path: Path, header: Header, game: Game) -> None:
    variant = game.variant or ""
    if header.game != game.name:
        raise DatabaseError(f"{path} is of {clip(header.game)}, not of {game.name}")
    if header.fingerprint != rules_fingerprint(game):
        ours = f"{game.name}:{variant}" if variant else game.name
        raise DatabaseError(
            f"{path} was built with other rules or another variant than {ours} has now;"
            " build it again in another folder"
        )


def _check_blocks(
    path: Path, starts: NDArray[np.uint64], sums: NDArray[Any], data: NDArray[np.uint8]
) -> None:
    if int(starts[-1]) != len(data):
        raise DatabaseError(
            f"{path} is damaged: it has {len(data)} bytes of blocks instead of {int(starts[-1])}"
        )
    octets = memoryview(data)  # type: ignore[arg-type]
    ends = starts.astype(np.int64).tolist()
    for block, checksum in enumerate(sums.tolist()):
        if zlib.crc32(octets[ends[block] : ends[block + 1]]) != checksum:
            raise DatabaseError(
                f"{path} is damaged: block {block} of {len(sums)} has a wrong checksum; delete the"
                " file and build it again"
            )
