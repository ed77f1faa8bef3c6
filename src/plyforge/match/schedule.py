"""Which players meet, and with which openings: two games for each, with sides changed.

Games are numbered so that a longer match begins with the games of a shorter one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations


class Format(StrEnum):
    """Which players meet."""

    ROUND_ROBIN = "round-robin"
    """Everyone meets everyone."""
    GAUNTLET = "gauntlet"
    """The first player meets all others."""


@dataclass(frozen=True)
class Pairing:
    """A game to play, as the numbers of its players and its opening."""

    number: int
    opening: int
    first: int
    second: int

    @property
    def pair(self) -> tuple[int, int, int]:
        """The opening and the two players: the same for both games of a pair."""
        return self.opening, min(self.first, self.second), max(self.first, self.second)


def meetings(players: int, form: Format) -> list[tuple[int, int]]:
    """Return the pairs of players that meet."""
    if form is Format.GAUNTLET:
        return [(0, other) for other in range(1, players)]
    return list(combinations(range(players), 2))


def pairings(players: int, form: Format, openings: int) -> Iterator[Pairing]:
    """Yield all games, opening by opening."""
    number = 0
    for opening in range(openings):
        for one, other in meetings(players, form):
            for first, second in ((one, other), (other, one)):
                yield Pairing(number, opening, first, second)
                number += 1
