"""Requests of the page of matrix games."""

import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.equilibrium import parse_matrix
from plyforge.interfaces.drawing.mixes import mix_lines
from plyforge.interfaces.web import incoming, matrix
from plyforge.interfaces.web.protocol import encode


class Listener:
    """Keeps what it is sent."""

    def __init__(self) -> None:
        self.received: list[Any] = []

    def send(self, message: Any) -> None:
        self.received.append(json.loads(encode(message)))


def solve(text: str) -> dict[str, Any]:
    listener = Listener()
    matrix.solve(None, listener, incoming.SolveMatrix(text=text))  # type: ignore[arg-type]
    (message,) = listener.received
    return dict(message)


@pytest.mark.parametrize("title", matrix.EXAMPLES)
def test_the_examples_are_solved(title: str) -> None:
    view = solve(matrix.EXAMPLES[title])
    assert view["equilibria"]


def test_two_rows_have_a_chart_of_the_value() -> None:
    view = solve("a 3 -1\nb -2 4")
    assert (view["value"], view["kind"]) == ("1", "zero-sum, 2 × 2")
    chart = view["chart"]
    assert chart["optimum"] == pytest.approx(3 / 5)
    assert (chart["at_zero"], chart["at_one"]) == ([-2, 4], [3, -1])
    picture = ET.fromstring(chart["svg"])
    lines = [one.get("data-line") for one in picture.iter() if one.get("data-line")]
    assert lines == ["1", "2", "value of the mix"]


def test_the_thick_line_bends_where_the_best_reply_changes() -> None:
    lines = mix_lines(parse_matrix("5 0 3 -1\n-2 4 1 6"))
    assert lines is not None
    assert lines.bends() == [
        (0.0, -2.0), pytest.approx((6 / 11, 20 / 11)), pytest.approx((2 / 3, 4 / 3)), (1.0, -1.0),
    ]  # fmt: skip
    columns = mix_lines(parse_matrix("4 -1\n0 3\n2 1"))
    assert columns is not None
    assert min(value for _, value in columns.bends()) == pytest.approx(1.5)


def test_larger_and_other_games_have_no_chart() -> None:
    assert solve("0 -1 1\n1 0 -1\n-1 1 0")["chart"] is None
    view = solve("-1,-1 -3,0\n0,-3 -2,-2")
    assert (view["chart"], view["value"]) == (None, "")


def test_a_degenerate_game_has_a_note() -> None:
    assert "degenerate" in solve("1,1 0,0\n1,0 2,3")["note"]


def test_a_game_that_is_too_large_is_refused() -> None:
    with pytest.raises(PlyforgeError, match="plyforge matrix FILE"):
        solve("\n".join([" ".join(["1"] * 60)] * 60))
    with pytest.raises(PlyforgeError, match="too many pairs of supports"):
        solve("\n".join([" ".join(["1,2"] * 20)] * 20))
    large = "\n".join(" ".join(str((i * j) % 7) for j in range(20)) for i in range(1, 21))
    assert "too large to list" in solve(large)["note"]


def test_wrong_text_is_refused() -> None:
    with pytest.raises(PlyforgeError, match="line 1: 'x' is not a number"):
        solve("1 x")
