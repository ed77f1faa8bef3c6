"""Messages about steps of users that Numba cannot compile."""

import pytest

from plyforge.compilation.explain import explain

PLACE = '\nFile "/home/me/mine.py", line 8:\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "Unknown attribute 'cutz' of type Context_c2c4aa227bd1b353",
            "the context has no field 'cutz'; a step declares its own by PARAMETERS, COUNTERS and",
        ),
        ("Unknown attribute 'dept' of type Node_3f4a4fee4745c9cd", "the node has no field 'dept' "),
        (
            "Cannot resolve setattr: (Node_3f4a4fee4745c9cd).hi = float64",
            "the node has no field 'hi' ",
        ),
        ("Untyped global name 'SEEN': Cannot type empty list", "'SEEN' is a list; compiled rules"),
        (
            "Invalid use of BoundFunction(list.append for list(unicode_type)<iv=None>) with"
            " parameters (Literal[int](1))",
            "'append' of a list is called with another type; it holds values of one type",
        ),
    ],
)
def test_a_mistake_in_a_step_is_named_with_its_line(text: str, message: str) -> None:
    said = explain(Exception(text + PLACE), ["/home/me/mine.py", "/home/me/game.py"])
    assert said.startswith("/home/me/mine.py, line 8: Numba cannot compile this: " + message)


def test_an_error_without_a_text_has_a_hint() -> None:
    assert "it gives no reason; does a function return" in explain(AssertionError(), ["/x/game.py"])
