"""Check `irreversible`: after such a move no earlier position recurs.

Every move that was tried is an edge of a graph of positions.  A move can be undone if both ends
of its edge are in the same strongly connected component.
"""

from dataclasses import dataclass
from typing import Any

from plyforge.check.node import Node, identity
from plyforge.check.report import Recorder
from plyforge.game.game import Game

_MAX_EDGES = 300_000


@dataclass(frozen=True)
class _Edge:
    start: int
    end: int
    position: str
    move: str


class Reversal:
    """The graph of all moves that were tried."""

    def __init__(self, game: Game, recorder: Recorder) -> None:
        self._game = game
        self._recorder = recorder
        self._clocks = frozenset(game.rules.constant("CLOCKS"))
        self._numbers: dict[Any, int] = {}
        self._after: list[list[int]] = []
        self._irreversible: list[_Edge] = []
        self._edges = 0

    def number(self, position: Any) -> int:
        """Return the position's number in the graph; clocks do not count."""
        key = identity(self._game.position_type, position, self._clocks)
        number = self._numbers.setdefault(key, len(self._after))
        if number == len(self._after):
            self._after.append([])
        return number

    def add(self, node: Node, move: str, child: Any, irreversible: bool) -> None:
        """Add a move that was tried."""
        if self._edges >= _MAX_EDGES:
            return
        self._edges += 1
        start, end = self.number(node.position), self.number(child)
        self._after[start].append(end)
        if irreversible:
            self._irreversible.append(_Edge(start, end, node.text, move))

    def conclude(self) -> None:
        """Report irreversible moves that can be undone, once all games are played."""
        parts = components(self._after)
        for edge in self._irreversible:
            if parts[edge.start] == parts[edge.end]:
                self._recorder.set_context(edge.position, edge.move)
                self._recorder.problem(
                    "irreversible",
                    "recurs",
                    "'irreversible' returns True for this move, but the position before it recurs",
                )
        self._recorder.set_context(None)
        constant = self._game.rules.constant
        declared = [n for n in ("REPETITION", "NO_PROGRESS_LIMIT") if constant(n) is not None]
        undefined = "irreversible" not in self._game.rules.hooks
        if declared and self._edges and undefined:
            self._recorder.remark(
                "irreversible",
                "never",
                f"{declared[0]} is declared, but 'irreversible' is not defined: repetitions are"
                " looked for in the whole game, and no move counts as progress; define it, even"
                " if it always returns False",
            )


def components(after: list[list[int]]) -> list[int]:
    """Return the strongly connected component of each node of a graph (Tarjan 1972)."""
    part = [-1] * len(after)
    index = [-1] * len(after)
    low = [0] * len(after)
    stack: list[int] = []
    count = 0
    for root in range(len(after)):
        if index[root] >= 0:
            continue
        index[root] = low[root] = count
        count += 1
        stack.append(root)
        work = [(root, iter(after[root]))]
        while work:
            node, rest = work[-1]
            child = next(rest, None)
            if child is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    while part[node] < 0:
                        part[stack.pop()] = node
            elif index[child] < 0:
                index[child] = low[child] = count
                count += 1
                stack.append(child)
                work.append((child, iter(after[child])))
            elif part[child] < 0:
                low[node] = min(low[node], index[child])
    return part
