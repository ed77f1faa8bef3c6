"""The text format of matrix games.

Each line is a row of payoffs, separated by spaces.  In a zero-sum game a payoff is one number, what
the row player wins: `3`, `-0.5` or `1/3`.  In other games it is a pair `row,column`, such as
`-3,0`.  A name may stand before each row, and the names of the columns in the first line.  `#`
starts a comment; the first comment is the title.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.equilibrium.matrix import MatrixGame

MAX_STRATEGIES: Final = 1000
"""The largest number of rows, and of columns, that are read."""
Fail = Callable[[int, str], PlyforgeError]
_Row = tuple[int, list[str]]
"""The number of a line, and its cells."""


def read_matrix(path: str | Path) -> MatrixGame:
    """Read a matrix game from a file."""
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except OSError as error:
        raise PlyforgeError(f"'{clip(str(path))}' cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise PlyforgeError(f"'{clip(str(path))}' is not a text file in UTF-8") from None
    except ValueError as error:  # a null byte in the name
        raise PlyforgeError(f"{clip(repr(str(path)))} is not a file name: {error}") from None
    return parse_matrix(text, str(path))


def parse_matrix(text: str, source: str = "") -> MatrixGame:
    """Read a matrix game from a text; `source` is named in errors.

    >>> game = parse_matrix("# Prisoner's dilemma\\n-1,-1 -3,0\\n0,-3 -2,-2")
    >>> game.title, game.column.tolist()
    ("Prisoner's dilemma", [[-1.0, 0.0], [-3.0, -2.0]])
    """
    where = f"{clip(source)}, " if source else ""

    def fail(line: int, reason: str) -> PlyforgeError:
        return PlyforgeError(f"{where}line {line}: {reason}")

    rows = [
        (number, cells)
        for number, line in enumerate(text.splitlines(), 1)
        if (cells := line.partition("#")[0].split())
    ]
    column_names, row_names, payoffs = _split_names(rows, fail)
    if not payoffs:
        raise PlyforgeError(
            f"{f'{clip(source)}: ' if source else ''}there are no payoffs; write one row a line,"
            " such as '3 -1'"
        )
    _check_shape(payoffs, column_names, fail)
    values = [[_read_cell(cell, line, fail) for cell in cells] for line, cells in payoffs]
    title = _title(text)
    if all(len(cell) == 1 for row in values for cell in row):
        return MatrixGame.zero_sum(
            [[cell[0] for cell in row] for row in values], row_names, column_names, title
        )
    for (line, cells), row in zip(payoffs, values, strict=True):
        for text_, cell in zip(cells, row, strict=True):
            if len(cell) == 1:
                raise fail(line, f"'{text_}' is one number, but other payoffs are pairs 'a,b'")
    return MatrixGame.bimatrix(
        [[cell[0] for cell in row] for row in values],
        [[cell[1] for cell in row] for row in values],
        row_names,
        column_names,
        title,
    )


def read_number(text: str) -> float:
    """Return a finite number; `1/3` is one, too.  Raise ValueError with the reason if it is not.

    >>> read_number("-3"), read_number("1/4")
    (-3.0, 0.25)
    """
    try:
        if "/" in text:
            return float(Fraction(text))
        value = float(text)
    except ZeroDivisionError:
        raise ValueError(f"'{clip(text)}' divides by zero") from None
    except (ValueError, OverflowError):
        raise ValueError(f"'{clip(text)}' is not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"'{clip(text)}' is not a finite number")
    return value


def _split_names(rows: list[_Row], fail: Fail) -> tuple[list[str], list[str], list[_Row]]:
    """Return the names of the columns and of the rows, and the rest."""
    column_names: list[str] = []
    if rows and not any(_looks_numeric(cell) for cell in rows[0][1]):
        column_names, rows = rows[0][1], rows[1:]
    named = [not _looks_numeric(cells[0]) for _, cells in rows]
    if not any(named):
        return column_names, [], rows
    if not all(named):
        line, cells = rows[named.index(False) if named[0] else named.index(True)]
        reason = "has no name" if named[0] else f"begins with '{clip(cells[0])}'"
        raise fail(line, f"the row {reason}; give all rows a name, or none")
    return column_names, [cells[0] for _, cells in rows], [(n, cells[1:]) for n, cells in rows]


def _check_shape(payoffs: list[_Row], column_names: list[str], fail: Fail) -> None:
    first_line, first = payoffs[0]
    for line, cells in payoffs:
        if not cells:
            raise fail(line, "the row has a name but no payoffs")
        if len(cells) != len(first):
            raise fail(
                line,
                f"the row has {len(cells)} payoffs, the one in line {first_line} has {len(first)};"
                " all rows need the same length",
            )
    if column_names and len(column_names) != len(first):
        raise fail(
            first_line,
            f"the row has {len(first)} payoffs, but there are {len(column_names)} names of columns",
        )
    if max(len(payoffs), len(first)) > MAX_STRATEGIES:
        raise fail(first_line, f"a player has more than {MAX_STRATEGIES} strategies")


def _looks_numeric(cell: str) -> bool:
    """Return whether a cell is a payoff, possibly a wrong one, rather than a name."""
    return cell[0] in "+-.,0123456789" or cell.lower() in ("nan", "inf", "infinity")


def _read_cell(cell: str, line: int, fail: Fail) -> tuple[float, ...]:
    parts = cell.split(",")
    if len(parts) > 2:
        raise fail(line, f"'{clip(cell)}' has {len(parts)} numbers; a payoff is one or a pair")
    try:
        return tuple(read_number(part) for part in parts)
    except ValueError as error:
        inside = "" if len(parts) == 1 else f" in '{clip(cell)}'"
        raise fail(line, f"{error}{inside}") from None


def _title(text: str) -> str:
    for line in text.splitlines():
        if "#" in line:
            return line.partition("#")[2].strip()[:200]
    return ""
