"""A small game with dice, whose outcomes a test fills in."""

RULES = """
from typing import NamedTuple
class Position(NamedTuple):
    left: int
    side: int
    rolls: int
def initial(): return Position(3, 0, 0)
def turn(position): return position.side
def chance(position): return position.rolls == 1
def moves(position):
    if position.left > 0:
        yield 1
def chance_outcomes(position):
    {outcomes}
def play(position, move):
    if position.rolls == 1:
        return Position(max(position.left - move, 0), 1 - position.side, 0)
    return Position(position.left, position.side, 1)
"""
