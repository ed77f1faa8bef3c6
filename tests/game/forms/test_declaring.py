"""What `linear`, `patterns`, `net` and `table` accept and refuse."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from plyforge.rules import linear, net, patterns, table


class Point(NamedTuple):
    x: int
    y: int


def x(point: Point) -> int:
    return point.x


def y(point: Point) -> int:
    return point.y


def both(point: Point) -> tuple[int, int]:
    return point.x, point.y


def entries(point: Point, table: Any) -> Any:
    return table[point.x] - table[point.y]


AT = Point(3, 2)


def test_weights_are_given_with_the_features_by_name_or_in_order() -> None:
    declared = [
        linear({"x": (x, 10), "y": (y, 1)}),
        linear({"x": x, "y": y}, {"x": 10, "y": 1}),
        linear({"x": x, "y": y}, [10, 1]),
        linear({"x": x, "y": y}, np.array([10, 1])),
        linear(both, {"x": 10, "y": 1}),
        linear({("x", "y"): (both, (10, 1))}),
    ]
    assert [one.evaluate(AT) for one in declared] == [32] * len(declared)
    assert all(one.terms(AT) == [("x", 3, 10), ("y", 2, 1)] for one in declared)


def test_a_feature_without_a_weight_counts_nothing() -> None:
    assert linear({"x": x, "y": (y, 5)}).evaluate(AT) == 10


def test_one_real_weight_makes_all_weights_real() -> None:
    assert linear({"x": (x, 1), "y": (y, 0.5)}).weights.numbers.dtype == np.float64
    assert linear({"x": (x, 1), "y": (y, 5)}).weights.numbers.dtype == np.int64


def test_one_weight_counts_at_every_stage() -> None:
    one = linear({"x": (x, 7), "y": (y, (1, 2, 3))}, stages=(y, 3))
    assert one.vector.tolist() == [7, 1, 7, 2, 7, 3]
    assert [one.evaluate(Point(1, stage)) for stage in range(3)] == [7, 9, 13]


def test_a_blend_moves_from_the_second_set_to_the_first() -> None:
    one = linear({"x": (x, (100, 0))}, blend=(y, 4))
    assert [one.evaluate(Point(1, share)) for share in range(5)] == [0, 25, 50, 75, 100]


@pytest.mark.parametrize(
    ("rounding", "values"), [("nearest", [-2, -1, 0, 0, 1, 2]), ("zero", [-1, -1, 0, 0, 1, 1])]
)
def test_rounding(rounding: str, values: list[int]) -> None:
    one = linear({"x": (x, 1)}, unit=10, rounding=rounding)
    assert [one.evaluate(Point(n, 0)) for n in (-19, -11, -5, 4, 12, 19)] == values
    real = linear({"x": (x, 1.0)}, unit=10, rounding=rounding)
    assert [real.evaluate(Point(n, 0)) for n in (-19, -11, -5, 4, 12, 19)] == values


def test_a_table_is_read_by_index_or_adds_up_itself() -> None:
    by_index = patterns({"x": (x, [5, 6, 7, 8]), "both": (both, [1, 2, 3, 4], 2)})
    assert by_index.evaluate(AT) == 8 + 4 + 3
    assert linear({"entries": table(entries, [5, 6, 7, 9])}).evaluate(AT) == 9 - 7


def test_an_index_outside_of_its_table_is_an_error_that_names_the_table() -> None:
    one = patterns({"corner": (x, 3)})
    for evaluate in (one.evaluate, one.terms):
        with pytest.raises(IndexError, match="'corner'"):
            evaluate(AT)
    with pytest.raises(IndexError, match="stage must be between 0 and 1"):
        linear({"x": (x, 1)}, stages=(y, 2)).evaluate(AT)


def test_a_net_without_weights_is_0_everywhere() -> None:
    one = net({"x": x, ("y", "z"): both}, (4, 2))
    assert one.form.size == (3 + 1) * 4 + (4 + 1) * 2 + (2 + 1)
    assert one.evaluate(AT) == 0


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "no features": (lambda: linear({}), "must be a dict"),
    "no dict": (lambda: linear([x]), "must be a dict"),
    "no function": (lambda: linear({"x": (3, 4)}), "feature 'x' must be a plain function, not 3"),
    "no name": (lambda: linear({3: x}), "3 is not the name"),
    "two arguments": (lambda: linear({"x": entries}), r"must take \(position\)"),
    "one name twice": (lambda: linear({"x": x, ("x", "y"): both}), "two features are called 'x'"),
    "a text": (lambda: linear({"x": (x, "1")}), "not a number"),
    "not finite": (lambda: linear({"x": (x, float("nan"))}), "nan is not a finite number"),
    "too large": (lambda: linear({"x": (x, 2**60)}), "within"),
    "too many": (lambda: linear({"x": x}, [1, 2]), "2 weights; the form has 1 x 1"),
    "uneven": (lambda: linear({"x": x}, [[1], [2, 3]]), "different lengths"),
    "other names": (lambda: linear({"x": x}, {"z": 1}), "the features"),
    "tables by name": (lambda: linear({"x": table(x, 3)}, {"x": 1}), "with the tables"),
    "given twice": (lambda: linear({"x": (x, 1)}, [1]), "not both"),
    "function without names": (lambda: linear(both, [1, 2]), "needs weights by name"),
    "group": (lambda: linear({("x", "y"): (both, (1, 2, 3))}), "3 weights for 2 names"),
    "wrong stages": (lambda: linear({"x": x}, stages=3), r"pair \(function, count\)"),
    "no stages": (lambda: linear({"x": x}, stages=(x, 0)), "between 1 and"),
    "no share": (lambda: linear({"x": x}, blend=(x, 0)), "at least 1"),
    "stages and blend": (lambda: linear({"x": x}, stages=(x, 2), blend=(y, 2)), "not both"),
    "weights per stage": (lambda: linear({"x": (x, (1, 2))}, stages=(y, 3)), "3 weights"),
    "unit": (lambda: linear({"x": x}, unit=0), "unit must be a positive number"),
    "limit": (lambda: linear({"x": x}, limit=-1), "limit must be a positive number"),
    "rounding": (lambda: linear({"x": x}, rounding="up"), "rounding must be"),
    "no table": (lambda: patterns({"x": x}), "needs a table"),
    "empty table": (lambda: table(x, 0), "between 1 and"),
    "number of indices": (lambda: table(both, 9, 0), "count must be"),
    "shape of a table": (lambda: linear({"x": table(x, [[1, 2], [3, 4]])}), "needs 1 lines"),
    "name of a table": (lambda: linear({("x", "y"): table(x, 3)}), "a table has one name"),
    "update of indices": (lambda: table(x, 3, update=entries), "returns indices"),
    "arguments of an update": (
        lambda: table(entries, 4, update=x),
        r"'x' must take \(position, move, child, total, table\)",
    ),
    "net of sums": (lambda: net({"e": table(entries, 4)}, 3), "returns indices"),
    "too many indices": (
        lambda: net({str(n): table(x, 9, 256) for n in range(17)}, 3),
        "at most 4096 indices, not 4352",
    ),
    "no layers": (lambda: net({"x": x}, ()), "hidden must be"),
    "activation": (lambda: net({"x": x}, 3, activation="step"), "unknown activation 'step'"),
    "activations": (lambda: net({"x": x}, (3, 2), activation=("relu",)), "1 activations for 2"),
    "weights of a net": (lambda: net({"x": x}, 2, [1.0]), "the form has 7 weights"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_declaration_is_refused_with_the_reason(case: str) -> None:
    declare, message = WRONG[case]
    with pytest.raises(ValueError, match=message):
        declare()
