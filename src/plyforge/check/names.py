"""Find names that are almost those of a hook or a constant, probably misspelled."""

import difflib
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from plyforge.check.report import Place, Recorder
from plyforge.compilation.fingerprint import all_names
from plyforge.core.contract import CONSTANTS, HOOKS
from plyforge.core.rules import Rules

_MIN_SIMILARITY = 0.84


def check_names(rules: Rules, recorder: Recorder) -> None:
    """Remark on names that nothing in the module uses and that are close to the contract's."""
    own = {name: value for name, value in vars(rules.module).items() if name[0] != "_"}
    used = set(_used_names(own.values()))
    for name, value in own.items():
        if name in HOOKS or name in CONSTANTS or name in used:
            continue
        intended = _intended_name(name, value, rules)
        if intended is None:
            continue
        place = None
        if isinstance(value, FunctionType):
            place = Place(value.__code__.co_filename, value.__code__.co_firstlineno)
        recorder.remark(intended, f"near {name}", f"is '{name}' meant to be '{intended}'?", place)


def _used_names(values: Any) -> Iterator[str]:
    for value in values:
        if isinstance(value, FunctionType):
            yield from all_names(value.__code__)


def _intended_name(name: str, value: Any, rules: Rules) -> str | None:
    if isinstance(value, FunctionType):
        if not value.__module__.startswith(rules.module.__name__):
            return None
        known = [hook for hook in HOOKS if hook not in rules.hooks]
    elif isinstance(value, (bool, int, float, str, tuple, list, type(None))):
        known = [constant for constant in CONSTANTS if constant not in rules.constants]
    else:
        return None
    by_form = {_normalize(candidate): candidate for candidate in known}
    close = difflib.get_close_matches(_normalize(name), by_form, n=1, cutoff=_MIN_SIMILARITY)
    return by_form[close[0]] if close else None


def _normalize(name: str) -> str:
    return name.lower().replace("_", "")
