"""Where positions store their cells: what is read agrees with what the picture shows."""

from pathlib import Path

import pytest

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.evaluate.automatic import finding, random_games
from plyforge.evaluate.automatic.finding import find_layout
from plyforge.evaluate.automatic.layout import Layout

EXAMPLES = Path(__file__).parents[3] / "examples"
GAMES = {
    "tictactoe": (9, 3, False),
    "connect4": (42, 3, False),  # one field holds the stones of both sides
    "dots.py": (33, 4, True),  # edges and boxes
    "dodgem.py": (9, 3, True),
    "morris.py": (24, 3, False),
    "kalah": (14, 12, False),  # numbers of seeds, in four fields
}


def load(name: str) -> plyforge.Game:
    return plyforge.load(str(EXAMPLES / name) if name.endswith(".py") else name, backend="python")


@pytest.fixture(autouse=True)
def few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_games, "POSITIONS", 1500)


@pytest.mark.parametrize("name", GAMES)
def test_a_digit_stands_for_one_content(name: str) -> None:
    """In new games: every digit has one meaning, and contents with the same digit are equal."""
    game = load(name)
    layout = find_layout(game)
    assert (len(layout.cells), layout.base, layout.by_side) == GAMES[name]
    meanings: dict[tuple[int, int], set[str]] = {}
    stream = Stream(7)
    for _ in range(5):
        position, side = game.initial(), 0
        for _ in range(30):
            moves = game.legal_moves(position)
            if not moves:
                break
            shown = game.rules.hooks["pieces"](position)
            # A board that is stored for the side to move is the picture for the first one only.
            if side == 0 or layout.by_side:
                for number, cell in enumerate(layout.cells):
                    content = shown.get(cell, 0 if name == "kalah" else "")
                    content = min(content, finding.MAX_DIGIT) if name == "kalah" else content
                    key = (side if layout.by_side else 0, layout.digit(position, number))
                    content = "" if content == "." else content  # an edge that is not drawn
                    meanings.setdefault(key, set()).add(str(content))
            position = game.play(position, stream.choice(moves))
            turn = game.turn(position)
            side = 1 - side if turn is None else turn
    assert all(len(contents) == 1 for contents in meanings.values())
    assert len({next(iter(one)) for one in meanings.values()}) >= 3


def test_a_layout_is_the_same_after_a_file() -> None:
    layout = find_layout(load("kalah"))
    assert Layout.from_fields(layout.to_fields()) == layout
    assert find_layout(load("kalah")) == layout


NO_PICTURE = """
from typing import NamedTuple

class Position(NamedTuple):
    left: int
    side: int

def initial(): return Position(21, 0)

def moves(position):
    for count in range(1, 1 + min(3, position.left)):
        yield count

def play(position, move): return Position(position.left - move, 1 - position.side)

def turn(position): return position.side
"""


def test_a_game_without_a_picture_has_a_cell_for_each_bit(tmp_path: Path) -> None:
    file = tmp_path / "sticks.py"
    file.write_text(NO_PICTURE)
    layout = find_layout(plyforge.load(str(file), backend="python"))
    assert layout.cells == ("left.0", "left.1", "left.2", "left.3", "left.4", "side.0")
    assert layout.places == ()
    assert not layout.by_side


def test_positions_without_fields_are_an_error() -> None:
    with pytest.raises(PlyforgeError, match="have no fields"):
        find_layout(load("last_letter.py"))
