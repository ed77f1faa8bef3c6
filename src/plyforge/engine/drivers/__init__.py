"""The built-in drivers: every file here is one, in the form that `engine.driver_file` describes."""

import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Final

from plyforge.core.errors import GameFileError, PlyforgeError, UnknownName
from plyforge.engine.deepening import GUESS
from plyforge.engine.driver import Driver
from plyforge.engine.driver_file import read_driver, read_driver_file
from plyforge.game.loading import is_path
from plyforge.search.enhancements import PARAMETERS
from plyforge.search.parameters import Parameter

DriverLike = Driver | str | ModuleType | Callable[..., float]
"""A driver, its name or file, a module in the form of such a file, or its function alone."""


def _read_all() -> dict[str, Driver]:
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    modules = {name: importlib.import_module(f"{__name__}.{name}") for name in names}
    drivers = [read_driver(name, module) for name, module in modules.items()]
    return {driver.name: driver for driver in drivers}


DRIVERS: Final[dict[str, Driver]] = _read_all()
DEFAULT: Final = "pvs"


def find_driver(driver: DriverLike) -> Driver:
    """Return a driver in any form as an object; a file is executed."""
    if isinstance(driver, Driver):
        return driver
    if isinstance(driver, ModuleType):
        return _refuse_taken_name(read_driver(driver.__name__.rpartition(".")[2], driver))
    if isinstance(driver, (FunctionType, MethodType)):
        return _refuse_taken_name(Driver(driver.__name__, driver))
    if not isinstance(driver, str):
        raise PlyforgeError(
            f"{driver!r} is not a driver; give a name, a Python file, a function or a Driver"
        )
    if driver in DRIVERS:
        return DRIVERS[driver]
    if is_path(driver):
        return _refuse_taken_name(read_driver_file(Path(driver)))
    raise UnknownName("driver", driver, DRIVERS)


def _refuse_taken_name(driver: Driver) -> Driver:
    """Reject a driver whose results would look like those of a built-in one."""
    known = DRIVERS.get(driver.name)
    if known is not None and known.find_value is not driver.find_value:
        raise GameFileError(
            f"{driver.file}: the driver's name is '{driver.name}', which is a built-in driver;"
            " set NAME to another one"
        )
    return driver


def parameters_for(driver: Driver) -> dict[str, Parameter]:
    """Return all parameters that an engine with this driver knows, by name.

    Those of other built-in drivers are among them, so that options can be shared.
    """
    others = (parameter for one in DRIVERS.values() for parameter in one.parameters)
    known = [*PARAMETERS.values(), GUESS, *others, *driver.parameters]
    return {parameter.name: parameter for parameter in known}
