"""Hex, slow and obvious: the twin that the game's fast rules are compared with.

Stones are a dict from (file, rank), counted from 1, to "R" or "B".  After every move both sides'
connections are searched for anew.
"""

Cell = tuple[int, int]


def cell_name(cell: Cell) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[cell[0] - 1] + str(cell[1])


def parse_cell(name: str) -> Cell:
    return "abcdefghijklmnopqrstuvwxyz".index(name[0]) + 1, int(name[1:])


def around(cell: Cell) -> list[Cell]:
    c, r = cell
    return [(c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1), (c + 1, r - 1), (c - 1, r + 1)]


class Game:
    """A game in progress; `winner` is "R", "B" or None."""

    def __init__(self, size: int = 11, swap: bool = False) -> None:
        self.size = size
        self.swap = swap
        self.stones: dict[Cell, str] = {}
        self.mover = "R"
        self.winner: str | None = None
        self.plies = 0

    def moves(self) -> set[str]:
        span = range(1, self.size + 1)
        cells = {cell_name((c, r)) for c in span for r in span if (c, r) not in self.stones}
        return cells | ({"swap"} if self.swap and self.plies == 1 else set())

    def play(self, name: str) -> None:
        assert self.winner is None
        assert name in self.moves()
        if name == "swap":
            ((file, rank),) = self.stones
            self.stones = {(rank, file): "B"}
        else:
            self.stones[parse_cell(name)] = self.mover
        self.mover = "B" if self.mover == "R" else "R"
        self.plies += 1
        winners = [side for side in "RB" if self.joins_edges(side)]
        assert len(winners) <= 1
        self.winner = winners[0] if winners else None

    def joins_edges(self, side: str) -> bool:
        """Whether a chain joins ranks 1 and n (Red) or files a and n (Blue)."""
        axis = 1 if side == "R" else 0
        own = {cell for cell, colour in self.stones.items() if colour == side}
        reached = {cell for cell in own if cell[axis] == 1}
        waiting = list(reached)
        while waiting:
            for cell in around(waiting.pop()):
                if cell in own and cell not in reached:
                    reached.add(cell)
                    waiting.append(cell)
        return any(cell[axis] == self.size for cell in reached)

    def text(self) -> str:
        span = range(1, self.size + 1)
        ranks = ("".join(self.stones.get((c, r), ".") for c in span) for r in span)
        swap = " swap" if self.swap and self.plies < 2 else ""
        return f"{'/'.join(ranks)} {self.mover}{swap}"
