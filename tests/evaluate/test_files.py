"""Files of weights: what is written is read, and everything else is rejected with the reason."""

import io
import json
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plyforge import PlyforgeError
from plyforge.evaluate import (
    PRECISIONS,
    Evaluation,
    load_evaluation,
    quantise,
    read_weights,
    save_evaluation,
    save_weights,
    with_evaluation,
)
from tests.evaluate.samples import SAMPLES, game, positions

FORMS = """
from tests.evaluate.samples import SAMPLES
EVALUATION = SAMPLES[{name!r}]
EVALUATION_RANGE = (-5000.0, 5000.0)
"""


def saved(folder: Path, **changes: Any) -> Path:
    """A file of weights for tic-tac-toe, with some fields changed; None leaves one out."""
    path = folder / "weights.npz"
    save_evaluation(path, game, positions=positions())
    if changes:
        with np.load(path) as archive:
            fields = {name: archive[name] for name in archive.files}
        fields |= changes
        np.savez(path, **{name: value for name, value in fields.items() if value is not None})
    return path


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("name", SAMPLES)
def test_a_saved_evaluation_has_the_same_weights_and_values_when_it_is_loaded(
    tmp_path: Path, name: str, precision: str
) -> None:
    code, path = tmp_path / "form.py", tmp_path / "weights.npz"
    code.write_text(FORMS.format(name=name), encoding="utf-8")
    error = save_evaluation(path, game, SAMPLES[name], precision=precision, positions=positions())
    stored, loaded = quantise(SAMPLES[name], precision), load_evaluation(game, f"{code}:{path}")
    assert loaded.vector.tolist() == stored.vector.tolist()
    for position in positions():
        assert loaded.evaluate(position) == stored.evaluate(position)
        change = abs(float(loaded.evaluate(position)) - float(SAMPLES[name].evaluate(position)))
        assert change <= error.max_value
    assert read_weights(path).precision == precision


def test_a_file_says_what_it_is_and_how_it_was_made(tmp_path: Path) -> None:
    path = tmp_path / "lines.npz"
    save_evaluation(path, game, made={"games": 100}, positions=positions())
    file = read_weights(path)
    assert (file.name, file.game, file.precision) == ("lines", "tictactoe", "int16")
    assert json.loads(file.made)["made"] == {"games": 100}
    assert json.loads(file.made)["error"]["positions"] == len(positions())
    assert json.loads(file.form)["rows"] == [["open lines", 1, False]]


def test_a_file_is_chosen_like_any_evaluation(tmp_path: Path) -> None:
    chosen = with_evaluation(game, str(saved(tmp_path)))
    assert [chosen.evaluation(p) for p in positions()] == [game.evaluation(p) for p in positions()]
    assert chosen.terms(positions()[3]) == game.terms(positions()[3])
    assert chosen.rules.constant("EVALUATION_RANGE") == game.rules.constant("EVALUATION_RANGE")


def test_values_of_a_file_are_limited_to_the_range_of_the_game(tmp_path: Path) -> None:
    path = saved(tmp_path, weights=np.array([1000], np.int16))
    chosen = with_evaluation(game, str(path))
    values = [chosen.evaluation(position) for position in positions()]
    assert {min(values), max(values)} == {-8.0, 8.0}
    assert chosen.terms(positions()[1])[-1] == ("beyond the limit", -3992.0, -1.0)


def array_of_objects() -> Any:
    return np.array([{"a": 1}], dtype=object)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "another game": ({"game": np.array("chess")}, "has weights for 'chess', not for 'tictactoe'"),
    "other code": ({"fingerprint": np.array("00ff")}, "the code of the features .* has changed"),
    "another form": (
        {"fingerprint": np.array("00ff"), "form": np.array("{}")},
        "belong to other features than those of tictactoe",
    ),
    "another version": ({"version": np.array(2)}, "has version 2 of the format; .* reads 1"),
    "another version with other fields": ({"version": np.array(2), "made": None}, "has version 2"),
    "no version": ({"version": None}, "has version none"),
    "no format": ({"format": None}, "is not a file of weights"),
    "no name": ({"name": None, "made": None}, "lacks made, name"),
    "a foreign file": ({"format": np.array("model")}, "is not a file of weights"),
    "objects": ({"made": array_of_objects()}, "is not a file of weights, or is damaged"),
    "not a number": ({"weights": np.array([np.nan], np.float32),
                      "precision": np.array("float32")}, "weight 0 is nan"),
    "infinite": ({"weights": np.array([np.inf], np.float32),
                  "precision": np.array("float32")}, "weight 0 is inf"),
    "too many": ({"weights": np.array([1, 2], np.int16)}, "2 weights with 1 scales; .* 1 with 1"),
    "too many scales": ({"scale": np.ones(2)}, "1 weights with 2 scales"),
    "no weights": ({"weights": np.zeros(0, np.int16)}, "0 weights"),
    "another precision": ({"precision": np.array("float32")}, "declared as 'float32'"),
    "unknown precision": ({"precision": np.array("int8")}, "declared as 'int8'"),
    "other numbers": ({"weights": np.array([1.0])}, "of float64"),
    "a matrix": ({"weights": np.zeros((1, 1), np.int16)}, "2 dimensions"),
    "negative scale": ({"scale": np.array([-1.0])}, "scales must be positive"),
    "no finite scale": ({"scale": np.array([np.inf])}, "scales must be positive"),
    "integer scale": ({"scale": np.array([1])}, "scales must be positive"),
    "a number for a text": ({"name": np.array(3)}, "'name' must be a text"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_file_that_does_not_fit_is_refused_with_the_reason(tmp_path: Path, case: str) -> None:
    changes, message = REFUSED[case]
    path = saved(tmp_path, **changes)
    with pytest.raises(PlyforgeError, match=message) as raised:
        with_evaluation(game, str(path))
    assert "weights.npz" in str(raised.value)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-60])


def cut_within(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:300])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def text(path: Path) -> None:
    path.write_text("weights", encoding="utf-8")


def plain_array(path: Path) -> None:
    buffer = io.BytesIO()
    np.save(buffer, np.zeros(3))
    path.write_bytes(buffer.getvalue())


def pickled(path: Path) -> None:
    path.write_bytes(pickle.dumps({"weights": [1]}))


def other_archive(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("weights.npy", "no array")


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[data.index(b"weights.npy") + 60] ^= 255
    path.write_bytes(bytes(data))


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def missing(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize(
    "damage",
    [cut, cut_within, empty, text, plain_array, pickled, other_archive, flipped, folder, missing],
)
def test_a_damaged_or_foreign_file_is_refused(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    path = saved(tmp_path)
    damage(path)
    with pytest.raises(PlyforgeError, match=r"weights\.npz"):
        with_evaluation(game, str(path))


def test_a_file_that_unpacks_to_too_much_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(tmp_path)
    monkeypatch.setattr("plyforge.evaluate.files._MAX_BYTES", 100)
    with pytest.raises(PlyforgeError, match="too large"):
        read_weights(path)


def test_saving_replaces_a_file_at_once_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = saved(tmp_path)
    before = path.read_bytes()
    with pytest.raises(PlyforgeError, match="weights of int64 are not stored"):
        save_weights(path, SAMPLES["integers"], "tictactoe", "x", "")
    with pytest.raises(PlyforgeError, match="unknown precision 'int8'"):
        save_evaluation(path, game, precision="int8", positions=())
    assert path.read_bytes() == before
    save_evaluation(path, game, precision="float32", positions=())
    assert read_weights(path).precision == "float32"
    assert [one.name for one in tmp_path.iterdir()] == ["weights.npz"]


def test_a_file_name_must_end_in_npz_and_have_a_folder(tmp_path: Path) -> None:
    with pytest.raises(PlyforgeError, match=r"does not end in \.npz"):
        save_evaluation(tmp_path / "weights", game, positions=())
    with pytest.raises(PlyforgeError, match="cannot be written"):
        save_evaluation(tmp_path / "none" / "weights.npz", game, positions=())


def test_a_form_in_a_python_file_must_be_named_with_its_weights(tmp_path: Path) -> None:
    code, path = tmp_path / "form.py", tmp_path / "weights.npz"
    code.write_text(FORMS.format(name="net"), encoding="utf-8")
    save_evaluation(path, game, SAMPLES["net"], positions=())
    with pytest.raises(PlyforgeError, match=r"name both, as myeval\.py:weights\.npz"):
        with_evaluation(game, str(path))
    chosen = with_evaluation(game, f"{code}:{path}")
    assert isinstance(chosen.rules.constant("EVALUATION"), Evaluation)
    assert chosen.rules.constant("EVALUATION_RANGE") == (-5000.0, 5000.0)
    code.write_text(FORMS.format(name="net") + "EVALUATION_RANGE = 3\n", encoding="utf-8")
    with pytest.raises(PlyforgeError, match=r"form\.py: EVALUATION_RANGE is 3; it must be a pair"):
        with_evaluation(game, f"{code}:{path}")
    code.write_text("def evaluate(position):\n    return 0\n", encoding="utf-8")
    with pytest.raises(PlyforgeError, match=r"form\.py has no evaluation with weights"):
        with_evaluation(game, f"{code}:{path}")
