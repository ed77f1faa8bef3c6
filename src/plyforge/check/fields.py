"""The fields of a position of any kind: a NamedTuple, a dataclass, a dict, a list or an object."""

import copy
import dataclasses
from typing import Any


def read_fields(position: Any) -> dict[str, Any]:
    """Return the fields of a position by name; entries of a sequence are named `[0]`, `[1]`, ...

    >>> read_fields([3, "red"])
    {'[0]': 3, '[1]': 'red'}
    """
    if isinstance(position, tuple) and hasattr(position, "_fields"):
        return dict(zip(position._fields, position, strict=True))
    if dataclasses.is_dataclass(position):
        return {f.name: getattr(position, f.name) for f in dataclasses.fields(position)}
    if isinstance(position, dict):
        return {f"[{key!r}]": value for key, value in position.items()}
    if isinstance(position, (tuple, list)):
        return {f"[{index}]": value for index, value in enumerate(position)}
    return dict(getattr(position, "__dict__", {}))


def replace_field(position: Any, name: str, value: Any) -> Any:
    """Return a copy of a position with another value in one field."""
    if isinstance(position, tuple) and hasattr(position, "_fields"):
        return type(position)(
            *(value if field == name else old for field, old in read_fields(position).items())
        )
    if dataclasses.is_dataclass(position) and not isinstance(position, type):
        return dataclasses.replace(position, **{name: value})
    if isinstance(position, dict):
        return {key: value if f"[{key!r}]" == name else old for key, old in position.items()}
    if isinstance(position, (tuple, list)):
        return type(position)(
            value if f"[{index}]" == name else old for index, old in enumerate(position)
        )
    other = copy.copy(position)
    setattr(other, name, value)
    return other


def access(name: str) -> str:
    """Return the expression that reads a field.

    >>> access("side"), access("[2]")
    ('position.side', 'position[2]')
    """
    return f"position{name}" if name.startswith("[") else f"position.{name}"
