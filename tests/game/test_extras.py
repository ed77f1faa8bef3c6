"""`Game.extras` and `Game.with_extras`: what belongs to a position besides its pieces."""

from pathlib import Path

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge.core.errors import GameFileError, PositionError

RULES = """
from typing import NamedTuple
class Position(NamedTuple):
    heap: int
    may_pass: bool
def initial(): return Position(9, True)
def moves(position):
    if position.heap > 0: yield 1
def play(position, move): return Position(position.heap - 1, position.may_pass)
"""
PASSING = """
def extras(position):
    return {"May pass": ("yes" if position.may_pass else "no", ("yes", "no"))}
def with_extras(position, values):
    return position._replace(may_pass=values["May pass"] == "yes")
"""
CHESS = plyforge.load("chess")


def load(folder: Path, source: str) -> plyforge.Game:
    file = folder / "heap.py"
    file.write_text(RULES + source)
    return plyforge.load(file)


def test_a_game_declares_extras(tmp_path: Path) -> None:
    game = load(tmp_path, PASSING)
    assert game.extras(game.initial()) == {"May pass": ("yes", ("yes", "no"))}
    assert not game.with_extras(game.initial(), {"May pass": "no"}).may_pass
    assert game.with_extras(game.initial(), {}) == game.initial()


def test_a_game_without_extras_has_none(tmp_path: Path) -> None:
    game = load(tmp_path, "")
    assert game.extras(game.initial()) == {}
    with pytest.raises(PositionError, match="'May pass' is not an extra of heap; it has none"):
        game.with_extras(game.initial(), {"May pass": "no"})


def test_a_wrong_value_is_refused_with_the_choices(tmp_path: Path) -> None:
    game = load(tmp_path, PASSING)
    with pytest.raises(PositionError, match=r"May pass: 'maybe' is not possible.*: yes, no"):
        game.with_extras(game.initial(), {"May pass": "maybe"})


def test_extras_of_a_wrong_form_are_blamed_on_the_game(tmp_path: Path) -> None:
    game = load(tmp_path, PASSING.replace('("yes", "no"))}', '"yes", 3)}'))
    with pytest.raises(GameFileError, match=r"heap\.py.*name to \(value, choices\)"):
        game.extras(game.initial())


def test_chess_offers_only_castling_of_kings_and_rooks_at_home() -> None:
    position = CHESS.parse("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1")
    assert CHESS.extras(position) == {
        "White castling": ("O-O", ("O-O", "no")),
        "Black castling": ("O-O-O", ("O-O-O", "no")),
        "En passant": ("no", ("no",)),
    }
    changed = CHESS.with_extras(position, {"White castling": "no"})
    assert CHESS.text(changed) == "r3k3/8/8/8/8/8/8/4K2R w q - 0 1"


@pytest.mark.parametrize(
    ("fen", "squares"),
    [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", ["d6"]),
        ("4k3/8/8/8/2pPpP2/8/8/4K3 b - - 0 1", ["d3", "f3"]),
        ("4k3/8/8/3p4/8/4P3/8/4K3 w - - 0 1", []),
        ("4k3/8/8/K2pP2r/8/8/8/8 w - - 0 1", []),
        ("4k3/3p4/8/3pP3/8/8/8/4K3 w - - 0 1", []),
    ],
    ids=["one", "two", "no neighbour", "exposes the king", "pawn at home"],
)
def test_chess_offers_legal_captures_en_passant(fen: str, squares: list[str]) -> None:
    position = CHESS.parse(fen)
    assert CHESS.extras(position)["En passant"] == ("no", ("no", *squares))
    for square in squares:
        text = CHESS.text(CHESS.with_extras(position, {"En passant": square}))
        assert text.split()[3] == square
        assert chess.Board(text).has_legal_en_passant()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 10_000), max_size=60))
def test_every_choice_of_chess_is_read_back(numbers: list[int]) -> None:
    history = CHESS.history()
    for number in numbers:
        legal = history.legal_moves()
        if not legal:
            break
        history.play(legal[number % len(legal)])
    position = history.position
    found = CHESS.extras(position)
    assert CHESS.with_extras(position, {n: value for n, (value, _) in found.items()}) == position
    for name, (_, choices) in found.items():
        for choice in choices:
            changed = CHESS.with_extras(position, {name: choice})
            assert CHESS.extras(changed)[name][0] == choice
            assert CHESS.pieces(changed) == CHESS.pieces(position)
            assert chess.Board(CHESS.text(changed)).is_valid() or found["En passant"][1][1:]
