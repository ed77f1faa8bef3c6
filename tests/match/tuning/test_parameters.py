"""Which parameters can be tuned, and how they are written."""

import re

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.engine import Engine
from plyforge.match.tuning.parameters import read_parameters
from plyforge.match.tuning.spsa import TunedParameter


def read(*texts, **options):
    engine = Engine("connect4", preset="play", **options)
    return read_parameters(texts, engine.options, engine.driver)


def test_a_parameter_is_read_with_and_without_its_range():
    assert read("lmr-base", "lmr-moves=8", "lmr-divisor=2:1:5:0.5", on=["lmr"]) == (
        TunedParameter("lmr-base", 0.5, -4, 8, 0.125),
        TunedParameter("lmr-moves", 8, 1, 4000, 2.0, integer=True),
        TunedParameter("lmr-divisor", 2.0, 1.0, 5.0, 0.5),
    )


def test_the_start_is_the_value_of_the_player():
    (one,) = read("lmr-moves", on=["lmr"], settings={"lmr-moves": 2})
    assert one.start == 2
    assert one.step == 1  # an integer that is moved by less might not change


def test_parameters_of_drivers_can_be_tuned():
    (one,) = read("aspiration-growth", driver="aspiration")
    assert one.name == "aspiration-growth"


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ((), "there is nothing to tune; name parameters as NAME, NAME=START"),
        (("lmr-bas",), "unknown parameter 'lmr-bas'; did you mean 'lmr-base'?"),
        (("order",), "'order' is not a number"),
        (("depth-rule",), "'depth-rule' is not a number (equal, at-least)"),
        (("razoring-margin",), "'razoring' is off; switch it on with --on razoring"),
        (("aspiration-growth",), "with the driver 'pvs'; choose --driver aspiration"),
        (("lmr-base", "lmr-base=1"), "parameter 'lmr-base' is given twice; give it once"),
        (("lmr-base=",), "parameter 'lmr-base=': write NAME, NAME=START or"),
        (("lmr-base=1:2",), "parameter 'lmr-base=1:2': write NAME, NAME=START or"),
        (("lmr-base=x",), "lmr-base must be a number between -4 and 8, not 'x'"),
        (("lmr-base=nan",), "lmr-base must be between -4 and 8, not nan"),
        (("lmr-base=9",), "lmr-base must be between -4 and 8, not 9"),
        (("lmr-base=1:0:9:1",), "lmr-base must be between -4 and 8, not 9"),
        (("lmr-base=3:0:2:1",), "the start must be between 0 and 2, not 3"),
        (("lmr-base=1:1:1:1",), "the minimum must be less than the maximum, not 1 and 1"),
        (("lmr-base=1:0:2:0",), "the step must be a number, more than 0 and at most the width"),
        (("lmr-base=1:0:2:3",), "at most the width of the range, 2, not '3'"),
        (("lmr-base=1:0:2:nan",), "not 'nan'"),
        (("lmr-base=0",), "'lmr-base' starts at 0, which gives no scale; write the step, as"),
        (("lmr-moves=2.5",), "lmr-moves must be an integer between 1 and 4000, not '2.5'"),
        (("lmr-moves=3:1:9:0.4",), "the step must be a number, at least 0.5"),
    ],
)
def test_wrong_parameters_are_explained(texts, message):
    with pytest.raises(PlyforgeError, match=re.escape(message)):
        read(*texts, on=["lmr"])
