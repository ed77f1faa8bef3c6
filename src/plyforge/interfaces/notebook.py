"""Displays positions, games, analyses, search trees and matches in notebooks.

The objects define `_repr_svg_` or `_repr_html_`, which call `render` through `game/display.py`.
"""

import base64
from functools import singledispatch
from typing import Final

from plyforge.engine import Info, SearchResult, score_text
from plyforge.game.display import Picture
from plyforge.game.game import History
from plyforge.interfaces.drawing.board import board
from plyforge.interfaces.drawing.svg import escape
from plyforge.interfaces.drawing.tree import tree
from plyforge.match.report import cross_table, standings_table
from plyforge.match.results import Standings
from plyforge.match.tables import Table
from plyforge.search.textbook.trace import Trace

_MAX_MOVES: Final = 16
"""Maximum number of moves shown per line."""


@singledispatch
def render(thing: object) -> str:
    """Return an object as SVG or HTML text."""
    raise TypeError(f"cannot display an object of type {type(thing).__name__}")


@render.register
def _picture(picture: Picture) -> str:
    return board(
        picture.game, picture.position, last=picture.last, arrows=picture.arrows, standalone=True
    )


@render.register
def _history(history: History) -> str:
    return _picture(history.game.picture(history))


@render.register
def _analysis(info: Info) -> str:
    """Show the board with an arrow for the first move of each line, and a table of the lines."""
    if info.root is None:
        return Table(("depth", "score"), ((str(info.depth), score_text(info.score)),)).html()
    root, game = info.root, info.root.game
    rows, arrows = [], []
    for rank, line in enumerate(info.lines):
        cells = game.move_cells(root.position, line.pv[0])
        if cells:
            arrows.append((cells[0], cells[-1], rank))
        proved = "proved" if line.proved else ""
        score = score_text(line.score) + (" or better" if line.bound == "lower" else "")
        rows.append((score, proved, str(line.depth), _moves(root, line.pv)))
    picture = game.picture(root, arrows=arrows)
    title = f"{game.players[root.turn]} to move: {_summary(info)}"
    table = Table(("score", "", "depth", "line"), tuple(rows), title)
    return f"<div>{_image(picture.svg, title)}{table.html()}</div>"


def _moves(root: History, line: tuple[int, ...]) -> str:
    texts, position = [], root.position
    for move in line[:_MAX_MOVES]:
        texts.append(root.game.readable_move(position, move))
        position = root.game.play(position, move)
    return " ".join(texts) + (" ..." if len(line) > _MAX_MOVES else "")


def _summary(info: Info) -> str:
    bound = "" if info.bound == "exact" else f" ({info.bound} bound)"
    if info.lines[0].depth > info.depth:
        bound = f" (first line: {info.bound} bound at depth {info.lines[0].depth})"
    driver = f", {info.driver}" if isinstance(info, SearchResult) else ""
    return f"depth {info.depth}{bound}, {info.nodes:,} nodes in {info.seconds:.2f} s{driver}"


def _image(svg: str, description: str) -> str:
    """Embed a picture in HTML as a data URL, so that its stylesheet stays inside."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{escape(description)}" src="data:image/svg+xml;base64,{data}"/>'


@render.register
def _trace(trace: Trace) -> str:
    return tree(trace, standalone=True)


@render.register
def _standings(standings: Standings) -> str:
    tables = [standings_table(standings)]
    if len(standings.rows) > 2:
        tables.append(cross_table(standings))
    return f"<div>{''.join(table.html() for table in tables)}</div>"
