"""The engine's view of a game that was played: scores, better moves, marks for mistakes."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from plyforge.core.game import Game
from plyforge.core.history import History
from plyforge.core.records import GameRecord, history_of
from plyforge.engine import Engine, Result, score_text
from plyforge.engine.limits import Limits
from plyforge.engine.result import plain
from plyforge.match.expectation import expected_score

MARKS: Final = ((0.20, "??"), (0.10, "?"), (0.05, "?!"))
"""The expected score that a move must lose for a mark; the first line that fits counts."""
_SHOWN: Final = 8
"""Moves of a better line that a comment holds."""


@dataclass(frozen=True)
class Judgement:
    """A move and the engine's best one; scores are in view of the side that moved."""

    number: int
    player: int
    move: str
    score: float
    best: str
    best_score: float
    line: tuple[str, ...]
    loss: float
    """Expected score that the move gave away: 0 for the best, 1 for a won game thrown away."""

    @property
    def mark(self) -> str:
        return next((mark for least, mark in MARKS if self.loss >= least), "")

    @property
    def comment(self) -> str:
        """`+0.25`; of a mistake `+0.25 -> -3.1, better 12-16 23-18 8-11`."""
        best, played = score_text(self.best_score), score_text(self.score)
        text = played if best == played else f"{best} -> {played}"
        return f"{text}, better {' '.join(self.line[:_SHOWN])}" if self.mark else text

    def fields(self) -> dict[str, Any]:
        """As the command line prints it."""
        scores = {"score": plain(self.score), "best_score": plain(self.best_score)}
        return asdict(self) | scores | {"line": list(self.line), "mark": self.mark}


@dataclass(frozen=True)
class Summary:
    """How one side played, over the moves that were judged."""

    player: str
    moves: int
    best: int
    dubious: int
    mistakes: int
    blunders: int
    mean_loss: float


def judge(engine: Engine, record: GameRecord, limits: Limits) -> Iterator[Judgement]:
    """A record's moves, one after the other, each with the engine's best one.

    `limits` hold for each search.  A move that is not the best is searched by itself, as deep as
    the best was (unless that was proved), so that both scores have the same horizon.  A move made
    where a draw could have been claimed is not judged: for the engine the game is over there.
    """
    played = history_of(engine.game, record)
    history = History(engine.game, played.positions[0])
    for move in played.moves:
        if not history.verdict().over:
            yield _judged(engine, history, move, limits)
        history.follow(move)


def _judged(engine: Engine, history: History, move: int, limits: Limits) -> Judgement:
    best = _searched(engine, history, limits)
    own = best
    if best.move != move:
        depth = limits.depth if best.proved or best.depth == 0 else best.depth
        own = _searched(engine, history, replace(limits, depth=depth), move)
    game = engine.game
    return Judgement(
        len(history.moves) + 1,
        history.turn,
        game.move_text(history.position, move),
        own.score,
        game.move_text(history.position, best.move),
        max(best.score, own.score),
        tuple(engine.line_texts(history, best.pv)),
        _loss(game, best, own),
    )


def _searched(engine: Engine, history: History, limits: Limits, only: int | None = None) -> Result:
    return engine.analyse(
        history,
        depth=limits.depth,
        time=limits.time,
        nodes=limits.nodes,
        moves=None if only is None else [only],
    )


def _loss(game: Game, best: Result, own: Result) -> float:
    """What a move gives away; nothing where a search was stopped before it knew."""
    if own is best or "none" in (best.bound, own.bound):
        return 0.0
    before, after = (expected_score(game.rules, r.score, r.proved) for r in (best, own))
    return max(0.0, before - after)


def annotated(record: GameRecord, judgements: Iterable[Judgement], annotator: str) -> GameRecord:
    """The record with comments and marks; what it said before stays."""
    comments, marks = dict(record.comments), dict(record.marks)
    for judgement in judgements:
        number = judgement.number
        comments[number] = "; ".join(filter(None, (comments.get(number), judgement.comment)))
        if judgement.mark:
            marks[number] = judgement.mark
    tags = record.tags | {"Annotator": annotator}
    return replace(record, tags=tags, comments=comments, marks=marks)


def summaries(game: Game, judgements: Iterable[Judgement]) -> tuple[Summary, Summary]:
    """How the two sides played."""
    found = list(judgements)
    first, second = (
        _summary(name, [j for j in found if j.player == side])
        for side, name in enumerate(game.players)
    )
    return first, second


def _summary(player: str, found: list[Judgement]) -> Summary:
    counts = [sum(j.mark == mark for j in found) for mark in ("?!", "?", "??")]
    best = sum(j.loss == 0 for j in found)
    mean = sum(j.loss for j in found) / len(found) if found else 0.0
    return Summary(player, len(found), best, counts[0], counts[1], counts[2], mean)
