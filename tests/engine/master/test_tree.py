"""The master's tree against a slow reference, over random reports and changes."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.core.scores import SCORE_LIMIT, WIN
from plyforge.engine.master.estimate import EXACT, LOWER, OPEN, UPPER, Estimate, best_of
from plyforge.engine.master.tree import Node
from plyforge.games import load

GAMES = ("tictactoe", "kalah")  # in kalah, a side may move again


def reference(node: Node) -> tuple[float, float, float, bool] | None:
    """Return score, lower and upper bound for side 0, and whether they are proved.

    Plain minimax on what the nodes hold, without negation and without stored values.
    """
    sign = 1 if node.turn == 0 else -1
    if not node.moves:
        value = sign * node.history.verdict().value
        return value, value, value, True
    parts: list[Any] = []
    for child in node.children.values():
        below = reference(child)
        parts.append(below and (*(farther(value) for value in below[:3]), below[3]))
    if len(node.children) < len(node.moves):
        own = node.own
        if own is None:
            parts.append(None)
        else:
            low, high = {
                EXACT: (own.score, own.score),
                LOWER: (own.score, math.inf),
                UPPER: (-math.inf, own.score),
                OPEN: (-math.inf, math.inf),
            }[own.bound]
            bounds = (low, high) if sign == 1 else (-high, -low)
            parts.append((sign * own.score, *bounds, own.proved))
    known = [part for part in parts if part is not None]
    if not known:
        return None
    choose = max if sign == 1 else min
    every = [part or (0.0, -math.inf, math.inf, False) for part in parts]
    score = choose(part[0] for part in known)
    won = any(part[0] == score and part[3] for part in known) and sign * score > SCORE_LIMIT
    low, high = choose(part[1] for part in every), choose(part[2] for part in every)
    return (
        score,
        score if low == score else -math.inf,  # other bounds are not kept
        score if high == score else math.inf,
        won or all(part[3] for part in every),
    )


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
    """A tree after random reports, promotions and demotions, whose values were asked for often."""
    root = Node(load(draw(st.sampled_from(GAMES))).history())
    for _ in range(draw(st.integers(0, 25))):
        root.estimate()
        node = draw(st.sampled_from([node for node in root.walk() if node.moves]))
        kind = draw(st.sampled_from(["report", "report", "add", "promote", "demote"]))
        if kind == "demote" and node.children:
            node.demote(draw(st.sampled_from(list(node.children))))
        elif kind == "add" and node.rest:
            node.add_child(draw(st.sampled_from(node.rest)), draw(st.none() | estimates()))
        elif kind == "promote" and node.own is not None and node.own.line[:1] and node.rest:
            if node.own.line[0] in node.rest:
                node.promote(node.own.line[0])
        elif node.rest:
            node.own = draw(estimates(node.rest))
    return root


@given(trees())
def test_values_are_those_of_plain_minimax_and_each_move_is_a_child_or_in_the_rest(root):
    for node in root.walk():
        assert sorted([*node.children, *node.rest]) == sorted(node.history.legal_moves())
        found, expected = node.estimate(), reference(node)
        if expected is None:
            assert found is None
            continue
        score, low, high, proved = expected
        sign = 1 if node.turn == 0 else -1
        bounds = (low, high) if sign == 1 else (-high, -low)
        assert found is not None
        assert found.score == sign * score
        assert found.proved == proved
        assert (found.lower, found.upper) == bounds


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


def test_a_root_that_moves_on_keeps_the_tree_below_and_its_estimates():
    root = Node(load("tictactoe").history())
    child = root.add_child(4, Estimate(1.0, (4, 0), 6))
    grandchild = child.add_child(0, Estimate(-1.0, (0, 2), 5))
    assert root.follow([4, 0]) is grandchild
    assert grandchild.estimate() == Estimate(1.0, (2,), 4)
    leaf = Node(load("tictactoe").history(), Estimate(1.0, (4, 0), 6))
    assert leaf.follow([4, 0]).estimate() == Estimate(1.0, (), 4)
    assert leaf.follow([3]).estimate() is None
