"""Kalah, slow and obvious: the twin that the game's fast rules are compared with.

The board is one list, counter-clockwise: South's pits from its left, South's store, North's pits
from its left, North's store.  Seeds are sown one by one.
"""


class Game:
    """A game in progress; `mover` is 0 for South and 1 for North."""

    def __init__(self, pits: int = 6, seeds: int = 4) -> None:
        self.pits = pits
        self.board = ([seeds] * pits + [0]) * 2
        self.mover = 0
        self.over = False

    def copy(self) -> "Game":
        other = Game(self.pits)
        other.board, other.mover, other.over = list(self.board), self.mover, self.over
        return other

    def row(self, player: int) -> range:
        """Where a player's pits lie on the board."""
        start = player * (self.pits + 1)
        return range(start, start + self.pits)

    def store(self, player: int) -> int:
        """Where a player's store lies on the board."""
        return self.row(player).stop

    def moves(self) -> list[int]:
        """The numbers from 1 of the mover's pits that are not empty."""
        places = enumerate(self.row(self.mover), 1)
        return [] if self.over else [number for number, place in places if self.board[place]]

    def play(self, number: int) -> None:
        assert number in self.moves()
        me, other = self.mover, 1 - self.mover
        place = self.row(me)[number - 1]
        hand, self.board[place] = self.board[place], 0
        while hand:
            place = (place + 1) % len(self.board)
            if place == self.store(other):
                continue
            self.board[place] += 1
            hand -= 1
        if place in self.row(me) and self.board[place] == 1:
            across = self.row(other)[self.pits - 1 - self.row(me).index(place)]
            if self.board[across]:
                self.board[self.store(me)] += 1 + self.board[across]
                self.board[place] = self.board[across] = 0
        if place != self.store(me):
            self.mover = other
        if any(all(self.board[pit] == 0 for pit in self.row(player)) for player in (0, 1)):
            self.sweep()

    def sweep(self) -> None:
        self.over = True
        for player in (0, 1):
            for pit in self.row(player):
                self.board[self.store(player)] += self.board[pit]
                self.board[pit] = 0

    def score(self) -> int:
        """What the mover has in store, less what the other side has."""
        return self.board[self.store(self.mover)] - self.board[self.store(1 - self.mover)]

    def text(self) -> str:
        rows = (
            ",".join(str(self.board[pit]) for pit in self.row(player))
            + f"/{self.board[self.store(player)]}"
            for player in (self.mover, 1 - self.mover)
        )
        return f"{' '.join(rows)} {'SN'[self.mover]}"
