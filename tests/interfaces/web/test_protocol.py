"""Messages are read as their definitions say, or refused with a clear error."""

import json
import math
from typing import Annotated, Any, Literal, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web import incoming
from plyforge.interfaces.web.outgoing import Error
from plyforge.interfaces.web.protocol import Incoming, MessageReader, encode
from plyforge.records.record import MARKS, RESULTS


class Way(Incoming):
    driver: Annotated[str, Meta(max_length=4)]


class Sample(Incoming, tag="sample"):
    name: Annotated[str, Meta(max_length=5, pattern=r"\A[^\0]*\Z")]
    level: Annotated[int, Meta(ge=1, le=20)] = 5
    share: Annotated[float, Meta(ge=0, le=1)] | None = None
    side: Literal["first", "second"] = "first"
    moves: Annotated[tuple[Annotated[str, Meta(max_length=3)], ...], Meta(max_length=2)] = ()
    way: Way | None = None
    ways: Annotated[tuple[Way, ...], Meta(max_length=2)] = ()


class Empty(Incoming, tag="empty"):
    pass


FIELDS = Sample.__struct_fields__
READER = MessageReader([Sample, Empty], 1000)


def read(**fields: Any) -> Incoming:
    return READER.read(json.dumps({"type": "sample", **fields}))


def test_missing_fields_have_their_defaults() -> None:
    assert read(name="abc") == Sample(name="abc")
    assert READER.read('{"type": "empty"}') == Empty()


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"name": 3}, "name must be a string of at most 5 characters, not 3"),
        ({"name": "abcdef"}, "name must be a string of at most 5 characters, not one of 6"),
        ({"name": "a\x00"}, "name contains the character U+0000, which is not allowed"),
        ({"level": 0}, "level must be an integer between 1 and 20, not 0"),
        ({"level": True}, "level must be an integer between 1 and 20, not True"),
        ({"level": 2.5}, "level must be an integer between 1 and 20, not 2.5"),
        ({"level": 10**30}, "level must be an integer between 1 and 20, not 1000"),
        ({"share": "a"}, "share must be a number between 0 and 1, not 'a'"),
        ({"share": 1.5}, "share must be a number between 0 and 1, not 1.5"),
        ({"side": "third"}, "side must be one of 'first', 'second', not 'third'"),
        ({"moves": "abc"}, "moves must be a list of at most 2 items, not 'abc'"),
        ({"moves": ["a", "b", "c"]}, "moves must be a list of at most 2 items, not one of 3"),
        ({"moves": ["a", 1]}, "moves[1] must be a string of at most 3 characters, not 1"),
        ({"way": []}, "way must be an object, not []"),
        ({"way": {"driver": "abcde"}}, "way.driver must be a string of at most 4 characters, not"),
        ({"way": {}}, "the field 'way.driver' is missing"),
        ({"way": {"driver": "a", "x": 1}}, "unknown field 'way.x'; known fields: driver"),
        ({"ways": [{"driver": "a"}, {}]}, "the field 'ways[1].driver' is missing"),
        ({"other": 1}, "unknown field 'other'; known fields: name, level, share"),
        ({"type": "empty"}, "unknown field 'name'; it has no fields"),
        ({"type": "smaple"}, "unknown type of message 'smaple'; did you mean 'sample'?"),
        ({"type": 3}, "a message must be a JSON object with a 'type'"),
    ],
)
def test_an_error_names_field_value_and_what_is_allowed(
    changes: dict[str, Any], error: str
) -> None:
    with pytest.raises(PlyforgeError) as raised:
        read(**{"name": "abc", **changes})
    assert str(raised.value).startswith(error)


def test_a_missing_field_is_named() -> None:
    with pytest.raises(PlyforgeError, match="the field 'name' is missing"):
        read()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        ("[" * 500, "not valid JSON|JSON object"),
        ('{"type": "sample", "name": "\\ud800"}', "not valid JSON"),
        ('{"type": "sample", "name": "a", "share": NaN}', "not valid JSON"),
        ("[]", "must be a JSON object"),
        ("{}", "must be a JSON object"),
        ('"' + 2000 * "x" + '"', "2,002 bytes; at most 1,000 are allowed"),
    ],
)
def test_a_text_that_is_no_message_is_refused(text: str, error: str) -> None:
    with pytest.raises(PlyforgeError, match=error):
        READER.read(text)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*FIELDS, "x", "a.b", "a`"]), _json))
def test_any_message_is_read_or_refused(fields: dict[str, Any]) -> None:
    try:
        message = read(**fields)
    except PlyforgeError:
        return
    assert isinstance(message, Sample)
    assert len(message.name) <= 5
    assert 1 <= message.level <= 20
    assert message.share is None or math.isfinite(message.share)


def test_messages_are_encoded_with_their_type() -> None:
    assert json.loads(encode(Error(text="é"))) == {"type": "error", "text": "é"}


def test_messages_know_all_results_and_marks_of_records() -> None:
    assert get_args(incoming.Result) == RESULTS
    assert get_args(incoming.Mark) == MARKS
