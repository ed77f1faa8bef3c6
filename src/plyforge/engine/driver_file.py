"""Drivers in files: module-level names, as in a game's rules.

| name | meaning | default |
|---|---|---|
| `find_value(windows, guess, …)` | the function that finds the value | required |
| `NAME` | the driver's name in results | the file's name, with `-` for `_` |
| `SUMMARY` | what it does, in a few words | none |
| `PAPER` | where it was published | none |
| `PARAMETERS` | its parameters, each a `Parameter`; the function takes them by name | none |
| `NEEDS` | switches that are turned on and cannot be turned off | none |
| `OFF` | switches that are turned off unless `--on` names them; `all` for every one | none |
| `PRUNES` | False for a driver that searches without windows | True |
| `INSTEAD` | the driver that does without `NEEDS` | none |
"""

import difflib
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from plyforge.core.errors import GameFileError
from plyforge.engine.driver import CALL, FUNCTION, Driver
from plyforge.game.loading import import_file

CONSTANTS: Final = ("NAME", "SUMMARY", "PAPER", "PARAMETERS", "NEEDS", "OFF", "PRUNES", "INSTEAD")
_SEQUENCES: Final = ("PARAMETERS", "NEEDS", "OFF")


def read_driver_file(path: Path) -> Driver:
    """Read the driver in a file.  The file is executed, like any Python program."""
    module = import_file(path, f"give the path of a Python file with {CALL}")
    return read_driver(path.stem, module)


def read_driver(stem: str, module: ModuleType) -> Driver:
    """Read the driver in an imported module; raise `GameFileError` if something is wrong."""
    names = vars(module)
    file = str(names.get("__file__", stem))
    function = names.get(FUNCTION)
    if not callable(function):
        close = difflib.get_close_matches(FUNCTION, [n for n in names if n[0] != "_"], n=1)
        hint = f" (is '{close[0]}' meant?)" if close and function is None else ""
        raise GameFileError(f"{file}: a driver needs a function '{CALL}'{hint}")
    fields: dict[str, Any] = {"NAME": stem.replace("_", "-")}
    fields |= {name: names[name] for name in CONSTANTS if name in names}
    for name in _SEQUENCES:
        if isinstance(fields.get(name), list):
            fields[name] = tuple(fields[name])
    return Driver(find_value=function, **{name.lower(): value for name, value in fields.items()})
