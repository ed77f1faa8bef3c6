"""Make the positions: `python -m benchmarks.positions.make` writes one file a game.

Each comes from a game of its own: a few random moves, then those of a shallow search with a random
one now and then.  Positions that a search to the greatest measured depth finds decided are left
out: there the minimal graph is that of a forced win, and says little of a search.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import plyforge
from plyforge.core.scores import SCORE_LIMIT
from plyforge.game.game import History

POSITIONS = 20
SEED = 1
RANDOM_PLIES = 6
RANDOM_SHARE = 0.15
PLAYING_DEPTH = 4


@dataclass(frozen=True)
class OpeningSource:
    """How far games are played, and how deep their positions will be searched."""

    plies: int
    depth: int


SOURCES = {
    "othello": OpeningSource(20, 9),
    "checkers": OpeningSource(16, 14),
    "connect4": OpeningSource(8, 14),
}


def played(engine: plyforge.Engine, plies: int, rng: random.Random) -> History | None:
    """A game of so many plies; None if it ended before."""
    game = engine.game.history()
    while len(game.moves) < plies:
        if game.verdict().over:
            return None
        if len(game.moves) < RANDOM_PLIES or rng.random() < RANDOM_SHARE:
            game.play(rng.choice(game.legal_moves()))
            continue
        engine.clear()
        move = engine.analyse(game, depth=PLAYING_DEPTH).move
        assert move is not None
        game.play(move)
    return None if game.verdict().over else game


def positions(name: str, source: OpeningSource) -> list[str]:
    """Different positions that are not decided, as texts."""
    engine = plyforge.Engine(name)
    found: list[str] = []
    number = 0
    while len(found) < POSITIONS:
        game = played(engine, source.plies, random.Random(SEED * 1000 + number))
        number += 1
        if game is None:
            continue
        text = engine.game.text(game.position)
        engine.clear()
        result = engine.analyse(text, depth=source.depth)
        if text in found or result.proved or abs(result.score) > SCORE_LIMIT:
            continue
        found.append(text)
    return found


def main() -> None:
    for name, source in SOURCES.items():
        file = Path(__file__).with_name(f"{name}.txt")
        file.write_text("\n".join(positions(name, source)) + "\n", encoding="utf-8")
        print(f"wrote {file.name}")


if __name__ == "__main__":
    main()
