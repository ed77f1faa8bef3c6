"""Selective steps: exact where their margins are infinite, and true to their descriptions."""

from typing import Any

import numpy as np
import pytest

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import DRAW, WIN
from plyforge.engine import Engine
from plyforge.evaluate import with_evaluation
from plyforge.search.enhancements import ENHANCEMENTS
from plyforge.search.options import Options

HUGE = 1e9
NEVER: dict[str, dict[str, float]] = {
    "null-move": {"null-move-margin": HUGE},
    "reverse-futility": {"reverse-futility-margin": HUGE},
    "futility": {"futility-margin": HUGE},
    "late-move-pruning": {"late-move-pruning-moves": 4000},
    "lmr": {"lmr-moves": 4000},
    "singular": {"singular-margin": HUGE, "singular-depth": 2, "singular-count": 3},
}
"""Settings with which a step never acts."""
POSITIONS = [
    "8/8/8/3k4/8/3K1P2/8/8 w - - 0 1",
    "4k3/8/3p4/4n3/3B4/8/4K3/8 w - - 0 1",
    "r3k3/8/8/8/8/8/4R3/4K3 b - - 0 1",
    "8/2k5/3p4/2P5/8/5N2/4K3/8 b - - 0 1",
]
SELECTIVE = [row.name for row in ENHANCEMENTS.values() if not row.exact]
chess = with_evaluation(plyforge.load("chess", "python"), "basic")
"""Its evaluation keeps no state, so the slow search can call it."""


def value(depth: int, fen: str, on: list[str], settings: dict[str, Any], **more: Any) -> float:
    engine = Engine(chess, on=on, settings=settings, entries=1 << 12, **more)
    return engine.analyse(chess.history(chess.parse(fen)), depth=depth).score


@pytest.mark.parametrize("fen", POSITIONS)
def test_steps_that_never_act_leave_minimax_values(fen: str) -> None:
    settings = {name: value for step in NEVER.values() for name, value in step.items()}
    assert value(3, fen, list(NEVER), settings) == value(3, fen, [], {})


@pytest.mark.parametrize("step", NEVER)
def test_each_step_by_itself_never_acts_with_an_infinite_margin(step: str) -> None:
    assert value(3, POSITIONS[1], [step], NEVER[step]) == value(3, POSITIONS[1], [], {})


def slow_quiescence(position: Any, ply: int, beyond: int, plies: int, evasions: int) -> float:
    """The value of a position beyond the horizon by the rule, without windows."""
    moves = chess.moves(position)
    hooks = chess.rules.hooks
    with np.errstate(over="ignore"):
        checked = hooks["in_check"](position)
        if hooks["drawn"](position) and moves:
            return float(DRAW)
        if not moves:
            return float(-WIN + ply) if checked else float(DRAW)
        static = float(hooks["evaluate"](position))
        if (checked and beyond >= evasions) or beyond >= plies:
            return static
        noisy = [m for m in moves if hooks["move_kind"](position, m) != 0]
    best = -np.inf if checked else static
    for move in moves if checked else noisy:
        child = chess.play(position, move)
        best = max(best, -slow_quiescence(child, ply + 1, beyond + 1, plies, evasions))
    return float(best)


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/3p4/4n3/3B4/8/4K3/8 w - - 0 1",
        "4k3/2p5/3p4/4n3/3B1P2/2N5/4K3/8 w - - 0 1",
        "3rk3/8/8/3q4/2N1P3/8/8/3RK3 w - - 0 1",
        "6k1/5ppp/8/8/8/8/5q2/R6K w - - 0 1",
    ],
)
def test_quiescence_is_that_of_a_slow_search(fen: str) -> None:
    settings = {
        "quiescence-plies": 3,
        "quiescence-evasions": 2,
        "quiescence-margin": HUGE,
        "quiescence-exchange": "no",
    }
    position = chess.parse(fen)
    children = [chess.play(position, move) for move in chess.moves(position)]
    expected = max(-slow_quiescence(child, 1, 0, 3, 2) for child in children)
    assert value(1, fen, ["quiescence"], settings, off=["cycles"]) == expected


def test_a_mate_within_the_depth_is_found_with_the_preset_play() -> None:
    engine = Engine(chess, preset="play", entries=1 << 12)
    result = engine.analyse(
        chess.history(chess.parse("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")), depth=3
    )
    assert result.score == WIN - 1


def test_no_stalemate_is_given_and_none_is_overlooked() -> None:
    """White wins with any quiet queen move; taking a move from the king ends the game as a draw."""
    engine = Engine(chess, preset="play", entries=1 << 12)
    history = chess.history(chess.parse("7k/5Q2/8/8/8/8/8/K7 b - - 0 1"))
    assert history.verdict().over  # the side to move has no move, and is not in check
    result = engine.analyse(chess.history(chess.parse("7k/8/4Q3/8/8/8/8/K7 w - - 0 1")), depth=2)
    after = chess.play(chess.parse("7k/8/4Q3/8/8/8/8/K7 w - - 0 1"), result.move)
    assert chess.moves(after)


def test_zugzwang_is_not_passed() -> None:
    """With king and pawns alone no step passes, since having to move may be a disadvantage."""
    engine = Engine(chess, on=["null-move"], settings={"null-move-depth": 1}, entries=1 << 12)
    engine.analyse(chess.history(chess.parse("8/8/8/3k4/8/3K1P2/8/8 w - - 0 1")), depth=4)
    assert engine.analyse(depth=1).counts.null_move_cuts == 0


def test_a_value_that_an_inexact_step_has_touched_is_not_proved() -> None:
    engine = Engine(chess, preset="play", entries=1 << 12)
    result = engine.analyse(chess.history(chess.parse(POSITIONS[1])), depth=3)
    assert not result.proved
    assert not engine.options.is_exact


@pytest.mark.parametrize("nodes", [1, 7, 150])
def test_a_limit_of_nodes_is_exact(nodes: int) -> None:
    engine = Engine(chess, preset="play", entries=1 << 12)
    result = engine.analyse(chess.history(chess.parse(POSITIONS[1])), depth=20, nodes=nodes)
    assert result.nodes == nodes


def test_exact_searches_are_built_without_selective_steps() -> None:
    exact = Options.preset("exact")
    assert all(step.exact for step in exact.kernel_steps)
    chosen = exact.changed(on=["lmr"])
    assert {step.name for step in chosen.kernel_steps if not step.exact} == {"lmr"}
    shared = chosen.changed(settings={"specialise": "no"})
    assert set(SELECTIVE) <= {step.name for step in shared.kernel_steps}


@pytest.mark.parametrize(("step", "hook"), [("quiescence", "noisy_moves"), ("check", "in_check")])
def test_a_game_without_the_hook_is_told_which_one_is_missing(step: str, hook: str) -> None:
    with pytest.raises(PlyforgeError, match=f"'{step}' needs the hook '{hook}', which tictactoe"):
        Engine("tictactoe", on=[step])


@pytest.mark.long
@pytest.mark.parametrize("fen", POSITIONS)
def test_both_backends_visit_the_same_nodes(fen: str) -> None:
    results = []
    for backend in ("python", "compiled"):
        game = plyforge.load("chess", backend)
        engine = Engine(game, preset="play", on=["recapture", "single-reply"], entries=1 << 12)
        result = engine.analyse(game.history(game.parse(fen)), depth=5)
        results.append((result.score, result.pv, result.counts))
    assert results[0] == results[1]
