"""The rows of a form: features, and tables from which a function chooses weights."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Final

import numpy as np

from plyforge.game.forms.weights import Numbers, as_numbers

MAX_TABLE: Final = 1 << 24
"""The maximum number of entries of one table."""
_MAX_INDICES: Final = 256
MAX_PLACES: Final = 4096
"""The maximum number of places from which indices of one table are read."""


@dataclass(frozen=True)
class Feature:
    """A named number of a position, or several that one function returns as a tuple."""

    names: tuple[str, ...]
    function: FunctionType
    grouped: bool
    """Whether the function returns a tuple, even of one number."""

    @property
    def size(self) -> int:
        """The number of weights."""
        return len(self.names)


@dataclass(frozen=True)
class Table:
    """A table of weights: the sum of the entries that a function chooses.

    If `count` is not 0, `function(position)` returns that many indices: an int for one, else a
    tuple; or, with `by_place`, `function(position, place)` returns that at one of `count` places.
    If it is 0, `function(position, table)` adds up entries itself, each with an integer
    factor that does not depend on the table.  `update` then returns the sum after a move; with
    `by_place` it returns the places whose indices a move may change.
    """

    name: str
    function: FunctionType
    size: int
    count: int
    update: FunctionType | None
    by_place: bool = False


Row = Feature | Table


@dataclass(frozen=True)
class TableDeclaration:
    """A table as an author declares it, before it has a name."""

    function: FunctionType
    size: int
    count: int
    entries: Any
    update: FunctionType | None
    by_place: bool


def table(
    function: Callable[..., Any],
    entries: Any,
    count: int = 1,
    update: Callable[..., Any] | None = None,
    places: int | None = None,
) -> TableDeclaration:
    """Declare a table of weights for a form.

    `function(position)` returns the index of an entry, or a tuple of `count` indices; or
    `function(position, table)` adds up entries of the table that it is given, each times an
    integer.  With `places`, `function(position, place)` returns the index at a place, from 0 to
    `places` - 1, and the entries of all places are added.  `entries` are the weights, or their
    number if they are all 0.  With stages, there is a line of entries for each.

    `update(position, move, child, total, table)` returns what `function(child, table)` returns,
    from the sum `total` of the position before the move.  The search then keeps the sum from ply
    to ply where the weights are integers.  With `places`, in a net, `update(position, move, child)`
    returns a tuple of the places whose indices may differ, -1 for none; the others are not read.
    """
    plain = plain_function(function, "the function of a table")
    arguments = len(inspect.signature(plain).parameters)
    if arguments not in (1, 2):
        raise ValueError(
            f"'{plain.__name__}' must take (position) and return indices, or (position, table)"
        )
    if not is_int(count) or not 1 <= count <= _MAX_INDICES:
        raise ValueError(f"count must be an integer between 1 and {_MAX_INDICES}, not {count!r}")
    if places is not None:
        _check_places(plain, arguments, places)
    size = entries if is_int(entries) else np.shape(entries)[-1] if np.ndim(entries) else 0
    if not 1 <= size <= MAX_TABLE:
        raise ValueError(f"a table has between 1 and {MAX_TABLE} entries, not {entries!r}")
    given = None if is_int(entries) else entries
    changed = None if update is None else _read_update(update, plain, arguments, places)
    number = places if places is not None else count if arguments == 1 else 0
    return TableDeclaration(plain, int(size), number, given, changed, places is not None)


def _check_places(function: FunctionType, arguments: int, places: Any) -> None:
    if not is_int(places) or not 1 <= places <= MAX_PLACES:
        raise ValueError(f"places must be an integer between 1 and {MAX_PLACES}, not {places!r}")
    if arguments != 2:
        raise ValueError(
            f"a table with places takes a function of (position, place); see '{function.__name__}'"
        )


def _read_update(
    update: Callable[..., Any], function: FunctionType, arguments: int, places: int | None
) -> FunctionType:
    plain = plain_function(update, "the update of a table")
    if places is not None:
        if len(inspect.signature(plain).parameters) != 3:
            raise ValueError(f"'{plain.__name__}' must take (position, move, child)")
        return plain
    if arguments != 2:
        raise ValueError(
            f"'{plain.__name__}' can update only what a function of (position, table) adds up;"
            f" '{function.__name__}' returns indices"
        )
    if len(inspect.signature(plain).parameters) != 5:
        raise ValueError(f"'{plain.__name__}' must take (position, move, child, total, table)")
    return plain


def read_rows(features: Any, sets: int) -> tuple[tuple[Row, ...], Numbers]:
    """Return the rows of a declaration, and their weights: a line for each stage.

    `features` maps names to functions, to pairs of function and weight, or to tables.  A tuple of
    names belongs to a function that returns a tuple.
    """
    if not isinstance(features, Mapping) or not features:
        raise ValueError(f"features must be a dict of names and functions, not {features!r}")
    rows: list[Row] = []
    blocks: list[Numbers | None] = []
    for key, value in features.items():
        row, weights = _read_row(key, value, sets)
        rows.append(row)
        blocks.append(weights)
    names = [name for row in rows for name in labels(row)]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two features are called '{name}'")
    return tuple(rows), _join(rows, blocks, sets)


def _join(rows: Sequence[Row], blocks: Sequence[Numbers | None], sets: int) -> Numbers:
    """Return the weights of all rows.  Zeros are not written: memory for them costs nothing."""
    kinds = [block.dtype for block in blocks if block is not None]
    numbers = np.zeros((sets, sum(row.size for row in rows)), np.result_type(np.int64, *kinds))
    column = 0
    for row, block in zip(rows, blocks, strict=True):
        if block is not None:
            numbers[:, column : column + row.size] = block
        column += row.size
    return numbers


def labels(row: Row) -> tuple[str, ...]:
    """Return what a row is called: the names of its features, or of its table."""
    return row.names if isinstance(row, Feature) else (row.name,)


def _read_row(key: Any, value: Any, sets: int) -> tuple[Row, Numbers | None]:
    names = key if isinstance(key, tuple) else (key,)
    if not names or not all(isinstance(name, str) and name.isprintable() for name in names):
        raise ValueError(f"{key!r} is not the name of a feature, nor a tuple of names")
    if isinstance(value, TableDeclaration):
        if isinstance(key, tuple):
            raise ValueError(f"a table has one name, not {key!r}")
        return _read_table(key, value, sets)
    function, weight = value if isinstance(value, tuple) and len(value) == 2 else (value, 0)
    plain = plain_function(function, f"feature '{names[0]}'")
    if len(inspect.signature(plain).parameters) != 1:
        raise ValueError(f"feature '{names[0]}': '{plain.__name__}' must take (position)")
    row = Feature(names, plain, isinstance(key, tuple))
    each = weight if row.grouped and isinstance(weight, Sequence) else [weight] * len(names)
    if len(each) != len(names):
        raise ValueError(f"features {names}: there are {len(each)} weights for {len(names)} names")
    columns = [weights_by_set(one, sets, name) for one, name in zip(each, names, strict=True)]
    return row, np.stack(columns, axis=1)


def _read_table(name: str, declared: TableDeclaration, sets: int) -> tuple[Table, Numbers | None]:
    row = Table(
        name,
        declared.function,
        declared.size,
        declared.count,
        declared.update,
        declared.by_place,
    )
    if declared.entries is None:
        return row, None
    entries = as_numbers(declared.entries, f"table '{name}'")
    lines = entries[np.newaxis] if entries.ndim == 1 else entries
    if lines.shape != (sets, row.size):
        raise ValueError(
            f"table '{name}' has entries of shape {entries.shape}; it needs {sets} lines of"
            f" {row.size}, one for each stage"
        )
    return row, lines


def weights_by_set(weight: Any, sets: int, name: str) -> Numbers:
    """Return a feature's weight at each stage; one number counts at all of them."""
    numbers = as_numbers(weight, f"the weight of '{name}'")
    if numbers.shape not in ((), (sets,)):
        raise ValueError(f"'{name}' needs {sets} weights, one for each stage, not {weight!r}")
    return np.broadcast_to(numbers, (sets,))


def plain_function(value: Any, what: str) -> FunctionType:
    """Return a value if it is a plain Python function."""
    if not isinstance(value, FunctionType):
        raise ValueError(f"{what} must be a plain function, not {value!r}")
    return value


def is_int(value: Any) -> bool:
    """Whether a value is an integer and not a bool."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
