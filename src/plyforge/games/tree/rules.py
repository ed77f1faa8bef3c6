"""The rules of moving in a tree, as the search compiles them: children, values, keys.

`docs/games/tree.md` defines every kind of tree in words.
"""

from collections.abc import Iterator

from plyforge.games.tree.layout import (
    BRANCHING,
    CYCLIC,
    DEPTH,
    EXPLICIT,
    GAPS,
    INCREMENTAL,
    KIND,
    LAYERED,
    LEVELS,
    MAX_MOVES,
    NODES,
    ORDERED,
    REAL_STEPS,
    SEED,
    SKIPPING,
    VALUES,
    WIDTH,
    P,
    Position,
)
from plyforge.games.tree.randomness import (
    CHILD,
    COARSE,
    FINE,
    GAP,
    NOISE,
    ORDER,
    VALUE,
    below,
    digest_of,
    draw_value,
    key_of,
    uniform,
    word_at,
)
from plyforge.rules import ONGOING, u64

ALTERNATING = True
REPETITION = "draw"
REPETITION_COUNT = 2
EVALUATION_RANGE = (-(2.0**23), 2.0**23)
"""The range of the leaves of an explicit tree."""

_REAL_STEP = 1 / REAL_STEPS
_ODDS = u64(3)
"""One move in four of a skipping or cyclic graph does not lead to the next level."""
_NOTHING = u64(0)


def degree(position: Position) -> int:
    """How many children a node has; 0 for a leaf."""
    if position.tree[KIND] == EXPLICIT:
        return int(position.tree[NODES + 2 * position.node])
    if position.level == position.tree[DEPTH]:
        return 0
    return int(position.tree[BRANCHING])


def moves(position: Position) -> Iterator[int]:
    """The children's numbers, from 0."""
    yield from range(degree(position))


def can_move(position: Position) -> bool:
    """Always: only leaves have no moves, and `outcome` ends the game there."""
    return True


def play(position: Position, move: int) -> Position:
    edge = edge_word(position, move)
    level = level_after(position, edge)
    node = node_after(position, move, edge, level)
    value = value_after(position, move, node)
    return Position(position.tree, position.digest, node, level, 1 - position.side, value)


def edge_word(position: Position, move: int) -> u64:
    """The random bits of an edge of a graph; nothing in a tree."""
    if position.tree[KIND] < LAYERED:
        return _NOTHING
    place = position.node * MAX_MOVES + move
    return word_at(position.tree[SEED], CHILD, position.level, place)


def level_after(position: Position, edge: u64) -> int:
    """The level that an edge leads to: the next one, except for some edges of some graphs.

    Steps are odd, so that a level belongs to one side.
    """
    kind, level = position.tree[KIND], position.level
    if kind > LAYERED and edge & _ODDS == _NOTHING:
        if kind == SKIPPING and level + 3 <= position.tree[DEPTH]:
            return level + 3
        if kind == CYCLIC and level > 0:
            return level - 1
    return level + 1


def node_after(position: Position, move: int, edge: u64, level: int) -> int:
    """The number of a child at a given level."""
    kind = position.tree[KIND]
    if kind == EXPLICIT:
        return int(position.tree[NODES + 2 * position.node + 1]) + move
    if kind < LAYERED:
        return position.node * int(position.tree[BRANCHING]) + move
    return 0 if level == 0 else below(edge, int(position.tree[WIDTH]))


def value_after(position: Position, move: int, node: int) -> float:
    """The field `value` of the child with a given number."""
    kind, value = position.tree[KIND], position.value
    if kind == INCREMENTAL:
        word = word_at(position.tree[SEED], VALUE, position.level + 1, node)
        return value + draw_value(word, int(position.tree[VALUES]), COARSE)
    if kind == ORDERED and move != best_move(position):
        gap = gap_before(position, move, node)
        return value - gap if position.side == 0 else value + gap
    return value


def gap_before(position: Position, move: int, node: int) -> float:
    """How much worse than the best child another child of an ordered tree is.

    Modulo the number of children, the gap is the child's number + 1: no two are equal.
    """
    word = word_at(position.tree[SEED], GAP, position.level + 1, node)
    choice = below(word, int(position.tree[GAPS]))
    gap = position.tree[BRANCHING] * choice + (move + 1)
    return float(gap) if position.tree[VALUES] > 0 else float(gap) * _REAL_STEP


def best_move(position: Position) -> int:
    """The best child in an ordered tree: the first with probability p, else any other."""
    others = int(position.tree[BRANCHING]) - 1
    word = word_at(position.tree[SEED], ORDER, position.level, position.node)
    if others == 0 or uniform(word) < position.tree[P]:
        return 0
    return 1 + below(word_at(position.tree[SEED], ORDER, position.level + 1, position.node), others)


def worth(position: Position) -> float:
    """The value of a leaf, and the static evaluation of any other node, for MAX."""
    kind, level, node = position.tree[KIND], position.level, position.node
    if kind == EXPLICIT:
        place = NODES + 2 * node
        return 0.0 if position.tree[place] > 0 else float(position.tree[place + 1])
    if kind == INCREMENTAL:
        return position.value
    if kind == ORDERED:
        if level == position.tree[DEPTH]:
            return position.value
        noise = draw_value(
            word_at(position.tree[SEED], NOISE, level, node), int(position.tree[VALUES]), COARSE
        )
        return position.value + noise
    return draw_value(
        word_at(position.tree[SEED], VALUE, level, node), int(position.tree[VALUES]), FINE
    )


def evaluate(position: Position) -> float:
    # 0 - 0.0 is 0.0, whereas negation would give -0.0.
    value = worth(position)
    return value if position.side == 0 else 0.0 - value


def outcome(position: Position) -> float:
    return evaluate(position) if degree(position) == 0 else float(ONGOING)


def stuck(position: Position) -> float:
    """Never called: only leaves have no moves, and `outcome` returns their value first."""
    return evaluate(position)


def turn(position: Position) -> int:
    return position.side


def irreversible(position: Position, move: int) -> bool:
    """Whether the move leads to a deeper level, as all do outside cyclic graphs, or to a leaf."""
    return position.tree[KIND] != CYCLIC or degree(play(position, move)) == 0


def move_slot(position: Position, move: int) -> int:
    """Moves with the same number at the same level share a slot."""
    return position.level % LEVELS * MAX_MOVES + move


def key(position: Position) -> u64:
    return key_of(position.digest, position)


def scratch_key(position: Position) -> u64:
    return key_of(digest_of(position.tree), position)
