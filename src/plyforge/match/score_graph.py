"""The scores of a game, ply by ply, from the perspective of the first side."""

from collections.abc import Iterable, Mapping

from plyforge.core.scores import SCORE_LIMIT
from plyforge.game.game import Game, History
from plyforge.match.annotate import Judgement, parse_scores

Scores = list[float | None]
"""A score for the start and for the position after each move; None where it is not known."""

_MARGIN = 2.0
"""The axis extends beyond the scores by this many times `Game.ahead`."""


def scores_from_judgements(plies: int, judgements: Iterable[Judgement]) -> Scores:
    """Return the scores of a game of `plies` moves whose judgements are known in part."""
    scores: Scores = [None] * (plies + 1)
    for judgement in judgements:
        for ply, score in (
            (judgement.number - 1, judgement.best_score),
            (judgement.number, judgement.score),
        ):
            scores[ply] = _for_first(judgement.player, score)
    return scores


def scores_from_comments(history: History, comments: Mapping[int, str]) -> Scores:
    """Return the scores that the comments of an annotated game hold, by the number of the move."""
    scores: Scores = [None] * (len(history.moves) + 1)
    for number, comment in sorted(comments.items()):
        pair = parse_scores(comment)
        if pair is not None and 0 < number < len(scores):
            side = history.turn_at(number - 1)
            scores[number - 1 : number + 1] = [_for_first(side, score) for score in pair]
    return scores


def graph_limit(game: Game, scores: Scores) -> float:
    """Return the largest score of the graph's axis: small, so that small differences show."""
    estimates = [abs(score) for score in scores if score is not None and abs(score) <= SCORE_LIMIT]
    return min(game.evaluation_limit, max(estimates, default=0.0) + _MARGIN * game.ahead)


def _for_first(side: int, score: float) -> float:
    return -score if side else score
