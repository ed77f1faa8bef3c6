"""Annotation of games by the engine: scores, better moves, marks for mistakes."""

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
"""The loss of expected score from which a move gets a mark; the first that applies counts."""
_MAX_LINE: Final = 8
"""Moves of a better line in a comment."""
_SCORE: Final = r"(0|[+-]\d{1,9}(?:\.\d{1,9})?(?:e[+-]?\d\d?)?|(?:win|loss) in \d{1,6})"
_WORDS: Final = re.compile(rf"(?:^|; )(?:{_SCORE} -> )?{_SCORE}(?:, better [^;]*)?$")
"""Matches the text of `Judgement.comment`, possibly after another comment."""


@dataclass(frozen=True)
class Judgement:
    """A move and the engine's best move; scores are for the side that moved."""

    number: int
    player: int
    move: str
    score: float
    best: str
    best_score: float
    line: tuple[str, ...]
    loss: float
    """The expected score that the move lost: 0 for the best move, 1 from a win to a loss."""

    @property
    def mark(self) -> str:
        """`?!`, `?`, `??` or nothing."""
        return next((mark for threshold, mark in MARKS if self.loss >= threshold), "")

    @property
    def comment(self) -> str:
        """`+0.25`; for a mistake `+0.25 -> -3.1, better 12-16 23-18 8-11`."""
        best, played = score_text(self.best_score), score_text(self.score)
        text = played if best == played else f"{best} -> {played}"
        return f"{text}, better {' '.join(self.line[:_MAX_LINE])}" if self.mark else text

    def fields(self) -> dict[str, Any]:
        """Return the fields that the command line prints."""
        scores = {"score": int_if_whole(self.score), "best_score": int_if_whole(self.best_score)}
        return asdict(self) | scores | {"line": list(self.line), "mark": self.mark}


@dataclass(frozen=True)
class Summary:
    """Statistics of one side over the moves that were judged."""

    player: str
    moves: int
    best: int
    dubious: int
    mistakes: int
    blunders: int
    mean_loss: float


def judge(engine: Engine, record: GameRecord, limits: Limits) -> Iterator[Judgement]:
    """Judge the moves of a record; yield each with the engine's best move.

    `limits` apply to each search.  A move that is not the best is searched alone, as deep as the
    best was (unless that was proved).  If it looks like a mistake, the position after it is
    searched too, a ply deeper, and the better of the two scores counts: a horizon in the middle of
    an exchange must not mark a good move.  A move made where a draw could have been claimed is not
    judged: for the engine the game is over there.  Outcomes of chance are not judged, either.
    """
    played = engine.game.replay(record)
    history = History(engine.game, played.positions[0])
    for move in played.moves:
        root, history = history, history.copy()
        history.follow(move)
        if not root.verdict().over and not engine.game.is_chance(root.position):
            yield _judge_move(engine, root, history, limits)


@dataclass(frozen=True)
class _Value:
    """A score for the side that moves, and the expected score."""

    score: float
    expected: float

    @classmethod
    def of(cls, engine: Engine, score: float, proved: bool) -> "_Value":
        return cls(score, expected_score(engine.game.rules, score, proved))


def _judge_move(engine: Engine, root: History, after: History, limits: Limits) -> Judgement:
    game, move = engine.game, after.moves[-1]
    best = _search(engine, root, limits)
    line = tuple(engine.line_texts(root, best.pv, readable=True))
    top = own = _Value.of(engine, best.score, best.proved)
    if best.move != move:
        own = _value_of_move(engine, root, after, best, limits)
    return Judgement(
        len(after.moves),
        root.turn,
        game.move_text(root.position, move),
        own.score,
        game.move_text(root.position, best.move),
        max(top.score, own.score),
        line,
        0.0 if best.bound == "none" else max(0.0, top.expected - own.expected),
    )


def _value_of_move(
    engine: Engine, root: History, after: History, best: SearchResult, limits: Limits
) -> _Value:
    """Return the value of a move that is not the best."""
    depth = limits.depth if best.proved or best.depth == 0 else best.depth
    result = _search(engine, root, replace(limits, depth=depth), after.moves[-1])
    top = _Value.of(engine, best.score, best.proved)
    if result.bound == "none":
        return top
    own = _Value.of(engine, result.score, result.proved)
    suspicious = top.expected - own.expected >= MARKS[-1][0]
    ends = after.verdict().over or engine.game.is_chance(after.position)
    if not suspicious or result.proved or ends:
        return own
    reply = _search(engine, after, limits)
    score = _one_ply_earlier(reply.score) * (1 if after.turn == root.turn else -1)
    deeper = _Value.of(engine, score, reply.proved)
    return deeper if reply.proved or deeper.expected > own.expected else own


def _one_ply_earlier(score: float) -> float:
    """Return a score as seen a ply earlier: a win or a loss is one ply farther away."""
    if abs(score) <= SCORE_LIMIT:
        return score
    return score - 1 if score > 0 else score + 1


def _search(
    engine: Engine, history: History, limits: Limits, only: int | None = None
) -> SearchResult:
    return engine.analyse(
        history,
        depth=limits.depth,
        time=limits.time,
        nodes=limits.nodes,
        moves=None if only is None else [only],
    )


def annotate(record: GameRecord, judgements: Iterable[Judgement], annotator: str) -> GameRecord:
    """Return the record with comments and marks added to its own."""
    return add_comments(record, ((j.number, j.comment, j.mark) for j in judgements), annotator)


def annotator_name(limits: Limits) -> str:
    """Return the tag of a record that was judged under these limits."""
    values = {"depth": limits.depth, "seconds": limits.time, "nodes": limits.nodes}
    parts = (f"{name} {value:.10g}" for name, value in values.items() if value is not None)
    return ", ".join(["Plyforge", *parts])


def add_comments(
    record: GameRecord, comments: Iterable[tuple[int, str, str]], annotator: str
) -> GameRecord:
    """Return the record with comments and marks, given as (number of the move, comment, mark).

    A comment that already ends with the same text is not extended.
    """
    texts, marks = dict(record.comments), dict(record.marks)
    for number, comment, mark in comments:
        earlier = texts.get(number, "")
        if not f"; {earlier}".endswith(f"; {comment}"):
            texts[number] = f"{earlier}; {comment}" if earlier else comment
        if mark:
            marks[number] = mark
    tags = record.tags | {"Annotator": annotator}
    return replace(record, tags=tags, comments=texts, marks=marks)


def parse_scores(comment: str) -> tuple[float, float] | None:
    """Return the best score and the move's score from a comment that ends with a judgement.

    >>> parse_scores("an edge; 0 -> loss in 6, better b2 c1"), parse_scores("+0.25")
    ((0.0, -9999994.0), (0.25, 0.25))
    """
    match = _WORDS.search(comment)
    if match is None:
        return None
    best, own = _parse_score(match[1] or match[2]), _parse_score(match[2])
    return None if best is None or own is None else (best, own)


def _parse_score(text: str) -> float | None:
    """Parse the output of `score_text`; None if no score is that large."""
    kind, _, plies = text.partition(" in ")
    if plies:
        return float(WIN - int(plies)) * (1 if kind == "win" else -1)
    return float(text) if abs(float(text)) <= SCORE_LIMIT else None


def summarize(game: Game, judgements: Iterable[Judgement]) -> tuple[Summary, Summary]:
    """Return the summaries of both sides."""
    judgements = list(judgements)
    first, second = (
        _summarize_side(name, [j for j in judgements if j.player == side])
        for side, name in enumerate(game.players)
    )
    return first, second


def _summarize_side(player: str, judgements: list[Judgement]) -> Summary:
    counts = [sum(j.mark == mark for j in judgements) for mark in ("?!", "?", "??")]
    best = sum(j.loss == 0 for j in judgements)
    mean = sum(j.loss for j in judgements) / len(judgements) if judgements else 0.0
    return Summary(player, len(judgements), best, counts[0], counts[1], counts[2], mean)
