"""The engine's view of a game that was played: scores, better moves, marks for mistakes."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from plyforge.core.scores import SCORE_LIMIT, WIN
from plyforge.engine import Engine, SearchResult, score_text
from plyforge.engine.limits import Limits
from plyforge.engine.result import int_if_whole
from plyforge.game.game import Game, History
from plyforge.match.expectation import expected_score
from plyforge.records.record import GameRecord

MARKS: Final = ((0.20, "??"), (0.10, "?"), (0.05, "?!"))
"""The expected score that a move must lose for a mark; the first line that fits counts."""
_SHOWN: Final = 8
"""Moves of a better line that a comment holds."""
_SCORE: Final = r"(0|[+-]\d{1,9}(?:\.\d{1,9})?(?:e[+-]?\d\d?)?|(?:win|loss) in \d{1,6})"
_WORDS: Final = re.compile(rf"(?:^|; )(?:{_SCORE} -> )?{_SCORE}(?:, better [^;]*)?$")
"""What `Judgement.comment` says, maybe after the words of somebody else."""


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
        scores = {"score": int_if_whole(self.score), "best_score": int_if_whole(self.best_score)}
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
    the best was (unless that was proved); if it seems a mistake, the position after it is searched,
    too, a ply deeper than before, and the better of the two scores counts: what a horizon in the
    middle of an exchange shows is no mistake.  A move made where a draw could have been claimed is
    not judged: for the engine the game is over there.
    """
    played = engine.game.replay(record)
    history = History(engine.game, played.positions[0])
    for move in played.moves:
        root, history = history, history.copy()
        history.follow(move)
        if not root.verdict().over:
            yield _judged(engine, root, history, limits)


@dataclass(frozen=True)
class _Worth:
    """A score in view of the side that moves, and what it promises."""

    score: float
    expected: float

    @classmethod
    def of(cls, engine: Engine, score: float, proved: bool) -> "_Worth":
        return cls(score, expected_score(engine.game.rules, score, proved))


def _judged(engine: Engine, root: History, after: History, limits: Limits) -> Judgement:
    game, move = engine.game, after.moves[-1]
    best = _searched(engine, root, limits)
    line = tuple(engine.line_texts(root, best.pv))
    most = own = _Worth.of(engine, best.score, best.proved)
    if best.move != move:
        own = _worth_of_move(engine, root, after, best, limits)
    return Judgement(
        len(after.moves),
        root.turn,
        game.move_text(root.position, move),
        own.score,
        game.move_text(root.position, best.move),
        max(most.score, own.score),
        line,
        0.0 if best.bound == "none" else max(0.0, most.expected - own.expected),
    )


def _worth_of_move(
    engine: Engine, root: History, after: History, best: SearchResult, limits: Limits
) -> _Worth:
    """What a move is worth that is not the best."""
    depth = limits.depth if best.proved or best.depth == 0 else best.depth
    found = _searched(engine, root, replace(limits, depth=depth), after.moves[-1])
    most = _Worth.of(engine, best.score, best.proved)
    if found.bound == "none":
        return most
    own = _Worth.of(engine, found.score, found.proved)
    suspicious = most.expected - own.expected >= MARKS[-1][0]
    if not suspicious or found.proved or after.verdict().over:
        return own
    reply = _searched(engine, after, limits)
    score = _one_ply_earlier(reply.score) * (1 if after.turn == root.turn else -1)
    deeper = _Worth.of(engine, score, reply.proved)
    return deeper if reply.proved or deeper.expected > own.expected else own


def _one_ply_earlier(score: float) -> float:
    """A score as it counts a ply before: a win or a loss is one ply farther away."""
    if abs(score) <= SCORE_LIMIT:
        return score
    return score - 1 if score > 0 else score + 1


def _searched(
    engine: Engine, history: History, limits: Limits, only: int | None = None
) -> SearchResult:
    return engine.analyse(
        history,
        depth=limits.depth,
        time=limits.time,
        nodes=limits.nodes,
        moves=None if only is None else [only],
    )


def annotated(record: GameRecord, judgements: Iterable[Judgement], annotator: str) -> GameRecord:
    """The record with comments and marks; what it said before stays."""
    return with_words(record, ((j.number, j.comment, j.mark) for j in judgements), annotator)


def with_words(
    record: GameRecord, words: Iterable[tuple[int, str, str]], annotator: str
) -> GameRecord:
    """As `annotated`, with number, comment and mark of moves.

    A comment that ends with the same words already, from an earlier time, does not repeat them.
    """
    comments, marks = dict(record.comments), dict(record.marks)
    for number, comment, mark in words:
        earlier = comments.get(number, "")
        if not f"; {earlier}".endswith(f"; {comment}"):
            comments[number] = f"{earlier}; {comment}" if earlier else comment
        if mark:
            marks[number] = mark
    tags = record.tags | {"Annotator": annotator}
    return replace(record, tags=tags, comments=comments, marks=marks)


def scores_in(comment: str) -> tuple[float, float] | None:
    """The best score and the move's own one, where a judgement ends the comment.

    >>> scores_in("an edge; 0 -> loss in 6, better b2 c1"), scores_in("+0.25"), scores_in("good")
    ((0.0, -9999994.0), (0.25, 0.25), None)
    """
    match = _WORDS.search(comment)
    if match is None:
        return None
    best, own = _score(match[1] or match[2]), _score(match[2])
    return None if best is None or own is None else (best, own)


def _score(text: str) -> float | None:
    """What `score_text` wrote; None if no score is so large."""
    kind, _, plies = text.partition(" in ")
    if plies:
        return float(WIN - int(plies)) * (1 if kind == "win" else -1)
    return float(text) if abs(float(text)) <= SCORE_LIMIT else None


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
