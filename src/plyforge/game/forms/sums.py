"""The form of a weighted sum: of features, and of entries of tables, perhaps by stage.

Without stages the value is the sum of every feature times its weight, and of the table entries that
are chosen.  With `stages` there is a set of weights for each stage of the game.  With `blend` there
are two sets, and the value moves from one to the other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core import memory
from plyforge.game.forms.finish import Finish, Limits
from plyforge.game.forms.rows import Feature, Row, Table, labels
from plyforge.game.forms.source import (
    Constants,
    Data,
    FormHooks,
    Reference,
    check_index,
    make_evaluation,
    make_function,
    scope_for,
)
from plyforge.game.forms.sumsource import MAX_PACKED, SumSource, pack_tables
from plyforge.game.forms.weights import Reals, WeightData, Weights, scale_of

PHASES: Final = ("opening", "ending")
"""The names of the two sets of weights of a blend."""
PACKED: Final = "packed"
"""The kind of numbers in memory where an entry of a table holds the weights of both sets."""

Term = tuple[str, float, float]
Indices = NDArray[np.int64]
Shared = Callable[[], Mapping[str, Any]]


@dataclass(frozen=True)
class Stages:
    """The stage of a position, from 0 to `count` - 1."""

    function: FunctionType
    count: int


@dataclass(frozen=True)
class Blend:
    """The share of the first set of weights, from 0 to `full`."""

    function: FunctionType
    full: int
    count: int = 2


@dataclass(frozen=True)
class Sum:
    """A weighted sum.  Weights are ordered by stage, then by row."""

    kind: str
    rows: tuple[Row, ...]
    stages: Stages | Blend | None
    finish: Finish
    origin: str = ""
    """For a form that a program has built, what it was built from: a file of weights keeps that."""
    shared: Shared | None = field(default=None, compare=False)
    """Returns, by table, the entry whose weight each entry has; learning keeps them equal."""

    @property
    def set_count(self) -> int:
        """The number of sets of weights."""
        return self.stages.count if self.stages else 1

    @property
    def width(self) -> int:
        """The number of weights of a set."""
        return sum(row.size for row in self.rows)

    @property
    def size(self) -> int:
        """The number of weights."""
        return self.set_count * self.width

    def shared_columns(self) -> Indices:
        """Return, for each weight of a set, the one that it is equal to."""
        columns = np.arange(self.width)
        by_table = {} if self.shared is None else self.shared()
        column = 0
        for row in self.rows:
            same = by_table.get(labels(row)[0])
            if same is not None:
                columns[column : column + row.size] = column + np.asarray(same)
            column += row.size
        return columns

    @property
    def blocks(self) -> tuple[int, ...]:
        """The lengths of the parts that have a scale of their own."""
        return (self.size,)

    @property
    def functions(self) -> list[FunctionType]:
        """The author's functions, in the order of their declaration."""
        stage = [self.stages.function] if self.stages else []
        updates = [row.update for row in self.rows if isinstance(row, Table) and row.update]
        return [row.function for row in self.rows] + stage + updates

    def describe(self) -> dict[str, Any]:
        """Return all that decides the meaning of the weights except the functions."""
        mode = type(self.stages).__name__.lower() if self.stages else None
        return {
            "kind": self.kind,
            "rows": [[*labels(row), row.size, _mode(row)] for row in self.rows],
            "stages": [mode, self.set_count, getattr(self.stages, "full", None)],
            "finish": [self.finish.unit, self.finish.limit, self.finish.rounding],
            **({"origin": self.origin} if self.origin else {}),
        }

    def link(self, weights: Weights, limits: Limits, file: str) -> FormHooks:
        """Return the hooks with the weights as constants."""
        scope = scope_for(file)
        small = weights.integral and bool((np.abs(weights.numbers) < MAX_PACKED).all())
        packed = small and isinstance(self.stages, Blend)
        numbers = pack_tables(self.rows, weights.numbers) if packed else weights.numbers
        running = self._keeps_sums(weights.integral, packed)
        reference = Constants(numbers, weights.scales, scope, running)
        return self._hooks(reference, weights.integral, packed, limits, scope)

    def data_kind(self, weights: Weights) -> str:
        """Return the type of the numbers as the evaluation reads them from memory."""
        return PACKED if self._packs(weights) else str(weights.numbers.dtype)

    def link_data(self, kind: str, limits: Limits, file: str) -> FormHooks:
        """Return the hooks for a block of what `data` returns."""
        scope = scope_for(file)
        packed, whole = kind == PACKED, kind[0] != "f"
        state = "state, " if self._keeps_sums(whole, packed) else ""
        reference = Data("int64" if packed else kind, 1, scope, state)
        return self._hooks(reference, whole, packed, limits, scope)

    def data(self, weights: Weights) -> WeightData:
        """Return the weights as the evaluation reads them from memory."""
        packed = self._packs(weights)
        numbers = pack_tables(self.rows, weights.numbers) if packed else weights.numbers
        return WeightData(numbers, weights.scales)

    def _packs(self, weights: Weights) -> bool:
        """Whether both sums of a blend are added up at once where a table is read from memory.

        This depends on the type of the numbers alone, as the code that reads them must.
        """
        tables = any(isinstance(row, Table) for row in self.rows)
        return tables and isinstance(self.stages, Blend) and weights.numbers.dtype == np.int16

    def _keeps_sums(self, whole: bool, packed: bool) -> bool:
        """Whether sums of tables are kept from ply to ply: integers alone never drift."""
        updated = any(isinstance(row, Table) and row.update for row in self.rows)
        return updated and (packed or (whole and self.stages is None))

    def _hooks(
        self,
        reference: Reference,
        whole: bool,
        packed: bool,
        limits: Limits,
        scope: dict[str, Any],
    ) -> FormHooks:
        running = self._keeps_sums(whole, packed)
        scope["int64s"] = memory.int64s
        source = SumSource(self.rows, reference, scope, running)
        hooks = {"evaluate": self._function(source, whole, packed, limits)}
        if not running:
            return FormHooks(hooks)
        begin, advance = source.running_sums(packed)
        state = reference.arguments.removeprefix("position, ")
        for name, arguments, body in (
            ("begin", reference.arguments, begin),
            ("advance", f"state, position, move, child, child_{state}", advance),
        ):
            hooks[name] = make_function(name, arguments, [*reference.prologue, *body], scope)
        return FormHooks(hooks, ("int64", len(begin)))

    def _function(
        self, source: SumSource, whole: bool, packed: bool, limits: Limits
    ) -> FunctionType:
        body: list[str] = []
        reference, scope = source.reference, source.scope
        share = 1
        if self.stages:
            scope["find_stage"] = self.stages.function
            body.append("stage = find_stage(position)")
        if isinstance(self.stages, Stages):
            body += check_index("stage", self.stages.count, "the stage")
            body += [f"start = stage * {self.width}", *source.by_stage()]
        elif isinstance(self.stages, Blend):
            share = self.stages.full
            body += source.packed(PHASES) if packed else source.sums(PHASES)
            body.append(f"total = {PHASES[0]} * stage + {PHASES[1]} * ({share} - stage)")
        else:
            body += source.sums(("total",))
        scale = reference.scale(0)
        body += self.finish.lines(whole and not scale, scale, share, limits)
        return make_evaluation(reference, body, scope)

    def scales(self, vector: Reals) -> tuple[float, ...]:
        """Return the scales with which weights become int16."""
        return (scale_of(vector),)

    def terms(self, weights: Weights, position: Any, value: float) -> list[Term]:
        """Return the name, the value and the weight of every row in a position.

        A table counts with the sum of its entries.  The last rows are what rounding and the limit
        do to the sum.
        """
        vector = weights.vector(self.blocks).reshape(self.set_count, self.width)
        shares = self.shares(position)
        unit = self.finish.unit
        result: list[Term] = []
        column = 0
        for row in self.rows:
            part = vector[:, column : column + row.size]
            column += row.size
            if isinstance(row, Feature):
                counts = row.function(position)
                mixed = shares @ part / unit
                for name, count, weight in zip(
                    row.names, counts if row.grouped else [counts], mixed, strict=True
                ):
                    result.append((name, float(count), float(weight)))
            else:
                sums = [_entry_sum(row, position, line) for line in part]
                result += self._table_terms(row.name, sums, shares / unit)
        return [*result, *finish_terms(self.finish, result, value)]

    def _table_terms(self, name: str, sums: list[float], shares: Any) -> list[Term]:
        if isinstance(self.stages, Blend):
            pairs = zip(PHASES, sums, shares, strict=True)
            return [(f"{name}, {phase}", one, float(share)) for phase, one, share in pairs]
        (stage,) = np.flatnonzero(shares)
        return [(name, sums[stage], float(shares[stage]))]

    def shares(self, position: Any) -> Any:
        """Return how much each set of weights counts in a position; the sum is 1."""
        if self.stages is None:
            return np.ones(1)
        stage = int(self.stages.function(position))
        if isinstance(self.stages, Blend):
            return np.array([stage, self.stages.full - stage]) / self.stages.full
        if not 0 <= stage < self.stages.count:
            raise IndexError(f"the stage must be between 0 and {self.stages.count - 1}")
        return np.eye(self.stages.count)[stage]


def _entry_sum(row: Table, position: Any, entries: Any) -> float:
    """Return the sum of a table's entries in a position."""
    if not row.count:
        return float(row.function(position, entries))
    return float(sum(entries[index] for index in chosen(row, position)))


def chosen(row: Table, position: Any) -> list[int]:
    """Return the indices that a table's function chooses, checked."""
    if row.by_place:
        indices = [row.function(position, place) for place in range(row.count)]
    else:
        indices = row.function(position) if row.count > 1 else [row.function(position)]
    places = [int(index) for index in indices]
    if len(places) != row.count or not all(0 <= place < row.size for place in places):
        raise IndexError(
            f"table '{row.name}': {places} are not {row.count} indices below {row.size}"
        )
    return places


def finish_terms(finish: Finish, terms: list[Term], value: float) -> list[Term]:
    """Return the terms that make the sum of all terms the value: limit and rounding."""
    exact = sum(count * weight for _, count, weight in terms)
    result: list[Term] = []
    # A sum of floats, added up in another order, is not quite the value.
    slack = (finish.rounding is not None) + 1e-9 * max(1.0, abs(exact))
    if abs(exact - value) > slack:
        result.append(("beyond the limit", float(finish.rounded(exact)) - value, -1.0))
    if finish.rounding is not None:
        rest = value - exact + (result[0][1] if result else 0.0)
        result.append(("rounding", rest, 1.0))
    return result


def _mode(row: Row) -> Any:
    if isinstance(row, Feature):
        return row.grouped
    return f"{row.count} places" if row.by_place else row.count
