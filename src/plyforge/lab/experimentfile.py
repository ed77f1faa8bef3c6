"""What is read out of an experiment's file; a mistake names the file, the name and the value."""

import hashlib
import math
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from numbers import Integral, Real
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, TypeGuard, TypeVar

from plyforge.core.errors import GameFileError, PlyforgeError, clip
from plyforge.core.rules import blame_file
from plyforge.engine.limits import validate_depth
from plyforge.lab.cases import Case
from plyforge.lab.measuredtext import measured_text
from plyforge.lab.variations import Variation

T = TypeVar("T")


class ExperimentFile:
    """The names of a module, each checked when it is asked for."""

    def __init__(self, reference: str, module: ModuleType) -> None:
        self._names: dict[str, Any] = vars(module)
        self._path = Path(str(module.__file__))
        self._package = module.__package__ or ""
        self._told = reference if reference.endswith(".py") else str(self._path)

    @property
    def digest(self) -> str:
        """Of the text that its measurements depend on."""
        text = measured_text(self._path, self._package)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def has(self, name: str) -> bool:
        return name in self._names

    def require(self, *names: str) -> None:
        for name in names:
            if not self.has(name):
                raise GameFileError(
                    f"{self._told}: it defines no '{name}'; an experiment needs {', '.join(names)}"
                )

    def text(self, name: str) -> str:
        value = self._names.get(name, "")
        return value if isinstance(value, str) else self._wrong(name, value, "a text")

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._names.get(name, ())
        if not isinstance(value, (tuple, list)) or not all(isinstance(text, str) for text in value):
            self._wrong(name, value, "a list of names")
        return tuple(value)

    def count(self, name: str, default: int) -> int:
        value = self._names.get(name, default)
        return value if _is_count(value) else self._wrong(name, value, "a whole number, at least 1")

    def depths(self, name: str, default: tuple[int, ...]) -> tuple[int, ...]:
        """A range, a list or a tuple."""
        return self._as_depths(name, self._names.get(name, default))

    def scale(self, name: str, default: tuple[int, tuple[int, ...]]) -> tuple[int, tuple[int, ...]]:
        """How many positions, and which depths."""
        value = self._names.get(name, default)
        if not isinstance(value, (tuple, list)) or len(value) != 2 or not _is_count(value[0]):
            self._wrong(name, value, "a number of positions and depths, as (5, (4, 5))")
        return value[0], self._as_depths(name, value[1])

    def pairs(self, name: str, default: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        value = self._names.get(name, default)
        try:
            pairs = tuple((metric, heading) for metric, heading in value)
        except (TypeError, ValueError):
            pairs = ((0, 0),)
        if not all(isinstance(text, str) for pair in pairs for text in pair):
            self._wrong(name, value, 'pairs of name and heading, as (("leaves", "leaves"),)')
        return pairs

    def function(self, name: str, default: Callable[..., T]) -> Callable[..., T]:
        """A function whose exceptions point at its line."""
        found = self._names.get(name, default)
        if not callable(found):
            self._wrong(name, found, "a function")

        def called(*arguments: Any) -> T:
            with self._blaming(name):
                return found(*arguments)  # type: ignore[no-any-return]

        return called

    def lister(self, name: str, kind: type[T]) -> Callable[..., list[T]]:
        """A function that gives a list of `kind`; nothing, where the file has none."""
        function = self.function(name, lambda *arguments: [])

        def called(*arguments: Any) -> list[T]:
            given = function(*arguments)
            with self._blaming(name):
                items = list(given) if isinstance(given, Iterable) else [None]
            if not all(isinstance(item, kind) for item in items):
                self._wrong(f"{name}()", given, f"a list of {kind.__name__}")
            return items

        return called

    def variations(self) -> tuple[Variation, ...]:
        found = tuple(self.lister("variations", Variation)())
        names = [variation.name for variation in found]
        doubled = {name for name in names if names.count(name) > 1}
        if doubled:
            raise GameFileError(f"{self._told}: two variations are called '{min(doubled)}'")
        return found or self._wrong("variations()", [], "at least one Variation")

    def measure(self) -> Callable[[Case, Variation, int], dict[str, float]]:
        """The file's own measurement; what it gives can be stored and reckoned with."""
        function: Callable[..., object] = self.function("measure", dict)

        def called(case: Case, variation: Variation, depth: int) -> dict[str, float]:
            given = function(case, variation, depth)
            if not isinstance(given, dict) or not given:
                self._wrong("measure()", given, 'figures by name, as {"nodes": 12}')
            for name, value in given.items():
                if not isinstance(name, str) or not _is_figure(value):
                    self._wrong("measure()", {name: value}, "figures by name, all finite numbers")
            return {
                name: int(value) if isinstance(value, Integral) else float(value)
                for name, value in given.items()
            }

        return called

    def _as_depths(self, name: str, value: Any) -> tuple[int, ...]:
        try:
            depths = tuple(value)
        except TypeError:
            depths = ()
        if not depths or not all(_is_count(depth) for depth in depths):
            self._wrong(name, value, "depths, as (6, 8) or range(6, 9)")
        for depth in depths:
            try:
                validate_depth(depth)
            except PlyforgeError as error:
                raise GameFileError(f"{self._told}: {name}: {error}") from None
        return tuple(dict.fromkeys(depths))

    def _blaming(self, name: str) -> AbstractContextManager[None]:
        return blame_file(self._told, f"'{name}'", caller=__file__)

    def _wrong(self, name: str, value: object, wanted: str) -> NoReturn:
        raise GameFileError(f"{self._told}: {name} is {clip(repr(value))}; it must be {wanted}")


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_figure(value: object) -> TypeGuard[float]:
    return isinstance(value, Real) and math.isfinite(value)
