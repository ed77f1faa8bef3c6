"""The counts of connect four's evaluation, slow and obvious, cell by cell.

All counts are from the perspective of the side to move, on the board of the twin in
`tests.reference.connect4`.
"""

from tests.reference.connect4 import Game

Cell = tuple[int, int]

STEPS = [(1, 0), (0, 1), (1, 1), (1, -1)]


def cells(game: Game) -> list[Cell]:
    return [(column, row) for column in range(game.width) for row in range(game.height)]


def lines(game: Game) -> list[list[Cell]]:
    """Every four cells in a row."""
    board = set(cells(game))
    found = [
        [(column + k * right, row + k * up) for k in range(4)]
        for column, row in board
        for right, up in STEPS
    ]
    return [line for line in found if set(line) <= board]


def stones(game: Game, line: list[Cell]) -> list[str]:
    return [game.at(*cell) for cell in line]


def open_lines(game: Game, player: str) -> list[list[Cell]]:
    return [line for line in lines(game) if set(stones(game, line)) <= {player, "."}]


def threats(game: Game, player: str) -> set[Cell]:
    """Empty cells that would complete four."""
    return {
        cell
        for line in open_lines(game, player)
        for cell in line
        if stones(game, line).count(player) == 3 and game.at(*cell) == "."
    }


def owner(game: Game, cell: Cell) -> str:
    """Whose turn it is when all other columns and the cells below this one are full."""
    stones_before = (game.width - 1) * game.height + cell[1]
    return "XO"[stones_before % 2]


def own_threats(game: Game) -> dict[str, list[Cell]]:
    """Each player's threats on its own rows, without those above another such threat."""
    found = {p: {c for c in threats(game, p) if owner(game, c) == p} for p in "XO"}
    both = found["X"] | found["O"]
    return {
        p: [
            (column, row)
            for column, row in found[p]
            if not any((column, r) in both for r in range(row))
        ]
        for p in "XO"
    }


def other_threats(game: Game, player: str) -> list[Cell]:
    return [cell for cell in threats(game, player) if owner(game, cell) != player]


def zugzwang(game: Game) -> str | None:
    own = own_threats(game)
    if len(own["X"]) > len(other_threats(game, "O")):
        return "X"
    return "O" if not own["X"] and own["O"] else None


def wins(game: Game, player: str) -> set[Cell]:
    """Threats that can be carried out with the next move."""
    return {cell for cell in threats(game, player) if len(game.columns[cell[0]]) == cell[1]}


def at_once(game: Game) -> int:
    me, other = game.mover, game.opponent()
    if wins(game, me):
        return 1
    dangers = wins(game, other)
    above = {(column, row + 1) for column, row in dangers}
    return -1 if len(dangers) > 1 or above & threats(game, other) else 0


def features(game: Game) -> list[int]:
    me, other = game.mover, game.opponent()
    own = own_threats(game)
    pairs = {
        player: sum(stones(game, line).count(player) >= 2 for line in open_lines(game, player))
        for player in "XO"
    }
    return [
        at_once(game),
        {me: 1, other: -1, None: 0}[zugzwang(game)],
        len(own[me]) - len(own[other]),
        len(other_threats(game, me)) - len(other_threats(game, other)),
        pairs[me] - pairs[other],
        len(open_lines(game, me)) - len(open_lines(game, other)),
    ]
