"""The counts of Othello's evaluation, slow and obvious, cell by cell.

All counts are those of the side to move less those of the other side, on the board of the twin in
`tests.reference.othello`.
"""

from collections.abc import Callable

from tests.reference.othello import DIRECTIONS, OTHER, Game, Place

AXES = [(0, 1), (1, 0), (1, -1), (1, 1)]


def places(game: Game) -> list[Place]:
    return [(row, column) for row in range(game.size) for column in range(game.size)]


def at(game: Game, place: Place) -> str:
    """The disc on a cell, `-`, or nothing beyond the board."""
    return game.rows[place[0]][place[1]] if game.on_board(*place) else ""


def shift(place: Place, step: Place, times: int = 1) -> Place:
    return place[0] + times * step[0], place[1] + times * step[1]


def corners(game: Game) -> list[Place]:
    last = game.size - 1
    return [(0, 0), (0, last), (last, 0), (last, last)]


def near_empty_corner(game: Game, place: Place, diagonally: bool) -> bool:
    return any(
        at(game, shift(place, step)) == "-" and shift(place, step) in corners(game)
        for step in DIRECTIONS
        if (step[0] != 0 and step[1] != 0) == diagonally
    )


def is_frontier(game: Game, place: Place) -> bool:
    return any(at(game, shift(place, step)) == "-" for step in DIRECTIONS)


def is_edge(game: Game, place: Place) -> bool:
    last = game.size - 1
    return (place[0] in (0, last)) != (place[1] in (0, last))


def line(game: Game, place: Place, axis: Place) -> list[Place]:
    """All cells of the board on a line."""
    reach = range(-game.size, game.size + 1)
    return [cell for k in reach if game.on_board(*(cell := shift(place, axis, k)))]


def stable_discs(game: Game, colour: str) -> set[Place]:
    found: set[Place] = set()

    def is_safe(place: Place, axis: Place) -> bool:
        if all(at(game, cell) != "-" for cell in line(game, place, axis)):
            return True
        ends = [shift(place, axis), shift(place, axis, -1)]
        return any(not game.on_board(*end) or end in found for end in ends)

    while True:
        more = {
            place
            for place in places(game)
            if at(game, place) == colour and all(is_safe(place, axis) for axis in AXES)
        }
        if more == found:
            return found
        found = more


def features(game: Game) -> dict[str, int]:
    me, other = game.mover, OTHER[game.mover]

    def surplus(holds: Callable[[Place], bool]) -> int:
        mine, theirs = (
            sum(at(game, place) == colour and holds(place) for place in places(game))
            for colour in (me, other)
        )
        return mine - theirs

    return {
        "mobility": len(game.placements(me)) - len(game.placements(other)),
        "frontier": surplus(lambda place: is_frontier(game, place)),
        "corners": surplus(lambda place: place in corners(game)),
        "x-cells": surplus(lambda place: near_empty_corner(game, place, True)),
        "c-cells": surplus(lambda place: near_empty_corner(game, place, False)),
        "edges": surplus(lambda place: is_edge(game, place)),
        "stable": len(stable_discs(game, me)) - len(stable_discs(game, other)),
        "discs": game.discs(me) - game.discs(other),
        "parity": 1 if game.discs("-") % 2 else -1,
    }
