"""Text drawings of boards of squares, hexagons, pits, points and lines."""

import pytest

from plyforge.core.geometry import boxes, hexagons, pits, points, squares
from plyforge.game.textboard import draw


def test_squares_have_a_line_per_row_and_labels() -> None:
    assert draw(squares(3, 2), {"a2": "X", "c1": "O"}) == "2 X . .\n1 . . O\n  a b c"


def test_labels_of_several_digits_are_right_aligned() -> None:
    lines = draw(squares(2, 10), {}).splitlines()
    assert lines[0] == "10 . ."
    assert lines[1] == " 9 . ."
    assert lines[-1] == "   a b"


def test_cells_are_as_wide_as_the_labels_of_their_columns() -> None:
    board = squares(11, 1, column_label=lambda column: str(column + 1))
    assert draw(board, {"b1": "X"}).splitlines() == [
        "1 .  X  .  .  .  .  .  .  .  .  .",
        "  1  2  3  4  5  6  7  8  9  10 11",
    ]


def test_unused_squares_are_blank() -> None:
    board = squares(2, 2, lambda column, row: None if column == row else f"{column}{row}")
    assert draw(board, {}) == "2   .\n1 .\n  a b"


def test_empty_labels_leave_no_line_and_no_margin() -> None:
    board = squares(2, 1, row_label=lambda row: "", column_label=lambda column: "")
    assert draw(board, {}) == ". ."


def test_rows_of_hexagons_are_shifted_by_half_a_cell_between_names() -> None:
    cells = {"a": (0, 0), "b": (1, 0), "c": (0, 1), "d": (1, 1), "e": (2, 1)}
    assert draw(hexagons(cells), {"d": "W"}) == "a  . . b\nc . W . e"


def test_pits_are_drawn_in_two_rows_with_the_stores_between() -> None:
    seeds = {f"{side}{pit}": 4 for side in "ab" for pit in range(1, 4)} | {"A": 10, "B": 0}
    assert draw(pits(3), seeds).splitlines() == [
        "    b3 b2 b1",
        "     4  4  4",
        "  0          10",
        "     4  4  4",
        "    a1 a2 a3",
    ]


def test_pits_left_out_are_empty() -> None:
    assert draw(pits(1), {}) == "    b1\n     0\n  0     0\n     0\n    a1"


def test_pieces_off_the_board_are_an_error() -> None:
    with pytest.raises(ValueError, match="not on the board: d4, e5"):
        draw(squares(3, 3), {"e5": "X", "a1": "X", "d4": "O"})


def test_lines_are_drawn_between_dots() -> None:
    text = draw(boxes(2, 1), {"a1-b1": "-", "a1-a2": "x", "a1": "B"})
    assert text == "2 +   +   +\n  | B\n1 +---+   +\n  a   b   c"


def test_points_are_drawn_at_their_places() -> None:
    assert draw(points({"a": (0, 0), "b": (2, 0), "c": (1, 1)}), {"b": "w"}) == ".   w\n  ."
