"""Kuhn poker: three cards, one for each player, and a single bet.

H. W. Kuhn, A simplified two-person poker, 1950.  Each player antes 1 and gets one of the cards
jack, queen and king.  The first player checks or bets 1.  After a check the second may check or
bet; a bet is called or folded.  The higher card wins the pot.
"""

from collections.abc import Iterator

from plyforge.rules import ONGOING

NAME = "Kuhn poker"
Position = tuple[tuple[int, ...], tuple[int, ...]]  # the cards that are dealt, and the actions
CARDS = "JQK"
PASS, BET = 0, 1


def initial() -> Position:
    return ((), ())


def chance(position: Position) -> bool:
    cards, _ = position
    return len(cards) < 2


def chance_outcomes(position: Position) -> Iterator[tuple[int, float]]:
    cards, _ = position
    for card in range(3):
        if card not in cards:
            yield card, 1 / (3 - len(cards))


def turn(position: Position) -> int:
    _, actions = position
    return len(actions) % 2


def moves(position: Position) -> Iterator[int]:
    yield PASS
    yield BET


def play(position: Position, move: int) -> Position:
    cards, actions = position
    if len(cards) < 2:
        return ((*cards, move), actions)
    return (cards, (*actions, move))


def outcome(position: Position) -> int:
    """What the player to move wins."""
    cards, actions = position
    if actions[-2:] == (BET, PASS):
        return 1  # the other player has folded
    if actions[-2:] in ((PASS, PASS), (BET, BET)):
        stake = 1 + actions[-1]
        mover = turn(position)
        return stake if cards[mover] > cards[1 - mover] else -stake
    return ONGOING


def information(position: Position) -> str:
    """A player sees the own card and all actions."""
    cards, actions = position
    return CARDS[cards[turn(position)]] + "".join(" pb"[action + 1] for action in actions)


def move_text(position: Position, move: int) -> str:
    cards, actions = position
    if len(cards) < 2:
        return CARDS[move]
    if actions and actions[-1] == BET:
        return ("fold", "call")[move]
    return ("check", "bet")[move]
