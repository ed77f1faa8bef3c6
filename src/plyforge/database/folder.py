"""A database that was opened: the slices of a folder, for probing by Python and by kernels."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from plyforge.compilation.kernel import Backend
from plyforge.core.errors import clip
from plyforge.core.ranking import unpack_number
from plyforge.core.scores import KNOWN_WIN, LOSS, WIN, outcome_name, plies_to_end
from plyforge.database.compression import Compressed, decompress_block
from plyforge.database.files import (
    SUFFIXES,
    DatabaseError,
    SliceFile,
    list_files,
    read_slice,
)
from plyforge.database.fingerprint import rules_fingerprint
from plyforge.database.kernels import probing
from plyforge.database.kernels.probing import (
    BLOCK,
    HEADER_WORDS,
    MAX_OFFSET,
    OUTCOME_BLOCK,
    SLICE_WORDS,
    SPREAD,
)
from plyforge.database.kernels.values import MAX_SCORE, WON
from plyforge.database.outcome_coding import READ_AHEAD, CompressedOutcomes
from plyforge.database.slices import number_of, require_index
from plyforge.game.game import Game
from plyforge.jobs.user_files import carried_file, files_in

CACHE_BLOCKS: Final = 1 << 14
"""Decoded blocks that a search keeps, 4 KiB each."""
_DECODED_SLICES: Final = 4
"""Slices without distances that a database keeps decoded for probes from Python."""


@dataclass(frozen=True)
class Known:
    """What a database knows about a position, for the side to move."""

    value: float
    """The value as the search has it: `WIN` minus plies, `LOSS` plus plies, or a score.

    It is `KNOWN_WIN` minus some plies if the distance is not known, and the negative of that.
    """

    @property
    def outcome(self) -> str:
        """`win`, `draw` or `loss`."""
        return outcome_name(self.value)

    @property
    def distance(self) -> int | None:
        """The plies to the end of a won or lost game; None for draws, scores and if unknown."""
        return plies_to_end(self.value)


class Database:
    """The slices in a folder, for one game."""

    def __init__(self, folder: Path, game: Game, files: dict[int, SliceFile]) -> None:
        self.folder = folder
        self.game = game
        self.files = files
        self._decoded: dict[int, Any] = {}

    @classmethod
    def open(cls, folder: str | Path, game: Game) -> "Database":
        """Read all slices of a folder; raise an error that names a file which is not right."""
        folder = Path(folder)
        require_index(game)
        paths = list_files(folder)
        if not paths and not folder.is_dir():
            raise DatabaseError(f"'{clip(str(folder))}' is not a folder")
        if not paths:
            raise DatabaseError(
                f"'{clip(str(folder))}' has no database; build one with 'plyforge database build"
                f" {game.name} SLICE --folder {clip(str(folder))}'"
            )
        files = {}
        for path in paths:
            file = read_slice(path, game)
            files[file.header.code] = file
        return cls(folder, game, files)

    def probe(self, position: Any) -> Known | None:
        """Return what is known about a position; None if it is in no slice that is there.

        Where the file has left the position out, its moves are tried.
        """
        number = number_of(self.game, position)
        file = self.files.get(unpack_number(number)[0]) if number >= 0 else None
        if file is not None and not self._is_left_out(file, position):
            return Known(self._stored(file, unpack_number(number)[1], position))
        verdict = self.game.verdict(position)
        if verdict.over:
            return Known(verdict.value)
        if file is None and number >= 0:
            return None
        best = float(LOSS)
        for move in self.game.moves(position):
            child = self.game.play(position, move)
            known = self.probe(child)
            if known is None:
                return None
            best = max(best, self._before(known.value, self._flips(position, child)))
        return Known(best)

    def _flips(self, position: Any, child: Any) -> bool:
        """Whether the side to move changes."""
        side = self.game.turn(position)
        return side is None or side != self.game.turn(child)

    @staticmethod
    def _before(value: float, flips: bool) -> float:
        value = -value if flips else value
        if value > MAX_SCORE:
            return value - 1
        return value + 1 if value < -MAX_SCORE else value

    def _is_left_out(self, file: SliceFile, position: Any) -> bool:
        return file.header.leaves_out and bool(self.game.call_hook("in_check", position))

    def _stored(self, file: SliceFile, place: int, position: Any) -> float:
        packed = file.compressed
        if not isinstance(packed, Compressed):
            return float(self._outcomes(file)[place]) * KNOWN_WIN
        value = int(decompress_block(packed, place // BLOCK)[place % BLOCK])
        if value > MAX_SCORE:
            return float(WIN - WON + value)
        if value < -MAX_SCORE:
            return float(LOSS + WON + value)
        return float(value + self.game.call_hook("secured_score", position))

    def _outcomes(self, file: SliceFile) -> Any:
        """Return the outcomes of a slice without distances: -1, 0 and 1."""
        code = file.header.code
        if code not in self._decoded:
            if len(self._decoded) == _DECODED_SLICES:
                del self._decoded[next(iter(self._decoded))]
            self._decoded[code] = np.sign(file.values()).astype(np.int8)
        return self._decoded[code]

    def best_moves(self, position: Any) -> list[tuple[int, Known]]:
        """Return the moves whose values are known, best first, with their values for the mover."""
        found = []
        for move in self.game.legal_moves(position):
            child = self.game.play(position, move)
            known = self.probe(child)
            if known is not None:
                value = self._before(known.value, self._flips(position, child))
                found.append((move, Known(value)))
        return sorted(found, key=lambda pair: -pair[1].value)

    @cached_property
    def blocks(self) -> int:
        """The number of blocks of all slices."""
        return sum(file.header.blocks for file in self.files.values())

    @cached_property
    def lacks_distances(self) -> bool:
        """Whether a slice has outcomes alone."""
        return any(not file.header.distances for file in self.files.values())

    def table(self, backend: Backend) -> "ProbingTable":
        """Return the database as kernels read it, with a cache of its own."""
        return ProbingTable(self, backend)


class ProbingTable:
    """A database as kernels read it; `words` is the array, and the others are kept alive."""

    def __init__(self, database: Database, backend: Backend) -> None:
        self._compiled = backend == "compiled"
        self._database = database
        self._arrays: list[Any] = []
        size = 8
        while size < 2 * len(database.files):
            size *= 2
        blocks = 1
        while blocks < min(database.blocks, CACHE_BLOCKS):
            blocks *= 2
        words: Any = [0] * (HEADER_WORDS + size * SLICE_WORDS)
        words[probing.SLICE_MASK] = size - 1
        words[probing.TAGS] = self._keep(np.zeros(blocks, np.int64))
        words[probing.CACHE] = self._keep(np.zeros(blocks * BLOCK, np.uint8))
        words[probing.CACHE_MASK] = blocks - 1
        if database.lacks_distances:
            words[probing.SCRATCH] = self._keep(np.zeros(MAX_OFFSET + OUTCOME_BLOCK, np.uint8))
        first = 0
        for code, file in database.files.items():
            slot = code * SPREAD >> 8 & size - 1
            while words[HEADER_WORDS + slot * SLICE_WORDS]:
                slot = slot + 1 & size - 1
            at = HEADER_WORDS + slot * SLICE_WORDS
            words[at : at + SLICE_WORDS] = self._entry(code, file, first)
            first += file.header.blocks
        self.words = np.array(words, np.int64) if self._compiled else words

    def _entry(self, code: int, file: SliceFile, first: int) -> list[Any]:
        header, packed = file.header, file.compressed
        entry: list[Any] = [0] * SLICE_WORDS
        entry[probing.CODE] = code + 1
        entry[probing.SIZE] = header.size
        entry[probing.LEAVES_OUT] = int(header.leaves_out)
        entry[probing.FIRST_BLOCK] = first
        entry[probing.STARTS] = self._keep(packed.starts)
        if isinstance(packed, CompressedOutcomes):
            model = packed.model
            entry[probing.CONTEXT_PLACES] = len(model.offsets) + 1
            entry[probing.DATA] = self._keep(np.pad(packed.data, (0, READ_AHEAD)))
            entry[probing.OFFSETS] = self._keep(np.array([*model.offsets, 0], np.int64))
            entry[probing.THRESHOLDS] = self._keep(model.thresholds.astype(np.int64).reshape(-1))
            return entry
        entry[probing.DATA] = self._keep(packed.data)
        entry[probing.TOKEN_SYMBOLS] = self._keep(packed.code.token_symbols)
        entry[probing.TOKEN_LENGTHS] = self._keep(packed.code.token_lengths.astype(np.int64))
        entry[probing.SYMBOLS] = self._keep(packed.code.symbols.astype(np.int64))
        return entry

    def set_root(self, position: Any) -> None:
        """Tell the kernel the slice of a search's root, if it matters."""
        if self._database.lacks_distances:
            number = number_of(self._database.game, position)
            self.words[probing.ROOT_SLICE] = unpack_number(number)[0] + 1 if number >= 0 else 0

    def _keep(self, array: Any) -> Any:
        self._arrays.append(array)
        return array.ctypes.data if self._compiled else array

    @property
    def blocks_loaded(self) -> int:
        """The number of blocks that were decoded so far."""
        return int(self.words[probing.LOADED])


_opened: dict[tuple[str, str], tuple[tuple[tuple[str, int, int], ...], Database]] = {}


def _stamp(path: Path) -> tuple[Any, ...]:
    """Return what changes when the content of a file does."""
    carried = carried_file(path)
    if carried is not None:
        return path.name, carried.digest
    return path.name, path.stat().st_mtime_ns, path.stat().st_size


def open_shared(folder: str | Path, game: Game) -> Database:
    """Open a database, or return the one that this process opened before, if no file changed."""
    require_index(game)
    stamps = tuple(map(_stamp, files_in(Path(folder), SUFFIXES)))
    key = str(Path(folder).resolve()), rules_fingerprint(game)
    if key not in _opened or _opened[key][0] != stamps:
        _opened[key] = stamps, Database.open(folder, game)
    return _opened[key][1]
