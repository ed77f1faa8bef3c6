"""`eval`: weights saved to a file, and evaluations from files."""

import json

import numpy as np
import pytest


def test_saved_weights_are_used_everywhere_an_evaluation_is_named(plyforge, tmp_path):
    path = str(tmp_path / "weights.npz")
    answer = plyforge("eval", "tictactoe", "--save", path)
    assert answer.code == 0
    assert f"saved 1 weights as int16 to {path}: weights change by at most 0, values" in answer.out
    own = plyforge("eval", "tictactoe", "--moves", "b2", "--json").json
    again = plyforge("eval", "tictactoe", "--moves", "b2", "--evaluation", path, "--json").json
    assert again == own
    words = ("analyse", "tictactoe", "--depth", "3", "--backend", "python", "--json")
    fields, same = plyforge(*words).json, plyforge(*words, "--evaluation", path).json
    assert (same["score"], same["nodes"]) == (fields["score"], fields["nodes"])


def test_the_json_of_saving_states_the_error(plyforge, tmp_path):
    path = str(tmp_path / "weights.npz")
    words = ("eval", "checkers", "--save", path, "--precision", "float32", "--json")
    saved = plyforge(*words).json["saved"]
    assert saved["file"] == path
    assert 0 < saved["mean_value"] < saved["max_value"] < 1e-5
    assert saved["positions"] == 400
    with np.load(path) as archive:
        assert archive["weights"].dtype == np.float32
        assert "built-in evaluation" in json.loads(str(archive["made"]))["made"]


def test_an_existing_file_is_kept_unless_it_may_be_replaced(plyforge, tmp_path):
    path = tmp_path / "weights.npz"
    path.write_bytes(b"mine")
    answer = plyforge("eval", "tictactoe", "--save", str(path))
    assert (answer.code, path.read_bytes()) == (2, b"mine")
    assert "exists; choose another name" in answer.err
    assert plyforge("eval", "tictactoe", "--save", str(path), "--overwrite").code == 0
    assert path.read_bytes() != b"mine"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("eval", "tictactoe", "--save", "x.npz", "--precision", "int8"), "unknown precision"),
        (("eval", "tictactoe", "--save", "weights.bin"), "does not end in .npz"),
        (("eval", "tree", "--save", "x.npz"), "has no weights"),
        (("eval", "tictactoe", "--evaluation", "none.npz"), "no file none.npz"),
        (("eval", "tictactoe", "--evaluation", "none.py:none.npz"), "no file none.npz"),
        (("analyse", "tictactoe", "--evaluation", "none.npz"), "no file none.npz"),
        (
            ("match", "tictactoe", "engine:depth=1,evaluation=none.npz", "random"),
            "none.npz",
        ),
    ],
)
def test_wrong_input_is_refused_and_nothing_is_written(
    plyforge, tmp_path, monkeypatch, words, message
):
    monkeypatch.chdir(tmp_path)
    answer = plyforge(*words)
    assert answer.code == 2
    assert message in answer.err
    assert not [path.name for path in tmp_path.iterdir() if path.suffix in (".npz", ".bin")]


def test_the_weights_of_another_game_are_refused(plyforge, tmp_path):
    path = str(tmp_path / "weights.npz")
    plyforge("eval", "tictactoe", "--save", path)
    answer = plyforge("eval", "checkers", "--evaluation", path)
    assert answer.code == 2
    assert "has weights for 'tictactoe', not for 'checkers'" in answer.err
