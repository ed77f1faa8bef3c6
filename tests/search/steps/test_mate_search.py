"""The mate search: what it finds is a win, and it misses no short series of checks."""

from random import Random
from typing import Any

import chess as python_chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import LOSS, SCORE_LIMIT, WIN, plies_to_end
from plyforge.engine import Engine
from plyforge.engine.result import SearchResult
from plyforge.evaluate import with_evaluation
from plyforge.search.kernels.context import NO_VALUE, Context, Node
from plyforge.search.options import Options
from plyforge.search.steps import mate_search
from tests.games.tiers import examples
from tests.reference.forced_mates import mate_by_checks
from tests.reference.path_solver import PathSolver, TooManyPaths
from tests.search.proof.test_cycles import RULES, random_root

MAX_PLIES = 5
"""The longest mates that the slow search looks for in random positions."""
ENOUGH = 3000
"""Nodes that suffice for all mates of these tests."""
LOSS_PLIES = 4
"""The longest losses that it looks for: it has to try every move of the defender first."""
PHILIDOR = "3r3k/6pp/8/6N1/2Q5/8/6PP/7K w - - 0 1"
"""Philidor's legacy: Nf7+ Kg8, Nh6+ Kh8, Qg8+ Rxg8, Nf7 mate."""
LASKER = "rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 7 11"
"""Ed. Lasker against Thomas, London 1912: the king is driven from g8 to g1."""
LASKER_LINE = "h5h7 g8h7 e4f6 h7h6 e5g4 h6g5 h2h4 g5f4 g2g3 f4f3 d3e2 f3g2 h1h2 g2g1 e1d2"
chess = with_evaluation(plyforge.load("chess", "python"), "basic")


def analyse(fen: str, depth: int, **settings: Any) -> SearchResult:
    """Search with the step on."""
    return engine_with(["mate-search"], settings).analyse(root(fen), depth=depth)


def engine_with(on: list[str], settings: dict[str, Any]) -> Engine:
    return Engine(chess, on=on, settings=settings, entries=1 << 12)


def root(fen: str, moves: str = "") -> Any:
    history = chess.history(chess.parse(fen))
    for text in moves.split():
        history.play(chess.parse_move(history.position, text))
    return history


def ending(seed: int, side: str) -> str:
    """Return a random ending: queen, rook and knight against pawns and a king on the edge."""
    draw = Random(seed)
    while True:
        board = python_chess.Board(None)
        edge = python_chess.square(draw.randrange(8), draw.choice([0, 7]))
        inner = [square for square in range(8, 56) if square != edge]
        pieces = zip("ppppKQRN", draw.sample(inner, 8), strict=True)
        for piece, square in (("k", edge), *pieces):
            board.set_piece_at(square, python_chess.Piece.from_symbol(piece))
        board.turn = side == "w"
        if board.is_valid() and not board.is_game_over():
            return board.fen()


@given(st.integers(0, 2**32), st.sampled_from([1, 5, 40, ENOUGH]))
@examples(12)
def test_a_win_at_the_root_is_one_by_checks_and_none_is_missed(seed: int, nodes: int) -> None:
    fen = ending(seed, "w")
    result = analyse(fen, 2, **{"mate-search-nodes": nodes})
    fastest = mate_by_checks(fen, MAX_PLIES)
    if fastest is not None and nodes == ENOUGH:
        assert result.score >= WIN - SCORE_LIMIT
    if result.score > SCORE_LIMIT:
        # The first two plies are searched in full, and everything beyond by checks.
        plies = plies_to_end(result.score)
        assert plies is not None
        if plies <= MAX_PLIES:
            assert fastest is not None
            assert fastest <= plies
    assert not result.proved or result.score == WIN - 1


@given(st.integers(0, 2**32))
@examples(4)
def test_a_loss_at_the_root_is_one_against_every_move(seed: int) -> None:
    fen = ending(seed, "b")
    settings = {"mate-search-nodes": 300, "mate-search-at": "all"}
    result = analyse(fen, 2, **settings)
    slow = mate_by_checks(fen, LOSS_PLIES, attacking=False)
    if slow is not None:
        assert result.score < -SCORE_LIMIT
    plies = plies_to_end(result.score)
    if plies is not None and plies <= LOSS_PLIES:
        assert result.score < 0
        assert slow is not None
        assert slow <= plies


def test_the_smothered_mate_is_seen_at_once() -> None:
    assert mate_by_checks(PHILIDOR, 7) == 7
    assert mate_by_checks(PHILIDOR, 6) is None
    result = analyse(PHILIDOR, 2)
    assert result.score == WIN - 7
    assert not result.proved


def test_a_mate_beyond_the_horizon_is_not_seen_without_the_step() -> None:
    plain = engine_with([], {}).analyse(root(PHILIDOR), depth=2)
    assert abs(plain.score) < SCORE_LIMIT
    assert analyse(PHILIDOR, 2).score > SCORE_LIMIT


def test_a_check_that_is_answered_by_mate_is_no_win() -> None:
    """After Qg8+ the only reply, Rxg8, is mate: the attacker has no move, but has lost."""
    fen = "1nk4r/1bpp4/8/8/8/1Q6/5P1P/5RK1 w - - 0 1"
    board = python_chess.Board(fen)
    board.push_uci("b3g8")
    assert [move.uci() for move in board.legal_moves] == ["h8g8"]
    board.push_uci("h8g8")
    assert board.is_checkmate()
    assert mate_by_checks(fen, MAX_PLIES) is None
    assert analyse(fen, 2).score < SCORE_LIMIT


def test_a_long_series_of_checks_is_found_and_wins_against_every_defence() -> None:
    """The game's mate has fifteen plies; the one that is found may be another."""
    board = python_chess.Board(LASKER)
    for uci in LASKER_LINE.split():
        board.push_uci(uci)
        assert board.turn == python_chess.WHITE or board.is_check()
    assert board.is_checkmate()
    engine = engine_with(["mate-search"], {"mate-search-nodes": ENOUGH})
    plies = plies_to_end(engine.analyse(root(LASKER), depth=2).score)
    assert plies is not None
    play_out(engine, python_chess.Board(LASKER), plies)


def play_out(engine: Engine, board: python_chess.Board, plies: int) -> None:
    """Let the engine answer every defence, and win within so many plies."""
    assert plies > 0
    history = root(LASKER, " ".join(move.uci() for move in board.move_stack))
    result = engine.analyse(history, depth=2)
    assert result.score > SCORE_LIMIT
    board.push_uci(chess.move_text(history.position, result.move))
    replies = list(board.legal_moves)
    assert replies or board.is_checkmate()
    for reply in replies:
        board.push(reply)
        play_out(engine, board, plies - 2)
        board.pop()
    board.pop()


# The rules on the path to a node


@pytest.mark.parametrize("rule", RULES)
def test_wins_in_graphs_with_cycles_are_those_of_all_paths(rule: str) -> None:
    """Every win or loss that a shallow search reports is the result of perfect play.

    Some moves are made before the root, so that the path of the game matters.
    """
    compared = beyond = 0
    for seed in range(0, 6 * 250, 6):
        history = random_root(seed, rule, 2)
        if history.verdict().over:
            continue
        try:
            expected = PathSolver(history, 5000).value
        except TooManyPaths:
            continue
        engine = Engine(
            history.game,
            on=["mate-search"],
            settings={"mate-search-at": "all"},
            entries=1 << 8,
            backend="python",
        )
        score = engine.analyse(history, depth=2).score
        compared += 1
        if abs(score) > SCORE_LIMIT:
            assert expected == (WIN if score > 0 else LOSS), (seed, rule)
            plies = plies_to_end(score)
            assert plies is not None
            beyond += plies > 3
    assert compared > 100
    assert beyond > 2, "nothing was found that the search itself does not see"


@pytest.mark.parametrize(("clock", "wins"), [(93, True), (95, False)])
def test_a_mate_must_come_before_the_limit_of_moves_without_progress(
    clock: int, wins: bool
) -> None:
    """Of the seven plies only the sixth is a capture; after 95 it would come too late."""
    fen = PHILIDOR.replace("- 0 1", f"- {clock} 99")
    result = analyse(fen, 2, **{"mate-search-nodes": ENOUGH})
    assert (result.score == WIN - 7) == wins
    assert (result.score > SCORE_LIMIT) == wins


def test_a_full_board_is_no_win() -> None:
    """In connect four a game ends as a draw without moves; wins are those of a full search."""
    game, found = plyforge.load("connect4:5x4", "python"), 0
    draw = Random(3)
    for _ in range(150):
        history = game.history()
        while len(history.moves) < 8 and not history.verdict().over:
            history.play(draw.choice(history.playable()))
        if history.verdict().over:
            continue
        engine = Engine(
            game, on=["mate-search"], settings={"mate-search-at": "all"}, entries=1 << 10
        )
        result = engine.analyse(history, depth=2)
        if abs(result.score) > SCORE_LIMIT:
            exact = Engine(game, entries=1 << 14).analyse(history, depth=12)
            assert exact.proved
            assert exact.score * result.score > 0
            assert abs(exact.score) >= abs(result.score), "no win is faster than the fastest"
            found += plies_to_end(result.score) not in (1, 2)
    assert found > 2


# The step in the engine


def test_after_a_pass_and_in_a_search_of_the_position_itself_nothing_is_searched() -> None:
    """Unlinked hooks raise errors, so a mate search would not go unnoticed."""
    node, context = Node(), Context()
    context.mate_search_at, context.mate_search_nodes = 0, 1
    node.ply, node.flipped, node.low, node.high = 1, 1, -5.0, 5.0
    for passed in (1, 0):
        node.passed = passed
        for phase in (mate_search.known_value, mate_search.before_moves):
            if passed:
                assert phase(None, 1, node, context) == NO_VALUE
            else:
                with pytest.raises(RuntimeError, match="build the kernel"):
                    phase(None, 1, node, context)


def test_nodes_of_mate_searches_are_nodes_of_the_search() -> None:
    result = analyse(PHILIDOR, 2, **{"mate-search-nodes": ENOUGH})
    plain = engine_with([], {}).analyse(root(PHILIDOR), depth=2)
    assert result.counts.mate_searches > 0
    assert result.counts.mate_nodes > result.counts.mate_searches
    assert result.nodes >= result.counts.mate_nodes
    assert result.nodes <= plain.nodes + result.counts.mate_nodes


@pytest.mark.parametrize("nodes", [1, 60, 150])
def test_a_limit_of_nodes_is_exact(nodes: int) -> None:
    engine = engine_with(["mate-search"], {"mate-search-nodes": ENOUGH})
    assert engine.analyse(root(LASKER), depth=20, nodes=nodes).nodes == nodes


def test_a_mate_search_has_a_limit_of_its_own() -> None:
    for nodes in (1, 7):
        counts = analyse(LASKER, 3, **{"mate-search-nodes": nodes}).counts
        assert 0 < counts.mate_nodes <= nodes * counts.mate_searches


def test_a_position_without_a_win_is_searched_once_from_a_root() -> None:
    engine = engine_with(["mate-search"], {})
    fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1"
    first = engine.analyse(root(fen), depth=3).counts.mate_searches
    assert first > 0
    engine.searcher.table.clear()
    engine.searcher.reset_counts()
    engine.search(root(fen), depth=3)
    again = engine.searcher.counts.mate_searches
    assert again < first


def test_off_the_step_is_in_no_kernel_and_a_game_without_threats_refuses_it() -> None:
    for choice in ("auto", "yes", "no"):
        options = Options.preset("play").changed(on=["lmr"], settings={"specialise": choice})
        assert "mate-search" not in {step.name for step in options.kernel_steps}
        options = options.changed(on=["mate-search"])
        assert "mate-search" in {step.name for step in options.kernel_steps}
    with pytest.raises(PlyforgeError, match="'mate-search' needs the hook 'in_check'"):
        Engine("tictactoe", on=["mate-search"])


@pytest.mark.long
@pytest.mark.parametrize("fen", [PHILIDOR, LASKER])
def test_both_backends_visit_the_same_nodes(fen: str) -> None:
    results = []
    for backend in ("python", "compiled"):
        game = plyforge.load("chess", backend)
        engine = Engine(game, preset="play", on=["mate-search"], entries=1 << 12)
        result = engine.analyse(game.history(game.parse(fen)), depth=4)
        results.append((result.score, result.pv, result.counts))
    assert results[0] == results[1]


@pytest.mark.long
@pytest.mark.parametrize("method", ["shared-table", "ybwc"])
def test_several_threads_find_the_mate(method: str) -> None:
    game = plyforge.load("chess", "compiled")
    engine = Engine(game, on=["mate-search"], threads=2, parallel=method, entries=1 << 12)
    assert engine.analyse(game.history(game.parse(PHILIDOR)), depth=3).score == WIN - 7
