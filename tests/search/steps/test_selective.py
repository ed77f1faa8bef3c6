"""Selective steps: exact where their margins are infinite, and true to their descriptions."""

from typing import Any

import numpy as np
import pytest

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.core.scores import DRAW, SCORE_LIMIT, WIN
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


def slow_quiescence(
    position: Any, ply: int, beyond: int, plies: int, evasions: int, checks: int = 0
) -> float:
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
        noisy = [
            m
            for m in moves
            if hooks["move_kind"](position, m) != 0
            or (beyond < checks and hooks["in_check"](chess.play(position, m)))
        ]
    best = -np.inf if checked else static
    for move in moves if checked else noisy:
        child = chess.play(position, move)
        best = max(best, -slow_quiescence(child, ply + 1, beyond + 1, plies, evasions, checks))
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
@pytest.mark.parametrize("checks", [0, 2])
def test_quiescence_is_that_of_a_slow_search(fen: str, checks: int) -> None:
    settings = {
        "quiescence-checks": checks,
        "quiescence-plies": 3,
        "quiescence-evasions": 2,
        "quiescence-margin": HUGE,
        "quiescence-exchange": "no",
    }
    position = chess.parse(fen)
    children = [chess.play(position, move) for move in chess.moves(position)]
    expected = max(-slow_quiescence(child, 1, 0, 3, 2, checks) for child in children)
    assert value(1, fen, ["quiescence"], settings, off=["cycles"]) == expected


def random_roots(name: str, count: int, plies: int) -> list[Any]:
    game, stream, roots = plyforge.load(name, "python"), Stream(7), []
    while len(roots) < count:
        history = game.history()
        for _ in range(plies):
            if not history.verdict().over:
                history.play(stream.choice(history.playable()))
        if not history.verdict().over:
            roots.append(history)
    return roots


@pytest.mark.parametrize("driver", ["alphabeta", "pvs"])
def test_the_value_of_reduced_searches_is_that_of_their_line(driver: str) -> None:
    """A bound is never taken for a value: without a table the line ends where the value is."""
    settings = {"lmr-depth": 2, "lmr-moves": 1, "lmr-base": 3}
    for root in random_roots("connect4:5x4", 8, 4):
        game = root.game
        engine = Engine(game, driver=driver, off=["all"], on=["lmr"], settings=settings)
        line = engine.search(root, depth=4)
        if abs(line.value) > SCORE_LIMIT:
            continue
        position, sign = root.position, 1
        for move in line.line:
            position, sign = game.play(position, move), -sign
        assert line.value == sign * game.evaluation(position)


def test_a_singular_move_is_extended_and_an_infinite_margin_extends_none() -> None:
    extended = 0
    for root in random_roots("connect4:5x4", 6, 5):
        exact = Engine(root.game, entries=1 << 12).analyse(root, depth=5)
        for margin in (HUGE, 1.0):
            settings = {"singular-margin": margin, "singular-depth": 2, "singular-count": 3}
            engine = Engine(root.game, on=["singular"], settings=settings, entries=1 << 12)
            result = engine.analyse(root, depth=5)
            if margin == HUGE:
                assert result.score == exact.score
                assert result.counts.singular_extensions == 0
            else:
                extended += result.counts.singular_extensions
    assert extended > 0


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
    names = {step.name for step in shared.kernel_steps}
    assert {name for name in SELECTIVE if ENHANCEMENTS[name].shared} <= names


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
        engine = Engine(
            game,
            preset="play",
            on=["recapture", "single-reply", "singular"],
            settings={"singular-depth": 2, "singular-margin": 20, "singular-count": 2},
            entries=1 << 12,
        )
        result = engine.analyse(game.history(game.parse(fen)), depth=5)
        results.append((result.score, result.pv, result.counts))
    assert results[0] == results[1]
