"""Between histories and records: play a record, write a history down."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from plyforge.core.errors import MoveError, PositionError, RecordError, clip
from plyforge.core.scores import LOSS, WIN, outcome_name
from plyforge.game.base import BaseGame
from plyforge.game.history import BaseHistory
from plyforge.records.record import GameRecord

_OF_FIRST: Final = {"win": "1-0", "loss": "0-1", "draw": "1/2-1/2", "ongoing": "*"}
_OF_SECOND: Final = _OF_FIRST | {"win": "0-1", "loss": "1-0"}


def result_of(history: BaseHistory) -> str:
    """The result in view of the first player: '*' while the game goes on."""
    names = _OF_SECOND if history.turn else _OF_FIRST
    return names[history.verdict().name]


def score_of(history: BaseHistory) -> float | None:
    """The final score in view of the first player, of a game that was played for points."""
    verdict = history.verdict()
    if not verdict.over or verdict.value in (WIN, LOSS, 0):
        return None
    return -verdict.value if history.turn else verdict.value


def record_of(history: BaseHistory, tags: Mapping[str, str] | None = None) -> GameRecord:
    """A game in progress or a finished one as a record; a final score becomes the tag `Score`."""
    game, first = history.game, history.positions[0]
    own_start = game.position_type.equal(first, game.initial())
    told, score = dict(tags or {}), score_of(history)
    if score is not None:
        told["Score"] = f"{score:+g}"
    texts = (game.move_text(p, m) for p, m in zip(history.positions, history.moves, strict=False))
    return GameRecord(
        tuple(texts), result_of(history), None if own_start else game.text(first), told
    )


def checked(game: BaseGame, record: GameRecord) -> GameRecord:
    """A record as it was read with every move played and written as the game writes it.

    A result that contradicts the last position is an error.
    """
    history = BaseHistory(game, start_position(game, record))
    plies = play_moves(history, record)
    reason = contradiction(history, record.result)
    if reason is not None:
        where = record.place(len(record.moves) + 1)
        raise RecordError(
            f"{where}the result {record.result} (in view of {game.players[0]}) cannot be:"
            f" after move {len(history.moves)} {reason}; write {result_of(history)} or *"
        )
    return replace(
        record,
        moves=record_of(history).moves,
        start=None if record.start is None else game.text(history.positions[0]),
        comments={plies[number]: text for number, text in record.comments.items()},
        marks={plies[number]: mark for number, mark in record.marks.items()},
        lines=(),
    )


def play_moves(history: BaseHistory, record: GameRecord) -> list[int]:
    """Play a record's moves from its start; return the ply reached after each of them."""
    plies = [0]
    for number, text in enumerate(record.moves, 1):
        try:
            history.follow_text(text)
        except MoveError as error:
            where = f"{record.place(number)}move {number}, '{clip(text)}'"
            raise RecordError(f"{where}: {error}") from error
        plies.append(len(history.moves))
    return plies


def start_position(game: BaseGame, record: GameRecord) -> Any:
    """Return the position that a record starts from."""
    if record.start is None:
        return game.initial()
    try:
        return game.parse(record.start)
    except PositionError as error:
        raise RecordError(f"{record.place(0)}start {error}") from error


def contradiction(history: BaseHistory, result: str) -> str | None:
    """Why a result cannot be that of a finished game; None if it can.

    Only an end that needs no claim speaks against a result; '*' fits every position.
    """
    verdict = history.verdict()
    if result == "*" or not verdict.over or history.claimable():
        return None
    actual = result_of(history)
    if actual == result:
        return None
    side = history.game.players[history.turn]
    return f"{side}, to move, has a {outcome_name(verdict.value)} ({verdict.reason})"
