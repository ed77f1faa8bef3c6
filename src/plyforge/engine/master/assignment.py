"""Which worker searches which part of the tree.

The workers of a node are shared out from the root: one searches the node itself, with all moves,
the others go to the best children, half of those that are left to each in turn.  A node with one
worker is a leaf.  So promising subtrees have more workers, and a node is never searched less than
by one worker alone.
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Final, TypeVar

from plyforge.engine.master.estimate import EXACT, Estimate
from plyforge.engine.master.tree import Node

DEFAULT_CHILDREN: Final = 3
"""The maximum number of children of a node, the k of the method."""

QuickSearch = Callable[[Node, int], Sequence[Estimate]]
"""Returns the estimates of a node's best moves, best first; it may return fewer than asked for."""
W = TypeVar("W", bound=Hashable)


def arrange(
    node: Node, workers: int, children: int, quick: QuickSearch, max_plies: int | None = None
) -> list[Node]:
    """Change the tree below a node so that this many workers have work; return their nodes.

    A node has at most `children` children, unless these cannot use all workers; `max_plies` limits
    how far below the node there may be any.  There are fewer nodes than workers only if the tree
    has no more positions to search.
    """
    if workers < 1 or node.is_finished():
        return []
    if workers == 1 or (max_plies is not None and max_plies <= 1):
        return [node]
    below = None if max_plies is None else max_plies - 1
    limit = children
    while True:
        _choose_children(node, min(limit, workers - 1), quick)
        if node.is_finished():
            return []
        found = [node, *_arrange_children(node, workers - 1, children, quick, below)]
        if len(found) >= workers or limit >= workers - 1 or not node.other_moves:
            return found
        limit += 1  # the children cannot use all workers


def _arrange_children(
    node: Node, workers: int, children: int, quick: QuickSearch, max_plies: int | None
) -> list[Node]:
    """Share out workers to the open children of a node; return their nodes."""
    open_children = [node.children[move] for move in _open_moves(node)]
    shares = split_workers(workers, len(open_children))
    found: list[Node] = []
    # From the last: the best children get what the others cannot use.
    for child in reversed(open_children):
        share = workers - len(found) - sum(shares[:-1])
        found = arrange(child, share, children, quick, max_plies) + found
        shares = shares[:-1]
    return found


def split_workers(workers: int, children: int) -> list[int]:
    """Return how many workers each child gets, the best first: half of those left, at least one.

    >>> split_workers(7, 3), split_workers(3, 3), split_workers(2, 3)
    ([4, 2, 1], [1, 1, 1], [1, 1, 0])
    """
    shares = []
    for later in reversed(range(children)):
        half = (workers + 1) // 2 if later else workers
        share = max(0, min(workers, max(1, min(half, workers - later))))
        shares.append(share)
        workers -= share
    return shares


def place(current: Mapping[W, Node | None], wanted: Sequence[Node]) -> dict[W, Node | None]:
    """Return which worker goes to which of the wanted nodes; None for a worker without work.

    A worker stays if it can.  The others take the nodes that are left, in order; a worker whose
    last node is on the same line of play is preferred, since its table knows the positions.
    """
    placed: dict[W, Node | None] = {}
    missing = list(wanted)
    for worker, node in current.items():
        if node is not None and any(node is one for one in missing):
            placed[worker] = node
            missing = [one for one in missing if one is not node]
    free = [worker for worker in current if worker not in placed]
    for node in missing:
        if not free:
            break
        near = [w for w in free if (last := current[w]) is not None and _on_one_line(last, node)]
        chosen = (near or free)[0]
        free.remove(chosen)
        placed[chosen] = node
    return {worker: placed.get(worker) for worker in current}


def _on_one_line(first: Node, second: Node) -> bool:
    """Whether one node is the other or lies below it."""
    moves, others = first.history.moves, second.history.moves
    length = min(len(moves), len(others))
    return moves[:length] == others[:length]


def _choose_children(node: Node, wanted: int, quick: QuickSearch) -> None:
    """Give a node so many open children: the best moves, as far as they are known."""
    own = node.own
    if own is not None and own.bound == EXACT and own.line and own.line[0] not in node.children:
        node.add_child(own.line[0], own)
    while len(_open_moves(node)) < wanted and node.other_moves and not node.is_finished():
        missing = wanted - len(_open_moves(node))
        lines = {line.line[0]: line for line in quick(node, min(missing, len(node.other_moves)))}
        for move in list(dict.fromkeys([*lines, *node.other_moves]))[:missing]:
            node.add_child(move, lines.get(move))
    present = _open_moves(node)
    keep = present[:wanted]
    if wanted > 1 and own is not None and own.line and own.line[0] in present[wanted:]:
        keep[-1] = own.line[0]
    for move in present:
        if move not in keep:
            node.remove_child(move)


def _open_moves(node: Node) -> list[int]:
    """Return the moves of the children that need workers, best first; without a score last.

    The first is the best move of the node: others may have better scores from smaller depths.
    """
    value = node.estimate()
    best = None if value is None or not value.line else value.line[0]
    known = {move: node.estimate_of(move) for move in node.children}
    scores = {
        move: -math.inf if estimate is None else estimate.score
        for move, estimate in known.items()
        if estimate is None or not estimate.finished
    }
    return sorted(scores, key=lambda move: (move != best, -scores[move]))
