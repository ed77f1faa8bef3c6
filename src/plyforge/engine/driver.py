"""Drivers: each finds the value of a position by searches with different windows."""

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any, Final, NoReturn

from plyforge.core.errors import GameFileError, PlyforgeError, clip
from plyforge.core.rules import blame_file, error_place
from plyforge.core.scores import WIN
from plyforge.engine.deepening import GUESS
from plyforge.engine.overrun import Overrun
from plyforge.engine.window_search import DriverMistake, Stopped, WindowSearch
from plyforge.search.enhancements import PARAMETERS, enhancement
from plyforge.search.options import Options
from plyforge.search.parameters import Parameter, check_parameters

FUNCTION: Final = "find_value"
CALL: Final = f"{FUNCTION}(windows, guess)"


@dataclass(frozen=True, eq=False)
class Driver:
    """A way to find the value of a position by searches with different windows.

    `find_value(windows, guess)` searches with the methods of a `WindowSearch` and returns the
    value.  It also takes the driver's parameters by name, with `_` for `-`.
    """

    name: str
    find_value: Callable[..., float]
    summary: str = ""
    paper: str = ""
    parameters: tuple[Parameter, ...] = ()
    needs: tuple[str, ...] = ()
    """Switches that are turned on, and cannot be turned off."""
    off: tuple[str, ...] = ()
    """Switches that are turned off unless they are turned on by name; `all` for every one."""
    prunes: bool = True
    """Whether the search uses windows; without them it visits every node."""
    instead: str = ""
    """The driver to use if one of `needs` is turned off."""

    def __post_init__(self) -> None:
        plain = inspect.unwrap(self.find_value) if callable(self.find_value) else None
        if not (inspect.isfunction(plain) or inspect.ismethod(plain)):
            raise PlyforgeError(
                f"driver '{self.name}': {FUNCTION} must be a function {CALL}, not"
                f" {clip(repr(self.find_value))}"
            )
        for field in ("name", "summary", "paper", "instead"):
            value = getattr(self, field)
            if not isinstance(value, str) or not value.isprintable():
                self._fail(f"{field} is {clip(repr(value))}; it must be a text of one line")
        if not self.name:
            self._fail("name is empty")
        self._check_switches()
        self._check_parameters()
        self._check_signature()

    @cached_property
    def file(self) -> str:
        """The file of its function."""
        return str(inspect.unwrap(self.find_value).__code__.co_filename)

    def find(self, windows: WindowSearch, guess: float, options: Options) -> float:
        """Return the value of a position; an error names the line of the driver's file."""
        arguments = {
            _argument(parameter): options.get(parameter.name) for parameter in self.parameters
        }
        try:
            with blame_file(self.file, f"'{FUNCTION}'", caller=__file__):
                value = self.find_value(windows, guess, **arguments)
        except (DriverMistake, Overrun) as error:
            place = error_place(error, self.file)
            raise GameFileError(f"{place}: '{FUNCTION}': {error}") from error
        if windows.stopped:  # the function caught it
            raise Stopped
        return self._check_value(value, windows)

    def options(
        self,
        options: Options,
        on: list[str],
        off: list[str],
        settings: dict[str, Any],
    ) -> Options:
        """Return options with changes, and with those that the driver implies."""
        for switch in self.needs:
            if switch in off:
                remedy = f"use the driver '{self.instead}'" if self.instead else "leave it on"
                raise PlyforgeError(
                    f"the driver '{self.name}' needs the switch '{switch}'; {remedy}"
                )
        changed = options.changed(off=self.off).changed(on, off, settings)
        return changed.changed(on=self.needs)

    # Checks

    def _fail(self, message: str) -> NoReturn:
        raise GameFileError(f"{self.file}: the driver's {message}")

    def _fail_at_function(self, message: str) -> NoReturn:
        line = inspect.unwrap(self.find_value).__code__.co_firstlineno
        raise GameFileError(f"{self.file}, line {line}: '{FUNCTION}' {message}")

    def _check_switches(self) -> None:
        for field in ("needs", "off"):
            names = getattr(self, field)
            if not isinstance(names, tuple):
                self._fail(f"{field} is {clip(repr(names))}; it must be a tuple, as ('table',)")
            for name in names:
                if field == "off" and name == "all":
                    continue
                try:
                    enhancement(name)
                except PlyforgeError as error:
                    self._fail(f"{field}: {error}")
        if not isinstance(self.prunes, bool):
            self._fail(f"prunes is {clip(repr(self.prunes))}; it must be True or False")

    def _check_parameters(self) -> None:
        if not isinstance(self.parameters, tuple) or not all(
            isinstance(parameter, Parameter) for parameter in self.parameters
        ):
            self._fail(
                f"parameters are {clip(repr(self.parameters))}; they must be a tuple of Parameter"
            )
        check_parameters(self.parameters, self._fail, taken=(*PARAMETERS, GUESS.name))

    def _check_signature(self) -> None:
        """Check that the function takes what it is called with, and nothing else."""
        wanted = {_argument(parameter): parameter.name for parameter in self.parameters}
        signature = inspect.signature(self.find_value)
        try:
            signature.bind(None, 0.0, **dict.fromkeys(wanted))
        except TypeError as error:
            call = f"{FUNCTION}({', '.join(('windows', 'guess', *wanted))})"
            remedy = "" if wanted else "; declare further arguments in PARAMETERS"
            self._fail_at_function(f"must take {call}: {error}{remedy}")

    def _check_value(self, value: Any, windows: WindowSearch) -> float:
        """Return the value that the function returned if it can be one."""
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        number = float(value) if is_number and abs(value) <= WIN else math.nan
        if math.isnan(number):
            self._fail_at_function(f"returned {clip(repr(value))}; it must return the value")
        if windows.last is None:
            self._fail_at_function(f"returned {number:g} without a search")
        # A search that is not exact may contradict itself: then the lower bound is the greater one.
        lower, upper = sorted((windows.lower, windows.upper))
        if not lower <= number <= upper:
            self._fail_at_function(
                f"returned {number:g}, but according to its searches the value is between"
                f" {lower:g} and {upper:g}"
            )
        return number + 0.0  # not -0


def _argument(parameter: Parameter) -> str:
    """Return the name under which a function takes a parameter."""
    return parameter.name.replace("-", "_")
