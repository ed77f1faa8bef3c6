"""Let two evaluations play each other with about the same nodes a move, at little fixed cost.

    python scripts/node_match.py checkers patterns own --nodes 1000,1140 --games 400

`plyforge match` spends about a millisecond a move outside of the search, more than 1,000 nodes
take.  Here a move is one or two window searches, as in `plyforge learn record`.  Openings are
random, and each is played twice, with sides changed.  The Elo difference and its 95 % interval come
from pairs.
"""

import argparse

import numpy as np

from plyforge.core.randomness import Stream
from plyforge.engine import Engine
from plyforge.learn.games import result_of
from plyforge.learn.recording import DeepeningSearch


def main() -> None:
    """Play, and print the score after every ten pairs."""
    parser = argparse.ArgumentParser(description="Match of two evaluations by nodes.")
    parser.add_argument("game")
    parser.add_argument("evaluations", nargs=2)
    parser.add_argument("--nodes", default="1000,1000", help="of the first and of the second")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--opening", type=int, default=8)
    parser.add_argument("--max-plies", type=int, default=160)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    engines = [Engine(options.game, preset="play", evaluation=name) for name in options.evaluations]
    pairs: list[float] = []
    for number in range(options.games // 2):
        scores = [play(engines, first, number, options) for first in (0, 1)]
        pairs.append(sum(scores) / 2)
        if len(pairs) % 10 == 0 or number == options.games // 2 - 1:
            print(summary(pairs), flush=True)


def play(engines: list[Engine], first: int, number: int, options: argparse.Namespace) -> float:
    """Play one game; return the points of the first evaluation, which is side `first`."""
    stream = Stream(options.seed).split(f"opening {number}")
    history = engines[0].game.history()
    limits = [int(nodes) for nodes in options.nodes.split(",")]
    sides = (0, 1) if first == 0 else (1, 0)
    searches = [DeepeningSearch(engines[one], limits[one], 60) for one in sides]
    for engine in engines:
        engine.clear()
    while len(history.moves) < options.max_plies and (moves := history.legal_moves()):
        move = moves[0]
        if len(history.moves) < options.opening:
            move = stream.choice(moves)
        elif len(moves) > 1:
            found = searches[history.turn].run(history)
            assert found.move is not None
            move = found.move
        history.play(move)
    result, _, _ = result_of(history)
    return 0.5 + 0.5 * (result if first == 0 else -result)


def summary(pairs: list[float]) -> str:
    """Return score, Elo and interval."""
    mean = float(np.mean(pairs))
    error = 1.96 * float(np.std(pairs, ddof=1)) / len(pairs) ** 0.5 if len(pairs) > 1 else 0.5
    low, high = (elo(mean + sign * error) for sign in (-1, 1))
    return f"{2 * len(pairs)} games: {mean:.1%}, Elo {elo(mean):+.0f} ({low:+.0f} to {high:+.0f})"


def elo(score: float) -> float:
    """Return the Elo difference of a score."""
    share = min(max(score, 0.001), 0.999)
    return -400.0 * float(np.log10(1.0 / share - 1.0))


if __name__ == "__main__":
    main()
