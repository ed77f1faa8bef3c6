"""Artificial trees, slow and obvious: every tree is built in full as nested lists.

The definitions are those of `docs/games/tree.md`, in Python's own unlimited integers.
"""

from dataclasses import dataclass
from typing import Any

Tree = Any
"""A number, or a list of trees."""

WORD = 2**64 - 1
VALUE, NOISE, ORDER, GAP, CHILD = 1, 2, 3, 4, 5


def minimax(tree: Tree, maximising: bool = True) -> float:
    if not isinstance(tree, list):
        return float(tree)
    values = [minimax(child, not maximising) for child in tree]
    return max(values) if maximising else min(values)


def leaves(tree: Tree) -> list[float]:
    if not isinstance(tree, list):
        return [tree]
    return [leaf for child in tree for leaf in leaves(child)]


def nodes_at(tree: Tree, depth: int) -> int:
    """How many nodes lie `depth` moves below the root."""
    if depth == 0:
        return 1
    return sum(nodes_at(child, depth - 1) for child in tree) if isinstance(tree, list) else 0


def mix(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


@dataclass(frozen=True)
class Recipe:
    """The parameters of a generated tree."""

    kind: str
    branching: int
    depth: int
    seed: int = 1
    values: int = 101
    p: float = 1.0
    width: int = 16

    @property
    def variant(self) -> str:
        words = [self.kind, f"branching={self.branching}", f"depth={self.depth}"]
        words += [f"seed={self.seed}", f"values={self.values}"]
        if self.kind == "ordered":
            words.append(f"p={self.p}")
        if self.kind in ("layered", "skipping", "cyclic"):
            words.append(f"width={self.width}")
        return ",".join(words)

    def word(self, purpose: int, level: int, place: int) -> int:
        start = self.seed * 2**16 + level * 2**8 + purpose
        return mix(mix((start + 0x9E3779B97F4A7C15) & WORD) ^ place)

    def draw(self, word: int, bits: int) -> float:
        if self.values == 0:
            return (word >> (64 - bits)) / 2 ** (bits - 1) - 1
        middle = (self.values - 1) / 2
        value = (word >> 32) * self.values // 2**32 - middle
        return value if self.values % 2 else 2 * value

    def tree(self) -> Tree:
        """The whole tree; a graph is unfolded."""
        if self.kind == "uniform":
            return self._uniform(0, 0)
        if self.kind == "incremental":
            return self._incremental(0, 0, 0.0)
        if self.kind == "ordered":
            return self._ordered(0, 0, self.draw(self.word(VALUE, 0, 0), 17))
        return self._graph(0, 0)

    def _uniform(self, level: int, node: int) -> Tree:
        if level == self.depth:
            return self.draw(self.word(VALUE, level, node), 24)
        b = self.branching
        return [self._uniform(level + 1, node * b + move) for move in range(b)]

    def _incremental(self, level: int, node: int, total: float) -> Tree:
        if level == self.depth:
            return total
        below = []
        for move in range(self.branching):
            child = node * self.branching + move
            edge = self.draw(self.word(VALUE, level + 1, child), 17)
            below.append(self._incremental(level + 1, child, total + edge))
        return below

    def _ordered(self, level: int, node: int, value: float) -> Tree:
        if level == self.depth:
            return value
        best = self._best(level, node)
        sign = -1 if level % 2 == 0 else 1
        below = []
        for move in range(self.branching):
            child = node * self.branching + move
            worse = 0 if move == best else sign * self._gap(level + 1, child, move)
            below.append(self._ordered(level + 1, child, value + worse))
        return below

    def _best(self, level: int, node: int) -> int:
        first = (self.word(ORDER, level, node) >> 11) / 2**53 < self.p
        if first or self.branching == 1:
            return 0
        return 1 + ((self.word(ORDER, level + 1, node) >> 32) * (self.branching - 1) >> 32)

    def _gap(self, level: int, child: int, move: int) -> float:
        steps = (self.values or 65536) // self.branching
        chosen = (self.word(GAP, level, child) >> 32) * steps >> 32
        gap = self.branching * chosen + move + 1
        return gap if self.values else gap / 65536

    def successors(self, level: int, node: int) -> list[tuple[int, int]]:
        """Of a node of a graph: level and number of each child, in order."""
        if level == self.depth:
            return []
        found = []
        for move in range(self.branching):
            word = self.word(CHILD, level, node * 256 + move)
            step = 1
            if word % 4 == 0 and self.kind == "skipping" and level + 3 <= self.depth:
                step = 3
            if word % 4 == 0 and self.kind == "cyclic" and level > 0:
                step = -1
            number = (word >> 32) * self.width >> 32 if level + step else 0
            found.append((level + step, number))
        return found

    def _graph(self, level: int, node: int) -> Tree:
        assert self.kind != "cyclic"
        if level == self.depth:
            return self.draw(self.word(VALUE, level, node), 24)
        return [self._graph(*child) for child in self.successors(level, node)]
