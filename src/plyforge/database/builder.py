"""Build one slice in memory, from the finished slices that it leads to.

There are two methods.  `retrograde` lists the predecessors of every position and follows them from
the ends of games backwards.  `passes` needs memory for the values alone, and looks at all undecided
positions again for every distance; it also serves games in which a side may move twice, or that are
played for points.  Both give the same values.
"""

import ctypes
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plyforge.compilation.interruptible import run
from plyforge.compilation.kernel import Backend, BuiltKernel, build
from plyforge.compilation.records import plain_class, structure
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.core.ranking import SLICE_SHIFT
from plyforge.database.kernels import building, context
from plyforge.database.kernels.context import ENTRY_WORDS, MAX_DEPTH, MAX_MISSING, Build
from plyforge.database.kernels.lookup import _SPREAD
from plyforge.database.kernels.values import MAX_DISTANCE, UNKNOWN
from plyforge.database.slices import Slice, find_slices, position_at
from plyforge.game.game import Game

Values = NDArray[np.int16]

CHUNK: Final = 1 << 18
"""The places of one call of the kernel, between which a build can be interrupted."""
_FIRST_CHUNK: Final = 1 << 14
"""The places of the first calls: a slice that needs others should say so soon."""
_SLACK: Final = 4096
_BYTES_OF_VALUES: Final = 2
_BYTES_OF_PLACE: Final = 2 + 2 + 1 + 4 + 4
"""The bytes for each place that `retrograde` needs besides the predecessors."""
_BYTES_OF_MOVE: Final = 4
_MAX_MOVES_WITHIN: Final = 2**32 - 1

Report = Callable[[str, int, int], None]
"""Called with the stage, the places done and the places in all."""


class MissingSlices(Exception):
    """Slices that a slice leads to, and that have to be built before it."""

    def __init__(self, slices: list[Slice]) -> None:
        super().__init__(", ".join(one.name for one in slices))
        self.slices = slices


@dataclass(frozen=True)
class Finished:
    """The values of a finished slice."""

    slice: Slice
    values: Values
    leaves_out: bool
    """Whether positions with `in_check` have no values."""


@dataclass
class BuiltSlice:
    """A slice with the values of all its positions."""

    slice: Slice
    values: Values
    method: str
    seconds: dict[str, float] = field(default_factory=dict)
    """Processor time by stage."""


@dataclass(frozen=True)
class Verification:
    """The result of comparing the values of a slice with those of their children."""

    positions: int
    wrong: int
    """The number of values that do not follow from those of their children."""
    wrong_number: int
    """The number of the first such position."""
    leaves_out: bool
    """Whether every position with `in_check` has moves to other slices only."""


class SliceBuilder:
    """Builds and verifies slices of one game."""

    def __init__(
        self, game: Game, backend: Backend | None = None, report: Report | None = None
    ) -> None:
        self.game = game
        self.backend: Backend = backend or game.backend
        self._report = report or (lambda stage, done, total: None)
        self._root = game.initial()
        self._kernel: BuiltKernel = build(
            building.BUILDING, game.rules, game.position_type, self.backend, notices=game.notices
        )
        self._max_moves = int(game.rules.constant("MAX_MOVES"))
        self._arrays: list[Any] = []

    # Memory

    def _new_context(self, target: Slice, finished: Mapping[int, Finished]) -> Any:
        self._arrays = []
        record = structure(Build)() if self.backend == "compiled" else plain_class(Build)()
        record.code, record.size = target.code, target.size
        size = 8
        while size < 4 * (len(finished) + 1):
            size *= 2
        record.slice_mask = size - 1
        record.slices = self._keep(self._slice_table(size, finished))
        buffer = (MAX_DEPTH + 2) * self._max_moves + _SLACK
        record.moves = self._keep(self._words(buffer))
        record.missing = self._keep(self._words(MAX_MISSING))
        return record

    def _words(self, size: int) -> Any:
        return np.zeros(size, np.int64) if self.backend == "compiled" else [0] * size

    def _slice_table(self, size: int, finished: Mapping[int, Finished]) -> Any:
        table = self._words(size * ENTRY_WORDS)
        for code, one in finished.items():
            slot = code * _SPREAD >> 8 & size - 1
            while table[slot * ENTRY_WORDS]:
                slot = slot + 1 & size - 1
            entry = slot * ENTRY_WORDS
            table[entry + context.ENTRY_CODE] = code + 1
            table[entry + context.ENTRY_VALUES] = self._keep(one.values)
            table[entry + context.ENTRY_SIZE] = one.slice.size
            table[entry + context.ENTRY_LEAVES_OUT] = int(one.leaves_out)
        return table

    def _keep(self, array: Any) -> Any:
        """Return the address of an array, and keep the array alive."""
        self._arrays.append(array)
        return array.ctypes.data if self.backend == "compiled" else array

    # Running tasks

    def _run(self, task: int, record: Any) -> None:
        address = ctypes.addressof(record) if self.backend == "compiled" else record

        def stop() -> None:
            record.stop = 1

        with self.game.rules.blame("the rules, while a database was built"):
            run(lambda: self._kernel.enter(self._root, task, address), stop)
        if record.fault:
            raise self._fault_error(record)

    def _scan(self, task: int, stage: str, record: Any, total: int, grow: bool = False) -> None:
        """Run a task on all places, chunk by chunk."""
        first, chunk = 0, _FIRST_CHUNK if grow else CHUNK
        while first < total:
            record.first, record.last = first, min(first + chunk, total)
            self._run(task, record)
            if record.missing_count:
                raise MissingSlices(self._missing(record))
            first, chunk = record.last, min(2 * chunk, CHUNK)
            self._report(stage, first, total)

    def _missing(self, record: Any) -> list[Slice]:
        found = []
        for place in range(record.missing_count):
            number = int(self._arrays_missing(record)[place])
            position = position_at(self.game, number)
            if position is None:
                raise GameFileError(
                    f"{self.game.rules.file}: a position has the number {number}, but 'unindex'"
                    " gives a position with another number for it"
                )
            found += find_slices(self.game, "", position)
        return found

    def _arrays_missing(self, record: Any) -> Any:
        if self.backend == "python":
            return record.missing
        return next(a for a in self._arrays if a.ctypes.data == record.missing)

    def _fault_error(self, record: Any) -> GameFileError:
        number, file = int(record.fault_number), self.game.rules.file
        text = f"the position with the number {number}"
        position = position_at(self.game, number) if number >= 0 else None
        if position is not None:
            text = f"position {self.game.text(position)}"
        reasons = {
            context.TOO_MANY_MOVES: f"has more than MAX_MOVES = {self._max_moves} moves",
            context.BAD_SCORE: "has a final score that is not an integer within ±8000",
            context.BAD_INDEX: f"has the place {number & (1 << SLICE_SHIFT) - 1}, which is beyond"
            " the size of its slice",
            context.ENDLESS: "leads to more and more positions that belong to no slice",
        }
        return GameFileError(f"{file}: {text} {reasons[record.fault]}")

    # Building

    def build(
        self,
        target: Slice,
        finished: Mapping[int, Finished],
        memory: int | None = None,
        method: str = "auto",
    ) -> BuiltSlice:
        """Return the values of a slice; raise `MissingSlices` if it needs slices that are missing.

        `memory` is the number of bytes that the arrays of this slice may take.
        """
        if memory is not None and memory < target.size * _BYTES_OF_VALUES:
            raise PlyforgeError(
                f"slice {target.name} needs at least"
                f" {-(-target.size * _BYTES_OF_VALUES >> 20)} MiB of memory, and"
                f" {memory >> 20} MiB are allowed; raise --memory"
            )
        record = self._new_context(target, finished)
        values: Values = np.full(target.size, UNKNOWN, np.int16)
        record.values = self._keep(values)
        built = BuiltSlice(target, values, method)
        base = target.size * _BYTES_OF_PLACE
        if method != "passes" and (memory is None or base <= memory):
            self._build_backwards(record, built, memory, method)
        if built.method != "retrograde":
            built.method = "passes"
            self._build_in_passes(record, built)
        return built

    def _build_backwards(
        self, record: Any, built: BuiltSlice, memory: int | None, method: str
    ) -> None:
        """Build by retrograde analysis, if the game and the memory allow it."""
        size = record.size
        record.outside = self._keep(np.full(size, UNKNOWN, np.int16))
        record.remaining = self._keep(np.zeros(size, np.uint8))
        record.starts = self._keep(np.zeros(size + 1, np.uint32))
        with _Timer(built, "count"):
            self._scan(building.COUNT_MOVES, "count", record, size, grow=True)
        edges = int(record.inner_moves)
        needed = size * _BYTES_OF_PLACE + edges * _BYTES_OF_MOVE
        fits = edges <= _MAX_MOVES_WITHIN and (memory is None or needed <= memory)
        if record.keeps or record.scores or not fits:
            if method == "retrograde":
                raise PlyforgeError(
                    f"slice {built.slice.name} cannot be built by the method 'retrograde':"
                    + (
                        f" it needs {needed >> 20} MiB of memory"
                        if not fits
                        else " a side may move twice, or the game is played for points"
                    )
                    + "; use the method 'passes'"
                )
            return
        record.edges = self._keep(np.empty(max(edges, 1), np.uint32))
        record.queue = self._keep(np.empty(max(size, 1), np.uint32))
        with _Timer(built, "predecessors"):
            self._run(building.SUM_STARTS, record)
            self._scan(building.LIST_PREDECESSORS, "predecessors", record, size)
        with _Timer(built, "propagate"):
            while record.level <= record.max_outside or record.queue_first < record.queue_last:
                if record.level <= record.max_outside:
                    self._run(building.DECIDE_OUTSIDE, record)
                self._run(building.PROPAGATE, record)
                record.level += 1
                if record.level > MAX_DISTANCE:
                    raise PlyforgeError(
                        f"slice {built.slice.name} has wins in more than {MAX_DISTANCE} plies"
                    )
            self._run(building.SETTLE_DRAWS, record)
        built.method = "retrograde"

    def _build_in_passes(self, record: Any, built: BuiltSlice) -> None:
        """Build by passes over all undecided positions."""
        record.level = 0
        with _Timer(built, "passes"):
            while True:
                record.changed = record.waiting = 0
                stage = f"pass {record.level}"
                self._scan(building.DECIDE, stage, record, record.size, grow=record.level == 0)
                record.level += 1
                if record.changed == 0 and record.waiting == 0:
                    break
            if record.scores and np.any(built.values == UNKNOWN):
                raise PlyforgeError(
                    f"slice {built.slice.name}: positions recur in a game that is played for"
                    " points, so their values are not known"
                )
            self._run(building.SETTLE_DRAWS, record)

    def verify(
        self, target: Slice, values: Values, finished: Mapping[int, Finished]
    ) -> Verification:
        """Compare every value with those of its children; all values must be there."""
        record = self._new_context(target, finished)
        record.values = self._keep(values)
        self._scan(building.VERIFY, "verify", record, target.size)
        return Verification(
            int(record.positions),
            int(record.wrong),
            int(record.wrong_number),
            record.checks > 0 and record.kept_checks == 0,
        )

    def restore(self, target: Finished, finished: Mapping[int, Finished]) -> None:
        """Complete the values of a file in place: those that it leaves out, and numbers without
        a position."""
        record = self._new_context(target.slice, finished)
        record.values = self._keep(target.values)
        record.level = int(target.leaves_out)
        self._scan(building.RESTORE, "restore", record, target.slice.size)

    def leave_out(self, target: Slice, values: Values) -> None:
        """Mark the values of positions with `in_check`, which follow from those of other slices."""
        record = self._new_context(target, {})
        record.values = self._keep(values)
        self._scan(building.LEAVE_OUT, "leave out", record, target.size)


class _Timer:
    """Adds the processor time of a block to a stage."""

    def __init__(self, built: BuiltSlice, stage: str) -> None:
        self._built, self._stage = built, stage

    def __enter__(self) -> None:
        self._started = time.process_time()

    def __exit__(self, *_: object) -> None:
        seconds = time.process_time() - self._started
        self._built.seconds[self._stage] = self._built.seconds.get(self._stage, 0.0) + seconds
