"""Proofs in games without cycles: compared with exhaustive search, and known results."""

import pytest

import plyforge
from plyforge import Engine
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.proof import find_bounds
from plyforge.engine.proof_solve import solve_by_proof
from plyforge.engine.solve_moves import solve_moves
from plyforge.search.proof.methods import METHODS
from plyforge.search.proof.prover import Prover
from plyforge.search.request import root_of
from tests.games.test_hex import OPENINGS
from tests.reference.solved import one_ply_before, solve
from tests.search.kernel.games import random_position


def result_of(value: float) -> float:
    """Return a value without the number of plies."""
    if abs(value) > SCORE_LIMIT:
        return 1 if value > 0 else -1
    return value


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("name", "stones", "count"),
    [
        pytest.param("tictactoe", 2, 10, marks=pytest.mark.long),
        pytest.param("connect4:4x4", 8, 20, marks=pytest.mark.long),
        pytest.param("othello:4", 5, 12, marks=pytest.mark.long),
        pytest.param("kalah:3,2", 2, 12, marks=pytest.mark.long),
        pytest.param("hex:3", 1, 9, marks=pytest.mark.long),
    ],
)
def test_positions_of_small_games(method: str, name: str, stones: int, count: int) -> None:
    game = plyforge.load(name)
    known: dict[int, float] = {}
    for seed in range(count):
        history = game.history(random_position(game, seed, stones))
        solution = solve_by_proof(game, history, method, entries=1 << 16)
        assert solution.value == result_of(solve(game, history.position, known))
        assert solution.line[0] in history.legal_moves()


@pytest.mark.parametrize("method", METHODS)
def test_uncompiled_kernels_solve_tictactoe(method: str) -> None:
    game = plyforge.load("tictactoe")
    known: dict[int, float] = {}
    for seed in range(4):
        history = game.history(random_position(game, seed, 4))
        solution = solve_by_proof(game, history, method, entries=1 << 10, backend="python")
        assert solution.value == result_of(solve(game, history.position, known))


@pytest.mark.long
def test_weak_numbers_and_sums_have_the_same_results() -> None:
    game = plyforge.load("tictactoe")
    root = root_of(game.history(), game)
    nodes = set()
    for weak in (False, True):
        for epsilon in (0.0, 0.25, 1.0):
            prover = Prover(game, weak=weak, epsilon=epsilon, entries=1 << 14)
            bounds, questions = find_bounds(prover, root)
            assert (bounds.lower, bounds.upper) == (0, 0)
            nodes.add(sum(one.result.nodes for one in questions))
    assert len(nodes) > 3


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
def test_little_memory_is_enough(method: str) -> None:
    """Garbage is collected; what was lost is searched again."""
    game = plyforge.load("tictactoe")
    root = root_of(game.history(), game)
    prover = Prover(game, method, entries=300)
    bounds, _ = find_bounds(prover, root)
    assert (bounds.lower, bounds.upper) == (0, 0)
    if method != "pn2":  # its first tree is small
        assert prover.context.collections > 0
    assert prover.context.used <= 300


def test_a_line_of_best_moves_leads_to_the_result() -> None:
    game = plyforge.load("tictactoe")
    history = game.history()
    history.play_text("b2 b1")
    solution = solve_by_proof(game, history, entries=1 << 12, backend="python")
    for move in solution.line:
        history.play(move)
    assert solution.outcome == "win"
    assert history.verdict().over
    assert history.turn == 1  # the winner made the last move


def test_a_search_within_a_limit_of_nodes_has_bounds() -> None:
    game = plyforge.load("tictactoe")
    solution = solve_by_proof(game, game.history(), nodes=100, entries=1 << 12, backend="python")
    assert not solution.solved
    assert (solution.value, solution.outcome) == (None, None)
    assert solution.bounds.lower < solution.bounds.upper
    assert solution.line


@pytest.mark.long
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_every_opening_of_hex(size: int) -> None:
    """Compare the result of each opening move, rank by rank."""
    game = plyforge.load(f"hex:{size}")
    results = solve_moves(game.history(), Prover(game))
    found = "".join("W" if one.value == 1 else "L" for one in results)
    assert [found[start : start + size] for start in range(0, size**2, size)] == OPENINGS[size]


def test_each_move_is_solved_for_the_side_that_makes_it() -> None:
    game = plyforge.load("tictactoe")
    history = game.history()
    history.play_text("a1 b1 a2 b2")
    prover = Prover(game, entries=1 << 12, backend="python")
    engine = Engine(game, entries=1 << 12, backend="python")
    known: dict[int, float] = {}
    for by_proof, by_search in zip(
        solve_moves(history, prover), solve_moves(history, engine), strict=True
    ):
        child = game.play(history.position, by_proof.move)
        value = -solve(game, child, known)
        assert by_proof.value == by_search.value == result_of(value)
        assert by_search.score == one_ply_before(value)
    assert by_search.move == by_proof.move


@pytest.mark.long
def test_symmetric_positions_share_results() -> None:
    game = plyforge.load("hex:4")
    counts = [one.nodes for one in solve_moves(game.history(), Prover(game))]
    # The second half of the board is the first one rotated: most answers are in the table.
    assert sum(counts[8:]) < sum(counts[:8]) / 4
