"""Annotation: what moves lose, and how that is marked."""

import pytest

import plyforge
from plyforge import Engine
from plyforge.engine.limits import Limits
from plyforge.game.replay import record_of
from plyforge.match.annotate import Judgement, annotate, judge, parse_scores, summarize
from plyforge.match.expectation import expected_score
from plyforge.rules import WIN, GameRecord

FULL = Limits(depth=9)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine("tictactoe", entries=4096)


def judge_moves(engine: Engine, moves: str, **fields: object) -> tuple[GameRecord, list[Judgement]]:
    record = GameRecord(tuple(moves.split()), **fields)
    return record, list(judge(engine, record, FULL))


def test_a_blunder_gets_two_question_marks_and_the_better_line(engine: Engine) -> None:
    record, found = judge_moves(engine, "a1 c2 b2")
    assert [j.mark for j in found] == ["", "??", ""]
    assert found[1].loss == 0.5
    assert found[1].player == 1
    assert found[1].best == "b2"
    annotated = annotate(record, found, "Plyforge")
    assert annotated.marks == {2: "??"}
    assert annotated.comments[2].startswith("0 -> loss in 6, better b2 ")
    assert annotated.comments[1] == "0"
    assert annotated.tags == {"Annotator": "Plyforge"}


def test_a_move_from_a_win_to_a_loss_loses_a_whole_point(engine: Engine) -> None:
    _, found = judge_moves(engine, "a1 a2 b1 b2 c3 c2")
    assert found[4].loss == 1
    assert found[4].best == "c1"
    assert found[4].score < -WIN / 2
    assert found[5].loss == 0


def test_earlier_comments_and_marks_are_kept(engine: Engine) -> None:
    record, found = judge_moves(engine, "a1 c2", comments={2: "an edge"}, marks={1: "!", 2: "!?"})
    annotated = annotate(record, found, "Plyforge")
    assert annotated.comments[2].startswith("an edge; 0 -> loss in 6")
    assert annotated.marks == {1: "!", 2: "??"}


def test_annotating_twice_adds_each_comment_once(engine: Engine) -> None:
    record, found = judge_moves(engine, "a1 c2", comments={2: "an edge"})
    once = annotate(record, found, "Plyforge")
    assert annotate(once, found, "Plyforge") == once


def test_scores_are_read_back_from_comments(engine: Engine) -> None:
    record, found = judge_moves(engine, "a1 c2 b2", comments={2: "an edge; hm"})
    annotated = annotate(record, found, "Plyforge")
    assert [parse_scores(annotated.comments[j.number]) for j in found] == [
        (j.best_score, j.score) for j in found
    ]


@pytest.mark.parametrize("comment", ["", "good", "20", "1. +0.5 only", "+0.5 at once", "+9e99"])
def test_other_comments_have_no_score(comment: str) -> None:
    assert parse_scores(comment) is None


def test_a_summary_counts_the_moves_of_each_side(engine: Engine) -> None:
    _, found = judge_moves(engine, "a1 c2 b2")
    first, second = summarize(engine.game, found)
    assert (first.moves, first.best, first.blunders, first.mean_loss) == (2, 2, 0, 0)
    assert (second.moves, second.best, second.blunders, second.mean_loss) == (1, 0, 1, 0.5)
    assert summarize(engine.game, [])[0].mean_loss == 0


def test_scores_are_for_the_side_that_moved_also_if_it_moves_again() -> None:
    engine = Engine("kalah:3,1", entries=4096)
    history = engine.game.history()
    while legal := history.legal_moves():
        history.play(legal[0])
    found = list(judge(engine, record_of(history), Limits(depth=6)))
    turns = [engine.game.turn(position) for position in history.positions[:-1]]
    assert [j.player for j in found] == turns
    assert all(0 <= j.loss <= 1 and j.best_score >= j.score for j in found)


def test_moves_after_a_draw_that_was_not_claimed_are_not_judged() -> None:
    engine = Engine("checkers", entries=4096)
    shuffle = "1-6 32-27 6-1 27-32 " * 3
    record = GameRecord(tuple(shuffle.split()), start="B:WK32:BK1")
    found = list(judge(engine, record, Limits(depth=1)))
    assert [j.number for j in found] == list(range(1, 9))


@pytest.fixture
def pig() -> Engine:
    return Engine(plyforge.load("pig", "python"))


def test_outcomes_of_chance_are_not_judged(pig: Engine) -> None:
    record = GameRecord(("roll", "6", "hold", "roll", "1", "roll"), start="50 20 0 First")
    judged = list(judge(pig, record, Limits(depth=2)))
    assert [(one.number, one.move) for one in judged] == [
        (1, "roll"),
        (3, "hold"),
        (4, "roll"),
        (6, "roll"),
    ]


def test_a_bad_move_before_a_roll_is_a_mistake(pig: Engine) -> None:
    """Who holds at 98 to 99 lets the other side roll first."""
    record = GameRecord(("hold", "roll"), start="96 99 2 First")
    judged = list(judge(pig, record, Limits(depth=4)))
    assert (judged[0].move, judged[0].best, judged[0].mark) == ("hold", "roll", "??")


def test_in_a_game_of_chance_the_range_is_that_of_the_expected_score(pig: Engine) -> None:
    rules = pig.game.rules
    values = [expected_score(rules, score, proved=False) for score in (-100.0, 0.0, 50.0, 100.0)]
    assert values == [0.0, 0.5, 0.75, 1.0]
    assert expected_score(rules, 50.0, proved=True) == 0.75


@pytest.mark.parametrize("name", plyforge.names())
def test_an_expected_score_grows_with_the_score_from_0_to_1(name: str) -> None:
    rules = plyforge.load(name).rules
    low, high = rules.constant("EVALUATION_RANGE")
    scores = [-WIN + 3, low, low / 50, 0, high / 50, high, WIN - 3]
    found = [expected_score(rules, score, False) for score in scores]
    assert found == sorted(found)
    assert (found[0], found[3], found[-1]) == (0, 0.5, 1)
    assert found[2] + found[4] == pytest.approx(1)
    if "chance" not in rules.hooks:
        assert [expected_score(rules, s, True) for s in (-1, 0, 1)] == [0, 0.5, 1]


def test_three_pawns_are_worth_three_quarters() -> None:
    rules = plyforge.load("chess").rules
    assert expected_score(rules, 300, False) == pytest.approx(0.731, abs=0.001)
