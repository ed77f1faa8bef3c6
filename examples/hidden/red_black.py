"""A bluffing game of one card: copy it to write your own game with hidden information.

Each player antes 1.  The first player draws a card, red or black with equal probability, and looks
at it alone.  The first player folds and loses the ante, or raises by 1.  The second player then
passes and loses the ante, or meets the raise: a red card wins 2 for the first player, a black one
loses 2.  (R. Myerson, Game theory: analysis of conflict, 1991, section 2.1.)

    plyforge equilibrium examples/hidden/red_black.py

A position may be any value that can be compared and hashed.  Here it is the tuple of what has
happened so far: the card, then the moves.
"""

from plyforge.rules import ONGOING

NAME = "Red or black"
CARDS = ("black", "red")
FIRST, SECOND = 0, 1


def initial():
    return ()


def chance(position):
    """Chance moves first: it deals the card."""
    return len(position) == 0


def chance_outcomes(position):
    """Yield each outcome with its probability; together they make 1."""
    yield 0, 1 / 2
    yield 1, 1 / 2


def turn(position):
    """Whose turn it is, at the end of the game too: `outcome` is for this player."""
    return SECOND if len(position) == 2 else FIRST


def moves(position):
    yield 0
    yield 1


def play(position, move):
    """The position after a move, or after an outcome of chance."""
    return (*position, move)


def outcome(position):
    """What the player whose turn it is wins; ONGOING as long as the game goes on."""
    if position[1:] == (0,):
        return 1  # the first player has folded, and it is the second player's turn
    if len(position) < 3:
        return ONGOING
    if position[2] == 0:
        return 1
    return 2 if position[0] == 1 else -2


def information(position):
    """What the player to move knows: the first sees the card, the second only the raise."""
    return CARDS[position[0]] if turn(position) == FIRST else "raised"


def move_text(position, move):
    """Moves and outcomes of chance in words."""
    if chance(position):
        return CARDS[move]
    return ("fold", "raise")[move] if turn(position) == FIRST else ("pass", "meet")[move]
