"""Make the positions: `python -m benchmarks.positions.make` writes one file per game.

Each comes from another game: a few random moves, then those of a shallow search with an occasional
random one.  Positions that are decided at the depth of the measurements are left out: their minimal
graph is that of a forced win.
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
class PositionSource:
    """The length of the games, and the depth to which their positions will be searched."""

    plies: int
    depth: int


SOURCES = {
    "othello": PositionSource(20, 9),
    "checkers": PositionSource(16, 14),
    "connect4": PositionSource(8, 14),
}


def play_game(engine: plyforge.Engine, plies: int, rng: random.Random) -> History | None:
    """Play a game of `plies` plies; return None if it ended before."""
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


def positions(name: str, source: PositionSource) -> list[str]:
    """Return different positions that are not decided, as texts."""
    engine = plyforge.Engine(name)
    texts: list[str] = []
    number = 0
    while len(texts) < POSITIONS:
        game = play_game(engine, source.plies, random.Random(SEED * 1000 + number))
        number += 1
        if game is None:
            continue
        text = engine.game.text(game.position)
        engine.clear()
        result = engine.analyse(text, depth=source.depth)
        if text in texts or result.proved or abs(result.score) > SCORE_LIMIT:
            continue
        texts.append(text)
    return texts


def main() -> None:
    for name, source in SOURCES.items():
        file = Path(__file__).with_name(f"{name}.txt")
        file.write_text("\n".join(positions(name, source)) + "\n", encoding="utf-8")
        print(f"wrote {file.name}")


if __name__ == "__main__":
    main()
