"""Board shapes: where cells lie and what they are called."""

from typing import Any

import pytest

from plyforge.core.geometry import Geometry, algebraic, hexagons, pits, squares


def test_squares_are_named_as_in_chess() -> None:
    board = squares(8, 8)
    assert len(board.cells) == 64
    assert board.cells["a8"] == (0, 0)
    assert board.cells["h1"] == (7, 7)
    assert (board.row_labels[0], board.row_labels[7]) == ("8", "1")
    assert "".join(board.column_labels.values()) == "abcdefgh"
    assert algebraic(4, 4, 8) == "e4"


def test_squares_may_have_names_shades_and_gaps_of_their_own() -> None:
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


def test_all_six_neighbours_of_a_hexagon_are_equally_far() -> None:
    around = {(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)}
    board = hexagons({f"{q},{r}": (q, r) for q, r in around})
    height = 3**0.5 / 2  # of a row of hexagons one cell wide
    for x, y in board.cells.values():
        assert x**2 + (y * height) ** 2 == pytest.approx(1)


def test_pits_go_round_counterclockwise_between_two_stores() -> None:
    board = pits(6)
    assert len(board.cells) == 14
    assert board.cells["a1"] == (1, 1)
    assert board.cells["a6"] == (6, 1)
    assert board.cells["b1"] == (6, 0)
    assert board.cells["b6"] == (1, 0)
    assert board.cells["A"][0] > board.cells["a6"][0]
    assert board.cells["B"][0] < board.cells["a1"][0]


def test_a_board_has_cells() -> None:
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
    ("fields", "told"),
    [
        ({"kind": "circles"}, "kind 'circles': it must be one of squares, hexagons, pits, tree"),
        ({"cells": {1: (0, 0)}}, "the cell 1: its name must be text"),
        ({"cells": {"a": (0, float("nan"))}}, "the cell 'a' lies at"),
        ({"links": (("a", "z"),)}, "no cell is called 'z'"),
        ({"present": "z"}, "no cell is called 'z'"),
        ({"owners": {"z": 0}}, "no cell is called 'z'"),
        ({"edges": ((0, ("a", "z")),)}, "no cell is called 'z'"),
        ({"owners": {"a": 2}}, "the owner 2 is no side; give 0 or 1"),
        ({"edges": ((-1, ("a", "a")),)}, "the owner -1 is no side"),
    ],
)
def test_what_cannot_be_drawn_is_named(fields: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Geometry(**{"kind": "tree", "cells": {"a": (0, 0)}} | fields)


@pytest.mark.parametrize("board", [squares(3, 2), pits(4), hexagons({"a": (0, 0), "b": (1, 1)})])
def test_a_board_turned_twice_is_as_it_was(board: Geometry) -> None:
    turned = board.rotate()
    assert turned.rotate() == board
    assert turned != board
    assert list(turned.cells) == list(board.cells)


def test_the_other_player_sees_the_first_cell_last() -> None:
    board = squares(8, 8).rotate()
    assert (board.cells["a1"], board.cells["h8"]) == ((7, 0), (0, 7))
    assert (board.row_labels[0], board.column_labels[0]) == ("1", "h")
