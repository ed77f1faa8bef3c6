"""What a message from a page may hold: one check per field, and an error that names it.

A check takes the name of a value and the value, and returns it or raises `SchemaError`.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plyforge.core.errors import PlyforgeError, clip

if TYPE_CHECKING:
    from plyforge.interfaces.web.client import Client

Check = Callable[[str, Any], Any]
Handler = Callable[["Client", dict[str, Any]], None]


class SchemaError(PlyforgeError):
    """A message that is not as its schema says."""


@dataclass(frozen=True)
class Optional:
    """A field that may be left out."""

    check: Check
    default: Any = None


@dataclass(frozen=True)
class Message:
    """What a type of message holds, and what is done about it."""

    fields: Mapping[str, Check | Optional]
    handler: Handler
    slow: bool = False
    """Whether it may take seconds, as a long game played again does: threads answer it that keep
    no player waiting."""

    def read(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a message, checked; those that were left out have their defaults."""
        return _read(self.fields, "", {k: v for k, v in message.items() if k != "type"})


def _read(
    checks: Mapping[str, Check | Optional], where: str, given: Mapping[str, Any]
) -> dict[str, Any]:
    for name in given:
        if name not in checks:
            known = ", ".join(checks) or "none"
            raise SchemaError(f"unknown field '{where}{clip(str(name), 40)}'; known: {known}")
    found = {}
    for name, check in checks.items():
        if isinstance(check, Optional):
            value = given.get(name)
            found[name] = check.default if value is None else check.check(where + name, value)
        elif name not in given:
            raise SchemaError(f"the field '{where}{name}' is missing")
        else:
            found[name] = check(where + name, given[name])
    return found


def optional(check: Check, default: Any = None) -> Optional:
    """A field that may be left out, or be null."""
    return Optional(check, default)


def text(most: int) -> Check:
    """A text of at most so many characters."""

    def check(name: str, value: Any) -> str:
        if not isinstance(value, str):
            raise _wrong(name, value, "a text")
        if len(value) > most:
            raise SchemaError(f"{name} has {len(value):,} characters; at most {most:,} are taken")
        if "\x00" in value or any(0xD800 <= ord(sign) <= 0xDFFF for sign in value):
            raise SchemaError(f"{name} holds what is no text")
        return value

    return check


def whole(low: int, high: int) -> Check:
    """A whole number within bounds."""

    def check(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise _wrong(name, value, f"a whole number from {low} to {high}")
        return value

    return check


def number(low: float, high: float) -> Check:
    """A number within bounds."""

    def check(name: str, value: Any) -> float:
        told = f"a number from {low:g} to {high:g}"
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise _wrong(name, value, told)
        if not (low <= value <= high and math.isfinite(value)):
            raise _wrong(name, value, told)
        return float(value)

    return check


def yes_or_no() -> Check:
    """True or false."""

    def check(name: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise _wrong(name, value, "true or false")
        return value

    return check


def choice(*known: str) -> Check:
    """One of some texts."""

    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in known:
            raise _wrong(name, value, f"one of {', '.join(known)}")
        return value

    return check


def many(of: Check, most: int) -> Check:
    """A list of at most so many."""

    def check(name: str, value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise _wrong(name, value, "a list")
        if len(value) > most:
            raise SchemaError(f"{name} has {len(value):,} members; at most {most:,} are taken")
        return [of(f"{name}[{place}]", member) for place, member in enumerate(value)]

    return check


def fields(**checks: Check | Optional) -> Check:
    """An object within a message."""

    def check(name: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _wrong(name, value, "an object")
        return _read(checks, f"{name}.", value)

    return check


def _wrong(name: str, value: Any, wanted: str) -> SchemaError:
    return SchemaError(f"{name} is {clip(repr(value), 80)}; it must be {wanted}")
