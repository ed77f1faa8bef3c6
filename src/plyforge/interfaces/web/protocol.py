"""The encoding of the messages between pages and the server: JSON objects with a `type`.

`incoming.py` and `outgoing.py` define the messages.  A message that does not fit its definition is
refused with an error that names the field, its value and what is allowed.
"""

import re
from collections.abc import Iterable
from typing import Any, Final, Union, cast, dataclass_transform

import msgspec
from msgspec import Struct, inspect

from plyforge.core.errors import PlyforgeError, UnknownName, clip

_TYPE: Final = "type"
_MAX_VALUE: Final = 80
"""Characters of a wrong value that an error repeats."""
_PATH: Final = re.compile(r" - at `\$\.?(.*)`$", re.DOTALL)
_STEP: Final = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Incoming(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field=_TYPE, tag=False
):
    """A message from a page, or an object within one; messages have a tag."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Outgoing(Struct, frozen=True, kw_only=True, tag_field=_TYPE, tag=False):
    """A message to a page, or an object within one; messages have a tag."""


class MessageError(PlyforgeError):
    """A message that does not fit its definition."""


def encode(message: Outgoing) -> str:
    """Return a message as JSON."""
    return msgspec.json.encode(message).decode()


def type_name(message: type[Incoming]) -> str:
    """Return the `type` that messages of a class have."""
    return str(message.__struct_config__.tag)


class MessageReader:
    """Reads messages of the given types."""

    def __init__(self, types: Iterable[type[Incoming]], max_bytes: int) -> None:
        self._types = {type_name(one): one for one in types}
        self._max_bytes = max_bytes
        self._decoder = msgspec.json.Decoder(Union[tuple(self._types.values())])  # noqa: UP007

    def read(self, text: str) -> Incoming:
        """Return the message in a JSON text."""
        data = text.encode(errors="replace")
        if len(data) > self._max_bytes:
            raise MessageError(
                f"the message has {len(data):,} bytes; at most {self._max_bytes:,} are allowed"
            )
        try:
            return cast(Incoming, self._decoder.decode(data))
        except msgspec.ValidationError as error:
            raise self._explain(data, str(error)) from None
        except (msgspec.DecodeError, RecursionError):
            raise MessageError("the message is not valid JSON") from None

    def _explain(self, data: bytes, reason: str) -> PlyforgeError:
        """Return an error that says what is wrong with a message that was rejected."""
        try:
            message = msgspec.json.decode(data)
        except (msgspec.DecodeError, RecursionError):
            return MessageError("the message is not valid JSON")
        name = message.get(_TYPE) if isinstance(message, dict) else None
        if not isinstance(name, str):
            return MessageError("a message must be a JSON object with a 'type'")
        if name not in self._types:
            return UnknownName("type of message", name, self._types)
        path = _PATH.search(reason)
        steps = [] if path is None else _STEP.findall(path[1])
        return _explain_field(inspect.type_info(self._types[name]), message, steps, reason)


def _explain_field(
    kind: inspect.Type, value: Any, steps: list[tuple[str, str]], reason: str
) -> MessageError:
    """Follow a path into a message to the value that was rejected, and say what is allowed."""
    place = ""
    for index, name in steps:
        try:
            value, kind = (
                (value[int(index)], _item(kind)) if index else (value[name], _field(kind, name))
            )
        except (LookupError, TypeError):
            return MessageError(clip(reason))
        place += f"[{index}]" if index else f".{name}" if place else name
    struct = _select(kind, inspect.StructType)
    if struct is not None and isinstance(value, dict):
        return _explain_object(struct, value, place)
    if isinstance(value, str) and "\0" in value:
        return MessageError(f"{place} contains the character U+0000, which is not allowed")
    return MessageError(f"{place} must be {_describe(kind)}, not {_show(kind, value)}")


def _explain_object(struct: inspect.StructType, value: dict[str, Any], place: str) -> MessageError:
    known = [field.encode_name for field in struct.fields]
    prefix = f"{place}." if place else ""
    for name in value:
        if name not in known and (place or name != _TYPE):
            allowed = f"known fields: {', '.join(known)}" if known else "it has no fields"
            return MessageError(f"unknown field '{prefix}{clip(name, 40)}'; {allowed}")
    missing = [f.encode_name for f in struct.fields if f.required and f.encode_name not in value]
    return MessageError(f"the field '{prefix}{missing[0] if missing else _TYPE}' is missing")


def _select(kind: inspect.Type, *expected: type[inspect.Type]) -> Any:
    """Return the type itself, or the member of a union, that is one of the expected types."""
    members = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return next((member for member in members if isinstance(member, expected)), None)


def _item(kind: inspect.Type) -> inspect.Type:
    return cast(inspect.Type, _select(kind, inspect.VarTupleType).item_type)


def _field(kind: inspect.Type, name: str) -> inspect.Type:
    fields = _select(kind, inspect.StructType).fields
    return cast(inspect.Type, {field.encode_name: field.type for field in fields}[name])


def _describe(kind: inspect.Type) -> str:
    """Say which values a type allows."""
    match kind:
        case inspect.UnionType():
            members = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
            return " or ".join(map(_describe, members))
        case inspect.IntType():
            return f"an integer between {kind.ge} and {kind.le:,}"
        case inspect.FloatType():
            return f"a number between {kind.ge:g} and {kind.le:g}"
        case inspect.StrType():
            return f"a string of at most {kind.max_length:,} characters"
        case inspect.LiteralType():
            return f"one of {', '.join(map(repr, kind.values))}"
        case inspect.VarTupleType():
            return f"a list of at most {kind.max_length:,} items"
        case inspect.BoolType():
            return "true or false"
    return "an object"


def _show(kind: inspect.Type, value: Any) -> str:
    """Show a wrong value, or its length if that is what is wrong."""
    limited = _select(kind, inspect.StrType if isinstance(value, str) else inspect.VarTupleType)
    if isinstance(value, (str, list)) and limited is not None and len(value) > limited.max_length:
        return f"one of {len(value):,}"
    return clip(repr(value), _MAX_VALUE)
