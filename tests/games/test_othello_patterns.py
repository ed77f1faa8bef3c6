"""Othello's patterns: indices against a slow count, symmetry, other boards, the stored weights."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.evaluate import (
    WeightsFileError,
    compiled_evaluation,
    evaluation_of,
    form_fingerprint,
    read_weights,
    save_evaluation,
    with_evaluation,
)
from plyforge.game.forms import Evaluation
from plyforge.games.othello import patterns
from plyforge.games.othello.rules import symmetries
from tests.games.tiers import examples

FORM = patterns.EVALUATION.form
FILE = Path(patterns.__file__).parent / patterns.WEIGHTS_FILE
CELLS = {
    "edges": [*((column, 0) for column in range(8)), (1, 1), (6, 1)],
    "second lines": [(column, 1) for column in range(8)],
    "third lines": [(column, 2) for column in range(8)],
    "fourth lines": [(column, 3) for column in range(8)],
    **{f"diagonals of {n}": [(n - 1 - i, i) for i in range(n)] for n in range(4, 9)},
    "corners": [(column, row) for row in range(3) for column in range(3)],
    "blocks": [(column, row) for row in range(2) for column in range(5)],
}
"""The cells of one instance of each pattern, as (column, row), from the lowest digit on."""

game = plyforge.load("othello")
seeds = st.integers(0, 2**32)


@pytest.fixture(autouse=True)
def _words_wrap() -> Iterator[None]:
    with np.errstate(over="ignore"):
        yield


def random_position(seed):
    """Discs anywhere, or a position of a random game."""
    stream = Random(seed)
    if seed % 2:
        cells = stream.choices("XO-", [stream.random() + 0.1 for _ in range(3)], k=64)
        return game.parse("".join(cells) + stream.choice([" X", " O"]))
    position = game.initial()
    for _ in range(stream.randrange(60)):
        moves = game.moves(position)
        if not moves:
            break
        position = game.play(position, stream.choice(moves))
    return position


def images(cells):
    """The instances of a pattern on all sides of the board, each set of cells once."""
    found = {}
    for flip in range(8):
        image = [(row, column) if flip & 1 else (column, row) for column, row in cells]
        image = [(7 - x if flip & 2 else x, 7 - y if flip & 4 else y) for x, y in image]
        found.setdefault(frozenset(image), image)
    return list(found.values())


def slow_index(position, cells):
    index = 0
    for place, (column, row) in enumerate(cells):
        bit = 8 * row + column
        digit = (int(position.mine) >> bit & 1) + 2 * (int(position.theirs) >> bit & 1)
        index += digit * 3**place
    return index


def random_weights(seed):
    """Weights in which entries that must be equal are equal."""
    numbers = np.random.default_rng(seed).integers(-50, 50, (patterns.STAGES, FORM.width))
    tied = numbers[:, FORM.shared_columns()].astype(np.int16)
    return patterns.EVALUATION.with_weights(tied.reshape(-1))


@given(seeds)
@examples(40)
def test_indices_are_those_of_a_slow_count(seed):
    position, shared = random_position(seed), patterns.shared()
    for row in FORM.rows:
        if row.size == 3:  # features
            continue
        same = shared.get(row.name, np.arange(row.size))
        found = sorted(int(same[index]) for index in row.function(position))
        cells = images(CELLS[row.name])
        assert len(cells) == row.count
        assert found == sorted(int(same[slow_index(position, one)]) for one in cells)


@given(seeds)
@examples(10)
def test_images_of_a_position_have_one_value(seed):
    value_of = random_weights(1).evaluate
    assert len({value_of(image) for image in symmetries(random_position(seed))}) == 1


def test_entries_share_their_weight_with_one_that_shares_it_with_itself():
    columns = FORM.shared_columns()
    np.testing.assert_array_equal(columns[columns], columns)
    assert len(np.unique(columns)) < FORM.width


def test_the_stage_depends_on_the_number_of_discs():
    stages = []
    position = game.initial()
    while moves := game.moves(position):
        stages.append(patterns.stage_of(position))
        position = game.play(position, moves[0])
    assert stages[0] == 0
    assert stages == sorted(stages)
    full = game.parse("X" * 64 + " X")
    assert patterns.stage_of(full) == patterns.STAGES - 1


@pytest.mark.parametrize("variant", ["othello:6", "othello:4"])
def test_other_boards_are_refused(variant):
    with pytest.raises(plyforge.PlyforgeError, match="8x8 board; use the usual evaluation"):
        with_evaluation(plyforge.load(variant), "patterns")


def test_the_stored_weights_belong_to_the_form_and_say_how_they_were_made():
    file = read_weights(FILE)
    assert file.fingerprint == form_fingerprint(FORM)
    assert '"seed"' in file.made
    assert '"games"' in file.made
    assert FILE.stat().st_size < 2_500_000
    numbers = file.weights.numbers.reshape(patterns.STAGES, FORM.width)
    np.testing.assert_array_equal(numbers, numbers[:, FORM.shared_columns()])


def test_compiled_and_uncompiled_values_are_equal():
    chosen = with_evaluation(game, "patterns")
    compiled, evaluation = compiled_evaluation(chosen), evaluation_of(chosen)
    assert isinstance(evaluation, Evaluation)
    for seed in range(40):
        position = random_position(seed)
        assert compiled(position) == evaluation.evaluate(position)


@pytest.mark.parametrize(
    ("variant", "evaluation", "file"),
    [
        ("othello", None, "probcut-patterns.json"),
        ("othello", "own", "probcut.json"),
        ("othello:6", None, None),
        ("othello", "halved.npz", None),
    ],
)
def test_the_preset_play_prunes_by_the_numbers_of_its_evaluation(
    variant, evaluation, file, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    own = evaluation_of(game)
    save_evaluation(Path("halved.npz"), game, own.with_weights(own.vector / 2))
    options = plyforge.Engine(variant, preset="play", evaluation=evaluation).options
    assert options.has("lmr")
    assert options.has("multi-probcut") == (file is not None)
    if file is not None:
        assert str(options.get("multi-probcut-fit")).endswith(file)


@pytest.mark.parametrize(
    ("variant", "preset", "evaluation", "used"),
    [
        ("othello", "play", None, True),
        ("othello:8,empties", "play", None, True),
        ("othello", "exact", None, False),
        ("othello:6", "play", None, False),
        ("othello", "play", "own", False),
    ],
)
def test_the_preset_play_uses_patterns_on_their_board(variant, preset, evaluation, used):
    engine = plyforge.Engine(variant, preset=preset, evaluation=evaluation, backend="python")
    assert (engine.game.rules.constant("EVALUATION").form == FORM) == used


def test_another_board_needs_its_variant():
    engine = plyforge.Engine("othello", preset="play", backend="python")
    with pytest.raises(PlyforgeError, match="'patterns', which this preset uses, is not made for"):
        engine.analyse("--------------OX----XO-------------- X", depth=1)


def test_an_evaluation_that_the_game_does_not_list_is_refused(monkeypatch):
    monkeypatch.setitem(game.rules.constants["SEARCH"], "play", {"evaluation": "nets"})
    with pytest.raises(GameFileError, match="the evaluation 'nets' of 'play' is not among"):
        plyforge.Engine(game, preset="play", backend="python")


def test_weights_of_other_code_are_refused(monkeypatch, tmp_path):
    module = type(patterns)("other")
    vars(module).update({**vars(patterns), "__file__": str(tmp_path / "other.py")})
    module.WEIGHTS_FILE = "missing.npz"
    monkeypatch.setitem(game.rules.constants["EVALUATIONS"], "other", module)
    with pytest.raises(WeightsFileError, match=r"missing\.npz"):
        with_evaluation(game, "other")
    module.WEIGHTS_FILE = str(FILE)
    module.EVALUATION = plyforge.rules.patterns({"edges": (patterns.edges, 3**10, 4)})
    with pytest.raises(WeightsFileError, match="has changed since the weights were made"):
        with_evaluation(game, "other")
