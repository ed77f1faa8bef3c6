"""The rules: dice, moves, the cube and the score."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from plyforge.games.backgammon.layout import (
    ANSWER,
    BAR,
    CENTRE,
    CHECKERS,
    DROPPED,
    OFFER,
    OPENING,
    PLAY,
    ROLL,
    START,
    Position,
    checkers,
    count_checkers,
)
from plyforge.games.backgammon.stepping import (
    can_step,
    high_after,
    hits,
    low_after,
    other_high_after,
    other_low_after,
)
from plyforge.rules import ONGOING

EVALUATION_RANGE = (-3.0, 3.0)
"""In games with a cube, results are shares of its highest value."""
EVALUATION_MEANING = "score"
MOVE_TO_ROLL, DOUBLE, TAKE, DROP = 1, 2, 3, 4
"""Moves about the cube.  Moves of checkers are larger, and 0 is none at all."""
_MAX_CUBE = 64
_RESULTS = 512
"""More than two orders of 15 times 15 steps."""


def initial(cube: int = 1) -> Position:
    """`cube` is the highest value that the doubling cube may have; 1 for no cube."""
    if not 1 <= cube <= _MAX_CUBE or cube & (cube - 1):
        raise ValueError(f"the cube is {cube}; it must be a power of 2 between 1 and {_MAX_CUBE}")
    return Position(*START, *START, 0, OPENING, 0, 1, CENTRE, cube)


def turn(position: Position) -> int:
    return position.side


def chance(position: Position) -> bool:
    return position.stage == OPENING or position.stage == ROLL


def chance_outcomes(position: Position) -> Iterator[tuple[int, float]]:
    """An outcome is eight times a die plus another.

    At the opening they are White's and Black's, which differ; later the higher and the lower one.
    """
    for one in range(1, 7):
        for other in range(1, 7):
            if position.stage == OPENING:
                if one != other:
                    yield 8 * one + other, 1 / 30
            elif one == other:
                yield 8 * one + other, 1 / 36
            elif one > other:
                yield 8 * one + other, 1 / 18


def moves(position: Position, out: Any) -> int:
    if position.stage == OFFER:
        out[0], out[1] = MOVE_TO_ROLL, DOUBLE
        return 2
    if position.stage == ANSWER:
        out[0], out[1] = TAKE, DROP
        return 2
    white_low, white_high, black_low, black_high = position[:4]
    if position.side == 0:
        low, high, other_low, other_high = white_low, white_high, black_low, black_high
    else:
        low, high, other_low, other_high = black_low, black_high, white_low, white_high
    first, second = position.roll >> 3, position.roll & 7
    if first == second:
        count = list_doubles(low, high, other_low, other_high, first, out)
    else:
        count = list_pairs(low, high, other_low, other_high, first, second, out)
    if count == 0:
        out[0] = 0
        return 1
    return count


def list_doubles(low: int, high: int, other_low: int, other_high: int, die: int, out: Any) -> int:
    """Moves of as many of four equal dice as possible; each result once.

    Checkers further back step first, which is possible in every order that is: one order for each
    set of steps.
    """
    words = np.empty((5, 4), np.int64)
    points = np.empty(5, np.int64)
    words[0, 0], words[0, 1], words[0, 2], words[0, 3] = low, high, other_low, other_high
    points[0] = BAR + 1
    count, best, depth, move = 0, 0, 0, 0
    start = BAR
    while True:
        found = 0
        if depth < 4:
            for point in range(start, 0, -1):
                if can_step(
                    words[depth, 0], words[depth, 1], words[depth, 2], words[depth, 3], point, die
                ):
                    found = point
                    break
        if found > 0:
            hit = hits(words[depth, 2], words[depth, 3], found, die)
            words[depth + 1, 0] = low_after(words[depth, 0], found, die)
            words[depth + 1, 1] = high_after(words[depth, 1], found, die)
            words[depth + 1, 2] = other_low_after(words[depth, 2], hit)
            words[depth + 1, 3] = other_high_after(words[depth, 3], hit)
            move |= (8 * found + die) << 8 * depth
            depth += 1
            points[depth] = found
            start = found
            if depth > best:
                best, count = depth, 0
            if depth == best:
                # A longer one may follow, which starts the list again.
                out[count] = move
                count += 1
            continue
        if depth == 0:
            return count
        depth -= 1
        move &= (1 << 8 * depth) - 1
        start = points[depth + 1] - 1


def list_pairs(
    low: int, high: int, other_low: int, other_high: int, first: int, second: int, out: Any
) -> int:
    """Moves of both dice in either order, each result once; else of the higher, or of the lower."""
    results = np.empty((_RESULTS, 4), np.int64)
    count = 0
    for order in range(2):
        die, last = (first, second) if order == 0 else (second, first)
        for point in range(BAR, 0, -1):
            if not can_step(low, high, other_low, other_high, point, die):
                continue
            hit = hits(other_low, other_high, point, die)
            new_low, new_high = low_after(low, point, die), high_after(high, point, die)
            new_other_low = other_low_after(other_low, hit)
            new_other_high = other_high_after(other_high, hit)
            for next_point in range(BAR, 0, -1):
                if not can_step(new_low, new_high, new_other_low, new_other_high, next_point, last):
                    continue
                hit = hits(new_other_low, new_other_high, next_point, last)
                results[count, 0] = low_after(new_low, next_point, last)
                results[count, 1] = high_after(new_high, next_point, last)
                results[count, 2] = other_low_after(new_other_low, hit)
                results[count, 3] = other_high_after(new_other_high, hit)
                if is_new(results, count):
                    out[count] = 8 * point + die | (8 * next_point + last) << 8
                    count += 1
    if count > 0:
        return count
    for order in range(2):
        die = first if order == 0 else second
        for point in range(BAR, 0, -1):
            if can_step(low, high, other_low, other_high, point, die):
                out[count] = 8 * point + die
                count += 1
        if count > 0:
            return count
    return 0


def is_new(results: Any, count: int) -> bool:
    """Whether the result at an index is not among those before it."""
    for index in range(count):
        if (
            results[index, 0] == results[count, 0]
            and results[index, 1] == results[count, 1]
            and results[index, 2] == results[count, 2]
            and results[index, 3] == results[count, 3]
        ):
            return False
    return True


def play(position: Position, move: int) -> Position:
    if position.stage == PLAY:
        return play_steps(position, move)
    white_low, white_high, black_low, black_high, side, stage, _, cube, owner, limit = position
    if stage == OPENING:
        one, other = move >> 3, move & 7
        side = 0 if one > other else 1
        stage, roll = PLAY, 8 * max(one, other) + min(one, other)
    elif stage == ROLL:
        stage, roll = PLAY, move
    elif move == MOVE_TO_ROLL:
        stage, roll = ROLL, 0
    elif move == DOUBLE:
        stage, roll, side = ANSWER, 0, 1 - side
    elif move == TAKE:
        stage, roll, owner, side = ROLL, 0, side, 1 - side
        cube *= 2
    else:
        stage, roll = DROPPED, 0
    return Position(
        white_low, white_high, black_low, black_high, side, stage, roll, cube, owner, limit
    )


def play_steps(position: Position, move: int) -> Position:
    """The position after a move of checkers, with the other side to move."""
    white_low, white_high, black_low, black_high, side, _, _, cube, owner, limit = position
    if side == 0:
        low, high, other_low, other_high = white_low, white_high, black_low, black_high
    else:
        low, high, other_low, other_high = black_low, black_high, white_low, white_high
    while move > 0:
        point, die = move >> 3 & 31, move & 7
        hit = hits(other_low, other_high, point, die)
        low, high = low_after(low, point, die), high_after(high, point, die)
        other_low = other_low_after(other_low, hit)
        other_high = other_high_after(other_high, hit)
        move >>= 8
    side = 1 - side
    stage = OFFER if cube < limit and owner in (CENTRE, side) else ROLL
    if side == 1:
        return Position(low, high, other_low, other_high, side, stage, 0, cube, owner, limit)
    return Position(other_low, other_high, low, high, side, stage, 0, cube, owner, limit)


def outcome(position: Position) -> float:
    """The score for the side to move, in points times the cube, as a share of its highest value.

    A single game counts 1, a gammon 2 and a backgammon 3.
    """
    white_low, white_high, black_low, black_high, side, stage, _, cube, _, limit = position
    stake = cube / limit
    if stage == DROPPED:
        return -stake
    if stage in (PLAY, ANSWER):
        return ONGOING
    if side == 0:
        low, high, other_low, other_high = white_low, white_high, black_low, black_high
    else:
        low, high, other_low, other_high = black_low, black_high, white_low, white_high
    if other_low != 0 or other_high != 0:
        return ONGOING
    return -stake * lost_points(low, high)


def lost_points(low: int, high: int) -> int:
    """The points that a side loses to one that has borne off all its checkers."""
    if count_checkers(low, high) < CHECKERS:
        return 1
    for point in range(19, BAR + 1):
        if checkers(low, high, point) > 0:
            return 3
    return 2
