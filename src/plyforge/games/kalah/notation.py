"""Kalah's texts: rows of pits with their stores, moves as numbers of pits."""

from plyforge.games.kalah.rules import MAX_PITS, MAX_SEEDS, WIDTH, Position
from plyforge.rules import Geometry
from plyforge.rules import pits as mancala_board

PLAYERS = ("South", "North")


def to_text(position: Position) -> str:
    """The pits and store of the side to move, those of the other side, and who is to move.

    >>> from plyforge.games.kalah import initial
    >>> to_text(initial(3, 2))
    '2,2,2/0 2,2,2/0 S'
    """
    mine = _row_text(position.mine, position.store, position.pits)
    theirs = _row_text(position.theirs, position.their_store, position.pits)
    return f"{mine} {theirs} {PLAYERS[position.side][0]}"


def _row_text(row: int, store: int, pits: int) -> str:
    return f"{','.join(map(str, _counts(row, pits)))}/{store}"


def _counts(row: int, pits: int) -> list[int]:
    return [row >> WIDTH * pit & MAX_SEEDS for pit in range(pits)]


def from_text(text: str) -> Position:
    """Read what `to_text` writes; `ValueError` if no start leads to this number of seeds."""
    words = text.split()
    if len(words) != 3:
        raise ValueError(f"'{text}' is not 'mover's pits/store other pits/store side to move'")
    mine, store = _read_row("mover's pits", words[0])
    theirs, their_store = _read_row("other pits", words[1])
    side = {"S": 0, "N": 1}.get(words[2].upper())
    if side is None:
        raise ValueError(f"side to move: '{words[2]}' is neither S nor N")
    pits = len(mine)
    if len(theirs) != pits:
        raise ValueError(f"other pits: {len(theirs)} of them, but the mover has {pits}")
    seeds = sum(mine) + store + sum(theirs) + their_store
    if seeds == 0 or seeds > MAX_SEEDS or seeds % (2 * pits):
        raise ValueError(
            f"seeds: {seeds} with the stores, but a game with {pits} pits a side has a multiple of"
            f" {2 * pits}, at most {MAX_SEEDS}"
        )
    if (sum(mine) == 0) != (sum(theirs) == 0):
        field = "mover's pits" if sum(mine) == 0 else "other pits"
        raise ValueError(
            f"{field}: all are empty, so the game is over; the seeds that remain in the other row"
            " belong in its store"
        )
    return Position(_pack(mine), _pack(theirs), store, their_store, side, pits)


def _read_row(field: str, text: str) -> tuple[list[int], int]:
    row, slash, store = text.partition("/")
    counts = [*row.split(","), store]
    for count in counts:
        if not (slash and count.isascii() and count.isdigit() and len(count) <= 3):
            raise ValueError(f"{field}: '{text}' is not seeds separated by commas, / and a store")
    if len(counts) - 1 > MAX_PITS:
        raise ValueError(f"{field}: {len(counts) - 1} of them; the maximum is {MAX_PITS}")
    return [int(count) for count in counts[:-1]], int(store)


def _pack(counts: list[int]) -> int:
    return sum(count << WIDTH * pit for pit, count in enumerate(counts))


def move_text(position: Position, move: int) -> str:
    return str(move + 1)


def readable_move(position: Position, move: int) -> str:
    """The name of the pit as the board shows it: a1 to a6 for South, b1 to b6 for North."""
    return f"{'ab'[position.side]}{move + 1}"


def parse_move(position: Position, text: str) -> int:
    """The pit that a text means, by its number or by its name.

    >>> from plyforge.games.kalah import initial
    >>> parse_move(initial(), "3"), parse_move(initial(), "a3")
    (2, 2)
    """
    name = text.strip().lower()
    number = name.removeprefix("ab"[position.side])
    if not (number.isascii() and number.isdigit() and 1 <= int(number[:4]) <= position.pits):
        row = "ab"[position.side]
        raise ValueError(f"'{text}' is not a pit from {row}1 to {row}{position.pits}")
    pit = int(number) - 1
    if not position.mine >> WIDTH * pit & MAX_SEEDS:
        raise ValueError(f"pit {name} is empty")
    return pit


def geometry(position: Position) -> Geometry:
    return mancala_board(position.pits)


def pieces(position: Position) -> dict[str, int]:
    """How many seeds lie in each pit (`a1`... South's, `b1`... North's) and store (`A`, `B`)."""
    rows = [(position.mine, position.store), (position.theirs, position.their_store)]
    if position.side == 1:
        rows.reverse()
    seeds = {}
    for letter, (row, store) in zip("ab", rows, strict=True):
        for pit, count in enumerate(_counts(row, position.pits), 1):
            seeds[f"{letter}{pit}"] = count
        seeds[letter.upper()] = store
    return seeds


def arrange(position: Position, pieces: dict[str, int], side: int) -> Position:
    """Pits and stores that `pieces` leaves out are empty."""
    rows = []
    for letter in "ab" if side == 0 else "ba":
        counts = [_seeds(pieces, f"{letter}{pit}") for pit in range(1, position.pits + 1)]
        rows.append(f"{','.join(counts)}/{_seeds(pieces, letter.upper())}")
    return from_text(f"{rows[0]} {rows[1]} {PLAYERS[side][0]}")


def _seeds(pieces: dict[str, int], cell: str) -> str:
    count = pieces.get(cell, 0)
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= MAX_SEEDS:
        raise ValueError(f"{cell}: {count!r} is not a number of seeds between 0 and {MAX_SEEDS}")
    return str(count)


def move_cells(position: Position, move: int) -> list[str]:
    """The pit that is emptied and the cells sown from it, in order, each once."""
    me, other = "ab" if position.side == 0 else "ba"
    numbers = range(1, position.pits + 1)
    circle = [*(f"{me}{n}" for n in numbers), me.upper(), *(f"{other}{n}" for n in numbers)]
    seeds = position.mine >> WIDTH * move & MAX_SEEDS
    return [circle[(move + step) % len(circle)] for step in range(min(seeds + 1, len(circle)))]
