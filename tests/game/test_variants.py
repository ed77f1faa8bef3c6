"""Variants: what stands after the colon, as arguments of `initial`."""

from typing import Any

import pytest

from plyforge.core.errors import VariantError
from plyforge.game.variants import describe, read_variant


def sized(columns: int = 7, rows: int = 6, swap: bool = False, komi: float = 0.5) -> None:
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
def test_texts_become_arguments(text: str, arguments: dict[str, Any]) -> None:
    assert read_variant("board", text, sized) == arguments


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "'board:' names no variant; leave the colon out"),
        ("  ", "names no variant"),
        ("height=4", "has no parameter 'height'; it has columns=7, rows=6, swap=False, komi=0.5"),
        ("=4", "has no parameter ''"),
        ("rows=4,rows=5", "'rows' is given twice"),
        ("5,columns=4", "'columns' is given twice"),
        ("swap,swap", "'swap' is given twice"),
        ("big", "columns is 'big', it must be a whole number"),
        ("5.5", "columns is '5.5', it must be a whole number"),
        ("5,", "rows is '', it must be a whole number"),
        ("swap=maybe", "swap is 'maybe', it must be true or false"),
        ("komi=much", "komi is 'much', it must be a number"),
        ("1,2,3,4", "variant '4' of board is one too many; it has columns=7"),
    ],
)
def test_texts_that_mean_nothing_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(VariantError) as refusal:
        read_variant("board", text, sized)
    assert reason in str(refusal.value)


def test_a_game_without_parameters_has_no_variants() -> None:
    with pytest.raises(VariantError, match="plain has no variants, so '5' means nothing"):
        read_variant("plain", "5", plain)
    assert describe(plain) == ""


def test_parameters_are_described_with_or_without_annotations() -> None:
    assert describe(sized) == "columns=7, rows=6, swap=False, komi=0.5"
    assert describe(unannotated) == "size=5, name=a"
    assert read_variant("board", "3,b", unannotated) == {"size": 3, "name": "b"}
