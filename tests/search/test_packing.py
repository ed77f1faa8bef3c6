"""The header of packed bytes, and what is refused."""

import struct
import zlib
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct, msgpack

from plyforge.core.errors import PlyforgeError
from plyforge.search.packing import VERSION, Format, PackedDataError


class Body(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    count: Annotated[int, Meta(ge=0, le=9)]
    names: dict[str, tuple[int, ...]]


FORMAT, OTHER = Format(b"Q", Body), Format(b"R", Body)
BODY = Body(3, {"b": (1, 2), "a": ()})
DATA = FORMAT.pack(BODY)


def framed(fields: Any, version: int = VERSION, mark: bytes = b"PLYF", kind: bytes = b"Q") -> bytes:
    """Bytes with a right checksum, whatever the body."""
    body = msgpack.encode(fields)
    return struct.pack("<4s1sHI", mark, kind, version, zlib.crc32(body)) + body


@given(st.builds(Body, st.integers(0, 9), st.dictionaries(st.text(), st.just((1, 2)))))
def test_unpacking_gives_back_what_was_packed(body: Body) -> None:
    assert FORMAT.unpack(FORMAT.pack(body)) == body


def test_the_order_of_a_mapping_does_not_change_the_bytes() -> None:
    assert FORMAT.pack(Body(3, {"a": (), "b": (1, 2)})) == DATA


@pytest.mark.parametrize("length", range(len(DATA)))
def test_bytes_cut_off_anywhere_are_refused(length: int) -> None:
    with pytest.raises(PackedDataError, match=r"header|damaged or incomplete"):
        FORMAT.unpack(DATA[:length])


@given(st.integers(0, 8 * len(DATA) - 1))
def test_a_wrong_bit_is_found(place: int) -> None:
    data = bytearray(DATA)
    data[place // 8] ^= 1 << place % 8
    with pytest.raises(PackedDataError):
        FORMAT.unpack(bytes(data))


@given(st.binary())
def test_foreign_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(PlyforgeError, match="not a search request"):
        FORMAT.unpack(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (framed([3, {}], version=VERSION + 1), f"version {VERSION + 1}.*reads {VERSION}"),
        (framed([3, {}], mark=b"PNG\n"), "not a search request"),
        (framed([3, {}], kind=b"?"), "not a search request"),
        (OTHER.pack(BODY), "are a search reply, not a search request"),
        (DATA + b"\0", "damaged or incomplete"),
        (framed([10, {}]), "count: Expected `int` <= 9"),
        (framed(["x", {}]), "count: Expected `int`"),
        (framed([1, {"a": ["x"]}]), r"names\[...\]\[0\]: Expected `int`"),
        (framed([1]), "not valid"),
        (framed([1, {}, 2]), "not valid"),
        (framed({"count": 1, "names": {}}), "not valid"),
        (framed(None), "not valid"),
    ],
)
def test_the_error_says_what_is_wrong(data: bytes, message: str) -> None:
    with pytest.raises(PackedDataError, match=message):
        FORMAT.unpack(data)


def test_a_body_that_is_not_messagepack_is_refused() -> None:
    body = b"\xc1\xc1"
    data = struct.pack("<4s1sHI", b"PLYF", b"Q", VERSION, zlib.crc32(body)) + body
    with pytest.raises(PackedDataError, match="not valid"):
        FORMAT.unpack(data)


def test_a_text_that_is_not_unicode_cannot_be_packed() -> None:
    with pytest.raises(PackedDataError, match="cannot be packed"):
        FORMAT.pack(Body(1, {"\udcff": ()}))
