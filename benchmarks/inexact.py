"""How often, and by how much, tables that are not exact change the value of a position.

    python -m benchmarks.inexact

Every position is searched to one depth with the options of the preset `exact`, and again with each
of the settings that give up exactness.  Positions come from games that begin with random moves and
go on with the best ones.  As in play, each engine keeps its table from move to move, and the moves
made so far count for repetition.  The table in docs/search/exactness.md is what this prints.
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
"""By game: how deep is searched, in plies, and how many random moves come before at most."""
TREES = {
    "tree:skipping": "skipping,branching=3,depth=12,seed={}",
    "tree:cyclic": "cyclic,branching=3,depth=12,seed={}",
}
ENTRIES = 1 << 18
FURTHER = 10
"""In each game so many positions are searched, one after the other."""

CHANGES: dict[str, dict[str, Any]] = {
    "at-least": {"settings": {"depth-rule": "at-least"}},
    "fast": {"settings": {"cycle-policy": "fast"}},
    "both": {"settings": {"depth-rule": "at-least", "cycle-policy": "fast"}},
    "play": {"preset": "play"},
}
"""What gives up exactness: the depth rule, the policy of cycles, both, and the preset `play`."""


@dataclass
class Tally:
    """What one change did to the values of one game."""

    searched: int = 0
    decided: int = 0
    """How often a win or a loss was taken for something else, or the other way round."""
    apart: list[float] = field(default_factory=list)
    """By how much other values differed, in units of the evaluation, or in plies to a win."""

    def add(self, exact: float, found: float) -> None:
        self.searched += 1
        if exact == found:
            return
        if _side(exact) != _side(found):
            self.decided += 1
        else:
            self.apart.append(abs(exact - found))

    def text(self) -> str:
        """How many values differ; by how much in the median and at most; how many wins changed."""
        wrong = len(self.apart) + self.decided
        if wrong == 0:
            return f"0 of {self.searched}"
        told = f"{wrong} of {self.searched}"
        if self.apart:
            told += f" (by {median(self.apart):.3g}, at most {max(self.apart):.3g})"
        return told + (f"; {self.decided} decided" if self.decided else "")


def _side(value: float) -> int:
    """1 for a win, -1 for a loss, 0 for anything else."""
    return (value > SCORE_LIMIT) - (value < -SCORE_LIMIT)


def roots(game: Game, name: str) -> Iterator[History]:
    """Random games in progress, without end; of generated trees, the start of another one each."""
    for seed in count():
        if name in TREES:
            yield game.history(game.parse(TREES[name].format(seed)))
        else:
            stream = Stream(seed)
            yield played(game, stream.below(GAMES[name][1] + 1), stream.split("moves"))


def played(game: Game, plies: int, stream: Stream) -> History:
    """Random moves; the last one is taken back if it ends the game."""
    history = game.history()
    for _ in range(plies):
        history.play(stream.choice(history.legal_moves()))
        if history.verdict().over:
            shorter = game.history()
            for move in history.moves[:-1]:
                shorter.play(move)
            return shorter
    return history


def measured(name: str, positions: int) -> dict[str, Tally]:
    """What every change did in so many positions of one game."""
    depth, tallies = GAMES[name][0], {change: Tally() for change in CHANGES}
    game = plyforge.load(name)
    exact = Engine(game, entries=ENTRIES)
    engines = {change: Engine(game, entries=ENTRIES, **given) for change, given in CHANGES.items()}
    left = positions
    for root in roots(game, name):
        for engine in (exact, *engines.values()):
            engine.clear()
        for _ in range(min(left, 1 if name in TREES else FURTHER)):
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
        found = measured(name, positions)
        cells = [found[change].text() for change in CHANGES]
        print(f"| `{name}` | {GAMES[name][0]} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    typer.run(main)
