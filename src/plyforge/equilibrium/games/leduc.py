"""Leduc hold'em: two cards of each rank, two rounds of betting, one card on the table.

F. Southey and others, Bayes' bluff: opponent modelling in poker, UAI 2005.  Each player antes 1 and
gets a card.  Raises are 2 in the first round and 4 in the second, at most two in each.  Before the
second round a card is laid on the table.  Whoever has a card of its rank wins, else the higher
card.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import ONGOING

NAME = "Leduc hold'em"
VARIANTS = ("2", "4")
RANKS = "JQKA23456789"
FOLD, CALL, RAISE = 0, 1, 2
RAISES = (2, 4)
MAX_RAISES = 2


class Position(NamedTuple):
    ranks: int
    cards: tuple[int, ...]  # those of the players, then that on the table
    rounds: tuple[tuple[int, ...], ...]  # the actions of each round


def initial(ranks: int = 3) -> Position:
    if not 2 <= ranks <= len(RANKS):
        raise ValueError(f"ranks must be between 2 and {len(RANKS)}, not {ranks}")
    return Position(ranks, (), ((),))


def chance(position: Position) -> bool:
    return len(position.cards) < 1 + len(position.rounds)


def chance_outcomes(position: Position) -> Iterator[tuple[int, float]]:
    left = [card for card in range(2 * position.ranks) if card not in position.cards]
    for card in left:
        yield card, 1 / len(left)


def turn(position: Position) -> int:
    return len(position.rounds[-1]) % 2


def stakes(position: Position) -> list[int]:
    """What each player has put into the pot."""
    paid = [1, 1]
    for amount, actions in zip(RAISES, position.rounds, strict=False):
        for place, action in enumerate(actions):
            if action != FOLD:
                paid[place % 2] = paid[1 - place % 2] + (amount if action == RAISE else 0)
    return paid


def moves(position: Position) -> Iterator[int]:
    actions = position.rounds[-1]
    if actions and actions[-1] == RAISE:
        yield FOLD
    yield CALL
    if actions.count(RAISE) < MAX_RAISES:
        yield RAISE


def play(position: Position, move: int) -> Position:
    if chance(position):
        return position._replace(cards=(*position.cards, move))
    actions = (*position.rounds[-1], move)
    rounds = (*position.rounds[:-1], actions)
    if len(actions) >= 2 and move == CALL and len(rounds) == 1:
        rounds = (actions, ())  # the second round begins
    return position._replace(rounds=rounds)


def outcome(position: Position) -> int:
    """What the player to move wins."""
    actions = position.rounds[-1]
    mover = turn(position)
    paid = stakes(position)
    if actions and actions[-1] == FOLD:
        return paid[1 - mover]
    if len(position.rounds) < 2 or len(actions) < 2 or actions[-1] != CALL:
        return ONGOING
    own, other, public = (position.cards[i] // 2 for i in (mover, 1 - mover, 2))
    if own == other:
        return 0
    wins = own == public or (other != public and own > other)
    return paid[1 - mover] if wins else -paid[mover]


def card_text(card: int) -> str:
    return RANKS[card // 2] + "ab"[card % 2]


def information(position: Position) -> str:
    """A player sees the own card, the card on the table, and all actions."""
    shown = [position.cards[turn(position)], *position.cards[2:]]
    bets = "/".join("".join("fcr"[action] for action in actions) for actions in position.rounds)
    return " ".join([*(card_text(card) for card in shown), bets]).strip()


def move_text(position: Position, move: int) -> str:
    if chance(position):
        return card_text(move)
    return ("fold", "call", "raise")[move]
