"""Conversion between histories and records."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from plyforge.core.errors import MoveError, PositionError, RecordError, clip
from plyforge.core.scores import LOSS, WIN, outcome_name
from plyforge.game.base import BaseGame
from plyforge.game.history import BaseHistory
from plyforge.records.record import GameRecord

_RESULTS_OF_FIRST: Final = {"win": "1-0", "loss": "0-1", "draw": "1/2-1/2", "ongoing": "*"}
_RESULTS_OF_SECOND: Final = _RESULTS_OF_FIRST | {"win": "0-1", "loss": "1-0"}


def result_of(history: BaseHistory) -> str:
    """Return the result for the first player, '*' if the game is not over."""
    names = _RESULTS_OF_SECOND if history.turn else _RESULTS_OF_FIRST
    return names[history.verdict().name]


def score_of(history: BaseHistory) -> float | None:
    """Return the final score for the first player, None if the game has none."""
    verdict = history.verdict()
    if not verdict.over or verdict.value in (WIN, LOSS, 0):
        return None
    return -verdict.value if history.turn else verdict.value


def record_of(history: BaseHistory, tags: Mapping[str, str] | None = None) -> GameRecord:
    """Return a history as a record; a final score becomes the tag `Score`."""
    game, first = history.game, history.positions[0]
    standard = game.position_type.equal(first, game.initial())
    all_tags, score = dict(tags or {}), score_of(history)
    if score is not None:
        all_tags["Score"] = f"{score:+g}"
    texts = (game.move_text(p, m) for p, m in zip(history.positions, history.moves, strict=False))
    return GameRecord(
        tuple(texts), result_of(history), None if standard else game.text(first), all_tags
    )


def check_record(game: BaseGame, record: GameRecord, variations: bool = False) -> GameRecord:
    """Play a record as read from a file and return it with moves as the game writes them.

    Raise `RecordError` for an illegal move, or a result that contradicts the last position.
    Variations are checked, too, or else dropped.
    """
    history = BaseHistory(game, start_position(game, record))
    plies = play_moves(history, record)
    reason = contradiction(history, record.result)
    if reason is not None:
        where = record.place(len(record.moves) + 1)
        raise RecordError(
            f"{where}the result {record.result} (for {game.players[0]}) is wrong:"
            f" after move {len(history.moves)} {reason}; write {result_of(history)} or *"
        )
    return replace(
        record,
        moves=record_of(history).moves,
        start=None if record.start is None else game.text(history.positions[0]),
        comments={plies[number]: text for number, text in record.comments.items()},
        marks={plies[number]: mark for number, mark in record.marks.items()},
        variations=_check_variations(history, record, plies) if variations else {},
        lines=(),
    )


def _check_variations(
    history: BaseHistory, record: GameRecord, plies: list[int]
) -> dict[int, tuple[GameRecord, ...]]:
    """Play the variations of a record; `plies` are those after its moves in `history`."""
    checked: dict[int, tuple[GameRecord, ...]] = {}
    for number, others in record.variations.items():
        if not 1 <= number <= len(record.moves):
            raise RecordError(
                f"a variation replaces move {number}, but there are {len(record.moves)} moves"
            )
        before = plies[number - 1]
        checked[before - plies[0] + 1] = tuple(
            _check_variation(history.at(before), other) for other in others
        )
    return checked


def _check_variation(history: BaseHistory, record: GameRecord) -> GameRecord:
    """Play a variation from the end of a history, which is changed."""
    game, first = history.game, len(history.moves)
    try:
        plies = play_moves(history, record)
    except RecordError as error:
        raise RecordError(f"a variation: {error}") from error
    texts = (
        game.move_text(history.positions[ply], history.moves[ply])
        for ply in range(first, len(history.moves))
    )
    return GameRecord(
        tuple(texts),
        comments={plies[number] - first: text for number, text in record.comments.items()},
        marks={plies[number] - first: mark for number, mark in record.marks.items()},
        variations=_check_variations(history, record, plies),
    )


def play_moves(history: BaseHistory, record: GameRecord) -> list[int]:
    """Play a record's moves; return the plies before them and after each."""
    plies = [len(history.moves)]
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
    """Return why a result is wrong for the end of a history; None if it may be right.

    Only an end that needs no claim contradicts a result; '*' fits every position.
    """
    verdict = history.verdict()
    if result == "*" or not verdict.over or history.claimable():
        return None
    actual = result_of(history)
    if actual == result:
        return None
    side = history.game.players[history.turn]
    return f"{side}, to move, has a {outcome_name(verdict.value)} ({verdict.reason})"
