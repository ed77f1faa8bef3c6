"""Texts of positions and moves."""

import re
from collections import Counter
from itertools import pairwise
from typing import Any

from plyforge.games.backgammon import rules
from plyforge.games.backgammon.layout import (
    ANSWER,
    BAR,
    CENTRE,
    DROPPED,
    OFFER,
    OPENING,
    PLAY,
    PLAYERS,
    ROLL,
    Position,
    checkers,
)
from plyforge.games.backgammon.position_id import read_position_id, write_position_id
from plyforge.games.backgammon.stepping import hits

_CUBE_WORDS = {
    rules.MOVE_TO_ROLL: "roll",
    rules.DOUBLE: "double",
    rules.TAKE: "take",
    rules.DROP: "drop",
}
_STAGES = {OPENING: "opening", ROLL: "roll", OFFER: "cube?", ANSWER: "doubled", DROPPED: "dropped"}
_STEP = re.compile(r"(bar|\d+)((?:/(?:off|\d+)\*?)+)(?:\((\d)\))?", re.IGNORECASE)
_PASS = "pass"


def counts_of(position: Position, side: int) -> dict[int, int]:
    """Return the checkers of a side by its own points."""
    low, high = position[2 * side : 2 * side + 2]
    return {
        point: count for point in range(1, BAR + 1) if (count := checkers(low, high, point)) > 0
    }


def to_text(position: Position) -> str:
    """A GNU position ID of the side to move, that side, and its dice: `4HPwATDgc/ABMA White 31`.

    `roll` and `opening` wait for dice.  With a cube: its value, its owner and its highest value.
    """
    side = position.side
    own, other = counts_of(position, side), counts_of(position, 1 - side)
    stage = _STAGES.get(position.stage, f"{position.roll >> 3}{position.roll & 7}")
    text = f"{write_position_id(own, other)} {PLAYERS[side]} {stage}"
    if position.max_cube == 1:
        return text
    owner = "centre" if position.owner == CENTRE else PLAYERS[position.owner]
    return f"{text} cube {position.cube} {owner} of {position.max_cube}"


def from_text(text: str) -> Position:
    words = text.split()
    cube, owner, limit = 1, CENTRE, 1
    if len(words) == 8 and words[3] == "cube" and words[6] == "of":
        cube, owner, limit = _read_cube(words[4], words[5], words[7])
        del words[3:]
    if len(words) == 1:
        words += [PLAYERS[0], "roll"]
    if len(words) != 3:
        raise ValueError(
            "a position is a GNU position ID, the side to move and its dice (or roll, or opening),"
            " such as '4HPwATDgc/ABMA White 31'"
        )
    if words[1].capitalize() not in PLAYERS:
        raise ValueError(f"'{words[1]}' is not a side; it is White or Black")
    side = PLAYERS.index(words[1].capitalize())
    own, other = read_position_id(words[0])
    stage, roll = _read_stage(words[2])
    if stage in (OFFER, ANSWER, DROPPED) and limit == 1:
        raise ValueError(f"'{words[2]}' needs a cube; add 'cube 1 centre of 64'")
    both = (own, other) if side == 0 else (other, own)
    return Position(*both[0], *both[1], side, stage, roll, cube, owner, limit)


def _read_stage(word: str) -> tuple[int, int]:
    for stage, name in _STAGES.items():
        if word.lower() == name:
            return stage, 0
    dice = word.replace("-", "")
    if len(dice) != 2 or any(die not in "123456" for die in dice):
        raise ValueError(
            f"'{word}' is not a roll; it is two dice, such as 31, or {', '.join(_STAGES.values())}"
        )
    one, other = sorted(map(int, dice))
    return PLAY, 8 * other + one


def _read_cube(value: str, owner: str, limit: str) -> tuple[int, int, int]:
    owners = {"centre": CENTRE, "white": 0, "black": 1}
    numbers = []
    for word in (value, limit):
        if not word.isdecimal():
            raise ValueError(f"'{word}' is not the value of a cube")
        numbers.append(int(word))
    rules.initial(numbers[1])
    if numbers[0] & (numbers[0] - 1) or not 1 <= numbers[0] <= numbers[1]:
        raise ValueError(f"the cube is {value}; it must be a power of 2 up to {limit}")
    if owner.lower() not in owners:
        raise ValueError(f"'{owner}' does not own a cube; it is White, Black or centre")
    return numbers[0], owners[owner.lower()], numbers[1]


def steps_of(move: int) -> list[tuple[int, int]]:
    """Return the steps of a move: the point that a checker leaves, and the die."""
    steps = []
    while move:
        steps.append((move >> 3 & 31, move & 7))
        move >>= 8
    return steps


def move_text(position: Position, move: int) -> str:
    """Dice as `31`; checkers as `8/5 6/5`, `bar/22`, `6/off`, with `*` for a hit and `(2)`."""
    if position.stage in (OPENING, ROLL):
        return f"{move >> 3}{move & 7}"
    if position.stage != PLAY:
        return _CUBE_WORDS[move]
    if move == 0:
        return _PASS
    parts: list[str] = []
    current = position
    for point, die in steps_of(move):
        other = 2 - 2 * position.side
        hit = hits(current[other], current[other + 1], point, die)
        target = str(point - die) if point > die else "off"
        parts.append(f"{'bar' if point == BAR else point}/{target}{'*' if hit else ''}")
        current = rules.play_steps(current, 8 * point + die)._replace(side=position.side)
    counted = Counter(parts)
    return " ".join(f"{part}({n})" if n > 1 else part for part, n in counted.items())


def parse_move(position: Position, text: str) -> int:
    legal = _legal_moves(position)
    word = " ".join(text.lower().split())
    texts = {move: move_text(position, move).lower() for move in legal}
    for move, own in texts.items():
        if own == word or (position.stage == ROLL and own == word[::-1]):
            return move
    if position.stage != PLAY or not word or word == _PASS:
        raise ValueError(f"'{text}' is not a legal move")
    wanted, stars = _net_change(word), word.count("*")
    found = [move for move, own in texts.items() if _net_change(own) == wanted]
    exact = [move for move in found if texts[move].count("*") == stars]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if found:
        choices = " or ".join(f"'{texts[move]}'" for move in found)
        raise ValueError(f"'{text}' may mean {choices}; write every step")
    raise ValueError(f"'{text}' is not a legal move")


def _legal_moves(position: Position) -> list[int]:
    if rules.chance(position):
        return [outcome for outcome, _ in rules.chance_outcomes(position)]
    out: dict[int, int] = {}
    return [out[index] for index in range(rules.moves(position, out))]


def _net_change(text: str) -> dict[Any, int]:
    """Return how many checkers each point loses or gains; intermediate points cancel out."""
    change: Counter[str] = Counter()
    place = 0
    for match in _STEP.finditer(text):
        if text[place : match.start()].strip():
            return {}
        place = match.end()
        stops = [match[1], *re.findall(r"/(off|\d+)", match[2], re.IGNORECASE)]
        for start, end in pairwise(stops):
            change[start.lower()] -= int(match[3] or 1)
            change[end.lower()] += int(match[3] or 1)
    if text[place:].strip():
        return {}
    return {point: number for point, number in change.items() if number}


def split_moves(text: str) -> list[str]:
    """Split a line of moves: at commas or semicolons, or else between dice and moves.

    `31 8/5 6/5 64 24/14` has four moves.
    """
    if re.search(r"[,;\n]", text):
        return [" ".join(part.split()) for part in re.split(r"[,;\n]", text) if part.strip()]
    moves: list[str] = []
    for word in text.split():
        if "/" in word and moves and "/" in moves[-1]:
            moves[-1] += f" {word}"
        else:
            moves.append(word)
    return moves
