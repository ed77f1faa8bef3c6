"""Data sets: positions with results and values of searches, from games or from CSV files.

A CSV file has a header and a row for each position:

    game,position,result,search
    1,W:W21-32:B1-12,1,0.25

`result` is that of the game for the side to move: 1 won, 0 drawn, -1 lost, or between.  `search` is
the value of a search for the side to move, in units of the evaluation, or empty.  `game` is the
number of the game: positions of one game are held out together.
"""

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError, PositionError, clip
from plyforge.game.game import Game
from plyforge.game.replay import play_moves, record_of, start_position
from plyforge.learn.games import PlayedGame
from plyforge.learn.model import GameModel
from plyforge.learn.samples import Samples, mixed_targets
from plyforge.match.files import read_records, read_text, write_text

CSV: Final = ".csv"
COLUMNS: Final = ("game", "position", "result", "search")
_POINTS: Final = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}


@dataclass(frozen=True)
class Row:
    """A position of a data set."""

    game: int
    position: Any
    result: float
    """For the side to move, from -1 to 1."""
    search: float | None = None
    """For the side to move, in units of the evaluation."""


def read_dataset(path: Path, game: Game, opening: int = 0) -> list[Row]:
    """Read the positions of a CSV file, or of the games of a file (PGN, PDN or plain).

    Of games the first `opening` positions are left out, and games without a result.
    """
    if path.suffix.lower() == CSV:
        rows = list(_read_csv(path, game))
    else:
        rows = list(_read_games(path, game, opening))
    if not rows:
        raise PlyforgeError(
            f"{clip(str(path))} has no position to learn from: the data set is empty; its games"
            f" must have results and more than {opening} moves"
        )
    return rows


def rows_of_games(
    game: Game, games: Sequence[PlayedGame], opening: int, by_score: bool = False
) -> Iterator[Row]:
    """Yield the positions of played games, after the random moves of the opening.

    With `by_score`, the result of a game with final scores is its score as a share of the maximum.
    """
    scored = by_score and game.rules.constant("EVALUATION_MEANING") == "score"
    for played in games:
        points = played.score / game.evaluation_limit if scored else played.result
        history = game.history()
        for move in played.moves:
            history.follow(move)
        for ply in range(opening, len(played.moves)):
            result = -points if history.turn_at(ply) else points
            yield Row(played.number, history.positions[ply], result, played.searched[ply])


def make_samples(model: GameModel, rows: Sequence[Row], search_weight: float = 0.0) -> Samples:
    """Return a data set as samples of a model."""
    if not rows:
        raise PlyforgeError("the data set is empty; there is nothing to learn from")
    inputs = model.read([row.position for row in rows])
    searched = np.array([math.nan if row.search is None else row.search for row in rows])
    targets = mixed_targets(model.prediction, [row.result for row in rows], searched, search_weight)
    return Samples(inputs, targets, np.array([row.game for row in rows], np.int64))


def write_csv(path: Path, game: Game, rows: Sequence[Row]) -> None:
    """Write a data set."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        search = "" if row.search is None else f"{row.search:.9g}"
        writer.writerow((row.game, game.text(row.position), f"{row.result:g}", search))
    write_text(path, text.getvalue())


def write_games(path: Path, game: Game, games: Sequence[PlayedGame]) -> None:
    """Write games as records, in the format that the game uses."""
    records = []
    for played in games:
        history = game.history()
        for move in played.moves:
            history.follow(move)
        record = record_of(history, {"Event": "learning", "Round": str(played.number + 1)})
        # A game that was ended by its length counts as drawn.
        result = "1/2-1/2" if record.result == "*" else record.result
        records.append(replace(record, result=result))
    write_text(path, game.write_games(records))


def _read_games(path: Path, game: Game, opening: int) -> Iterator[Row]:
    for number, record in enumerate(read_records(path, game)):
        if record.result not in _POINTS:
            continue
        history = game.history(start_position(game, record))
        play_moves(history, record)
        points = _POINTS[record.result]
        for ply in range(opening, len(history.moves)):
            result = -points if history.turn_at(ply) else points
            yield Row(number, history.positions[ply], result)


def _read_csv(path: Path, game: Game) -> Iterator[Row]:
    lines = csv.DictReader(io.StringIO(read_text(path)))
    missing = [name for name in COLUMNS[:3] if name not in (lines.fieldnames or ())]
    if missing:
        raise PlyforgeError(
            f"{clip(str(path))}: the header lacks {', '.join(missing)}; it must be"
            f" {','.join(COLUMNS)}"
        )
    for fields in lines:
        where = f"{clip(str(path))}, line {lines.line_num}"
        try:
            position = game.parse(fields["position"] or "")
        except PositionError as error:
            raise PlyforgeError(f"{where}: {error}") from None
        result = _number(where, "result", fields["result"])
        if not -1.0 <= result <= 1.0:
            raise PlyforgeError(f"{where}: result must be between -1 and 1, not {result:g}")
        text = fields.get("search") or ""
        search = _number(where, "search", text) if text else None
        yield Row(round(_number(where, "game", fields["game"])), position, result, search)


def _number(where: str, name: str, text: Any) -> float:
    try:
        value = float(text)
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        raise PlyforgeError(f"{where}: {name} must be a number, not '{clip(str(text or ''))}'")
    return value
