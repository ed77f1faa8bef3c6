"""Board shapes: the places and names of cells."""

from dataclasses import replace
from typing import Any

import pytest

from plyforge.core.geometry import (
    Geometry,
    algebraic,
    boxes,
    edges,
    hexagons,
    pits,
    points,
    squares,
)


def test_squares_are_named_as_in_chess() -> None:
    board = squares(8, 8)
    assert len(board.cells) == 64
    assert board.cells["a8"] == (0, 0)
    assert board.cells["h1"] == (7, 7)
    assert (board.row_labels[0], board.row_labels[7]) == ("8", "1")
    assert "".join(board.column_labels.values()) == "abcdefgh"
    assert algebraic(4, 4, 8) == "e4"


def test_squares_may_have_custom_names_shades_and_gaps() -> None:
    board = squares(
        2,
        2,
        lambda column, row: None if column == row else f"{column}/{row}",
        lambda column, row: row == 0,
        row_label=lambda row: f"r{row}",
        column_label=lambda column: f"c{column}",
    )
    assert board.cells == {"1/0": (1, 0), "0/1": (0, 1)}
    assert board.shaded == {"1/0"}
    assert list(board.row_labels.values()) == ["r0", "r1"]
    assert list(board.column_labels.values()) == ["c0", "c1"]


def test_all_six_neighbours_of_a_hexagon_are_equally_distant() -> None:
    around = {(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)}
    board = hexagons({f"{q},{r}": (q, r) for q, r in around})
    height = 3**0.5 / 2  # of a row of hexagons one cell wide
    for x, y in board.cells.values():
        assert x**2 + (y * height) ** 2 == pytest.approx(1)


def test_pits_are_numbered_counterclockwise_between_two_stores() -> None:
    board = pits(6)
    assert len(board.cells) == 14
    assert board.cells["a1"] == (1, 1)
    assert board.cells["a6"] == (6, 1)
    assert board.cells["b1"] == (6, 0)
    assert board.cells["b6"] == (1, 0)
    assert board.cells["A"][0] > board.cells["a6"][0]
    assert board.cells["B"][0] < board.cells["a1"][0]


def test_a_board_without_cells_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one cell"):
        Geometry("squares", {})
    with pytest.raises(ValueError, match="at least one cell"):
        squares(0, 3)


def test_pits_and_stores_have_owners() -> None:
    board = pits(2)
    assert board.owners == {"a1": 0, "a2": 0, "A": 0, "b1": 1, "b2": 1, "B": 1}


def test_edges_of_a_hexagonal_board_are_kept() -> None:
    board = hexagons({"a": (0, 0), "b": (1, 0)}, [(1, ("a", "b"))])
    assert board.edges == ((1, ("a", "b")),)
    assert hexagons({"a": (0, 0)}).edges == ()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"kind": "circles"},
            "kind must be one of squares, hexagons, pits, tree, points, not",
        ),
        ({"cells": {1: (0, 0)}}, "the name of a cell must be a string, not 1"),
        ({"cells": {"a": (0, float("nan"))}}, "the place of cell 'a' must be two finite numbers"),
        ({"links": (("a", "z"),)}, "no cell is called 'z'"),
        ({"present": "z"}, "no cell is called 'z'"),
        ({"owners": {"z": 0}}, "no cell is called 'z'"),
        ({"edges": ((0, ("a", "z")),)}, "no cell is called 'z'"),
        ({"owners": {"a": 2}}, "an owner must be 0 or 1, not 2"),
        ({"edges": ((-1, ("a", "a")),)}, "an owner must be 0 or 1, not -1"),
    ],
)
def test_an_invalid_geometry_is_an_error(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Geometry(**{"kind": "tree", "cells": {"a": (0, 0)}} | fields)


@pytest.mark.parametrize("board", [squares(3, 2), pits(4), hexagons({"a": (0, 0), "b": (1, 1)})])
def test_rotating_a_board_twice_restores_it(board: Geometry) -> None:
    rotated = board.rotate()
    assert rotated.rotate() == board
    assert rotated != board
    assert list(rotated.cells) == list(board.cells)


def test_a_rotated_board_has_its_first_cell_last() -> None:
    board = squares(8, 8).rotate()
    assert (board.cells["a1"], board.cells["h8"]) == ((7, 0), (0, 7))
    assert (board.row_labels[0], board.column_labels[0]) == ("1", "h")


def test_a_rotated_board_has_the_labels_above_below() -> None:
    board = Geometry("squares", {"a": (0, 0), "b": (1, 0)}, column_labels={0: "12", 1: "11"})
    assert board.rotate().column_labels == {1: "12", 0: "11"}
    labelled = replace(board, top_labels={0: "13", 1: "14"})
    assert labelled.rotate().column_labels == {1: "13", 0: "14"}
    assert labelled.rotate().top_labels == {1: "12", 0: "11"}
    assert labelled.rotate().rotate() == labelled


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (3, 2), (5, 5)])
def test_boxes_have_all_lines_between_neighbouring_dots(columns: int, rows: int) -> None:
    board = boxes(columns, rows)
    assert len(board.dots) == (columns + 1) * (rows + 1)
    assert len(board.spans) == (rows + 1) * columns + rows * (columns + 1)
    assert len(board.areas) == columns * rows
    assert board.spans["a1-b1"] == ((0, rows), (1, rows))
    assert board.cells["a1"] == (0.5, rows - 0.5)
    for ends in board.spans.values():
        assert abs(ends[0][0] - ends[1][0]) + abs(ends[0][1] - ends[1][1]) == 1
    assert board.rotate().rotate() == board


def test_points_are_joined_by_lines() -> None:
    board = points({"a": (0, 0), "b": (1, 1)}, [("a", "b")])
    assert (board.kind, board.links) == ("points", (("a", "b"),))
    with pytest.raises(ValueError, match="no cell is called 'c'"):
        points({"a": (0, 0)}, [("a", "c")])


def test_a_line_needs_its_dots() -> None:
    with pytest.raises(ValueError, match="no dot is called 'z'"):
        edges({"a": (0, 0)}, {"line": ("a", "z")})
