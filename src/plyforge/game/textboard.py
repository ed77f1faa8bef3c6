"""Text drawings of boards of every geometry."""

from collections.abc import Mapping
from typing import Any

from plyforge.core.geometry import Geometry


def draw(geometry: Geometry, pieces: Mapping[str, Any]) -> str:
    """Draw the board as lines of text: pieces by their letters, `.` for an empty cell."""
    unknown = set(pieces) - set(geometry.cells)
    if unknown:
        raise ValueError(f"pieces on cells that are not on the board: {', '.join(sorted(unknown))}")
    if geometry.kind == "pits":
        return _pits(geometry, pieces)
    if geometry.spans:
        return _lines(geometry, pieces)
    return _grid(geometry, pieces)


def _grid(geometry: Geometry, pieces: Mapping[str, Any]) -> str:
    """Draw squares or hexagons: a line per row, two characters per cell, or more for labels.

    The slanted columns of a hexagonal board leave no place for labels above or below, so each row
    begins and ends with the names of its first and last cell.
    """
    left = min(x for x, _ in geometry.cells.values())
    width = 1 + max([1, *map(len, geometry.column_labels.values())])
    rows: dict[float, dict[int, str]] = {}
    names: dict[float, dict[int, str]] = {}
    for name, (x, y) in geometry.cells.items():
        place = round((x - left) * width)
        rows.setdefault(y, {})[place] = str(pieces.get(name, "."))
        names.setdefault(y, {})[place] = name
    slanted = geometry.kind == "hexagons"
    labels = {y: names[y][min(names[y])] for y in rows} if slanted else geometry.row_labels
    margin = max((len(label) for label in labels.values()), default=0)
    lines = []
    for y in sorted(rows):
        line = _line(labels.get(y, ""), margin, rows[y])
        lines.append(f"{line} {names[y][max(names[y])]}" if slanted else line)
    if any(geometry.column_labels.values()):
        columns = {round((x - left) * width): text for x, text in geometry.column_labels.items()}
        lines.append(_line("", margin, columns))
    return "\n".join(lines)


def _line(label: str, margin: int, symbols: Mapping[int, str]) -> str:
    line = label.rjust(margin) + (" " if margin else "")
    start = len(line)
    for place in sorted(symbols):
        line = line.ljust(start + place) + symbols[place]
    return line.rstrip()


def _lines(geometry: Geometry, pieces: Mapping[str, Any]) -> str:
    """Draw dots and the lines between them that have a piece; other cells by their pieces."""
    left = min(x for x, _ in [*geometry.dots, *geometry.cells.values()])
    symbols: dict[float, dict[int, str]] = {}
    for x, y in geometry.dots:
        symbols.setdefault(y, {})[round((x - left) * 4)] = "+"
    for name, (x, y) in geometry.cells.items():
        piece = pieces.get(name, ".")
        empty = piece in (".", "", " ", None)
        place = round((x - left) * 4)
        row = symbols.setdefault(y, {})
        if name not in geometry.spans:
            row[place] = " " if empty else str(piece)
        elif not empty:
            row.update(_line_symbols(geometry.spans[name], place))
    margin = max((len(label) for label in geometry.row_labels.values()), default=0)
    lines = [_line(geometry.row_labels.get(y, ""), margin, symbols[y]) for y in sorted(symbols)]
    if any(geometry.column_labels.values()):
        columns = {round((x - left) * 4): text for x, text in geometry.column_labels.items()}
        lines.append(_line("", margin, columns))
    return "\n".join(lines)


def _line_symbols(ends: Any, place: int) -> dict[int, str]:
    """Return the characters of a line, by their places in its row."""
    (x1, y1), (x2, y2) = ends
    if y1 == y2:
        return dict.fromkeys((place - 1, place, place + 1), "-")
    return {place: "|" if x1 == x2 else "/" if (x2 - x1) * (y2 - y1) < 0 else "\\"}


def _pits(geometry: Geometry, pieces: Mapping[str, Any]) -> str:
    """Draw two rows of pits with the stores between them and the pits' names around them."""
    rows: list[list[tuple[float, str, str]]] = [[], [], []]
    for name, (x, y) in geometry.cells.items():
        rows[round(y * 2)].append((x, name, str(pieces.get(name, 0))))
    width = 1 + max(len(text) for row in rows for _, *texts in row for text in texts)
    upper, stores, lower = (
        [_pit_line(width, [(x, texts[part]) for x, *texts in row]) for part in (0, 1)]
        for row in rows
    )
    return "\n".join([*upper, stores[1], lower[1], lower[0]])


def _pit_line(width: int, cells: list[tuple[float, str]]) -> str:
    line = ""
    for x, text in sorted(cells):
        line = line.ljust(round(x) * width) + text.rjust(width)
    return line.rstrip()
