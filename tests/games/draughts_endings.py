"""Endings of two pieces, solved by value iteration over the game's own functions."""

from collections import Counter
from itertools import combinations

from plyforge import Game
from plyforge.rules import LOSS, WIN

KINDS = ("b", "B", "w", "W")


def _squares(kind: str) -> range:
    """Where a piece may stand: men not on their king row."""
    return {"b": range(1, 29), "w": range(5, 33)}.get(kind, range(1, 33))


def _positions() -> list[tuple[tuple[int, str], ...]]:
    """All ways to put two pieces on the board."""
    placed = [(square, kind) for kind in KINDS for square in _squares(kind)]
    return [pair for pair in combinations(placed, 2) if pair[0][0] != pair[1][0]]


def count_two_piece_positions() -> int:
    return len(_positions())


def _fen(side: str, pieces: tuple[tuple[int, str], ...]) -> str:
    def listed(colour: str) -> str:
        mine = [(square, kind) for square, kind in pieces if kind.lower() == colour]
        return ",".join(f"{'K' if kind.isupper() else ''}{square}" for square, kind in mine)

    return f"{side}:W{listed('w')}:B{listed('b')}"


def _material(side: str, pieces: tuple[tuple[int, str], ...]) -> str:
    def listed(colour: str) -> str:
        mine = [kind for _, kind in pieces if kind.lower() == colour]
        kings = sum(kind.isupper() for kind in mine)
        return f"{kings}K{len(mine) - kings}M"

    other = {"b": "w", "w": "b"}[side.lower()]
    return f"{listed(side.lower())} v {listed(other)}"


def count_results(game: Game) -> dict[str, tuple[int, int, int]]:
    """Wins, losses and draws for Black to move, by material of one piece a side, and of all.

    A position is won where some move leads to a lost one, lost where all lead to won ones; what
    is still open when nothing changes any more is drawn.
    """
    starts = {
        game.parse(_fen(side, pieces)): (side, _material(side, pieces))
        for pieces in _positions()
        for side in "BW"
    }
    children = {}
    waiting = list(starts)
    while waiting:
        position = waiting.pop()
        if position not in children:
            children[position] = [game.play(position, move) for move in game.moves(position)]
            waiting += children[position]
    values = {position: game.stuck(position) for position in children if not children[position]}
    before = -1
    while len(values) > before:
        before = len(values)
        for position, below in children.items():
            if position in values:
                continue
            known = [values.get(child) for child in below]
            if LOSS in known:
                values[position] = WIN
            elif set(known) == {WIN}:
                values[position] = LOSS
    counts: dict[str, Counter[float | None]] = {"all": Counter()}
    for position, (side, material) in starts.items():
        if side == "B":
            counts["all"][values.get(position)] += 1
            counts.setdefault(material, Counter())[values.get(position)] += 1
    single = [name for name in counts if name == "all" or "0K0M" not in name]
    return {name: (counts[name][WIN], counts[name][LOSS], counts[name][None]) for name in single}
