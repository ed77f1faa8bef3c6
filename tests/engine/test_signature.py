"""Node counts of fixed searches, per game.

A change of the search that alters them says so in its commit, and writes the new ones:
`python -m tests.engine.test_signature`.
"""

import json
from pathlib import Path

import pytest

import plyforge
from plyforge.engine.bench import signature
from tests.search.kernel.games import SLOW_TO_COMPILE

FILE = Path(__file__).with_name("signatures.json")
EXPECTED = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.special_kernel
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long if name in SLOW_TO_COMPILE else ())
        for name in plyforge.names()
    ],
)
def test_the_node_count_is_that_of_the_signature(name):
    assert signature(plyforge.load(name)).nodes == EXPECTED[name]


if __name__ == "__main__":
    counts = {name: signature(plyforge.load(name)).nodes for name in plyforge.names()}
    FILE.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
    print(FILE.read_text(encoding="utf-8"))
