"""The hand evaluation: the race, blots, points made, and checkers on the bar."""

from plyforge.games.backgammon.layout import BAR, CHECKERS, OFFER, ROLL, Position, checkers

_LIMIT = 2.0
_ROLL = 8.0
"""The pips of a roll, nearly: the advantage of being on roll."""


def evaluate(position: Position) -> float:
    """An estimate of the score, from the lead in the race and the safety of both sides."""
    white_low, white_high, black_low, black_high, side = position[:5]
    white = strength(white_low, white_high, black_low, black_high)
    black = strength(black_low, black_high, white_low, white_high)
    lead = white - black if side == 0 else black - white
    if position.stage == ROLL or position.stage == OFFER:
        lead += 0.5 * _ROLL
    value = lead / 60.0
    stake = position.cube / position.max_cube
    return stake * max(-_LIMIT, min(_LIMIT, value))


def strength(low: int, high: int, other_low: int, other_high: int) -> float:
    """Pips borne off or moved, less the risk of blots, plus blocking points."""
    pips = 0
    back = BAR
    for point in range(1, BAR + 1):
        if checkers(other_low, other_high, point) > 0:
            back = 25 - point
    value = 0.0
    left = 0
    for point in range(1, BAR + 1):
        count = checkers(low, high, point)
        left += count
        pips += count * point
        # Behind it stand enemy checkers, which may hit: `back` is the furthest of them.
        if count == 1 and point < BAR and back < point:
            value -= 0.12 * (25 - point)
        if count >= 2 and 4 <= point <= 8 and back < point:
            value += 3.0
    value -= 4.0 * checkers(low, high, BAR)
    return value - pips + 4.0 * (CHECKERS - left)


def move_slot(position: Position, move: int) -> int:
    return (move ^ move >> 8 ^ move >> 14) & 4095
