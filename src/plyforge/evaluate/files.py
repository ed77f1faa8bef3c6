"""Files of weights: one `.npz` file for each evaluation.

A file holds arrays only, never objects, so that reading one executes nothing.  It belongs to the
form whose fingerprint it names; the code of the form stays in the game.

| field | content |
|---|---|
| `format` | the text `plyforge evaluation` |
| `version` | 1 |
| `name` | what the evaluation is called |
| `game` | the name of the game |
| `form` | the form's description, as JSON |
| `fingerprint` | the fingerprint of the form and its functions |
| `made` | how the weights were made: a text, or JSON |
| `precision` | `int16` or `float32` |
| `scale` | a float64 for each block of weights: a weight is the number times the scale |
| `weights` | the numbers |
"""

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError, clip
from plyforge.core.writing import write_atomically
from plyforge.evaluate.fingerprint import form_fingerprint
from plyforge.evaluate.quantisation import PRECISIONS
from plyforge.game.forms import Evaluation, Form, Weights
from plyforge.game.forms.finish import Limits
from plyforge.jobs.user_files import read_bytes

FORMAT: Final = "plyforge evaluation"
VERSION: Final = 1
SUFFIX: Final = ".npz"
_TEXTS: Final = ("name", "game", "form", "fingerprint", "made", "precision")
_FIELDS: Final = {*_TEXTS, "scale", "weights"}
_MAX_BYTES: Final = 1 << 30
"""No larger file is read."""


class WeightsFileError(PlyforgeError):
    """A file of weights that cannot be read, or does not fit."""


@dataclass(frozen=True)
class WeightsFile:
    """The content of a file of weights."""

    path: Path
    name: str
    game: str
    form: str
    fingerprint: str
    made: str
    precision: str
    weights: Weights

    def description(self) -> dict[str, Any]:
        """Return the description of the form."""
        try:
            description = json.loads(self.form)
        except ValueError:
            description = None
        if not isinstance(description, dict):
            raise WeightsFileError(f"{self.path}: the field 'form' is not a JSON object")
        return description

    def fit(self, form: Form, limits: Limits) -> Evaluation:
        """Return the evaluation of a form with these weights; the fingerprints must be equal."""
        weights = self.weights
        if weights.numbers.shape != (form.size,) or len(weights.scales) != len(form.blocks):
            raise WeightsFileError(
                f"{self.path}: there are {weights.numbers.size} weights with"
                f" {len(weights.scales)} scales; the form has {form.size} with {len(form.blocks)}"
            )
        return Evaluation(form, weights, limits, as_data=True)


def form_text(form: Form) -> str:
    """Return the description of a form as a file contains it."""
    return json.dumps(form.describe())


def save_weights(path: Path, evaluation: Evaluation, game: str, name: str, made: Any) -> None:
    """Write a file; `made` says how the weights were made, as a text or as plain data.

    The numbers must be int16 or float32, as `quantise` makes them.
    """
    if path.suffix != SUFFIX:
        raise PlyforgeError(f"'{clip(str(path))}' does not end in {SUFFIX}, as weights must")
    precision = str(evaluation.weights.numbers.dtype)
    if precision not in PRECISIONS:
        raise PlyforgeError(f"weights of {precision} are not stored; use {' or '.join(PRECISIONS)}")
    texts = {
        "format": FORMAT,
        "name": name,
        "game": game,
        "form": form_text(evaluation.form),
        "fingerprint": form_fingerprint(evaluation.form),
        "made": made if isinstance(made, str) else json.dumps(made),
        "precision": precision,
    }
    arrays: dict[str, Any] = {field: np.array(text) for field, text in texts.items()}
    arrays["version"] = np.array(VERSION)
    arrays["scale"] = np.array(evaluation.weights.scales, np.float64)
    arrays["weights"] = evaluation.weights.numbers
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    write_atomically(path, buffer.getvalue())


def read_weights(path: Path) -> WeightsFile:
    """Read a file; raise `WeightsFileError` with the reason if it is not one."""
    fields = _read_fields(path)
    texts = {name: _text(path, name, fields[name]) for name in _TEXTS}
    weights = _weights(path, texts["precision"], fields["weights"], fields["scale"])
    return WeightsFile(path, **texts, weights=weights)


def _read_fields(path: Path) -> dict[str, NDArray[Any]]:
    try:
        data = io.BytesIO(read_bytes(path))
        with zipfile.ZipFile(data) as archive:
            size = sum(info.file_size for info in archive.infolist())
            if size > _MAX_BYTES:
                raise WeightsFileError(f"{path} is too large: {size:,} bytes")
        data.seek(0)
        with np.load(data, allow_pickle=False) as archive:
            _check_format(path, archive)
            missing = _FIELDS - set(archive.files)
            if missing:
                raise WeightsFileError(
                    f"{path} is not a file of weights: it lacks {', '.join(sorted(missing))}"
                )
            return {name: archive[name] for name in _FIELDS}
    except FileNotFoundError:
        raise WeightsFileError(f"no file {path}") from None
    except WeightsFileError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise WeightsFileError(f"{clip(str(path))} cannot be read: {reason}") from error
    except (
        Exception
    ) as error:  # a damaged archive raises many kinds, an array of objects ValueError
        raise WeightsFileError(
            f"{clip(str(path))} is not a file of weights, or is damaged: {clip(str(error))}"
        ) from error


def _check_format(path: Path, archive: Mapping[str, NDArray[Any]]) -> None:
    """Reject another program's file, and another version, whose fields may be others."""
    if "format" not in archive or _text(path, "format", archive["format"]) != FORMAT:
        raise WeightsFileError(f"{path} is not a file of weights, although it ends in {SUFFIX}")
    version = archive["version"] if "version" in archive else np.array("none")
    if version.shape != () or version.dtype.kind not in "iu" or int(version) != VERSION:
        raise WeightsFileError(
            f"{path} has version {clip(str(version))} of the format; this program reads {VERSION}"
        )


def _text(path: Path, name: str, value: NDArray[Any]) -> str:
    if value.dtype.kind != "U" or value.shape != ():
        raise WeightsFileError(f"{path}: the field '{name}' must be a text")
    return str(value)


def _weights(path: Path, precision: str, numbers: NDArray[Any], scale: NDArray[Any]) -> Weights:
    if precision not in PRECISIONS or numbers.dtype != np.dtype(precision) or numbers.ndim != 1:
        raise WeightsFileError(
            f"{path}: weights must be a vector of {' or '.join(PRECISIONS)}, not"
            f" {numbers.ndim} dimensions of {numbers.dtype} declared as '{clip(precision)}'"
        )
    if scale.dtype != np.float64 or scale.ndim != 1 or not (np.isfinite(scale) & (scale > 0)).all():
        raise WeightsFileError(f"{path}: scales must be positive numbers, not {clip(str(scale))}")
    if not np.isfinite(numbers).all():
        place = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise WeightsFileError(
            f"{path}: weight {place} is {numbers[place]}; all weights must be finite"
        )
    return Weights(numbers, tuple(float(one) for one in scale))
