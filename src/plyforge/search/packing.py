"""Bytes that processes exchange: a header, then a body in MessagePack.

| bytes | content |
|---|---|
| 4 | `PLYF` |
| 1 | the kind: `S` for a setup, `Q` for a request, `R` for a reply |
| 2 | the version of the format |
| 4 | the CRC-32 of the body |
| the rest | the body: the fields of a struct, in their order |

Numbers are little-endian.  The checksum finds bytes that were damaged or cut off; it protects
against no one: see `docs/search/request.md`.
"""

import re
import struct
import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Generic, TypeVar

import msgspec

from plyforge.core.errors import PlyforgeError, clip

VERSION: Final = 1
"""The version of the format: of the header and of every body."""
_MARK: Final = b"PLYF"
_HEADER: Final = struct.Struct("<4s1sHI")
_PLACE: Final = re.compile(r" - at `\$\[(\d+)\](.*)`$", re.DOTALL)
_ENCODER: Final = msgspec.msgpack.Encoder(order="deterministic")
_KINDS: Final = {b"S": "search setup", b"Q": "search request", b"R": "search reply"}

B = TypeVar("B", bound=msgspec.Struct)


class PackedDataError(PlyforgeError):
    """Bytes that are not what they should be, or of another version."""


@dataclass(frozen=True)
class Format(Generic[B]):
    """The format of one kind of bytes."""

    kind: bytes
    body: type[B]
    """A struct whose fields are packed as a list (`array_like`)."""

    @property
    def name(self) -> str:
        """What the bytes are, in words."""
        return _KINDS[self.kind]

    @cached_property
    def _decoder(self) -> msgspec.msgpack.Decoder[B]:
        return msgspec.msgpack.Decoder(self.body)

    def pack(self, body: B) -> bytes:
        """Return a struct as bytes; equal structs give equal bytes."""
        try:
            data = _ENCODER.encode(body)
        except UnicodeEncodeError as error:  # the name of a file may have bytes of no character
            raise PackedDataError(
                f"the {self.name} cannot be packed: {clip(repr(error.object))} is not a text in"
                " UTF-8"
            ) from None
        return _HEADER.pack(_MARK, self.kind, VERSION, zlib.crc32(data)) + data

    def unpack(self, data: bytes) -> B:
        """Return the struct in these bytes, or raise an error that says what is wrong."""
        body = self._check_header(data)
        try:
            return self._decoder.decode(body)
        except msgspec.ValidationError as error:
            raise PackedDataError(f"the {self.name} is not valid: {self._explain(error)}") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise PackedDataError(f"the {self.name} is not valid: {clip(str(error))}") from None

    def _check_header(self, data: bytes) -> memoryview:
        """Return the body, if the header fits it."""
        if len(data) < _HEADER.size:
            raise PackedDataError(
                f"these {len(data)} bytes are not a {self.name}: the header has {_HEADER.size}"
            )
        mark, kind, version, checksum = _HEADER.unpack_from(data)
        if mark != _MARK or kind not in _KINDS:
            raise PackedDataError(f"these {len(data)} bytes are not a {self.name}")
        if version != VERSION:
            raise PackedDataError(
                f"the {_KINDS[kind]} has version {version} of the format; this program reads"
                f" {VERSION}: use the same version of Plyforge everywhere"
            )
        if kind != self.kind:
            raise PackedDataError(f"these bytes are a {_KINDS[kind]}, not a {self.name}")
        body = memoryview(data)[_HEADER.size :]
        if zlib.crc32(body) != checksum:
            raise PackedDataError(f"the {self.name} is damaged or incomplete; send it again")
        return body

    def _explain(self, error: msgspec.ValidationError) -> str:
        """Name the field instead of its place in the list."""
        message = str(error)
        place = _PLACE.search(message)
        fields = self.body.__struct_fields__
        if place is None or int(place[1]) >= len(fields):
            return clip(message)
        return clip(f"{fields[int(place[1])]}{place[2]}: {message[: place.start()]}")
