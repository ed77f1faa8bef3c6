"""Names of openings: a game lists lines of moves, and a position is recognised by its key.

So a game that reaches the position of a line by other moves has its name too.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from plyforge.core.errors import PlyforgeError
from plyforge.game.base import BaseGame


class OpeningNames(NamedTuple):
    """The names of a game's openings by key of position, and the lines that cannot be played."""

    by_key: Mapping[int, str]
    wrong: list[tuple[str, str]]
    """Lines of moves, each with the reason."""


def read_openings(game: BaseGame) -> OpeningNames:
    """Play the lines of `OPENINGS` from the start position.

    >>> import plyforge
    >>> names = read_openings(plyforge.load("checkers"))
    >>> "Ayrshire Lassie" in names.by_key.values(), names.wrong
    (True, [])
    """
    by_key: dict[int, str] = {}
    wrong: list[tuple[str, str]] = []
    reached: dict[tuple[str, ...], Any] = {(): game.initial()}
    for line, name in game.rules.constant("OPENINGS").items():
        texts: tuple[str, ...] = ()
        try:
            for text in game.split_moves(line):
                before, texts = texts, (*texts, text)
                if texts not in reached:
                    position = reached[before]
                    move = game.parse_move(position, text)
                    reached[texts] = game.play(position, move)
        except PlyforgeError as error:
            wrong.append((line, f"move {len(texts)}: {error}"))
        else:
            by_key.setdefault(game.key(reached[texts]), name)
    return OpeningNames(by_key, wrong)
