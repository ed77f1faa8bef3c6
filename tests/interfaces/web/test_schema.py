from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.interfaces.web.schema import (
    Message,
    SchemaError,
    choice,
    fields,
    many,
    number,
    optional,
    text,
    whole,
    yes_or_no,
)

MESSAGE = Message(
    {
        "name": text(5),
        "level": optional(whole(1, 20), 5),
        "share": optional(number(0, 1)),
        "side": optional(choice("first", "second"), "first"),
        "fast": optional(yes_or_no(), False),
        "moves": optional(many(text(3), 2), []),
        "how": optional(fields(driver=text(4))),
    },
    lambda client, given: None,
)


def test_fields_left_out_have_their_defaults() -> None:
    assert MESSAGE.read({"type": "x", "name": "abc"}) == {
        "name": "abc",
        "level": 5,
        "share": None,
        "side": "first",
        "fast": False,
        "moves": [],
        "how": None,
    }


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": 3}, "name is 3; it must be a text"),
        ({"name": "abcdef"}, "name has 6 characters; at most 5"),
        ({"name": "a\x00"}, "no text"),
        ({"level": 0}, "from 1 to 20"),
        ({"level": True}, "from 1 to 20"),
        ({"level": 2.0}, "from 1 to 20"),
        ({"share": "a"}, "from 0 to 1"),
        ({"share": float("nan")}, "from 0 to 1"),
        ({"side": "third"}, "one of first, second"),
        ({"fast": 1}, "true or false"),
        ({"moves": "abc"}, "a list"),
        ({"moves": ["a", "b", "c"]}, "3 members; at most 2"),
        ({"moves": [1]}, r"moves\[0\] is 1"),
        ({"how": []}, "an object"),
        ({"how": {"driver": "abcde"}}, "how.driver has 5"),
        ({"how": {}}, "'how.driver' is missing"),
        ({"how": {"driver": "a", "x": 1}}, "unknown field 'how.x'"),
        ({"other": 1}, "unknown field 'other'"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(SchemaError, match=told):
        MESSAGE.read({"name": "abc", **changes})


def test_a_missing_field_is_named() -> None:
    with pytest.raises(SchemaError, match="'name' is missing"):
        MESSAGE.read({})


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*MESSAGE.fields, "type", "x"]), _json))
def test_whatever_comes_is_read_or_refused(message: dict[str, Any]) -> None:
    try:
        found = MESSAGE.read(message)
    except SchemaError:
        return
    assert found.keys() == MESSAGE.fields.keys()
    assert len(found["name"]) <= 5
    assert 1 <= found["level"] <= 20
