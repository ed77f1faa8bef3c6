"""Names that are nearly a hook's or a constant's: most likely slips of the pen."""

import difflib
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from plyforge.check.report import Place, Recorder
from plyforge.compilation.fingerprint import all_names
from plyforge.core.contract import CONSTANTS, HOOKS
from plyforge.core.rules import Rules

_CLOSE = 0.84


def look_at_names(rules: Rules, recorder: Recorder) -> None:
    """Remark on names that nothing in the module uses and that are close to the contract's."""
    own = {name: value for name, value in vars(rules.module).items() if name[0] != "_"}
    used = set(_used(own.values()))
    for name, value in own.items():
        if name in HOOKS or name in CONSTANTS or name in used:
            continue
        meant = _meant(name, value, rules)
        if meant is None:
            continue
        place = None
        if isinstance(value, FunctionType):
            place = Place(value.__code__.co_filename, value.__code__.co_firstlineno)
        recorder.remark(meant, f"near {name}", f"is '{name}' meant to be '{meant}'?", place)


def _used(values: Any) -> Iterator[str]:
    for value in values:
        if isinstance(value, FunctionType):
            yield from all_names(value.__code__)


def _meant(name: str, value: Any, rules: Rules) -> str | None:
    if isinstance(value, FunctionType):
        if not value.__module__.startswith(rules.module.__name__):
            return None
        known = [hook for hook in HOOKS if hook not in rules.hooks]
    elif isinstance(value, (bool, int, float, str, tuple, list, type(None))):
        known = [constant for constant in CONSTANTS if constant not in rules.constants]
    else:
        return None
    by_form = {_form(candidate): candidate for candidate in known}
    close = difflib.get_close_matches(_form(name), by_form, n=1, cutoff=_CLOSE)
    return by_form[close[0]] if close else None


def _form(name: str) -> str:
    return name.lower().replace("_", "")
