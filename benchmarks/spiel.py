"""OpenSpiel's C++ games, called from Python.

Every interior node calls `legal_actions` and makes every child; the last ply is the length of
`legal_actions`, its actions are not applied. pyspiel has no tree walk in C++, so its figure
includes the calls from Python, as in any search written with it. Of the three ways to make a child,
the fastest that counts correctly for the game is used, and named in the row.

In Hex every position has over a hundred moves, and counting the last ply would only measure how
fast lists are written: there the last ply is played too, and finished games are counted, on both
sides.

In Othello both sides count a pass as a ply. In Plyforge a game that has ended counts as one leaf at
every later depth, in OpenSpiel as none; the first game ends at ply 9, so the counts agree up to
depth 9.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.clock import Contender, MeasurementError, Settings, in_process
from benchmarks.compare import compare
from benchmarks.played_leaves import plyforge_leaves
from benchmarks.table import Row

Perft = Callable[[Any, int], int]


def count_by_child(state: Any, depth: int) -> int:
    """Count by `state.child(action)`."""
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    nodes = 0
    for action in actions:
        nodes += count_by_child(state.child(action), depth - 1)
    return nodes


def count_by_clone(state: Any, depth: int) -> int:
    """Count by `state.clone()` and `apply_action`."""
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    nodes = 0
    for action in actions:
        child = state.clone()
        child.apply_action(action)
        nodes += count_by_clone(child, depth - 1)
    return nodes


def count_by_undo(state: Any, depth: int) -> int:
    """Count by `apply_action` and `undo_action`."""
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    nodes = 0
    player = state.current_player()
    for action in actions:
        state.apply_action(action)
        nodes += count_by_undo(state, depth - 1)
        state.undo_action(player, action)
    return nodes


def count_by_playing(state: Any, depth: int) -> int:
    """Count leaves by `clone` and `apply_action`; the last ply is played, and ends count."""
    nodes = 0
    for action in state.legal_actions():
        child = state.clone()
        child.apply_action(action)
        if depth == 1:
            nodes += 1 + child.is_terminal()
        else:
            nodes += count_by_playing(child, depth - 1)
    return nodes


COPYING: dict[str, Perft] = {"child": count_by_child, "clone": count_by_clone}
ALL_WAYS: dict[str, Perft] = {**COPYING, "undo": count_by_undo}
PLAYED: dict[str, Perft] = {"clone": count_by_playing}


@dataclass(frozen=True)
class Case:
    """A tree that both sides count."""

    game: str
    spiel_name: str
    depth: int
    nodes: int
    ways: dict[str, Perft]
    rival_nodes: int | None = None
    note: str = ""


# OpenSpiel 2.0: connect four and Othello have no undo, that of checkers loses moves from ply 3 on.
CASES = (
    Case("tictactoe", "tic_tac_toe", 8, 200_448, ALL_WAYS),
    Case("connect4", "connect_four", 7, 823_536, COPYING),
    Case("checkers", "checkers", 6, 36_768, COPYING, note="the deepest ply with equal counts"),
    Case(
        "checkers",
        "checkers",
        8,
        845_931,
        COPYING,
        rival_nodes=838_248,
        note="nodes/s: OpenSpiel counts each jump of a multi-jump as a ply",
    ),
    Case("othello", "othello", 9, 3_005_288, COPYING, note="the deepest ply with equal counts"),
    Case("hex", "hex(board_size=11)", 3, 121 * 120 * 119, PLAYED, note="the last ply is played"),
)
QUICK_CASES = (
    Case("tictactoe", "tic_tac_toe", 6, 54_720, ALL_WAYS),
    Case("connect4", "connect_four", 5, 16_807, COPYING),
    Case("checkers", "checkers", 5, 7_361, COPYING),
    Case("othello", "othello", 6, 8_200, COPYING),
    Case("hex", "hex(board_size=11)", 2, 121 * 120, PLAYED, note="the last ply is played"),
)


def start(case: Case) -> Any:
    """Return the start state; raise `ImportError` without OpenSpiel."""
    return importlib.import_module("pyspiel").load_game(case.spiel_name).new_initial_state()


def fastest_way(case: Case) -> str:
    """Return the name of the fastest way on a shallower tree of the case."""
    root = start(case)

    def seconds(name: str) -> float:
        start = time.process_time()
        for _ in range(3):
            case.ways[name](root.clone(), case.depth - 1)
        return time.process_time() - start

    return min(case.ways, key=seconds)


def prepare(case: Case, way: str | None, settings: Settings) -> Contender:
    """Prepare OpenSpiel's count of the case."""
    if way is None:
        raise MeasurementError("open_spiel is not installed")
    count, root = case.ways[way], start(case)
    return in_process(lambda: count(root, case.depth), settings.min_seconds)


def rows(settings: Settings) -> Iterator[Row]:
    """Yield one row per game; checkers has two, as the rules count jumps differently."""
    for case in QUICK_CASES if settings.quick else CASES:
        try:
            way: str | None = fastest_way(case)
        except ImportError:
            way = None
        notes = [case.note] if case.note else []
        if way is not None:
            notes.append(f"children by {way}")
        yield compare(
            "spiel",
            case.game,
            f"start d{case.depth}",
            rival=partial(prepare, case, way, settings),
            ours=(
                partial(plyforge_leaves, case.game, case.depth, settings)
                if case.ways is PLAYED
                else None
            ),
            depth=case.depth,
            nodes=case.nodes,
            rival_nodes=case.rival_nodes,
            settings=settings,
            note=", ".join(notes),
        )
