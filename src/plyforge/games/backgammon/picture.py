"""The board as a grid: five squares for each point, the bar between, what is off at the right.

The row in the middle has the dice, and the cube on the bar.
"""

from plyforge.games.backgammon.layout import (
    ANSWER,
    BAR,
    CENTRE,
    CHECKERS,
    DROPPED,
    OFFER,
    OPENING,
    PLAY,
    PLAYERS,
    ROLL,
    Position,
)
from plyforge.games.backgammon.notation import counts_of, steps_of
from plyforge.rules import Geometry

_SHOWN = 5
"""Checkers that are drawn on a point; the last one shows how many more there are."""
_ROWS = 2 * _SHOWN + 1
_BAR_COLUMN, _OFF_COLUMN = 6, 13
_GAP = 0.25
"""The space beside the bar and the tray, in widths of a point."""
_DICE_COLUMNS = (9, 10)
_CUBE_VALUES = (1, 2, 4, 8, 16, 32, 64)
_LETTERS = ("W", "B")
PIECES = {
    "W": (0, "disc"),
    "B": (1, "disc"),
    **{f"W{count}": (0, "letter") for count in range(_SHOWN + 1, CHECKERS + 1)},
    **{f"B{count}": (1, "letter") for count in range(_SHOWN + 1, CHECKERS + 1)},
    **{str(die): (None, "letter") for die in range(1, 7)},
    **{f"×{value}": (None, "letter") for value in _CUBE_VALUES},
    **{f"W×{value}": (0, "letter") for value in _CUBE_VALUES},
    **{f"B×{value}": (1, "letter") for value in _CUBE_VALUES},
}
"""A cube that a side owns has the side's letter before its value."""
_STAGE_TEXTS = {
    OPENING: "to move, dice to be rolled",
    ROLL: "to move, dice to be rolled",
    OFFER: "to roll or double",
    ANSWER: "to take the double or drop",
    DROPPED: "has dropped",
}


def _point_at(column: int, top: bool) -> str:
    """Return the name of a column's point, numbered from White's side; also `bar` and `off`."""
    if column in (_BAR_COLUMN, _OFF_COLUMN):
        return f"{'bar' if column == _BAR_COLUMN else 'off'}-{PLAYERS[1 if top else 0].lower()}"
    place = column if column < _BAR_COLUMN else column - 1
    return str(13 + place if top else 12 - place)


def _cell_at(column: int, row: int) -> str | None:
    if row == _SHOWN:
        return None
    top = row < _SHOWN
    height = row if top else _ROWS - 1 - row
    name = _point_at(column, top)
    return name if height == 0 else f"{name}.{height + 1}"


def _x(column: int) -> float:
    """Return the place of a column: the bar and the tray stand apart from the points."""
    gaps = (column >= _BAR_COLUMN) + (column > _BAR_COLUMN) + (column == _OFF_COLUMN)
    return column + _GAP * gaps


def geometry(position: Position) -> Geometry:
    columns = range(_OFF_COLUMN + 1)
    cells, shaded = {}, set()
    for column in columns:
        for row in range(_ROWS):
            name = _cell_at(column, row)
            if name is not None:
                cells[name] = (_x(column), float(row))
                # Points alternate, also across the bar, and those that face each other differ.
                place = column - (column > _BAR_COLUMN) + (row < _SHOWN)
                if column in (_BAR_COLUMN, _OFF_COLUMN) or place % 2 == 0:
                    shaded.add(name)
    for number, column in enumerate(_DICE_COLUMNS, 1):
        cells[f"die-{number}"] = (_x(column), float(_SHOWN))
    if position.max_cube > 1:
        cells["cube"] = (_x(_BAR_COLUMN), float(_SHOWN))
    points = [column for column in columns if column not in (_BAR_COLUMN, _OFF_COLUMN)]
    return Geometry(
        "squares",
        cells,
        frozenset(shaded),
        column_labels={_x(column): _point_at(column, False) for column in points},
        top_labels={_x(column): _point_at(column, True) for column in points},
    )


def cell_of(point: int, side: int) -> str:
    """Return the cell at the foot of a side's own point, of its bar (25) or of its tray (0)."""
    if point == BAR:
        return f"bar-{PLAYERS[side].lower()}"
    if point <= 0:
        return f"off-{PLAYERS[side].lower()}"
    return str(point if side == 0 else 25 - point)


def pieces(position: Position) -> dict[str, str]:
    stood: dict[str, str] = {}
    for side, letter in enumerate(_LETTERS):
        counts = counts_of(position, side)
        counts[0] = CHECKERS - sum(counts.values())
        for point, count in counts.items():
            foot = cell_of(point, side)
            for height in range(1, min(count, _SHOWN) + 1):
                more = height == _SHOWN and count > _SHOWN
                name = foot if height == 1 else f"{foot}.{height}"
                stood[name] = f"{letter}{count}" if more else letter
    if position.stage == PLAY:
        stood["die-1"], stood["die-2"] = str(position.roll >> 3), str(position.roll & 7)
    if position.max_cube > 1:
        owner = "" if position.owner == CENTRE else _LETTERS[position.owner]
        stood["cube"] = f"{owner}×{position.cube}"
    return stood


def move_cells(position: Position, move: int) -> list[str]:
    if position.stage != PLAY:
        return []
    cells = []
    for point, die in steps_of(move):
        cells += [cell_of(point, position.side), cell_of(point - die, position.side)]
    return cells


def board(position: Position) -> str:
    """Draw both halves of the board with the numbers of checkers, from White's side."""
    names = pieces_by_point(position)

    def row(top: bool) -> str:
        cells = []
        for column in range(_OFF_COLUMN + 1):
            shown = names.get(_point_at(column, top), " .")
            cells.append(f"|{shown:>3}|" if column == _BAR_COLUMN else f"{shown:>3}")
        return " ".join(cells)

    labels = [
        " ".join(
            "     " if column == _BAR_COLUMN else f"{_point_at(column, top):>3}"
            for column in range(_OFF_COLUMN)
        )
        for top in (True, False)
    ]
    status = f"{PLAYERS[position.side]} {_stage_text(position)}{_cube_text(position)}"
    return "\n".join([labels[0], row(True), row(False), labels[1], status])


def _stage_text(position: Position) -> str:
    if position.stage == PLAY:
        return f"to move, dice {position.roll >> 3} and {position.roll & 7}"
    return _STAGE_TEXTS[position.stage]


def _cube_text(position: Position) -> str:
    if position.max_cube == 1:
        return ""
    if position.owner == CENTRE:
        return f", cube {position.cube} in the centre"
    return f", cube {position.cube} owned by {PLAYERS[position.owner]}"


def pieces_by_point(position: Position) -> dict[str, str]:
    """Return the checkers of each point as `W5`, by the name of its foot."""
    shown: dict[str, str] = {}
    for side, letter in enumerate(_LETTERS):
        counts = counts_of(position, side)
        counts[0] = CHECKERS - sum(counts.values())
        shown |= {cell_of(p, side): f"{letter}{n}" for p, n in counts.items() if n}
    return shown
