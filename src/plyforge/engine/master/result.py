"""The result of a search by a master and its workers."""

from dataclasses import dataclass, field
from typing import Any

from plyforge.engine.master.estimate import Estimate
from plyforge.engine.master.tree import Node
from plyforge.engine.result import finite_or_none, score_text
from plyforge.game.game import Game, History


@dataclass(frozen=True)
class WorkerSummary:
    """What one worker did, and where it was at the end."""

    number: int
    place: str
    """Where it ran."""
    path: tuple[int, ...] | None
    """The moves from the root to its last node; None if it had no work."""
    rest: int | None
    """The number of moves that it searched there if other moves had workers of their own; None if
    it searched all."""
    estimate: Estimate | None
    """The last estimate of these moves, for the side to move at the node."""
    nodes: int
    reports: int
    moves: int
    """How often it was moved to another node."""
    lost: str = ""
    """Why it was lost; empty if it was not."""


@dataclass(frozen=True)
class MasterResult:
    """The best move, its score and line, and what the workers did."""

    estimate: Estimate
    """The value of the root for the side to move; its line begins with the best move."""
    nodes: int
    """Nodes of all workers."""
    quick_nodes: int
    """Nodes of the master's own searches, which choose the children."""
    seconds: float
    workers: tuple[WorkerSummary, ...]
    tree: Node = field(repr=False)
    kept: int
    """Nodes of the tree that were kept from the search before."""
    interrupted: bool = False
    searched: bool = True
    """Whether the move was searched; if not, it is just a legal one."""

    @property
    def move(self) -> int:
        """The best move."""
        return self.estimate.line[0]

    @property
    def score(self) -> float:
        return self.estimate.score

    @property
    def root(self) -> History:
        """The game that was searched."""
        return self.tree.history

    def fields(self) -> dict[str, Any]:
        """Return the result as plain data, with moves as texts."""
        game, position = self.root.game, self.root.position
        estimate = self.estimate
        line = line_texts(game, position, estimate.line)
        return {
            "best": line[0],
            "score": finite_or_none(estimate.score),
            "score_text": score_text(estimate.score),
            "bound": estimate.bound if self.searched else "none",
            "depth": estimate.depth,
            "proved": estimate.proved,
            "pv": line,
            "nodes": self.nodes,
            "quick_nodes": self.quick_nodes,
            "seconds": self.seconds,
            "kept": self.kept,
            "interrupted": self.interrupted,
            "workers": [self._worker_fields(worker) for worker in self.workers],
            "tree": _tree_fields(self.tree),
        }

    def _worker_fields(self, worker: WorkerSummary) -> dict[str, Any]:
        game, position = self.root.game, self.root.position
        estimate = worker.estimate
        path = None if worker.path is None else line_texts(game, position, worker.path)
        return {
            "worker": worker.number,
            "place": worker.place,
            "path": path,
            "rest": worker.rest,
            "score": None if estimate is None else finite_or_none(estimate.score),
            "depth": None if estimate is None else estimate.depth,
            "nodes": worker.nodes,
            "reports": worker.reports,
            "moved": worker.moves,
            "lost": worker.lost or None,
        }


def line_texts(
    game: Game, position: Any, line: tuple[int, ...], *, readable: bool = False
) -> list[str]:
    """Return the moves of a line in the game's notation, or as pages show them."""
    texts = []
    to_text = game.readable_move if readable else game.move_text
    for move in line:
        texts.append(to_text(position, move))
        position = game.play(position, move)
    return texts


def _tree_fields(node: Node, move: str | None = None) -> dict[str, Any]:
    """Return a tree as plain data; scores are for the side to move at each node."""
    game, position = node.history.game, node.history.position
    value = node.estimate()
    return {
        "move": move,
        "score": None if value is None else finite_or_none(value.score),
        "bound": None if value is None else value.bound,
        "depth": None if value is None else value.depth,
        "proved": value is not None and value.proved,
        "nodes": node.nodes,
        "rest": len(node.rest),
        "children": [
            _tree_fields(child, game.move_text(position, one))
            for one, child in node.children.items()
        ],
    }
