import plyforge
from plyforge.engine.limits import Limits
from plyforge.match.annotate import annotate, judge
from plyforge.match.score_graph import graph_limit, scores_from_comments, scores_from_judgements
from plyforge.records.record import GameRecord


def test_comments_of_an_annotated_game_hold_the_scores_of_its_judgements() -> None:
    game = plyforge.load("tictactoe")
    record = GameRecord(("b2", "b1", "a1", "c2"))
    judgements = list(judge(plyforge.Engine(game), record, Limits(depth=9)))
    scores = scores_from_judgements(4, judgements)
    assert scores[0] == 0
    assert scores[2] is not None
    assert scores[2] > 0  # the second side's mistake, from the first side's perspective
    history = game.history()
    for text in record.moves:
        history.play_text(text)
    comments = annotate(record, judgements, "test").comments
    assert scores_from_comments(history, comments) == scores


def test_plies_without_a_judgement_have_no_score() -> None:
    assert scores_from_judgements(2, []) == [None, None, None]


def test_the_graph_reaches_beyond_the_largest_guess_but_not_beyond_all_evaluations() -> None:
    game = plyforge.load("chess")
    small, large = graph_limit(game, [None, 0.5]), graph_limit(game, [game.evaluation_limit])
    assert 0.5 < small < game.evaluation_limit
    assert large == game.evaluation_limit
