"""The looks of pieces: declared by the game, or guessed from their letters."""

from types import SimpleNamespace

import pytest

from plyforge.interfaces.drawing.pieces import Look, colours, looks


def guess(letters: str, players: tuple[str, str], **declared: tuple[int, str]) -> dict[str, str]:
    game = SimpleNamespace(players=players, rules=SimpleNamespace(constant=lambda name: declared))
    guesses = looks(game, letters)
    return {letter: f"{look.side} {look.shape}" for letter, look in guesses.items()}


@pytest.mark.parametrize(
    ("players", "letters", "expected"),
    [
        (("White", "Black"), "wb", {"w": "0 stone", "b": "1 stone"}),
        (("Red", "Blue"), "BR", {"R": "0 stone", "B": "1 stone"}),
        (("Anna", "Ben"), "AB", {"A": "0 stone", "B": "1 stone"}),
        (
            ("White", "Black"),
            "wWbB",
            {"w": "0 disc", "W": "0 crowned", "b": "1 disc", "B": "1 crowned"},
        ),
        (("First", "Second"), "XO", {"X": "0 cross", "O": "1 nought"}),
        (("X", "O"), "xo", {"x": "0 cross", "o": "1 nought"}),
        (("Black", "White"), "XO", {"X": "0 stone", "O": "1 stone"}),
        (
            ("White", "Black"),
            "KkBn",
            {k: f"{s} letter" for k, s in zip("KkBn", "0101", strict=True)},
        ),
        (("First", "Second"), "Gg~", {"G": "0 letter", "g": "1 letter", "~": "None letter"}),
        (("First", "Second"), "Gg", {"G": "0 letter", "g": "1 letter"}),
        (("First", "Second"), "Q#", {"Q": "None letter", "#": "None letter"}),
        (("Otto", "Xaver"), "XO", {"X": "1 cross", "O": "0 nought"}),
        (
            ("First", "Second"),
            "xXo",
            {"x": "0 disc", "X": "0 crowned", "o": "1 disc"},
        ),
        (("One", "Other"), "O", {"O": "1 nought"}),
        (("White", "Black"), "7", {"7": "None number"}),
        (("White", "Black"), "wq", {"w": "0 stone", "q": "None letter"}),
    ],
)
def test_letters_of_a_game_without_pieces_are_guessed(players, letters, expected):
    assert guess(letters, players) == expected


def test_declared_pieces_override_the_guess():
    assert guess("wb", ("White", "Black"), w=(1, "king")) == {"w": "1 king", "b": "1 stone"}


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (("White", "Black"), ("white", "black")),
        (("RED", " blue "), ("red", "blue")),
        (("X", "O"), ("light", "dark")),
        (("Red", "Red"), ("light", "dark")),
        (("Red", "Anna"), ("red", "dark")),
        (("<&>", ""), ("light", "dark")),
    ],
)
def test_sides_have_the_colours_of_their_names(players, expected):
    assert colours(players) == expected


@pytest.mark.parametrize(
    ("look", "words"),
    [
        (Look("k", 1, "king"), "Black king"),
        (Look("W", 0, "crowned"), "White king"),
        (Look("w", 0, "disc"), "White man"),
        (Look("q", 0, "letter"), "White q"),
        (Look("q", None, "letter"), "q"),
        (Look("7", None, "number"), "7"),
        (Look("X", 0, "cross"), "White"),
        (Look("w", None, "stone"), "stone"),
    ],
)
def test_a_piece_is_described_in_words(look, words):
    assert look.describe(("White", "Black")) == words
