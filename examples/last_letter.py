"""Last letter: players add letters in turn; the player who completes a word wins.

The letters must always be the beginning of a word in the list, so there is always a word left to
complete.

Positions here are ordinary Python objects, tuples of letters; any immutable, hashable value works.
Such a game is not compiled: it runs as plain Python, about a hundred times slower, and every
command still works.

    plyforge show examples/last_letter.py --moves "p l"
"""

from collections.abc import Iterator

from plyforge.rules import LOSS, ONGOING

NAME = "Last letter"
PLAYERS = ("Anna", "Ben")
MAX_MOVES = 26
ALTERNATING = True
WORDS = (
    "pawn", "peak", "pearl", "pedal", "piano", "pilot", "plank", "play", "plum", "pole",
    "quail", "queen", "quest", "quiet", "quilt", "quote", "rain", "rank", "raven", "reed",
    "river", "road", "robin", "rook", "rope", "round", "ruler",
)  # fmt: skip
BEGINNINGS = frozenset(word[:length] for word in WORDS for length in range(1, len(word) + 1))

Position = tuple[str, ...]


def initial() -> Position:
    return ()


def moves(position: Position) -> Iterator[int]:
    """A move is an int even where positions are not: here the number of a letter."""
    for number in range(26):
        if "".join(position) + letter(number) in BEGINNINGS:
            yield number


def play(position: Position, move: int) -> Position:
    return (*position, letter(move))


def letter(number: int) -> str:
    return chr(ord("a") + number)


def outcome(position: Position) -> int:
    """A complete word was completed by the other side, so the side to move has lost."""
    return LOSS if "".join(position) in WORDS else ONGOING


def turn(position: Position) -> int:
    return len(position) % 2


def irreversible(position: Position, move: int) -> bool:
    """Always: letters are only added."""
    return True


# Text: without `to_text` and `from_text` such a position could be shown, but not typed in.


def to_text(position: Position) -> str:
    return "".join(position) or "-"


def from_text(text: str) -> Position:
    letters = text.strip().lower()
    if letters == "-":
        return initial()
    if letters not in BEGINNINGS:
        raise ValueError(f"no word begins with '{letters}'")
    return tuple(letters)


def move_text(position: Position, move: int) -> str:
    return letter(move)
