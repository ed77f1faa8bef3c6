"""Perfect play, slow and obvious: to the end of every line, or backwards from the ends."""

from collections.abc import Iterable
from typing import Any

from plyforge import Game
from plyforge.core.scores import LOSS, ONGOING, SCORE_LIMIT, WIN


def one_ply_before(value: float) -> float:
    """A value one ply before: a win is one further away, and a loss, too."""
    if value > SCORE_LIMIT:
        return value - 1
    return value + 1 if value < -SCORE_LIMIT else value


def solve(game: Game, position: Any, known: dict[int, float]) -> float:
    """The value for the side to move of a game that cannot repeat; wins less the plies to them."""
    result = game.outcome(position)
    if result != ONGOING:
        return result
    key = game.key(position)
    if key not in known:
        values = []
        for move in game.moves(position):
            child = game.play(position, move)
            value = one_ply_before(solve(game, child, known))
            again = game.turn(position) is not None and game.turn(position) == game.turn(child)
            values.append(value if again else -value)
        known[key] = max(values) if values else game.stuck(position)
    return known[key]


def distances(game: Game, starts: Iterable[Any]) -> dict[Any, float]:
    """The values of all positions within reach that are won or lost; the others are drawn.

    Sides alternate.  In round n all positions are found that are won or lost in n plies.
    """
    children: dict[Any, list[Any]] = {}
    waiting = list(starts)
    while waiting:
        position = waiting.pop()
        if position not in children:
            children[position] = [game.play(position, move) for move in game.moves(position)]
            waiting += children[position]
    values = {position: game.stuck(position) for position in children if not children[position]}
    plies, open_ = 0, set(children) - set(values)
    found = dict(values)
    while found:
        plies += 1
        found = {}
        for position in open_:
            below = [values.get(child) for child in children[position]]
            if any(value is not None and value < 0 for value in below):
                found[position] = float(WIN - plies)
            elif all(value is not None and value > 0 for value in below):
                found[position] = float(LOSS + plies)
        values |= found
        open_ -= set(found)
    return values
