"""What is known about a set of moves: a score with its line, its depth and what it bounds."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.result import Line
from plyforge.search.values import from_node, from_root

EXACT: Final = "exact"
LOWER: Final = "lower"
UPPER: Final = "upper"
OPEN: Final = "open"
"""The kinds of scores; an open one bounds nothing, since some moves have no score yet."""
_OPPOSITE: Final = {LOWER: UPPER, UPPER: LOWER}


@dataclass(frozen=True)
class Estimate:
    """The score of a position, or of some of its moves, for the side to move there.

    Wins are counted from that position.  Exact means what it means in a search: the value at this
    depth, from an iteration that was completed.
    """

    score: float
    line: tuple[int, ...] = ()
    depth: int = 0
    """The depth of the search, in plies from the position."""
    bound: str = EXACT
    proved: bool = False
    """Whether the score is the result of perfect play."""
    finished: bool = False
    """Whether more search would change nothing: it is proved, or its depth is the limit."""

    @property
    def lower(self) -> float:
        """The greatest value that the score is known to reach."""
        return self.score if self.bound in (EXACT, LOWER) else -math.inf

    @property
    def upper(self) -> float:
        """The smallest value that the score is known not to exceed."""
        return self.score if self.bound in (EXACT, UPPER) else math.inf

    @property
    def is_proved_win(self) -> bool:
        """Whether it is a win for the side to move, so that other moves do not matter."""
        return self.proved and self.score > SCORE_LIMIT

    def lift(self, move: int, same_side: bool) -> "Estimate":
        """Return the estimate of the move that leads here, for the side that makes it."""
        score = from_root(self.score, 1)
        line, depth = (move, *self.line), self.depth + 1
        if same_side:
            return replace(self, score=score, line=line, depth=depth)
        bound = _OPPOSITE.get(self.bound, self.bound)
        return replace(self, score=0.0 - score, line=line, depth=depth, bound=bound)

    def descend(self, same_side: bool) -> "Estimate":
        """Return the estimate of the position after the first move of its line: undo `lift`."""
        score = from_node(self.score, 1)
        line, depth = self.line[1:], max(self.depth - 1, 0)
        if same_side:
            return replace(self, score=score, line=line, depth=depth)
        bound = _OPPOSITE.get(self.bound, self.bound)
        return replace(self, score=0.0 - score, line=line, depth=depth, bound=bound)


def estimate_of(line: Line, finished: bool = False) -> Estimate | None:
    """Return the estimate in a line of an analysis; None if nothing was searched."""
    if line.bound == "none":
        return None
    return Estimate(
        line.score, line.pv, line.depth, line.bound, line.proved, finished or line.proved
    )


def best_of(parts: Iterable[Estimate | None]) -> Estimate | None:
    """Return the estimate of a choice between parts; None stands for a part without a score.

    The first of several parts with the best score gives line and depth, a proved one before the
    others.  The result is proved if all parts are, or if it is a proved win; of that, the score is
    a lower bound then, since another move may win sooner.
    """
    parts = list(parts)
    known = [part for part in parts if part is not None]
    if not known:
        return None
    best = max(known, key=lambda part: (part.score, part.proved))
    complete = len(known) == len(parts)
    lower = max(part.lower for part in known)
    upper = max(part.upper for part in known) if complete else math.inf
    won = best.is_proved_win
    return replace(
        best,
        bound=_bound(best.score, lower, upper),
        proved=won or (complete and all(part.proved for part in known)),
        finished=won or (complete and all(part.finished for part in known)),
    )


def refine(
    own: Estimate | None, children: Mapping[int, Estimate | None], move_count: int
) -> Estimate | None:
    """Return the estimate of a position from its own search and from those of its children.

    `children` are estimates of moves, of which the position has `move_count`.  The own search has
    compared all moves at one depth.  The child of its best move counts if it was searched at least
    as deep, another one if it was searched deeper.  If the best move turns out to be worse, a move
    about which nothing more is known may be better.
    """
    known = {move: estimate for move, estimate in children.items() if estimate is not None}
    wins = [estimate for estimate in known.values() if estimate.is_proved_win]
    if own is not None and own.proved:
        return own
    if wins:
        return best_of([*wins, None])
    if own is None:
        return best_of([*known.values(), None] if len(known) < move_count else known.values())
    best_move = own.line[0] if own.line else None
    child = None if best_move is None else known.get(best_move)
    first = own if child is None or not _replaces(child, own) else child
    rivals = [
        part
        for move, part in known.items()
        if move != best_move and (part.proved or _is_rival(part, first, own))
    ]
    candidates = [first, *rivals]
    best = max(candidates, key=lambda estimate: (estimate.score, estimate.proved))
    complete = first is not own and len(candidates) == move_count
    bound = best.bound
    if best.score < own.score and not complete:
        bound = LOWER if bound in (EXACT, LOWER) else OPEN
    return replace(
        best,
        bound=bound,
        proved=complete and all(estimate.proved for estimate in candidates),
        finished=own.finished or (complete and all(part.finished for part in candidates)),
    )


def _replaces(child: Estimate, own: Estimate) -> bool:
    """Whether the child of the best move knows it better than the position's own search."""
    return child.proved or (child.depth >= own.depth and child.bound != OPEN)


def _is_rival(child: Estimate, first: Estimate, own: Estimate) -> bool:
    """Whether the score of another move can be compared with that of the best one, `first`.

    At the depth of the own search, that has compared them already, unless the best move has turned
    out to be worse.
    """
    if child.bound not in (EXACT, LOWER):
        return False
    if first.score < own.score:
        return child.depth >= own.depth
    return child.depth > own.depth and child.depth >= first.depth


def _bound(score: float, lower: float, upper: float) -> str:
    """Return what a score is, given the bounds of the value."""
    if lower == score:
        return EXACT if upper == score else LOWER
    return UPPER if upper == score else OPEN
