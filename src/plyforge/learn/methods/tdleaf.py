"""TDLeaf(λ): TD(λ) at the leaves of principal variations.

    J. Baxter, A. Tridgell, L. Weaver, TDLeaf(λ): combining temporal difference learning with
    game-tree search, Australian Journal of Intelligent Information Processing Systems 5, 1998. J.
    Baxter, A. Tridgell, L. Weaver, Learning to play chess using temporal differences, Machine
    Learning 40, 2000.

The value of a search is the evaluation of the leaf l_t at the end of its principal variation, so
its gradient is that of the leaf:

    Δw = α Σ_t ∇V(l_t) Σ_{j≥t} λ^{j-t} δ_j,   δ_t = V(l_{t+1}) - V(l_t)

This is TD(λ) for a sequence of leaves instead of positions.  The leaf of a line that ends the game
is worth its result, and has no gradient.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import DRAW, ONGOING
from plyforge.game.game import Game
from plyforge.learn.inputs import AnyInputs, Reals, join_inputs
from plyforge.learn.methods.outcome import Learned
from plyforge.learn.methods.td import TdParameters, learn_td
from plyforge.learn.model import GameModel, Model
from plyforge.learn.samples import Episode


def learn_tdleaf(
    model: Model, weights: Reals, episodes: Sequence[Episode], parameters: TdParameters
) -> Learned:
    """Learn from episodes of leaves, as `leaf_episode` makes them."""
    return learn_td(model, weights, episodes, parameters)


def leaf_episode(
    model: GameModel,
    start: Any,
    moves: Sequence[int],
    lines: Sequence[Sequence[int]],
    result: float,
) -> Episode:
    """Return the leaves of a game's searches as an episode.

    `moves` were played from `start`.  `lines` are the principal variations of the searches before
    each of them, and perhaps of one in the last position.  `result` is that for side 0.
    """
    if len(lines) not in (len(moves), len(moves) + 1) or not lines:
        raise PlyforgeError(f"there are {len(lines)} principal variations for {len(moves)} moves")
    game = model.game
    parts, sides = [], []
    known = np.full(len(lines), np.nan)
    position, root_side = start, game.turn(start) or 0
    for number, line in enumerate(lines):
        leaf = read_leaf(model, position, line)
        parts.append(leaf.inputs)
        side = root_side if leaf.sign > 0 else 1 - root_side
        sides.append(side)
        if leaf.decided is not None:
            known[number] = leaf.decided if side == 0 else -leaf.decided
        if number < len(moves):
            position, before = game.play(position, moves[number]), position
            root_side = _next_side(game, before, position, root_side)
    return Episode(join_inputs(parts), np.array(sides, np.int64), result, known)


@dataclass(frozen=True, eq=False)
class Leaf:
    """The end of a principal variation."""

    inputs: AnyInputs
    """One row."""
    sign: float
    """1 if the side to move at the root is to move, else -1."""
    decided: float | None
    """The result for the side to move if the game is over, else None."""


def read_leaf(model: GameModel, position: Any, line: Sequence[int]) -> Leaf:
    """Return the leaf of a line from a position."""
    inputs, sides = model.read_line(position, line)
    sign = 1.0 if sides[0] == sides[-1] else -1.0
    leaf = position
    for move in line:
        leaf = model.game.play(leaf, move)
    return Leaf(inputs.take([inputs.count - 1]), sign, end_of_game(model.game, leaf))


def end_of_game(game: Game, position: Any) -> float | None:
    """Return the result for the side to move, from -1 to 1; None if the game goes on."""
    score = final_score(game, position)
    return None if score is None else min(max(score, -1.0), 1.0)


def final_score(game: Game, position: Any) -> float | None:
    """Return what the rules say for the side to move if the game is over; None if it is not."""
    score = game.outcome(position)
    if score == ONGOING and game.drawn(position):
        return float(DRAW)
    if score == ONGOING and not game.moves(position):
        score = game.stuck(position)
    return None if score == ONGOING else float(score)


def _next_side(game: Game, before: Any, after: Any, side: int) -> int:
    turn = game.turn(after)
    return 1 - side if turn is None else turn
