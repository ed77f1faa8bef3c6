"""Minimax that carries the whole game so far: slow, and right about repetition.

The same ends as in `plyforge.game.history`, in the same order, with the path as a plain list.
"""

from typing import Any

from plyforge import Game
from plyforge.core.scores import DRAW, LOSS, ONGOING, WIN
from plyforge.game.game import History
from plyforge.search.values import to_float32

Line = list[tuple[Any, int]]
"""The positions so far with the side to move in each, the last one the present."""


def minimax(root: History, depth: int) -> float:
    """The value for the side to move, `depth` plies deep; a win counts less with every ply."""
    game = root.game
    line: Line = []
    for index, position in enumerate(root.positions):
        turn = game.turn(position)
        line.append((position, index % 2 if turn is None else turn))
    return _value(game, line, root.plies_without_progress, depth, 0)


def _value(game: Game, line: Line, since: int, depth: int, ply: int) -> float:
    position, side = line[-1]
    children = []
    for move in game.moves(position):
        child = game.play(position, move)
        turn = game.turn(child)
        longer = [*line, (child, 1 - side if turn is None else turn)]
        if game.rules.constant("REPETITION") == "illegal" and _occurrences(game, longer) > 1:
            continue
        children.append((longer, 0 if game.irreversible(position, move) else since + 1))
    result = _end(game, line, since, bool(children), ply)
    if result != ONGOING:
        return result - ply if result == WIN else result + ply if result == LOSS else result
    if depth == 0:
        return to_float32(game.evaluation(position))
    values = []
    for longer, plies in children:
        value = _value(game, longer, plies, depth - 1, ply + 1)
        values.append(value if longer[-1][1] == side else 0.0 - value)
    return max(values)


def _end(game: Game, line: Line, since: int, can_move: bool, ply: int) -> float:
    """The result for the side to move if the game is over; the root never counts as an end."""
    position, side = line[-1]
    result = game.outcome(position)
    if result != ONGOING:
        return result
    if not can_move:
        return game.stuck(position)
    if ply == 0:
        return ONGOING
    if game.drawn(position):
        return DRAW
    repetition = game.rules.constant("REPETITION")
    if repetition in ("draw", "loss") and _occurrences(game, line) >= game.rules.constant(
        "REPETITION_COUNT"
    ):
        if repetition == "draw":
            return DRAW
        repeated_by = line[-2][1]
        return LOSS if repeated_by == side else WIN
    limit = game.rules.constant("NO_PROGRESS_LIMIT")
    return DRAW if limit is not None and since >= limit else ONGOING


def _occurrences(game: Game, line: Line) -> int:
    """How often the last position stands in the line."""
    last = game.key(line[-1][0])
    return sum(game.key(position) == last for position, _ in line)
