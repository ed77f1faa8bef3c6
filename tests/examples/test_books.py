"""The books of the examples: what is known of their games, without a search."""

from pathlib import Path

import plyforge
from plyforge import Engine
from plyforge.core.scores import WIN
from plyforge.engine.book import open_book

BOOKS = Path(__file__).parents[2] / "examples" / "books"
STONES_AT_THE_END = {"1": -40, "2": -42, "3": 0, "4": 41, "5": 0, "6": -42, "7": -40}
"""The stones on the board after perfect play, negative where the first player loses; 0 for a draw.

As numbers of remaining stones, which others print, these are -2, -1, 0, 1, 0, -1, -2.
"""


def test_the_book_of_connect_four_has_the_known_results_of_all_first_moves() -> None:
    game = plyforge.load("connect4")
    found = open_book(game, str(BOOKS / "connect4.book")).moves(game.history())
    assert all(move.proved for move in found)
    plies = {game.move_text(game.initial(), one.move): one.score for one in found}
    ends = {text: WIN - abs(score) if score else 0 for text, score in plies.items()}
    signed = {text: end if plies[text] > 0 else -end for text, end in ends.items()}
    assert signed == STONES_AT_THE_END


def test_connect_four_is_solved_with_the_book_without_a_search() -> None:
    game = plyforge.load("connect4", backend="python")
    result = Engine(game, entries=1024, book=str(BOOKS / "connect4.book")).analyse(depth=1)
    assert result.move is not None
    assert game.move_text(game.initial(), result.move) == "4"
    assert (result.proved, result.nodes) == (True, 0)
