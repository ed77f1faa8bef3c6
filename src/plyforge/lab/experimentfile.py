"""Read the names in an experiment's file; errors give the file, the name and the value."""

import hashlib
import math
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from numbers import Integral, Real
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, TypeGuard, TypeVar

from plyforge.compilation.source_lines import find_line, holds_text
from plyforge.core.errors import GameFileError, PlyforgeError, UnknownName, clip
from plyforge.core.rules import blame_file
from plyforge.engine.limits import validate_depth
from plyforge.jobs.user_files import locate, names_beside, read_available
from plyforge.lab.cases import Case
from plyforge.lab.claims import Claim
from plyforge.lab.data import FIGURES, Data
from plyforge.lab.fixed_defaults import TABLES
from plyforge.lab.measuring_code import measuring_code
from plyforge.lab.statistics import Estimate
from plyforge.lab.variations import Variation

T = TypeVar("T")


class ExperimentFile:
    """The names in a module, each checked when it is read."""

    def __init__(self, reference: str, module: ModuleType) -> None:
        self._names: dict[str, Any] = vars(module)
        self._path = Path(str(module.__file__))
        self._package = module.__package__ or ""
        self._name = reference if reference.endswith(".py") else str(self._path)
        # The files that it names are beside it.
        self._folder = Path(reference).parent if reference.endswith(".py") else None

    @property
    def digest(self) -> str:
        """A hash of the code that its measurements depend on, and of the files it names."""
        code = measuring_code(self._path, self._package).encode()
        names = {name for variation in self.variations() for name in variation.files()}
        code += b"".join(file.content for file in read_available(sorted(names)))
        return hashlib.blake2b(code, digest_size=8).hexdigest()

    def has(self, name: str) -> bool:
        return name in self._names

    def require(self, *names: str) -> None:
        for name in names:
            if not self.has(name):
                raise GameFileError(
                    f"{self._name}: '{name}' is missing; an experiment needs {', '.join(names)}"
                )

    def text(self, name: str) -> str:
        value = self._names.get(name, "")
        return value if isinstance(value, str) else self._fail(name, value, "a string")

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._names.get(name, ())
        if not isinstance(value, (tuple, list)) or not all(isinstance(text, str) for text in value):
            self._fail(name, value, "a list of names")
        return tuple(value)

    def count(self, name: str, default: int) -> int:
        value = self._names.get(name, default)
        return value if _is_count(value) else self._fail(name, value, "an integer of at least 1")

    def depths(self, name: str, default: tuple[int, ...]) -> tuple[int, ...]:
        """Return depths from a range, a list or a tuple."""
        return self._as_depths(name, self._names.get(name, default))

    def scale(self, name: str, default: tuple[int, tuple[int, ...]]) -> tuple[int, tuple[int, ...]]:
        """Return a number of positions, and depths."""
        value = self._names.get(name, default)
        if not isinstance(value, (tuple, list)) or len(value) != 2 or not _is_count(value[0]):
            self._fail(name, value, "a number of positions and depths, as (5, (4, 5))")
        return value[0], self._as_depths(name, value[1])

    def pairs(self, name: str, default: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        value = self._names.get(name, default)
        try:
            pairs = tuple((metric, heading) for metric, heading in value)
        except (TypeError, ValueError):
            pairs = ((0, 0),)
        if not all(isinstance(text, str) for pair in pairs for text in pair):
            self._fail(name, value, 'pairs of name and heading, as (("leaves", "leaves"),)')
        return pairs

    def function(self, name: str, default: Callable[..., T]) -> Callable[..., T]:
        """Return a function whose exceptions name the line in the file."""
        function = self._names.get(name, default)
        if not callable(function):
            self._fail(name, function, "a function")

        def call(*arguments: Any) -> T:
            with self._blame(name), names_beside(self._folder):
                return function(*arguments)  # type: ignore[no-any-return]

        return call

    def list_function(self, name: str, kind: type[T]) -> Callable[..., list[T]]:
        """Return a function that returns a list of `kind`; an empty one if the file has none."""
        function = self.function(name, lambda *arguments: [])

        def call(*arguments: Any) -> list[T]:
            result = function(*arguments)
            with self._blame(name):
                items = list(result) if isinstance(result, Iterable) else [None]
            if not all(isinstance(item, kind) for item in items):
                self._fail(f"{name}()", result, f"a list of {kind.__name__}")
            return items

        return call

    def cases(self) -> Callable[..., list[Case]]:
        """Return the file's `cases`; the games that it names by path are beside it."""
        function = self.list_function("cases", Case)

        def call(*arguments: Any) -> list[Case]:
            with names_beside(self._folder):
                return [replace(case, game=locate(case.game)) for case in function(*arguments)]

        return call

    def metrics(self, default: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        """Return METRICS; a name that no search measures is an error, unless `measure` is own."""
        pairs = self.pairs("METRICS", default)
        for name, _ in pairs:
            if not self.has("measure") and name not in FIGURES:
                raise unknown_metric(self._name, name, FIGURES)
        return pairs

    def variations(self) -> tuple[Variation, ...]:
        variations = tuple(self.list_function("variations", Variation)())
        names = [variation.name for variation in variations]
        duplicates = {name for name in names if names.count(name) > 1}
        if duplicates:
            raise GameFileError(f"{self._name}: two variations are named '{min(duplicates)}'")
        if not variations:
            self._fail("variations()", [], "at least one Variation")
        defaults = self.defaults()
        with names_beside(self._folder):
            return tuple(
                replace(_with_located_files(variation), defaults=variation.defaults or defaults)
                for variation in variations
            )

    def claims(self) -> tuple[Claim, ...]:
        """Return the file's claims; an error in the figure of one names its line."""
        claims = self.list_function("claims", Claim)()
        statements = [claim.statement for claim in claims]
        duplicates = {statement for statement in statements if statements.count(statement) > 1}
        if duplicates:
            raise GameFileError(f"{self._name}: two claims state '{min(duplicates)}'")
        return tuple(replace(claim, estimate=self._estimate(claim)) for claim in claims)

    def _estimate(self, claim: Claim) -> Callable[[Data], Estimate | None]:
        def call(data: Data) -> Estimate | None:
            activity = f"the figure of '{claim.statement}'"
            with blame_file(self._name, activity, caller=__file__):
                figure = claim.estimate(data)
            if figure is not None and not isinstance(figure, Estimate):
                self._fail(f"estimate() of '{claim.statement}'", figure, "an Estimate or None")
            return figure

        return call

    def defaults(self) -> str:
        """Return the name of the table of fixed defaults; empty for the present defaults."""
        name = self.text("DEFAULTS")
        if name and name not in TABLES:
            self._fail("DEFAULTS", name, f"one of {', '.join(TABLES)}, or left out")
        return name

    def measure(self) -> Callable[[Case, Variation, int], dict[str, float]]:
        """Return the file's `measure`, whose results are checked and made plain numbers."""
        function: Callable[..., object] = self.function("measure", dict)

        def call(case: Case, variation: Variation, depth: int) -> dict[str, float]:
            figures = function(case, variation, depth)
            if not isinstance(figures, dict) or not figures:
                self._fail("measure()", figures, 'figures by name, as {"nodes": 12}')
            for name, value in figures.items():
                if not isinstance(name, str) or not _is_figure(value):
                    self._fail("measure()", {name: value}, "figures by name, all finite numbers")
            return {
                name: int(value) if isinstance(value, Integral) else float(value)
                for name, value in figures.items()
            }

        return call

    def _as_depths(self, name: str, value: Any) -> tuple[int, ...]:
        try:
            depths = tuple(value)
        except TypeError:
            depths = ()
        if not depths or not all(_is_count(depth) for depth in depths):
            self._fail(name, value, "depths, as (6, 8) or range(6, 9)")
        for depth in depths:
            try:
                validate_depth(depth)
            except PlyforgeError as error:
                raise GameFileError(f"{self._name}: {name}: {error}") from None
        return tuple(dict.fromkeys(depths))

    def _blame(self, name: str) -> AbstractContextManager[None]:
        return blame_file(self._name, f"'{name}'", caller=__file__)

    def _fail(self, name: str, value: object, expected: str) -> NoReturn:
        raise GameFileError(f"{self._name}: {name} is {clip(repr(value))}; it must be {expected}")


def unknown_metric(file: str, name: str, known: Iterable[str]) -> GameFileError:
    """Return the error for a name in METRICS that nothing measures."""
    error = UnknownName("metric", name, known)
    return GameFileError(f"{place_of_text(file, name)}: METRICS: {error}")


def place_of_text(file: str, text: str) -> str:
    """Return `file, line N` for the first line with a string, or just the file."""
    line = find_line(file, holds_text(text))
    return file if line is None else f"{file}, line {line}"


def _with_located_files(variation: Variation) -> Variation:
    """Return a variation whose files are found beside the experiment's."""

    def find(value: Any) -> Any:
        return locate(str(value)) if isinstance(value, (str, Path)) else value

    return replace(
        variation,
        driver=find(variation.driver),
        evaluation=find(variation.evaluation),
        steps=tuple(map(find, variation.steps)),
        settings={name: find(value) for name, value in variation.settings.items()},
    )


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_figure(value: object) -> TypeGuard[float]:
    return isinstance(value, Real) and math.isfinite(value)
