"""How often and by how much inexact options change the value of a position.

    python -m benchmarks.inexact

Every position is searched to one depth with the options of the preset `exact`, and again with each
of the inexact settings.  The positions come from games that start with random moves and continue
with the best ones.  As in play, each engine keeps its table from move to move, and the moves made
so far count for repetition.  The table in docs/search/exactness.md is the output.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from statistics import median
from typing import Annotated, Any

import typer

import plyforge
from plyforge import Engine, Game
from plyforge.core.randomness import Stream
from plyforge.core.scores import SCORE_LIMIT
from plyforge.game.game import History

GAMES = {
    "tictactoe": (6, 3),
    "connect4": (9, 20),
    "othello": (6, 45),
    "kalah": (8, 20),
    "hex:5": (5, 8),
    "andantino": (4, 15),
    "checkers": (9, 80),
    "giveaway": (9, 60),
    "chess": (6, 120),
    "tree:skipping": (8, 0),
    "tree:cyclic": (8, 0),
}
"""By game: the depth in plies, and the maximum number of random moves before."""
TREES = {
    "tree:skipping": "skipping,branching=3,depth=12,seed={}",
    "tree:cyclic": "cyclic,branching=3,depth=12,seed={}",
}
ENTRIES = 1 << 18
POSITIONS_PER_GAME = 10

CHANGES: dict[str, dict[str, Any]] = {
    "at-least": {"settings": {"depth-rule": "at-least"}},
    "fast": {"settings": {"cycle-policy": "fast"}},
    "both": {"settings": {"depth-rule": "at-least", "cycle-policy": "fast"}},
    "play": {"preset": "play"},
}
"""The inexact options: the depth rule, the cycle policy, both, and the preset `play`."""


@dataclass
class Tally:
    """The effect of one change on the values of one game."""

    searched: int = 0
    decided: int = 0
    """The number of values where only one of the two is a win or a loss."""
    differences: list[float] = field(default_factory=list)
    """The other differences, in units of the evaluation, or in plies to a win."""

    def add(self, exact: float, value: float) -> None:
        """Compare a value with the exact one."""
        self.searched += 1
        if exact == value:
            return
        if _sign(exact) != _sign(value):
            self.decided += 1
        else:
            self.differences.append(abs(exact - value))

    def text(self) -> str:
        """Return how many values differ, their median and maximum difference, and changed wins."""
        wrong = len(self.differences) + self.decided
        if wrong == 0:
            return f"0 of {self.searched}"
        text = f"{wrong} of {self.searched}"
        if self.differences:
            text += f" (by {median(self.differences):.3g}, at most {max(self.differences):.3g})"
        return text + (f"; {self.decided} decided" if self.decided else "")


def _sign(value: float) -> int:
    """Return 1 for a win, -1 for a loss, 0 for anything else."""
    return (value > SCORE_LIMIT) - (value < -SCORE_LIMIT)


def roots(game: Game, name: str) -> Iterator[History]:
    """Yield random games in progress without end; of trees, the start of another one each time."""
    for seed in count():
        if name in TREES:
            yield game.history(game.parse(TREES[name].format(seed)))
        else:
            stream = Stream(seed)
            yield play_randomly(game, stream.below(GAMES[name][1] + 1), stream.split("moves"))


def play_randomly(game: Game, plies: int, stream: Stream) -> History:
    """Play random moves; take the last one back if it ends the game."""
    history = game.history()
    for _ in range(plies):
        history.play(stream.choice(history.legal_moves()))
        if history.verdict().over:
            shorter = game.history()
            for move in history.moves[:-1]:
                shorter.play(move)
            return shorter
    return history


def measure(name: str, positions: int) -> dict[str, Tally]:
    """Measure the effect of every change on positions of one game."""
    depth, tallies = GAMES[name][0], {change: Tally() for change in CHANGES}
    game = plyforge.load(name)
    exact = Engine(game, entries=ENTRIES)
    engines = {name: Engine(game, entries=ENTRIES, **change) for name, change in CHANGES.items()}
    left = positions
    for root in roots(game, name):
        for engine in (exact, *engines.values()):
            engine.clear()
        for _ in range(min(left, 1 if name in TREES else POSITIONS_PER_GAME)):
            if root.verdict().over:
                break
            left -= 1
            expected = exact.analyse(root, depth=depth)
            for change, engine in engines.items():
                tallies[change].add(expected.score, engine.analyse(root, depth=depth).score)
            root.play(expected.move)
        if left == 0:
            break
    return tallies


def main(
    positions: Annotated[int, typer.Option(help="Positions for each game.")] = 300,
    only: Annotated[list[str] | None, typer.Option(help="A game; may be repeated.")] = None,
) -> None:
    """Print one row for each game."""
    print("| game | depth | " + " | ".join(CHANGES) + " |")
    print("|---|---|" + "---|" * len(CHANGES))
    for name in only or GAMES:
        tallies = measure(name, positions)
        cells = [tallies[change].text() for change in CHANGES]
        print(f"| `{name}` | {GAMES[name][0]} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    typer.run(main)
