"""Pig, a game of chance: the file to copy for your own game with dice or cards.

In turn, each player rolls a die as often as they like.  A roll of 2 to 6 adds to the turn's total;
a roll of 1 loses it and ends the turn.  Who holds adds the total to their score.  The first to
reach the target wins.

A move, 1 to roll or 0 to hold, is a player's.  After a move to roll, `chance` is true, and the six
sides of the die take the place of moves.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import ONGOING, WIN

NAME = "Pig"
PLAYERS = ("First", "Second")
VARIANTS = ("20", "50")
MAX_MOVES = 6
MOVE_SLOTS = 8
HOLD, ROLL = 0, 1


class Position(NamedTuple):
    score: int
    """The score of the side to move."""
    other: int
    """The score of the other side."""
    total: int
    """What the side to move has rolled in this turn."""
    side: int
    rolls: int
    """1 while the die rolls."""
    target: int


def initial(target: int = 100) -> Position:
    if not 2 <= target <= 1000:
        raise ValueError(f"the target is {target}; it must be between 2 and 1000")
    return Position(0, 0, 0, 0, 0, target)


def chance(position: Position) -> bool:
    return position.rolls == 1


def chance_outcomes(position: Position) -> Iterator[tuple[int, float]]:
    for side in range(1, 7):
        yield side, 1 / 6


def turn(position: Position) -> int:
    """Whose turn it is, also while the die rolls."""
    return position.side


def moves(position: Position) -> Iterator[int]:
    yield ROLL
    if position.total > 0:
        yield HOLD


def play(position: Position, move: int) -> Position:
    score, other, total, side, rolls, target = position
    if rolls == 0 and move == ROLL:
        return Position(score, other, total, side, 1, target)
    if rolls == 1 and move > 1:
        return Position(score, other, total + move, side, 0, target)
    banked = score if rolls == 1 else score + total
    return Position(other, banked, 0, 1 - side, 0, target)


def outcome(position: Position) -> int:
    return WIN if position.score + position.total >= position.target else ONGOING


EVALUATION_RANGE = (-100.0, 100.0)


def evaluate(position: Position) -> float:
    """The lead, in hundredths of the target; half of the turn's total may still be lost."""
    lead = position.score + 0.5 * position.total - position.other
    return 100.0 * lead / position.target


def move_slot(position: Position, move: int) -> int:
    return move


def to_text(position: Position) -> str:
    """Scores of the first and the second player, turn total, side to move: `12 30 5 First`.

    `rolls` at the end says that the die is rolling.  Another target than 100 comes last: `to 50`.
    """
    score, other, total, side, rolls, target = position
    first, second = (score, other) if side == 0 else (other, score)
    text = f"{first} {second} {total} {PLAYERS[side]}"
    return text + (" rolls" if rolls else "") + (f" to {target}" if target != 100 else "")


def from_text(text: str) -> Position:
    words = text.split()
    target = 100
    if len(words) > 2 and words[-2] == "to":
        target = _number(words[-1])
        del words[-2:]
    rolls = int(words[-1:] == ["rolls"])
    if rolls:
        del words[-1]
    if len(words) != 4 or words[3] not in PLAYERS:
        raise ValueError(
            "a position is two scores, the turn's total and the side to move, such as"
            " '12 30 5 First' or '12 30 5 First rolls'"
        )
    first, second, total = (_number(word) for word in words[:3])
    side = PLAYERS.index(words[3])
    start = initial(target)
    score, other = (first, second) if side == 0 else (second, first)
    if max(first, second) >= target or score + total > target + 5 or total == 1:
        raise ValueError(f"{first}, {second} and {total} cannot come up in a game to {target}")
    if rolls and score + total >= target:
        raise ValueError(f"{score} and {total} have won already; the die is not rolled")
    return start._replace(score=score, other=other, total=total, side=side, rolls=rolls)


def _number(word: str) -> int:
    if not word.isdecimal():
        raise ValueError(f"'{word}' is not a number")
    return int(word)


def move_text(position: Position, move: int) -> str:
    """`roll` or `hold`; for the die, what it shows."""
    if position.rolls:
        return str(move)
    return "roll" if move == ROLL else "hold"


def board(position: Position) -> str:
    score, other, total, side, rolls, target = position
    scores = (score, other) if side == 0 else (other, score)
    lines = [f"{name:<7}{scores[number]:>4} of {target}" for number, name in enumerate(PLAYERS)]
    lines[side] += f"   this turn {total}" + (", the die rolls" if rolls else "")
    return "\n".join(lines)
