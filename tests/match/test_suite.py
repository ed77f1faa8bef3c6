"""Test suites in EPD."""

import pytest

import plyforge
from plyforge.core.errors import RecordError
from plyforge.engine import Engine
from plyforge.engine.limits import Limits
from plyforge.match.suite import Attempt, Problem, attempt_all, count_solved, read_problems
from plyforge.records.epd import read_epd

GAME = plyforge.load("chess")
MATE = '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "back rank";'
AVOID = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am Rd2 Kf1;"


def test_operations_are_read_with_quoted_operands():
    (record,) = read_epd(f'# comment\n\n{MATE[:-1]}; c0 "a; b" ; acd 12;\n')
    assert record.position == "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -"
    assert record.operations == {
        "bm": ["Rd8#"],
        "id": ["back rank"],
        "c0": ["a; b"],
        "acd": ["12"],
    }
    assert (record.name, record.line) == ("back rank", 3)


def test_a_position_may_have_the_clocks_of_a_fen():
    (record,) = read_epd("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 3 40 bm Rd8+;")
    assert record.position.endswith("3 40")
    assert record.operations == {"bm": ["Rd8+"]}


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("hello", "does not begin with a position"),
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -", "neither a best move"),
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd9;", "Rd9"),
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; bm Rd7;", "twice"),
        ('6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; id "x', "not an operation"),
        ("6k1/5ppp/8/8/8/8/5PPP/3R3 w - - bm Rd8;", "7 squares|kings"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - bm Kg8;", "over"),
    ],
)
def test_a_wrong_line_is_named(line, named):
    with pytest.raises(RecordError, match=f"line 2.*({named})"):
        read_problems(GAME, f"{MATE}\n{line}\n")


def test_a_file_without_positions_is_an_error():
    with pytest.raises(RecordError, match="no position"):
        read_problems(GAME, "# nothing\n")


@pytest.mark.long
def test_problems_are_solved_by_best_moves_and_by_avoiding_others():
    problems = read_problems(GAME, f"{MATE}\n{AVOID}\n" + MATE.replace("Rd8#", "Rd2"))
    attempts = list(attempt_all(Engine(GAME, hash=1), problems, Limits(depth=4)))
    assert [one.solved for one in attempts] == [True, True, False]
    assert attempts[0].depth == 2
    assert attempts[0].nodes is not None
    assert attempts[0].nodes <= attempts[0].total_nodes
    assert attempts[2].seconds is None


def test_a_position_counts_as_solved_from_when_its_move_stays_right():
    problem = Problem("x", GAME.initial(), (1,), ())
    attempts = [
        Attempt(problem, 1, 0.0, depth, nodes, seconds, 100, 1.0)
        for depth, nodes, seconds in ((2, 30, 0.004), (2, 90, 0.02), (5, 400, 1.5), (None,) * 3)
    ]
    assert count_solved(attempts, "depth") == {2: 2, 5: 3}
    assert count_solved(attempts, "nodes") == {50: 1, 100: 2, 500: 3}
    assert count_solved(attempts, "seconds") == {0.005: 1, 0.02: 2, 2: 3}
