"""Explicit trees as nested lists: `[[3,12,8],[2,4,6],[14,5,2]]`.

A list is a node and its elements are the children, from left to right; a number is a leaf with
that value for MAX.  Values are rounded to float32, as every value of a search is.
"""

import re
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from plyforge.games.tree.layout import EXPLICIT, KIND, MAX_DEPTH, MAX_MOVES, NODES, ROOT, Row

MAX_NODES: Final = 1 << 20
_MAX_VALUE = 2**23
_NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
_BLANK = re.compile(r"\s*")
_WORD = re.compile(r"[^\s,\[\]]+|.", re.DOTALL)

Tree = float | list["Tree"]


@dataclass
class _Reader:
    """Reads a text from left to right; lists that are still open are on a stack.

    There is no recursion, so that a text of a thousand brackets gets a readable error.
    """

    text: str
    at: int = 0
    nodes: int = 0
    opened: list[list[Tree]] = field(default_factory=list)
    begun: list[int] = field(default_factory=list)

    def read(self) -> list[Tree]:
        """Read the list that the text starts with; `at` is then after it."""
        self._open()
        while True:
            self._element()
            while not self._another():
                done = self._close()
                if done is not None:
                    return done

    def _next(self) -> str:
        blank = _BLANK.match(self.text, self.at)
        self.at = blank.end() if blank else self.at
        return self.text[self.at : self.at + 1]

    def _error(self, what: str, at: int | None = None) -> ValueError:
        return ValueError(f"character {(self.at if at is None else at) + 1}: {what}")

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise ValueError(
                f"a tree of more than {MAX_NODES} nodes; generated trees, such as tree:uniform,"
                " may be larger"
            )

    def _open(self) -> None:
        self._count()
        if len(self.opened) == MAX_DEPTH:
            raise self._error(f"lists are nested more than {MAX_DEPTH} deep")
        self.opened.append([])
        self.begun.append(self.at)
        self.at += 1

    def _element(self) -> None:
        """Read a number, or the first number within further lists."""
        while self._next() == "[":
            self._open()
        if self._next() == "]" and not self.opened[-1]:
            raise self._error(
                "the list is empty; a node has at least one child, and a leaf is a number",
                self.begun[-1],
            )
        self._add(self._number())

    def _add(self, child: Tree) -> None:
        siblings = self.opened[-1]
        if len(siblings) == MAX_MOVES:
            raise self._error(
                f"the list has more than {MAX_MOVES} elements, the maximum for a node",
                self.begun[-1],
            )
        siblings.append(child)

    def _number(self) -> float:
        self._count()
        match = _NUMBER.match(self.text, self.at)
        word = _WORD.match(self.text, self.at)
        text = word.group() if word else ""
        if match is None or match.group() != text:
            what = (
                f"'{text}' is not a number" if text else "the text ends where a number is expected"
            )
            raise self._error(f"{what}; a leaf is a number such as 3 or -2.5")
        value = float(text)
        if not abs(value) <= _MAX_VALUE:
            raise self._error(f"{text} is out of range; a leaf's value lies within ±{_MAX_VALUE}")
        self.at = match.end()
        return float(np.float32(value)) + 0.0  # -0.0 becomes 0.0

    def _another(self) -> bool:
        """Skip a comma if there is one; return whether the list continues."""
        sign = self._next()
        if sign == ",":
            self.at += 1
        elif sign == "":
            raise self._error("the list is not closed; a ']' is missing", self.begun[-1])
        elif sign != "]":
            raise self._error(f"'{sign}' where ',' or ']' is expected")
        return sign == ","

    def _close(self) -> list[Tree] | None:
        """Close the innermost list; return the outermost one."""
        self.at += 1
        self.begun.pop()
        done = self.opened.pop()
        if not self.opened:
            return done
        self._add(done)
        return None


def read(text: str) -> tuple[list[Tree], str]:
    """Return the tree that a text starts with, and the rest of the text.

    >>> read("[[3, 12], 2.5] MIN")
    ([[3.0, 12.0], 2.5], ' MIN')
    """
    reader = _Reader(text)
    tree = reader.read()
    return tree, text[reader.at :]


def to_row(tree: list[Tree], side: int) -> Row:
    """The tree as a row of numbers, level by level."""
    nodes: list[Tree] = [tree]
    numbers: list[float] = [0.0] * NODES
    numbers[KIND], numbers[ROOT] = EXPLICIT, side
    for node in nodes:  # grows in the loop
        if isinstance(node, list):
            numbers += [len(node), len(nodes)]
            nodes += node
        else:
            numbers += [0, node]
    return np.array(numbers, np.float64)


def children(row: Row, node: int) -> range:
    """The numbers of a node's children; none for a leaf."""
    count = int(row[NODES + 2 * node])
    first = int(row[NODES + 2 * node + 1]) if count else 0
    return range(first, first + count)


def write(row: Row, node: int = 0) -> str:
    """Return the nested lists of a node and its descendants."""
    below = children(row, node)
    if not below:
        return number_text(row[NODES + 2 * node + 1])
    return "[" + ",".join(write(row, child) for child in below) + "]"


def number_text(value: float) -> str:
    """The shortest text of a float32 value.

    >>> number_text(12.0), number_text(float(np.float32(0.1)))
    ('12', '0.1')
    """
    return str(int(value)) if float(value).is_integer() else str(np.float32(value))


def path_to(row: Row, node: int) -> list[int]:
    """The numbers of the children, from 0, that lead from the root to a node."""
    parents: dict[int, tuple[int, int]] = {}
    for parent in range((len(row) - NODES) // 2):
        for number, child in enumerate(children(row, parent)):
            parents[child] = parent, number
    path = []
    while node:
        node, number = parents[node]
        path.append(number)
    return path[::-1]
