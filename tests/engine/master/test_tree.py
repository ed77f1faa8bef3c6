"""The master's tree against a slow reference, over random reports and changes."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.core.scores import SCORE_LIMIT, WIN
from plyforge.engine.master.estimate import EXACT, LOWER, OPEN, UPPER, Estimate, best_of, refine
from plyforge.engine.master.tree import Node
from plyforge.games import load

GAMES = ("tictactoe", "kalah")  # in kalah, a side may move again


def reference(node: Node) -> tuple[float, str, int, bool] | None:
    """Return score, bound, depth and whether it is proved, for the side to move.

    It follows the rules of docs/search/master.md, without stored values.
    """
    if not node.moves:
        return node.history.verdict().value, EXACT, 0, True
    moves: dict[int, Any] = {}
    for move, child in node.children.items():
        below = reference(child)
        if below is not None:
            score, bound, depth, proved = below
            score = farther(score)
            if child.turn != node.turn:
                score, bound = -score, {LOWER: UPPER, UPPER: LOWER}.get(bound, bound)
            moves[move] = score, bound, depth + 1, proved
    own = node.own
    if own is not None and own.proved:
        return own.score, own.bound, own.depth, True
    wins = [part for part in moves.values() if part[3] and part[0] > SCORE_LIMIT]
    if wins:
        score = max(part[0] for part in wins)
        return score, LOWER, next(part[2] for part in wins if part[0] == score), True
    complete = len(moves) == len(node.moves)
    if own is None:
        return reference_choice(list(moves.values()), complete)
    first = own.score, own.bound, own.depth, False
    candidates = []
    replaced = False
    for move, part in moves.items():
        if own.line[:1] == (move,) and (part[3] or (part[1] != OPEN and part[2] >= own.depth)):
            first, replaced = part, True
    for move, part in moves.items():
        if own.line[:1] == (move,):
            continue
        deep = part[2] > own.depth and part[2] >= first[2]
        if first[0] < own.score:
            deep = part[2] >= own.depth
        if part[3] or (deep and part[1] in (EXACT, LOWER)):
            candidates.append(part)
    candidates.insert(0, first)
    complete = replaced and len(candidates) == len(node.moves)
    best = max(candidates, key=lambda part: (part[0], part[3]))
    bound = best[1]
    if best[0] < own.score and not complete:
        bound = LOWER if bound in (EXACT, LOWER) else OPEN
    return best[0], bound, best[2], complete and all(part[3] for part in candidates)


def reference_choice(parts: list[Any], complete: bool) -> tuple[float, str, int, bool] | None:
    """Return the choice between the moves of a position that has no search of its own."""
    if not parts:
        return None
    best = max(parts, key=lambda part: (part[0], part[3]))
    at_least = max(part[0] if part[1] in (EXACT, LOWER) else -math.inf for part in parts)
    at_most = max(part[0] if part[1] in (EXACT, UPPER) else math.inf for part in parts)
    if not complete:
        at_most = math.inf
    kinds = {(True, True): EXACT, (True, False): LOWER, (False, True): UPPER}
    bound = kinds.get((at_least == best[0], at_most == best[0]), OPEN)
    return best[0], bound, best[2], complete and all(part[3] for part in parts)


def farther(value: float) -> float:
    """Return a value one ply farther from the end."""
    if math.isinf(value) or abs(value) <= SCORE_LIMIT:
        return value
    return value - math.copysign(1, value)


@st.composite
def estimates(draw: st.DrawFn, moves: tuple[int, ...] = ()) -> Estimate:
    score = draw(st.sampled_from([-2.0, -1.0, 0.0, 1.0, 2.0, WIN - 3.0, 4.0 - WIN]))
    proved = draw(st.booleans())
    bound = EXACT if proved else draw(st.sampled_from([EXACT, LOWER]))
    line = (draw(st.sampled_from(moves)),) if moves else ()
    return Estimate(score, line, draw(st.integers(1, 9)), bound, proved, proved)


@st.composite
def trees(draw: st.DrawFn) -> Node:
    """A tree after random reports and changes, whose values were asked for often."""
    root = Node(load(draw(st.sampled_from(GAMES))).history())
    for _ in range(draw(st.integers(0, 25))):
        root.estimate()
        node = draw(st.sampled_from([node for node in root.walk() if node.moves]))
        kind = draw(st.sampled_from(["report", "report", "add", "add", "remove"]))
        if kind == "remove" and node.children:
            node.remove_child(draw(st.sampled_from(list(node.children))))
        elif kind == "add" and node.other_moves:
            node.add_child(draw(st.sampled_from(node.other_moves)), draw(st.none() | estimates()))
        else:
            node.own = draw(estimates(node.moves))
    return root


@given(trees())
def test_values_follow_the_rules_and_each_move_is_a_child_or_another_move(root):
    for node in root.walk():
        assert sorted([*node.children, *node.other_moves]) == sorted(node.history.legal_moves())
        found, expected = node.estimate(), reference(node)
        if expected is None:
            assert found is None
            continue
        assert found is not None
        assert (found.score, found.bound, found.depth, found.proved) == expected


@given(estimates(), st.booleans())
def test_descending_undoes_lifting(estimate, same_side):
    lifted = estimate.lift(5, same_side)
    assert lifted.line == (5, *estimate.line)
    assert lifted.descend(same_side) == estimate


def test_a_stopped_search_is_a_lower_bound_and_an_upper_bound_for_the_other_side():
    stopped = Estimate(2.0, (), 3, LOWER)
    assert stopped.lift(1, same_side=True).bound == LOWER
    assert (stopped.lift(1, same_side=False).score, stopped.lift(1, same_side=False).bound) == (
        -2.0,
        UPPER,
    )


@pytest.mark.parametrize(
    ("parts", "bound"),
    [
        ([Estimate(1.0), Estimate(0.0)], EXACT),
        ([Estimate(1.0), None], LOWER),
        ([Estimate(1.0), Estimate(0.0, bound=LOWER)], LOWER),
        ([Estimate(1.0), Estimate(0.0, bound=UPPER)], EXACT),
        ([Estimate(1.0, bound=UPPER), Estimate(0.0)], UPPER),
        ([Estimate(1.0, bound=UPPER), None], OPEN),
    ],
)
def test_the_bound_of_a_choice_follows_from_those_of_its_parts(parts, bound):
    assert best_of(parts).bound == bound


def test_a_proved_win_proves_the_node_whatever_the_other_moves_are():
    win = Estimate(WIN - 3.0, proved=True, finished=True)
    value = best_of([None, win, Estimate(2.0)])
    assert (value.score, value.proved, value.finished) == (WIN - 3.0, True, True)


def test_a_proved_draw_proves_nothing_while_other_moves_are_open():
    draw = Estimate(0.0, proved=True, finished=True)
    value = best_of([draw, Estimate(-2.0)])
    assert (value.score, value.proved, value.finished) == (0.0, False, False)


@pytest.mark.parametrize(
    ("child", "score", "bound"),
    [
        (Estimate(3.0, (1,), 3), 2.0, EXACT),  # from a smaller depth
        (Estimate(3.0, (1,), 4), 2.0, EXACT),  # the own search has compared them
        (Estimate(3.0, (1,), 5), 3.0, EXACT),
        (Estimate(3.0, (1,), 5, LOWER), 3.0, LOWER),
        (Estimate(3.0, (1,), 5, UPPER), 2.0, EXACT),  # it may be worse than that
        (Estimate(1.0, (1,), 5), 2.0, EXACT),
        (Estimate(1.0, (0,), 5), 1.0, LOWER),  # the best move: another may be better now
        (Estimate(1.0, (0,), 5, UPPER), 1.0, OPEN),
        (Estimate(4.0, (0,), 5), 4.0, EXACT),
    ],
)
def test_a_child_counts_if_its_depth_can_be_compared(child, score, bound):
    own = Estimate(2.0, (0, 1), 4)
    found = refine(own, {child.line[0]: child, 2: None}, 4)
    assert (found.score, found.bound) == (score, bound)


def test_another_move_counts_at_the_same_depth_once_the_best_move_is_worse():
    own, worse = Estimate(2.0, (0, 1), 4), Estimate(-3.0, (0,), 5)
    found = refine(own, {0: worse, 1: Estimate(1.0, (1,), 4), 2: Estimate(3.0, (2,), 3)}, 4)
    assert (found.score, found.bound, found.line) == (1.0, LOWER, (1,))


def test_a_deeper_score_of_another_move_waits_for_that_of_the_best_one():
    own, deeper = Estimate(2.0, (0, 1), 4), Estimate(2.5, (0,), 6)
    other = Estimate(3.0, (1,), 5)
    assert refine(own, {0: deeper, 1: other}, 4).line == (0,)
    assert refine(own, {0: None, 1: other}, 4).line == (1,)


def test_a_root_that_moves_on_keeps_the_tree_below_and_its_estimates():
    root = Node(load("tictactoe").history())
    child = root.add_child(4, Estimate(1.0, (4, 0), 6))
    grandchild = child.add_child(0, Estimate(-1.0, (0, 2), 5))
    assert root.follow([4, 0]) is grandchild
    assert grandchild.estimate() == Estimate(1.0, (2,), 4)
    leaf = Node(load("tictactoe").history(), Estimate(1.0, (4, 0), 6))
    assert leaf.follow([4, 0]).estimate() == Estimate(1.0, (), 4)
    assert leaf.follow([3]).estimate() is None
