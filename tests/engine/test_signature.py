"""Node counts of fixed searches, per game.

A change of the search that alters them says so in its commit, and writes the new ones:
`python -m tests.engine.test_signature`.
"""

import json
from collections.abc import Container
from pathlib import Path
from typing import Any

import pytest

import plyforge
from plyforge.engine.bench import signature
from tests.search.kernel.games import NOT_COMPILED

FILE = Path(__file__).with_name("signatures.json")
EXPECTED = json.loads(FILE.read_text(encoding="utf-8"))
WITH_SPECIAL_KERNEL = ("tictactoe",)
"""Games whose special kernel is compiled in the fast tier; examples in docstrings use it, too."""


def names(fast: Container[str]) -> list[Any]:
    return [
        pytest.param(name, marks=() if name in fast else pytest.mark.long)
        for name in plyforge.names()
    ]


@pytest.mark.parametrize("name", names(fast=set(plyforge.names()) - set(NOT_COMPILED)))
def test_the_node_count_is_that_of_the_signature(name: str) -> None:
    assert signature(plyforge.load(name)).nodes == EXPECTED[name]


@pytest.mark.special_kernel
@pytest.mark.parametrize("name", names(fast=WITH_SPECIAL_KERNEL))
def test_the_kernel_that_users_get_has_the_same_node_count(name: str) -> None:
    assert signature(plyforge.load(name)).nodes == EXPECTED[name]


if __name__ == "__main__":
    counts = {name: signature(plyforge.load(name)).nodes for name in plyforge.names()}
    FILE.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
    print(FILE.read_text(encoding="utf-8"))
