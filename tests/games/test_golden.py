"""Every game plays its golden game as it was written down."""

import json

import pytest

import plyforge
from tests.games.golden.playthrough import golden_file, play_through


@pytest.mark.parametrize("name", plyforge.names())
def test_the_golden_game_is_reproduced(name: str) -> None:
    remedy = f"see the difference of 'python -m tests.games.golden.playthrough {name}'"
    assert golden_file(name).exists(), f"{name} has no golden game; {remedy}"
    written = json.loads(golden_file(name).read_text(encoding="utf-8"))
    played = play_through(name)
    for number, (was, now) in enumerate(zip(written["plies"], played["plies"], strict=False)):
        assert now == was, f"{name} changed at ply {number}; {remedy}"
    assert played == written, remedy


def test_every_golden_file_belongs_to_a_game() -> None:
    written = {path.stem for path in golden_file("any").parent.glob("*.json")}
    assert written <= set(plyforge.names())
