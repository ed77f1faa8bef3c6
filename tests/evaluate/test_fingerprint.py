"""The fingerprint of a form: what changes it, and what does not."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plyforge import PlyforgeError
from plyforge.evaluate import Evaluation, form_fingerprint
from plyforge.game.forms import linear, patterns
from plyforge.game.loading import import_file
from tests.evaluate.samples import SAMPLES, centre, middle_row, stage

CODE = """
from plyforge.rules import linear, popcount
FACTOR = 2

def helper(position):
    return popcount(position.mine)

def stones(position):
    return FACTOR * helper(position)

EVALUATION = linear({"stones": (stones, 5)})
"""


def fingerprint_of(folder: Path, code: str) -> str:
    path = folder / "form.py"
    path.write_text(code, encoding="utf-8")
    evaluation: Evaluation = import_file(path, "").EVALUATION  # type: ignore[attr-defined]
    return form_fingerprint(evaluation.form)


SAME = {
    "another weight": ("stones, 5", "stones, 6.5"),
    "a comment": ("    return FACTOR", "    # twice\n    return FACTOR"),
    "a docstring": ("    return FACTOR", '    """Count."""\n    return FACTOR'),
    "layout": ("FACTOR * helper(position)", "FACTOR*helper(  position  )"),
    "something else": ("FACTOR = 2", "FACTOR = 2\nOTHER = 3"),
}
OTHER = {
    "the code": ("FACTOR * helper", "FACTOR + helper"),
    "a constant": ("FACTOR = 2", "FACTOR = 3"),
    "a function that is called": ("position.mine", "position.theirs"),
    "a name": ('"stones":', '"pieces":'),
    "the unit": ("5)})", "5)}, unit=2)"),
    "a limit": ("5)})", "5)}, limit=2)"),
}


@pytest.mark.parametrize("change", SAME)
def test_weights_comments_and_layout_do_not_matter(tmp_path: Path, change: str) -> None:
    assert fingerprint_of(tmp_path, CODE) == fingerprint_of(tmp_path, CODE.replace(*SAME[change]))


@pytest.mark.parametrize("change", OTHER)
def test_code_constants_and_shape_matter(tmp_path: Path, change: str) -> None:
    assert fingerprint_of(tmp_path, CODE) != fingerprint_of(tmp_path, CODE.replace(*OTHER[change]))


def test_features_that_read_a_dict_cannot_be_identified(tmp_path: Path) -> None:
    code = CODE.replace("FACTOR = 2", "FACTOR = {2: 3}")
    with pytest.raises(PlyforgeError, match="'stones' reads 'FACTOR', a dict value"):
        fingerprint_of(tmp_path, code)


def test_different_forms_have_different_fingerprints() -> None:
    forms: list[Any] = [one.form for one in SAMPLES.values()]
    forms += [
        linear({"centre": centre}).form,
        linear({"centre": centre}, stages=(stage, 1)).form,
        linear({"centre": centre}, blend=(stage, 1)).form,
        linear({"centre": centre}, blend=(stage, 2)).form,
        patterns({"middle": (middle_row, 27)}).form,
        patterns({"middle": (middle_row, 28)}).form,
    ]
    # Weights and their kind are no part of a form.
    assert len({form_fingerprint(form) for form in forms}) == len(forms)


def test_the_fingerprint_is_the_same_in_another_process() -> None:
    code = (
        "import plyforge; from plyforge.evaluate import *;"
        "print(form_fingerprint(evaluation_of(plyforge.load('checkers')).form))"
    )
    found = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert found[0] == found[1]
    assert len(found[0].strip()) == 32
