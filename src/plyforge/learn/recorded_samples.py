"""Samples from files of recorded games: some quiet positions of each game, with targets.

The games that are held out do not depend on how many games are learned from, so that losses after
different numbers of games can be compared: they are a learning curve.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError, clip
from plyforge.core.randomness import Stream, random_words
from plyforge.learn.game_file import GameFile, RecordedGame
from plyforge.learn.inputs import AnyInputs, Reals, join_inputs
from plyforge.learn.losses import mean_loss
from plyforge.learn.model import GameModel
from plyforge.learn.prediction import Prediction
from plyforge.learn.quiet import QuietReader
from plyforge.learn.samples import Samples, mixed_targets, random_order

_CHUNK = 1000
"""The games that are joined at a time."""
_SCALE_STEPS = 60
_GOLDEN = 0.6180339887498949


@dataclass(frozen=True)
class RecordedPositions:
    """Positions of recorded games, before targets are chosen."""

    inputs: AnyInputs
    results: Reals
    """For the side to move, from -1 to 1."""
    searched: Reals
    """For the side to move, in units of the evaluation that played."""
    games: NDArray[np.int64]
    held: NDArray[np.bool_]
    """Whether a position is of a held-out game."""

    def samples(self, prediction: Prediction, search_weight: float) -> Samples:
        """Return the positions with their targets."""
        targets = mixed_targets(prediction, self.results, self.searched, search_weight)
        return Samples(self.inputs, targets, self.games, self.held)


@dataclass(frozen=True)
class PositionChoice:
    """Which positions of a file are learned from."""

    games: int | None = None
    """The games that are learned from: those with smaller numbers; None for all."""
    held_out: float = 0.1
    """The share of all games that is held out."""
    positions: int = 20
    """The positions of a game at most; 0 for all."""
    only_quiet: bool = True
    seed: int = 0


def read_positions(path: Path, model: GameModel, choice: PositionChoice) -> RecordedPositions:
    """Read the positions of a file of recorded games."""
    with GameFile.open_read_only(path) as file:
        check_game(file, model)
        return _collect(file, model, choice)


def check_game(file: GameFile, model: GameModel) -> None:
    """Raise an error if the games of a file are not of a model's game."""
    named, asked = str(file.plan()["game"]), _full_name(model)
    if Path(named).stem.partition(":")[0] != model.game.name and named != asked:
        raise PlyforgeError(f"{clip(str(file.file))} has games of '{clip(named)}', not '{asked}'")
    variant = named.partition(":")[2]
    if not named.endswith(".py") and variant != (model.game.variant or ""):
        raise PlyforgeError(f"{clip(str(file.file))} has games of '{clip(named)}', not '{asked}'")


def _full_name(model: GameModel) -> str:
    return f"{model.game.name}:{model.game.variant}" if model.game.variant else model.game.name


def _collect(file: GameFile, model: GameModel, choice: PositionChoice) -> RecordedPositions:
    numbers = file.numbers()
    if not numbers:
        raise PlyforgeError(f"{clip(str(file.file))} holds no games yet")
    end = max(numbers) + 1  # games may be added while these are read
    held = random_words(end, choice.seed) < np.uint64(choice.held_out * 2.0**64)
    limit = end if choice.games is None else choice.games
    reader = _GameReader(model, choice)
    parts: list[tuple[AnyInputs, Reals, Reals]] = []
    chunk: list[tuple[AnyInputs, Reals, Reals]] = []
    owners: list[NDArray[np.int64]] = []
    for game in file.games(end):
        if game.number >= limit and not held[game.number]:
            continue
        found = reader.read(game)
        if found is None:
            continue
        chunk.append(found)
        owners.append(np.full(len(found[1]), game.number, np.int64))
        if len(chunk) == _CHUNK:
            parts.append(_join(chunk))
            chunk = []
    parts += [_join(chunk)] if chunk else []
    if not parts:
        raise PlyforgeError(
            f"the {len(numbers):,} games of {clip(str(file.file))} have no position to learn from"
        )
    games = np.concatenate(owners)
    inputs, results, searched = _join(parts)
    return RecordedPositions(inputs, results, searched, games, held[games])


def _join(parts: list[tuple[AnyInputs, Reals, Reals]]) -> tuple[AnyInputs, Reals, Reals]:
    inputs, results, searched = zip(*parts, strict=True)
    return join_inputs(inputs), np.concatenate(results), np.concatenate(searched)


class _GameReader:
    """Reads the chosen positions of one game after the other."""

    def __init__(self, model: GameModel, choice: PositionChoice) -> None:
        self._model, self._choice = model, choice
        self._start = model.game.initial()
        self._quiet = QuietReader(model.game) if choice.only_quiet else None

    def read(self, game: RecordedGame) -> tuple[AnyInputs, Reals, Reals] | None:
        """Return inputs, results and values of searches; None if no position is chosen."""
        rows = np.flatnonzero([value is not None for value in game.values])
        if self._quiet is not None and len(rows):
            rows = rows[self._quiet.read(self._start, game.moves)[rows]]
        count = self._choice.positions
        if count and len(rows) > count:
            seed = Stream(self._choice.seed).split(f"positions {game.number}").next_word()
            rows = np.sort(rows[random_order(len(rows), seed)[:count]])
        if not len(rows):
            return None
        inputs, sides = self._model.read_line(self._start, game.moves)
        results = np.where(sides[rows] == 1, -game.result, game.result)
        return inputs.take(rows), results, np.array([game.values[row] for row in rows], np.float64)


def best_scale(model: GameModel, weights: Reals, positions: RecordedPositions) -> float:
    """Return the scale of the sigmoid with which weights predict results best.

    A fit with this scale keeps the unit of the evaluation: a pawn stays about as much worth as
    before, and so do all settings of the search that are in pawns.
    """
    values = model.values(weights, positions.inputs)
    targets = (positions.results + 1.0) / 2.0
    size = max(1e-9, float(np.sqrt(np.mean(values**2))))

    def loss(exponent: float) -> float:
        predictions = Prediction("sigmoid", size * 2.0**exponent).of(values)
        return mean_loss("cross-entropy", predictions, targets)

    low, high = -6.0, 6.0
    for _ in range(_SCALE_STEPS):
        first, second = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        if loss(first) < loss(second):
            high = second
        else:
            low = first
    return float(size * 2.0 ** ((low + high) / 2.0))
