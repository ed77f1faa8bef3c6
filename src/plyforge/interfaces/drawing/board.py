"""Draws the board of any game that has a geometry, or its text board."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from plyforge.core.errors import GameFileError
from plyforge.core.geometry import Geometry
from plyforge.game.base import BaseGame
from plyforge.interfaces.drawing.arrows import arrow
from plyforge.interfaces.drawing.edges import edges
from plyforge.interfaces.drawing.layout import CELL, Layout
from plyforge.interfaces.drawing.pieces import (
    Look,
    colour_of,
    colours,
    draw_piece,
    looks,
    occupied_cells,
)
from plyforge.interfaces.drawing.seeds import seeds
from plyforge.interfaces.drawing.svg import element, escape, number, picture, title

Players = tuple[str, str]
Arrow = tuple[str, str, int]
"""Start cell, end cell and rank; rank 0 is the best move, equal cells make a ring."""
_MAX_PIXELS: Final = 520.0
"""Maximum side of a standalone picture."""
_PIXELS_PER_CELL: Final = 60.0
_PIECE_BESIDE_NAME: Final = 0.88
"""Size of a piece in a cell with its name in a corner, so that both can be read."""
_LINE_HEIGHT: Final = 30.0
_LETTER_WIDTH: Final = 17.0
_MARGIN: Final = 14.0


def board(
    game: BaseGame,
    position: Any,
    *,
    geometry: Geometry | None = None,
    pieces: Mapping[str, Any] | None = None,
    last: Iterable[str] = (),
    arrows: Iterable[Arrow] = (),
    label: str = "",
    rotated: bool = False,
    standalone: bool = False,
) -> str:
    """Draw a position as SVG text.

    `geometry` is that of the position, if the caller knows it already.
    `pieces` replaces those of the position, for a board that is being set up. `last` contains the
    cells of the last move. Cells in `last` and `arrows` that are not on the board are ignored: a
    move may end off the board. `label` is read by screen readers. `rotated` shows the board from
    the other side. A `standalone` picture includes its stylesheet.
    """
    geometry = geometry or game.geometry(position)
    label = label or _label(game, position)
    if geometry is None:
        return _text_board(game, position, label, standalone)
    layout = Layout.of(geometry, rotated)
    with game.rules.blame("pieces"):
        on_board = occupied_cells(game.pieces(position) if pieces is None else pieces)
        _check_cells(game, on_board, layout)
        piece_looks = looks(game, on_board.values())
    cell_looks = {cell: piece_looks[piece] for cell, piece in on_board.items()}
    plain = " plain" if geometry.kind == "squares" and not geometry.shaded else ""
    left, top, width, height = layout.box
    scale = min(_PIXELS_PER_CELL / CELL, _MAX_PIXELS / max(width, height))
    players = game.players
    return picture(
        "".join(
            [
                layout.once(("below cells", players), lambda: _below_cells(layout, players)),
                element("g", *_cells(players, layout, cell_looks, set(last)), class_="cells"),
                layout.once("above cells", lambda: _above_cells(layout)),
                element("g", *_pieces(players, layout, cell_looks), class_="pieces"),
                element("g", *_arrows(layout, arrows), class_="arrows"),
            ]
        ),
        (left, top, width, height),
        class_=f"board {geometry.kind}{plain}",
        label=label,
        standalone=standalone,
        scale=scale,
    )


def _below_cells(layout: Layout, players: Players) -> str:
    """Draw what lies below the cells and is the same in all positions."""
    return (
        "".join(_ground(layout))
        + element("g", *edges(layout, colours(players)), class_="edges")
        + element("g", *_links(layout), class_="links")
    )


def _above_cells(layout: Layout) -> str:
    """Draw what lies between cells and pieces."""
    labels = element("g", *layout.labels(), class_="labels", aria_hidden="true")
    return element("g", *layout.dots(), class_="dots") + labels


def _label(game: BaseGame, position: Any) -> str:
    turn = game.turn(position)
    return game.title if turn is None else f"{game.title}, {game.players[turn]} to move"


def _check_cells(game: BaseGame, pieces: dict[str, str], layout: Layout) -> None:
    unknown = sorted(str(cell) for cell in set(pieces) - set(layout.places))
    if unknown:
        raise GameFileError(
            f"{game.rules.file}: 'pieces': pieces on cells that are not on the board:"
            f" {', '.join(unknown)}"
        )


def _ground(layout: Layout) -> Iterator[str]:
    """Draw the background of a rectangular board."""
    if layout.geometry.kind not in ("squares", "pits", "points"):
        return
    left, top, right, bottom = layout.bounds
    rim = 0.0
    if layout.geometry.kind == "pits":
        rim = CELL / 5
    yield element(
        "rect",
        x=left - rim,
        y=top - rim,
        width=right - left + 2 * rim,
        height=bottom - top + 2 * rim,
        rx=rim * 2 or None,
        class_="wood",
    )


def _links(layout: Layout) -> Iterator[str]:
    for start, end in layout.geometry.links:
        (x1, y1), (x2, y2) = layout.places[start], layout.places[end]
        yield element("line", x1=x1, y1=y1, x2=x2, y2=y2, data_from=start, data_to=end)


def _cells(
    players: Players, layout: Layout, looks: dict[str, Look], last: set[str]
) -> Iterator[str]:
    for cell in layout.geometry.cells:
        look, is_last = looks.get(cell), cell in last
        yield layout.once(
            ("cell", cell, look, is_last, players),
            partial(_cell, players, layout, cell, look, is_last),
        )


def _cell(players: Players, layout: Layout, cell: str, look: Look | None, is_last: bool) -> str:
    geometry = layout.geometry
    classes = ["cell"]
    if cell in geometry.shaded:
        classes.append("shaded")
    if is_last:
        classes.append("last")
    if cell == geometry.present:
        classes.append("present")
    if geometry.kind == "tree" and cell not in geometry.owners:
        classes.append("leaf")
    return element(
        "g",
        title(f"{cell}: {_describe(players, layout, cell, look)}"),
        layout.shape(cell),
        class_=" ".join(classes),
        data_cell=cell,
        data_owner=geometry.owners.get(cell),
    )


def _describe(players: Players, layout: Layout, cell: str, look: Look | None) -> str:
    """Describe the content of a cell in words."""
    geometry = layout.geometry
    if look is not None:
        if cell in geometry.spans:
            return "line" if look.side is None else f"line of {players[look.side]}"
        if geometry.kind == "pits":
            return f"{look.letter} {'seed' if look.letter == '1' else 'seeds'}"
        return look.describe(players)
    if geometry.kind == "tree" and cell in geometry.owners:
        return f"{players[geometry.owners[cell]]} to move"
    return "empty"


def _pieces(players: Players, layout: Layout, looks: dict[str, Look]) -> Iterator[str]:
    for cell, look in looks.items():
        key = ("piece", cell, look, players)
        yield layout.once(key, partial(_placed_piece, players, layout, cell, look))


def _placed_piece(players: Players, layout: Layout, cell: str, look: Look) -> str:
    x, y = layout.places[cell]
    return element(
        "g",
        _piece(layout, cell, look),
        class_=f"piece {colour_of(look, players)}",
        data_cell=cell,
        data_piece=look.letter,
        data_side=look.side,
        transform=f"translate({number(x)} {number(y)})",
    )


def _piece(layout: Layout, cell: str, look: Look) -> str:
    """Draw a piece around the middle of its cell."""
    if cell in layout.geometry.spans:
        (x1, y1), (x2, y2) = layout.ends(cell)
        across, down = (x2 - x1) / 2, (y2 - y1) / 2
        return element("line", x1=-across, y1=-down, x2=across, y2=down, class_="bar")
    if layout.geometry.kind == "pits":
        return seeds(look.letter, layout.is_store(cell))
    if layout.geometry.kind == "squares" and layout.names_in_cells:
        return element("g", draw_piece(look), transform=f"scale({_PIECE_BESIDE_NAME})")
    return draw_piece(look)


def _arrows(layout: Layout, arrows: Iterable[Arrow]) -> Iterator[str]:
    on_board = [a for a in arrows if a[0] in layout.places and a[1] in layout.places]
    for start, end, rank in sorted(on_board, key=lambda arrow: -arrow[2]):  # the best move on top
        yield arrow(layout.places[start], layout.places[end], rank)


def _text_board(game: BaseGame, position: Any, label: str, standalone: bool) -> str:
    """Draw the text board of a game without geometry."""
    lines: Sequence[str] = game.board(position).expandtabs().split("\n")
    rows = [
        element("text", escape(line), x=0, y=_LINE_HEIGHT * (n + 0.5), **{"xml:space": "preserve"})
        for n, line in enumerate(lines)
    ]
    width = _LETTER_WIDTH * max(len(line) for line in lines) + 2 * _MARGIN
    height = _LINE_HEIGHT * len(lines) + 2 * _MARGIN
    return picture(
        element("g", *rows, class_="lines"),
        (-_MARGIN, -_MARGIN, width, height),
        class_="board text",
        label=label,
        standalone=standalone,
        scale=_PIXELS_PER_CELL / CELL,
    )
