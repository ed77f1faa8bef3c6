"""Positions of Andantino, at most one of each class.

A class contains the positions that rotation, reflection and translation make equal. A search of two
positions of one class differs only in the order of equal moves, so together they are one
observation.
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain, count, islice
from typing import Any

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.engine import Engine
from plyforge.games import load
from plyforge.games.andantino.board import Cell, image
from plyforge.games.andantino.rules import Position, stones_of
from plyforge.lab import Case, Variation, random_cases
from plyforge.lab.fixed_defaults import engine_options

GAME = "andantino"
ANY_PARITY = {"parity-first": "any", "parity-second": "any"}
"""The preset `koneru` without its parities, by which a colour would search other depths."""
CHOICE_DEPTH = 4
SLACK = 2.0
"""How much worse than the best move a move of an opening may be: the value of three in a row."""
_ATTEMPTS = 500
"""How many openings of known classes may follow each other before there are no others."""


def class_of(position: Position) -> tuple[Any, ...]:
    """Return what all positions of a class have in common."""
    return min(_images(position))


def _images(position: Position) -> Iterator[tuple[Any, ...]]:
    """Yield the stones in all twelve views, independent of their place on the board."""
    sides = stones_of(position, 0), stones_of(position, 1)
    for mirrored in (False, True):
        for turns in range(6):
            seen = [[image(cell, mirrored, turns) for cell in stones] for stones in sides]
            corner = tuple(min(axis) for axis in zip(*chain(*seen), strict=True))
            yield tuple(tuple(sorted(_shift(cell, corner) for cell in cells)) for cells in seen)


def _shift(cell: Cell, corner: tuple[int, ...]) -> Cell:
    return cell[0] - corner[0], cell[1] - corner[1]


def random_openings(plies: int, seed: int, number: int) -> list[Case]:
    """Return positions after random moves, each of a different class."""
    return list(islice(_distinct(_random_openings(plies, seed, number)), number))


def _random_openings(plies: int, seed: int, number: int) -> Iterator[Case]:
    known = 0
    for size in (number << power for power in count()):
        yield from random_cases(GAME, plies, seed, size)[known:]
        known = size


def played_openings(plies: int, seed: int, number: int) -> list[Case]:
    """Return positions after sensible moves, each of a different class.

    A move is drawn from those that a search of depth 4 values at most two points below the best.
    """
    return list(islice(_distinct(_play_openings(plies, seed)), number))


def _distinct(openings: Iterator[Case]) -> Iterator[Case]:
    game, known, missed = load(GAME), set(), 0
    while missed < _ATTEMPTS:
        case = next(openings)
        kind = class_of(case.history(game).position)
        missed = missed + 1 if kind in known else 0
        if kind not in known:
            known.add(kind)
            yield case
    raise PlyforgeError(f"there are no openings beyond {len(known)} different ones; ask for fewer")


def _play_openings(plies: int, seed: int) -> Iterator[Case]:
    for number in count():
        moves = _play_opening(plies, Stream(seed).split(f"opening {number}"))
        if moves is not None:
            yield Case(GAME, moves, label=f"seed {seed}, opening {number + 1}")


def _play_opening(plies: int, stream: Stream) -> tuple[int, ...] | None:
    """Return the moves of an opening, or None if the game is over after them."""
    engine = _opening_engine()
    history = engine.game.history()
    while len(history.moves) < plies and not history.verdict().over:
        engine.clear()
        lines = engine.analyse(
            history, depth=CHOICE_DEPTH, multipv=len(history.legal_moves())
        ).lines
        good = [line.pv[0] for line in lines if line.score >= lines[0].score - SLACK]
        history.play(stream.choice(sorted(good)))
    return None if history.verdict().over else tuple(history.moves)


@cache
def _opening_engine() -> Engine:
    game = load(GAME)
    options = Variation(
        "openings", "alphabeta", "koneru", settings=ANY_PARITY, entries=1 << 16, defaults="2026"
    )
    return Engine(game, **engine_options(game, options))
