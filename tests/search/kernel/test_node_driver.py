"""Nodes can be driven from outside of the recursion, and then visit the same nodes."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import plyforge
from plyforge.compilation.hooks_api import advance, begin, context_at, keeps_turn, play
from plyforge.compilation.kernel import Kernel, build
from plyforge.search.kernels.context import NO_VALUE, ONE_PLY
from plyforge.search.kernels.node import (
    close_node,
    expand_node,
    open_node,
    prepare_child,
    record_cut,
    take_value,
)
from plyforge.search.kernels.ordering import next_move
from plyforge.search.kernels.phases import plan_move, search_again
from plyforge.search.kernels.values import value_above, window_high, window_low
from plyforge.search.options import Options
from plyforge.search.request import SearchRequest, root_of
from plyforge.search.searcher import Searcher
from plyforge.search.steps.linking import search_kernel

CUT, AGAIN, NEXT = 2, 1, 0


def open_at(
    position: Any, level: int, depth: int, alpha: float, beta: float, address: Any
) -> float:
    """Open a node and list its moves; return its value if it is known."""
    context = context_at(address)
    node = context.nodes[level]
    if level == 0:
        begin(position, context.states, context.weights)
    value = open_node(position, level, depth, alpha, beta, node, context)
    if value != NO_VALUE:
        return value
    return expand_node(position, level, node, context)


def next_at(position: Any, level: int, address: Any) -> int:
    """Choose and plan the next move; return 0 if there is none."""
    context = context_at(address)
    node = context.nodes[level]
    while next_move(node, context):
        child = play(position, node.move)
        advance(context.states, level, position, node.move, child, context.weights)
        flips = not keeps_turn(position, child)
        prepare_child(position, flips, node, context.nodes[level + 1], context)
        if plan_move(position, child, level, node, context):
            return 1
        node.skipped += 1
    return 0


def child_at(position: Any, level: int, address: Any) -> Any:
    """Return the position after the present move."""
    return play(position, context_at(address).nodes[level].move)


def low_at(position: Any, level: int, address: Any) -> float:
    """Return the lower end of the window in which the present move is searched next."""
    node = context_at(address).nodes[level]
    flips = not keeps_turn(position, play(position, node.move))
    return window_low(flips, node.child_low, node.child_high)


def high_at(position: Any, level: int, address: Any) -> float:
    node = context_at(address).nodes[level]
    flips = not keeps_turn(position, play(position, node.move))
    return window_high(flips, node.child_low, node.child_high)


def take_at(position: Any, level: int, value: float, address: Any) -> int:
    """Take the value of a child; return whether to cut, to search it again, or to go on."""
    context = context_at(address)
    node = context.nodes[level]
    flips = not keeps_turn(position, play(position, node.move))
    value = value_above(flips, value)
    node.child_proven &= context.nodes[level + 1].proven
    if search_again(value, flips, level, node, context):
        return AGAIN
    if take_value(value, level, node, context):
        record_cut(position, level, node, context)
        return CUT
    return NEXT


def close_at(position: Any, level: int, address: Any) -> float:
    context = context_at(address)
    return close_node(level, context.nodes[level], context)


SIGNATURES = {
    open_at: "float64(position, int64, int64, float64, float64, address)",
    next_at: "int64(position, int64, address)",
    child_at: "position(position, int64, address)",
    low_at: "float64(position, int64, address)",
    high_at: "float64(position, int64, address)",
    take_at: "int64(position, int64, float64, address)",
    close_at: "float64(position, int64, address)",
}


def build_calls(game: Any, options: Options, backend: Any) -> SimpleNamespace:
    kernel = search_kernel(options.kernel_steps)
    calls = {}
    for function, signature in SIGNATURES.items():
        part = Kernel(
            function.__name__,
            function,
            signature,
            context=kernel.context,
            replacements=kernel.replacements,
        )
        calls[function.__name__] = build(part, game.rules, game.position_type, backend).call
    return SimpleNamespace(**calls)


def search_with_a_stack(searcher: Searcher, calls: Any, depth: int) -> float:
    """Search the searcher's root without recursion; its memory holds the nodes."""
    address, context = searcher._address, searcher.context
    searcher._reserve_path()
    context.generation = searcher.table.generation
    root = searcher._nodes[0]
    root.ply, root.flipped, root.moves_start = 0, 1, 0
    root.side, root.slot = context.root_side, context.root_slot
    root.reversible_plies = context.root_reversible_plies
    root.path_hash = context.root_path_hash
    value = calls.open_at(searcher.root.position, 0, depth * ONE_PLY, -math.inf, math.inf, address)
    stack = [searcher.root.position] if value == NO_VALUE else []
    again = False
    while stack:
        position, level = stack[-1], len(stack) - 1
        if not again and not calls.next_at(position, level, address):
            value = calls.close_at(position, level, address)
            stack.pop()
        else:
            child = calls.child_at(position, level, address)
            low = calls.low_at(position, level, address)
            high = calls.high_at(position, level, address)
            depth_left = searcher._nodes[level].child_depth
            value = calls.open_at(child, level + 1, depth_left, low, high, address)
            again = False
            if value == NO_VALUE:
                stack.append(child)
                continue
        while stack:
            position, level = stack[-1], len(stack) - 1
            verdict = calls.take_at(position, level, value, address)
            again = verdict == AGAIN
            if verdict != CUT:
                break
            value = calls.close_at(position, level, address)
            stack.pop()
    return float(value)


def make_searcher(game: Any, options: Options, backend: Any) -> Searcher:
    searcher = Searcher(game, options, backend=backend, log=20_000)
    searcher.set_root(root_of(game.history(), game))
    return searcher


def read_log(searcher: Searcher) -> list[tuple[Any, ...]]:
    rows = searcher.log[: searcher.context.logged]
    return [(v.key, v.ply, v.depth, v.alpha, v.beta) for v in rows]


@pytest.mark.parametrize(
    ("name", "depth"), [("tictactoe", 5), ("kalah:3,2", 6), ("checkers", 5), ("othello:4", 5)]
)
@pytest.mark.parametrize("backend", ["python", pytest.param("compiled", marks=pytest.mark.long)])
def test_a_stack_visits_the_same_nodes_as_the_recursion(name, depth, backend):
    game, options = plyforge.load(name), Options.preset("exact").changed(on=["child-eval", "wins"])
    calls = build_calls(game, options, backend)
    recursive, stacked = (make_searcher(game, options, backend) for _ in range(2))
    for plies in range(1, depth + 1):
        expected = recursive.search(
            SearchRequest.of(recursive.root, -math.inf, math.inf, plies)
        ).value
        with np.errstate(over="ignore"):
            assert search_with_a_stack(stacked, calls, plies) == expected
    assert stacked.counts == recursive.counts
    assert read_log(stacked) == read_log(recursive)
