"""Liar's dice: each player rolls in secret and bids how many dice of both show a face.

A bid is a number of dice and a face; each must be higher, by number or by face with the same
number.  Instead of bidding a player may call the last bid a lie: then the dice are shown.  The
highest face counts as every face.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import factorial
from typing import NamedTuple

from plyforge.rules import LOSS, ONGOING, WIN

NAME = "Liar's dice"
VARIANTS = ("1,1,3", "1,2,2")
MAX_DICE = 3
MAX_SIDES = 6


class Position(NamedTuple):
    dice: tuple[int, int]  # how many dice each player has
    sides: int
    rolls: tuple[tuple[int, ...], ...]  # what the players have rolled, sorted
    bids: tuple[int, ...]  # a bid is (number - 1) * sides + face - 1; LIAR is -1


LIAR = -1


def initial(first: int = 1, second: int = 1, sides: int = 6) -> Position:
    for count in (first, second):
        if not 1 <= count <= MAX_DICE:
            raise ValueError(f"a player has 1 to {MAX_DICE} dice, not {count}")
    if not 2 <= sides <= MAX_SIDES:
        raise ValueError(f"dice have 2 to {MAX_SIDES} sides, not {sides}")
    return Position((first, second), sides, (), ())


def all_rolls(position: Position) -> list[tuple[int, ...]]:
    """Every sorted roll of the player who rolls next."""
    count = position.dice[len(position.rolls)]
    return list(combinations_with_replacement(range(1, position.sides + 1), count))


def chance(position: Position) -> bool:
    return len(position.rolls) < 2


def chance_outcomes(position: Position) -> Iterator[tuple[int, float]]:
    count = position.dice[len(position.rolls)]
    for number, roll in enumerate(all_rolls(position)):
        ways = factorial(count)
        for face in set(roll):
            ways //= factorial(roll.count(face))
        yield number, ways / position.sides**count


def turn(position: Position) -> int:
    return len(position.bids) % 2


def moves(position: Position) -> Iterator[int]:
    last = position.bids[-1] if position.bids else -1
    yield from range(last + 1, sum(position.dice) * position.sides)
    if position.bids:
        yield LIAR


def play(position: Position, move: int) -> Position:
    if chance(position):
        return position._replace(rolls=(*position.rolls, all_rolls(position)[move]))
    return position._replace(bids=(*position.bids, move))


def outcome(position: Position) -> int:
    """The result for the player to move, who made the last bid before it was called a lie."""
    if not position.bids or position.bids[-1] != LIAR:
        return ONGOING
    number, face = divmod(position.bids[-2], position.sides)
    shown = [die for roll in position.rolls for die in roll]
    there = sum(die in (face + 1, position.sides) for die in shown)
    return WIN if there > number else LOSS


def information(position: Position) -> str:
    """A player sees the own dice and all bids."""
    own = "".join(map(str, position.rolls[turn(position)]))
    return " ".join([own, *(bid_text(position, bid) for bid in position.bids)])


def bid_text(position: Position, bid: int) -> str:
    number, face = divmod(bid, position.sides)
    return f"{number + 1}x{face + 1}"


def move_text(position: Position, move: int) -> str:
    if chance(position):
        return "".join(map(str, all_rolls(position)[move]))
    return "liar" if move == LIAR else bid_text(position, move)
