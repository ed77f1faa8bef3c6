"""Read positions for a form: the columns and the values of its inputs, by compiled code.

The source of the reading function comes from the form, as that of its `evaluate` does, and is
linked with the author's functions.  A table whose function adds up entries by itself is read by
probing: its function runs on tables in which only a few entries are not 0, powers of 16, and the
digits of its sum are the factors of these entries.  One more table, of random words, checks the
factors.  `evaluate.batch` reads the same inputs without compiling; it is used where the game is not
compiled, and where probing fails: a factor is not an integer from -8 to 7.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from plyforge.compilation.hooks_api import keeps_turn, play
from plyforge.compilation.kernel import Kernel, build
from plyforge.core import memory
from plyforge.core.randomness import random_words
from plyforge.evaluate.batch import read_entries
from plyforge.game.forms import Blend, Feature, Net, Stages, Sum, Table
from plyforge.game.forms.source import (
    check_index,
    indent,
    loop_over_places,
    make_function,
    row_values,
    scope_for,
)
from plyforge.game.game import Game
from plyforge.learn.inputs import Indices, Inputs

DIGITS: Final = 15
"""The entries that one probe reads."""
_DIGIT_BITS: Final = 4
_SIGNATURE: Final = "int64(position, address, int64, address, address, address, address, address)"


class Reader:
    """Reads positions of a game for a weighted sum or a net."""

    def __init__(self, game: Game, form: Sum | Net) -> None:
        self._game, self._form = game, form
        self._bound = max_inputs(form)
        self._kernel = None
        if game.backend == "compiled":
            source = _ReaderSource(form, game)
            kernel = Kernel("read", source.entry(), _SIGNATURE, authored=frozenset(form.functions))
            self._probes = source.probes
            self._kernel = build(kernel, game.rules, game.position_type, notices=game.notices)

    def read(self, positions: Sequence[Any]) -> Inputs:
        """Return the inputs of positions."""
        count = len(positions)
        if self._kernel is None:
            return read_uncompiled(self._form, positions)
        memory = _Memory(count, self._bound, self._probes)
        with self._game.rules.blame("reading a position for learning"):
            for number, position in enumerate(positions):
                read = self._kernel.call(position, 0, 0, *memory.addresses(number))
                if not read:
                    return read_uncompiled(self._form, positions)
        return memory.inputs()

    def read_line(self, start: Any, moves: Sequence[int]) -> tuple[Inputs, Indices]:
        """Return the inputs of a position and of those after each move, and who is to move in each.

        Sides are 0 and 1; 0 is the side to move at the start, in a game without the hook `turn`.
        """
        first = self._game.turn(start) or 0
        if self._kernel is None:
            return self._read_slowly(start, moves, first)
        count, line = len(moves) + 1, np.array(moves, np.int64)
        memory = _Memory(count, self._bound, self._probes)
        with self._game.rules.blame("reading a game for learning"):
            read = self._kernel.call(start, line.ctypes.data, len(moves), *memory.addresses(0))
        if read < count:
            return self._read_slowly(start, moves, first)
        return memory.inputs(), memory.sides ^ first

    def _read_slowly(self, start: Any, moves: Sequence[int], first: int) -> tuple[Inputs, Indices]:
        positions, sides = [start], [first]
        for move in moves:
            child = self._game.play(positions[-1], move)
            side = self._game.turn(child)
            sides.append(1 - sides[-1] if side is None else side)
            positions.append(child)
        return read_uncompiled(self._form, positions), np.array(sides, np.int64)


def read_uncompiled(form: Sum | Net, positions: Sequence[Any]) -> Inputs:
    """Return the inputs of positions, without compiled code."""
    with np.errstate(over="ignore"):
        entries = read_entries(form, positions)
    counts = np.bincount(entries.rows, minlength=len(positions))
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Inputs(starts, entries.columns, entries.factors)


def max_inputs(form: Sum | Net) -> int:
    """Return how many inputs of a position are not 0 at most."""
    width = sum(
        row.count if isinstance(row, Table) and row.count else row.size for row in form.rows
    )
    return width * (2 if isinstance(form, Sum) and isinstance(form.stages, Blend) else 1)


class _Memory:
    """The memory that the kernel writes inputs to."""

    def __init__(self, count: int, bound: int, probes: Indices) -> None:
        self._starts, self.sides = np.zeros(count + 1, np.int64), np.zeros(count, np.int64)
        self._columns, self._factors = np.empty(count * bound, np.int64), np.empty(count * bound)
        arrays = (self._starts, self._columns, self._factors, self.sides, probes)
        self._addresses = [int(array.__array_interface__["data"][0]) for array in arrays]

    def addresses(self, number: int) -> tuple[int, ...]:
        """Return the arguments of the kernel that reads from this row on."""
        starts, *others = self._addresses
        return (starts + 8 * number, *others)

    def inputs(self) -> Inputs:
        """Return what was written."""
        used = int(self._starts[-1])
        return Inputs(self._starts, self._columns[:used].copy(), self._factors[:used].copy())


class _ReaderSource:
    """Writes the source that reads one position, and the function that reads a line with it."""

    def __init__(self, form: Sum | Net, game: Game) -> None:
        self._form = form
        self._scope = scope_for(form.functions[0].__code__.co_filename)
        self._scope |= {name: getattr(memory, name) for name in ("int64s", "float64s", "part")}
        largest = max((row.size for row in form.rows if _adds_up(row)), default=0)
        self.probes = _probe_words(largest)
        self._largest, self._random = largest, 2 * largest + DIGITS

    def entry(self) -> Any:
        """Return the entry of the kernel."""
        make_function(
            "read_inputs", "position, columns, factors, probes", self._body(), self._scope
        )
        scope = self._scope | {"play": play, "keeps_turn": keeps_turn}
        return make_function("read_line", _ARGUMENTS, _READ_LINE, scope)

    def _body(self) -> list[str]:
        """Return source that writes the inputs of a position and returns their number, or -1."""
        form = self._form
        stages = form.stages if isinstance(form, Sum) else None
        lines = ["count = 0"]
        if stages is not None:
            self._scope["find_stage"] = stages.function
            lines.append("stage = find_stage(position)")
        if isinstance(stages, Stages):
            lines += check_index("stage", stages.count, "the stage")
            lines.append(f"start = stage * {sum(row.size for row in form.rows)}")
        else:
            lines.append("start = 0")
        column = 0
        for number, row in enumerate(form.rows):
            self._scope[f"row_{number}"] = row.function
            lines += self._row(number, row, column)
            column += row.size
        if isinstance(stages, Blend):
            lines += _BLEND.format(full=stages.full, width=column).splitlines()
        return [*lines, "return count"]

    def _row(self, number: int, row: Feature | Table, column: int) -> list[str]:
        if _adds_up(row):
            return self._probed(number, row, column)
        if isinstance(row, Table) and row.by_place:
            return loop_over_places(row, f"row_{number}", _write(f"{column} + index", "1.0"))
        values, lines = row_values(row, f"row_{number}")
        for index, value in enumerate(values):
            if isinstance(row, Feature):
                lines += [f"if {value} != 0:", *indent(_write(f"{column + index}", value))]
            else:
                lines += _write(f"{column} + {value}", "1.0")
        return lines

    def _probed(self, number: int, row: Feature | Table, column: int) -> list[str]:
        return _PROBE.format(
            function=f"row_{number}",
            size=row.size,
            column=column,
            largest=self._largest,
            random=8 * self._random,
        ).splitlines()


def _adds_up(row: Feature | Table) -> bool:
    """Whether a row is a table whose function adds up entries by itself."""
    return isinstance(row, Table) and not row.count


def _write(column: str, factor: str) -> list[str]:
    return [f"columns[count] = start + {column}", f"factors[count] = {factor}", "count += 1"]


def _probe_words(largest: int) -> Indices:
    """Return the tables for probing: zeros, powers of 16, zeros, then random words.

    The table of a group of entries begins so that the powers stand at these entries.
    """
    words = np.zeros(3 * largest + DIGITS + 1, np.int64)
    words[largest : largest + DIGITS] = 1 << (_DIGIT_BITS * np.arange(DIGITS))
    words[2 * largest + DIGITS : -1] = random_words(largest, seed=1).view(np.int64) >> 8
    return words


_ARGUMENTS: Final = "position, line, moves, starts, columns, factors, sides, probes"
_READ_LINE: Final = """\
starts_ = int64s(starts, 0)
sides_ = int64s(sides, 0)
place = starts_[0]
for number in range(moves + 1):
    count = read_inputs(position, int64s(columns, 8 * place), float64s(factors, 8 * place), probes)
    if count < 0:
        return number
    place += count
    starts_[number + 1] = place
    if number < moves:
        child = play(position, int64s(line, 0)[number])
        same = keeps_turn(position, child)
        sides_[number + 1] = sides_[number] if same else 1 - sides_[number]
        position = child
return moves + 1
""".splitlines()
_BLEND: Final = """\
if stage == 0:
    for index in range(count):
        columns[index] = columns[index] + {width}
elif stage != {full}:
    for index in range(count):
        columns[count + index] = columns[index] + {width}
        factors[count + index] = factors[index] * ({full} - stage) / {full}
        factors[index] = factors[index] * stage / {full}
    count = 2 * count"""
_PROBE: Final = """\
check = int({function}(position, int64s(probes, {random})))
for group in range(0, {size}, 15):
    digits = int({function}(position, int64s(probes, 8 * ({largest} - group))))
    for index in range(group, group + 15):
        factor = ((digits + 8) & 15) - 8
        digits = (digits - factor) >> 4
        if factor != 0 and index < {size}:
            columns[count] = start + {column} + index
            factors[count] = factor
            count += 1
            check -= factor * int64s(probes, {random})[index]
    if digits != 0:
        return -1
if check != 0:
    return -1"""
