"""Files of numbers that `plyforge fit` finds for a game and that steps of the search read.

A file is JSON with rows of named numbers.  It belongs to a game, and to the evaluation with which
it was made: with another one the numbers would be meaningless.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

from plyforge.core.errors import PlyforgeError, clip
from plyforge.core.rules import Rules
from plyforge.core.writing import write_atomically
from plyforge.evaluate.fingerprint import evaluation_fingerprint
from plyforge.game.game import Game
from plyforge.jobs.user_files import BESIDE_GAME, game_file_path, read_bytes

FORMAT: Final = "plyforge fit"
VERSION: Final = 1
SUFFIX: Final = ".json"
_MAX_BYTES: Final = 1 << 24
_TEXTS: Final = ("method", "game", "start", "evaluation", "fingerprint")

Row = Mapping[str, float]


class FitError(PlyforgeError):
    """A file of fitted numbers that is missing, cannot be read or is for another game."""


@dataclass(frozen=True)
class FitForm:
    """What a step reads from a file: the method that makes it, and how its rows become numbers."""

    method: str
    """The word after `plyforge fit GAME`."""
    columns: tuple[str, ...]
    numbers: Callable[[Sequence[Row]], list[float]]
    """Returns the numbers as the kernel reads them; raises `ValueError` with what is wrong."""


@dataclass(frozen=True)
class Fit:
    """The content of a file."""

    method: str
    game: str
    start: str
    """The key of the start position: variants with another one need numbers of their own."""
    evaluation: str
    """The name of the evaluation, for messages."""
    fingerprint: str
    """The fingerprint of the evaluation."""
    made: Mapping[str, Any]
    """How it was made."""
    rows: tuple[Row, ...]

    def save(self, path: Path) -> None:
        """Write the file."""
        data = {"format": FORMAT, "version": VERSION} | {
            name: getattr(self, name) for name in _TEXTS
        }
        head = json.dumps(data | {"made": dict(self.made)}, indent=1)
        rows = ",\n".join(f"  {json.dumps(dict(row))}" for row in self.rows)
        text = head.removesuffix("\n}") + f',\n "rows": [\n{rows}\n ]\n}}\n'
        write_atomically(path, text.encode())


def read_fit(path: Path) -> Fit:
    """Read a file; raise `FitError` with the reason if it is not one."""
    try:
        data = read_bytes(path)
        if len(data) > _MAX_BYTES:
            raise FitError(
                f"{path}: it has {len(data)} bytes, too many for a file of `plyforge fit`"
            )
        content = json.loads(data)
    except OSError as error:
        raise FitError(f"{clip(str(path))} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise FitError(f"{clip(str(path))}: it is not a file that `plyforge fit` wrote") from None
    return _parse(path, content)


def _parse(path: Path, content: Any) -> Fit:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FitError(f"{path}: it is not a file that `plyforge fit` wrote")
    if content.get("version") != VERSION:
        version = clip(repr(content.get("version")))
        raise FitError(f"{path}: it has version {version}, and this program reads {VERSION}")
    texts = {name: content.get(name) for name in _TEXTS}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise FitError(f"{path}: '{name}' must be a text, not {clip(repr(text))}")
    made, rows = content.get("made"), content.get("rows")
    if not isinstance(made, dict) or not isinstance(rows, list):
        raise FitError(f"{path}: it has no 'made' or no 'rows'")
    for place, row in enumerate(rows):
        if not isinstance(row, dict) or not all(_is_number(value) for value in row.values()):
            raise FitError(f"{path}: row {place + 1} is not a dict of numbers")
    return Fit(**texts, made=made, rows=tuple(rows))  # type: ignore[arg-type]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def beside_game(name: str) -> str:
    """Return how a setting names a file in the folder of the game's own file."""
    return name if name.startswith(BESIDE_GAME) else f"{BESIDE_GAME}{name}"


def fit_path(rules: Rules, name: str) -> Path:
    """Return the path of a file that a setting names."""
    return game_file_path(rules.file, name)


_fingerprints: WeakKeyDictionary[Game, str] = WeakKeyDictionary()
"""Fingerprints of evaluations, which take a while to compute."""


def fingerprint_of(game: Game) -> str:
    """Return the fingerprint of a game's evaluation."""
    if game not in _fingerprints:
        _fingerprints[game] = evaluation_fingerprint(game.rules)
    return _fingerprints[game]


def start_of(game: Game) -> str:
    """Return the key of a game's start position, as files have it."""
    return f"{game.key(game.initial()):016x}"


def belongs_to(fit: Fit, game: Game) -> bool:
    """Whether numbers were made for a game's variant and its present evaluation."""
    return fit.start == start_of(game) and fit.fingerprint == fingerprint_of(game)


def load_numbers(game: Game, step: str, form: FitForm, name: str) -> list[float]:
    """Return the numbers that a step reads, from the file of this name."""
    command = f"plyforge fit {game.name} {form.method}"
    setting = f"--set {step}-fit=FILE{SUFFIX}"
    if not name:
        raise FitError(
            f"'{step}' needs numbers for {game.name}: make them with '{command}', and name the file"
            f" with {setting}"
        )
    path = fit_path(game.rules, name)
    fit = read_fit(path)
    if fit.method != form.method:
        raise FitError(
            f"{path}: it is a fit of '{clip(fit.method)}'; '{step}' needs one of '{form.method}'"
        )
    if fit.game != game.name:
        raise FitError(
            f"{path}: it was made for {clip(fit.game)}, not for {game.name}; use '{command}'"
        )
    if fit.start != start_of(game):
        raise FitError(
            f"{path}: it was made for another variant of {game.name}; make one for this variant"
        )
    if not belongs_to(fit, game):
        raise FitError(
            f"{path}: it was made with another evaluation ('{clip(fit.evaluation)}', or an older"
            f" version of it) than the one in use; make it again with '{command}', or switch"
            f" '{step}' off"
        )
    for place, row in enumerate(fit.rows):
        missing = [column for column in form.columns if column not in row]
        if missing:
            raise FitError(f"{path}: row {place + 1} has no '{missing[0]}'")
    try:
        return form.numbers(fit.rows)
    except ValueError as error:
        raise FitError(f"{path}: {error}") from None
