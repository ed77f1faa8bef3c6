"""Solving every move of a position: the result of perfect play after each."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from plyforge.core.scores import SCORE_LIMIT, outcome_name
from plyforge.engine.book.keys import children, from_child
from plyforge.engine.engine import Engine
from plyforge.engine.proof_solve import solve_by_proof
from plyforge.engine.result import int_if_whole, score_text
from plyforge.engine.solve import solve
from plyforge.game.game import History
from plyforge.search.proof.prover import Prover


@dataclass(frozen=True)
class MoveResult:
    """The result of perfect play after a move, for the side that makes it."""

    move: int
    score: float | None
    """A win or a loss less the plies to it, or the final score; None if not solved."""
    counts_plies: bool
    """Whether the score of a win or a loss contains the number of plies."""
    nodes: int
    seconds: float
    interrupted: bool = False

    @property
    def solved(self) -> bool:
        return self.score is not None

    @property
    def outcome(self) -> str | None:
        """`win`, `draw` or `loss`; None if not solved."""
        return None if self.score is None else outcome_name(self.score)

    @property
    def value(self) -> float | int | None:
        """The final score, or 1 for a win, 0 for a draw, -1 for a loss; None if not solved."""
        if self.score is None:
            return None
        if abs(self.score) > SCORE_LIMIT:
            return 1 if self.score > 0 else -1
        return int_if_whole(self.score)

    @property
    def text(self) -> str:
        """The result in words, such as `draw`, `win` or `win in 7` plies."""
        if self.score is None:
            return "not solved"
        if self.counts_plies and abs(self.score) > SCORE_LIMIT:
            return score_text(self.score)
        name = outcome_name(self.score)
        has_score = 0 < abs(self.score) <= SCORE_LIMIT
        return f"{name} ({self.value:+g})" if has_score else name

    def fields(self, text: str) -> dict[str, Any]:
        """Return the fields that the command line prints; `text` is the move's."""
        return {
            "move": text,
            "value": self.value,
            "outcome": self.outcome,
            "solved": self.solved,
            "score": self.text if self.counts_plies and self.solved else None,
            "nodes": self.nodes,
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class _Solved:
    """What one search has found, for the side to move there."""

    score: float | None
    nodes: int
    seconds: float
    interrupted: bool


def solve_moves(
    root: History, search: Engine | Prover, *, time: float | None = None, nodes: int | None = None
) -> Iterator[MoveResult]:
    """Solve the position after each move, until Ctrl-C; the limits are those of each.

    The searches share a table, so that what one has found helps the next.
    """
    counts_plies = isinstance(search, Engine)
    in_book = _proved_in_book(search, root) if isinstance(search, Engine) else {}
    for move, child in children(root):
        if move in in_book:
            yield MoveResult(move, in_book[move], True, 0, 0.0)
            continue
        same_side = child.turn == root.turn
        verdict = child.verdict()
        if verdict.over:
            found = _Solved(float(verdict.value), 0, 0.0, False)
        elif isinstance(search, Engine):
            found = _by_alpha_beta(search, child, time, nodes)
        else:
            found = _by_proof(search, child, time, nodes)
        score = found.score
        if score is not None:
            score = from_child(score, same_side) if counts_plies else score if same_side else -score
            score += 0.0  # no negative zero
        yield MoveResult(move, score, counts_plies, found.nodes, found.seconds, found.interrupted)
        if found.interrupted:
            return


def _proved_in_book(engine: Engine, root: History) -> dict[int, float]:
    """Return the proved scores that the engine's book has for the moves of a position."""
    if engine.book is None:
        return {}
    moves = engine.book.moves(root)
    return {one.move: one.score for one in moves if one.proved and one.score is not None}


def _by_alpha_beta(
    engine: Engine, child: History, time: float | None, nodes: int | None
) -> _Solved:
    solution = solve(engine, child, time=time, nodes=nodes, catch_interrupt=True)
    result = solution.result
    score = result.score if solution.solved else None
    return _Solved(score, result.nodes, result.seconds, result.interrupted)


def _by_proof(prover: Prover, child: History, time: float | None, nodes: int | None) -> _Solved:
    solution = solve_by_proof(
        prover.game, child, prover=prover, time=time, nodes=nodes, catch_interrupt=True
    )
    score = solution.bounds.lower if solution.solved else None
    return _Solved(score, solution.nodes, solution.seconds, solution.interrupted)
