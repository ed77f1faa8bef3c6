"""Golden play-throughs: a random game per game, written down in full.

They show what a change of a game's rules, texts, keys or pictures changes.  If that is intended,
write them again and look at the difference before committing it:

    python -m tests.games.golden.playthrough            every built-in game
    python -m tests.games.golden.playthrough NAME ...   some of them
"""

import json
import sys
from pathlib import Path
from typing import Any

import plyforge
from plyforge.core.randomness import Stream

FOLDER = Path(__file__).parent
SEED = 20_240_229
MAX_PLIES = 40


def golden_file(name: str) -> Path:
    return FOLDER / f"{name}.json"


def play_through(name: str) -> dict[str, Any]:
    """A random game from a fixed seed: everything that the game reports about each position."""
    game = plyforge.load(name)
    history = game.history()
    stream = Stream(SEED).split(name)
    plies = []
    while True:
        position, verdict = history.position, history.verdict()
        moves = history.legal_moves()
        played = stream.choice(moves) if moves and len(plies) < MAX_PLIES else None
        plies.append(
            {
                "position": game.text(position),
                "key": f"{game.key(position):016x}",
                "turn": history.turn,
                "outcome": verdict.name,
                "reason": verdict.reason,
                "board": game.board(position).splitlines(),
                "moves": ", ".join(game.move_text(position, move) for move in moves),
                "played": None if played is None else game.move_text(position, played),
            }
        )
        if played is None:
            return {"game": name, "seed": SEED, "plies": plies}
        history.play(played)


def write(name: str) -> None:
    text = json.dumps(play_through(name), indent=1, ensure_ascii=False)
    golden_file(name).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    for chosen in sys.argv[1:] or plyforge.names():
        write(chosen)
