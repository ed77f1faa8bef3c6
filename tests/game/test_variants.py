"""Variants: the text after the colon, as arguments of `initial`."""

from typing import Any

import pytest

from plyforge.core.errors import VariantError
from plyforge.game.variants import describe, read_variant


def with_parameters(columns: int = 7, rows: int = 6, swap: bool = False, komi: float = 0.5) -> None:
    """An `initial` with parameters of each kind."""


def plain() -> None:
    """An `initial` without variants."""


def unannotated(size=5, name="a"):  # type: ignore[no-untyped-def]
    """An `initial` without annotations."""


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("5x4", {"columns": 5, "rows": 4}),
        ("5,4", {"columns": 5, "rows": 4}),
        ("5, 4", {"columns": 5, "rows": 4}),
        ("5", {"columns": 5}),
        ("rows=4", {"rows": 4}),
        ("rows = 4", {"rows": 4}),
        ("rows=4,5", {"rows": 4, "columns": 5}),
        ("columns=5,rows=4", {"columns": 5, "rows": 4}),
        ("5x4,swap", {"columns": 5, "rows": 4, "swap": True}),
        ("swap", {"swap": True}),
        ("swap,5", {"swap": True, "columns": 5}),
        ("swap=false", {"swap": False}),
        ("swap=1", {"swap": True}),
        ("5x4,6.5", {"columns": 5, "rows": 4, "komi": 6.5}),
        ("komi=7", {"komi": 7.0}),
        ("-5", {"columns": -5}),
    ],
)
def test_a_variant_is_read_as_arguments(text: str, arguments: dict[str, Any]) -> None:
    assert read_variant("board", text, with_parameters) == arguments


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "'board:' names no variant; add one"),
        ("  ", "names no variant"),
        ("height=4", "has no parameter 'height'; it has columns=7, rows=6, swap=False, komi=0.5"),
        ("=4", "has no parameter ''"),
        ("rows=4,rows=5", "'rows' is given twice"),
        ("5,columns=4", "'columns' is given twice"),
        ("swap,swap", "'swap' is given twice"),
        ("big", "columns must be an integer, not 'big'"),
        ("5.5", "columns must be an integer, not '5.5'"),
        ("5,", "rows must be an integer, not ''"),
        ("swap=maybe", "swap must be true or false, not 'maybe'"),
        ("komi=much", "komi must be a number, not 'much'"),
        ("1,2,3,4", "'4' is one value too many for a variant of board; it has columns=7"),
    ],
)
def test_a_wrong_variant_is_an_error_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(VariantError) as error:
        read_variant("board", text, with_parameters)
    assert reason in str(error.value)


def test_a_game_without_parameters_has_no_variants() -> None:
    with pytest.raises(VariantError, match="plain has no variants; write 'plain'"):
        read_variant("plain", "5", plain)
    assert describe(plain) == ""


def test_parameters_are_described_with_or_without_annotations() -> None:
    assert describe(with_parameters) == "columns=7, rows=6, swap=False, komi=0.5"
    assert describe(unannotated) == "size=5, name=a"
    assert read_variant("board", "3,b", unannotated) == {"size": 3, "name": "b"}
