"""Expanding a book: searching the moves of one of its positions after the other.

The positions form a graph below the start.  All moves of an expanded position have scores, and the
best of them decides its own.  `best-first` expands the end of the best line.  Drop-out expansion
(Lincke 2001) also looks at other moves, and prefers short lines that lose little: the priority of a
position that is not expanded is 0, and that of an expanded one is

    1 + the minimum over its moves of: the priority after the move + weight * what the move loses
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.book.book import OpeningBook
from plyforge.engine.book.keys import book_key, children, from_child
from plyforge.engine.book.store import BookPosition
from plyforge.engine.engine import Engine
from plyforge.game.game import Game, History

BEST_FIRST: Final = "best-first"
DROP_OUT: Final = "drop-out"
METHODS: Final = (DROP_OUT, BEST_FIRST)
_MAX_LOSS: Final = 1000.0
"""What a move can lose at most, in units: moves that lose the game are not expanded for long."""
_MAX_UPDATES: Final = 100_000
"""Updates after one expansion: a graph with cycles might never settle."""


@dataclass
class _Node:
    """A position of the graph."""

    known: BookPosition
    children: dict[int, bool] = field(default_factory=dict)
    """The keys of the positions after its moves, and whether the same side moves there."""
    parents: set[int] = field(default_factory=set)
    priority: float = 0.0


@dataclass(frozen=True)
class Limits:
    """The limits of the search of one position."""

    depth: int | None = None
    time: float | None = None
    nodes: int | None = None


@dataclass(frozen=True)
class Expanded:
    """What one expansion has done."""

    line: tuple[int, ...]
    """The moves from the start to the position."""
    searched: int
    """The moves that were searched; the others led to positions of the book, or ended the game."""
    score: float
    """The score of the start."""
    proved: bool


class Expansion:
    """Expands a book from one position on."""

    def __init__(
        self,
        book: OpeningBook,
        engine: Engine,
        root: History,
        limits: Limits,
        *,
        method: str = DROP_OUT,
        weight: float = 1.0,
    ) -> None:
        self._book, self._engine, self._root, self._limits = book, engine, root, limits
        self._weight = math.inf if method == BEST_FIRST else weight / engine.game.ahead
        self._nodes: dict[int, _Node] = {}
        self._root_key = self._key(root)
        self._load()

    @property
    def _game(self) -> Game:
        return self._book.game

    def _key(self, history: History) -> int:
        return book_key(self._game, history.position)

    def run(self, count: int, report: Callable[[Expanded], None] = lambda one: None) -> int:
        """Expand so many positions; return how many there were to expand."""
        for number in range(count):
            line = self._choose()
            if line is None:
                return number
            searched = self._expand(line)
            root = self._nodes[self._root_key].known
            report(Expanded(tuple(line.moves), searched, root.score or 0.0, root.proved))
        return count

    # The graph

    def _load(self) -> None:
        """Read the part of the graph that is in the book."""
        stored = dict(self._book.file.positions())
        self._nodes[self._root_key] = _Node(stored.get(self._root_key, BookPosition()))
        waiting = [(self._root_key, self._root)]
        order = []
        while waiting:
            key, history = waiting.pop()
            order.append(key)
            if not self._nodes[key].known.expanded:
                continue
            for _, child in children(history):
                child_key = self._key(child)
                if child_key not in self._nodes:
                    self._nodes[child_key] = _Node(stored.get(child_key, BookPosition()))
                    waiting.append((child_key, child))
                self._link(key, child_key, child.turn == history.turn)
        self._update(reversed(order))

    def _link(self, parent: int, child: int, same_side: bool) -> None:
        self._nodes[parent].children[child] = same_side
        self._nodes[child].parents.add(parent)

    def _update(self, keys: Iterator[int]) -> None:
        """Set scores and priorities anew, and those of the positions before them if they change."""
        waiting = dict.fromkeys(keys)
        changed = {}
        for _ in range(_MAX_UPDATES + len(waiting)):
            if not waiting:
                break
            key = next(iter(waiting))
            del waiting[key]
            node = self._nodes[key]
            before = node.known, node.priority
            node.known = self._decide(node)
            node.priority = self._priority(node)
            if (node.known, node.priority) != before:
                waiting |= dict.fromkeys(node.parents)
            if node.known != before[0]:
                changed[key] = node.known
        self._book.file.set_scores(changed.items())

    def _decide(self, node: _Node) -> BookPosition:
        """Return what the moves of a position say about it."""
        if not node.children:
            return node.known
        values = self._values(node)
        best = max(values, key=lambda key: values[key])
        proved = all(self._nodes[key].known.proved for key in values)
        if not proved:  # a win is proved by one move
            proved = self._nodes[best].known.proved and values[best] > SCORE_LIMIT
        depth = self._nodes[best].known.depth + 1
        return replace(node.known, score=values[best], depth=depth, proved=proved)

    def _values(self, node: _Node) -> dict[int, float]:
        """Return the scores of the moves of a position, by the keys of what they lead to."""
        return {
            key: from_child(self._nodes[key].known.score or 0.0, same_side)
            for key, same_side in node.children.items()
        }

    def _priority(self, node: _Node) -> float:
        if node.known.proved:
            return math.inf
        if not node.children:
            return 0.0
        return 1 + min(self._costs(node).values())

    def _costs(self, node: _Node) -> dict[int, float]:
        """Return what it costs to expand below each move of a position; infinite if in vain."""
        values = self._values(node)
        best = max(values.values())
        costs = {}
        for key, value in values.items():
            loss = min(best - value, _MAX_LOSS * self._engine.game.ahead)
            priority = self._nodes[key].priority
            costs[key] = priority + (self._weight * loss if loss else 0.0)
        if self._weight == math.inf and min(costs.values()) == math.inf:
            # Nothing is left below the best move: the next one.
            open_keys = [key for key in values if self._nodes[key].priority < math.inf]
            if open_keys:
                key = max(open_keys, key=lambda one: values[one])
                costs[key] = self._nodes[key].priority
        return costs

    # One expansion

    def _choose(self) -> History | None:
        """Return the game up to the position to expand; None if nothing is left."""
        history, key, seen = self._root.copy(), self._root_key, set()
        if self._nodes[key].priority == math.inf or history.verdict().over:
            return None
        while self._nodes[key].children:
            if key in seen:  # a cycle, of which nothing more can be found out
                self._nodes[key].priority = math.inf
                return self._choose()
            seen.add(key)
            costs = self._costs(self._nodes[key])
            moves = [(costs[self._key(child)], move, child) for move, child in children(history)]
            cost, _, child = min(moves, key=lambda one: one[:2])
            if cost == math.inf:
                self._nodes[key].priority = math.inf
                return self._choose() if key != self._root_key else None
            history, key = child, self._key(child)
        if history.verdict().over:  # by the path, as a repetition is
            self._nodes[key].priority = math.inf
            self._update(iter(self._nodes[key].parents))
            return self._choose()
        return history

    def _expand(self, history: History) -> int:
        """Give scores to all moves of a position; return how many were searched."""
        key, searched, found = self._key(history), 0, {}
        after = [(child, self._key(child)) for _, child in children(history)]
        known = self._book.file.find(child_key for _, child_key in after)
        for child, child_key in after:
            if child_key in found:
                continue
            stored = known.get(child_key, BookPosition())
            if stored.score is None:
                searched += not child.verdict().over
                stored = self._search(child, stored)
            found[child_key] = stored
        for child, child_key in after:
            if child_key not in self._nodes:
                self._nodes[child_key] = _Node(found[child_key])
                self._nodes[child_key].priority = self._priority(self._nodes[child_key])
            self._link(key, child_key, child.turn == history.turn)
        node = self._nodes[key]
        node.known = replace(self._decide(node), expanded=True)
        self._book.file.set_scores([*found.items(), (key, node.known)])
        self._update(iter([key, *node.parents]))
        return searched

    def _search(self, child: History, stored: BookPosition) -> BookPosition:
        verdict = child.verdict()
        if verdict.over:
            return replace(stored, score=float(verdict.value), depth=0, proved=not verdict.by_path)
        limits = self._limits
        result = self._engine.analyse(
            child, depth=limits.depth, time=limits.time, nodes=limits.nodes
        )
        return replace(stored, score=result.score, depth=result.depth, proved=result.proved)
