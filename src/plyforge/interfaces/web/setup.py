"""Messages for setting up pieces on the analysis page.

The page keeps track of the pieces, and the server draws them.  The game decides whether they are a
position when the user is done.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, PositionError
from plyforge.core.geometry import Geometry
from plyforge.game.arranging import arrange_hook, check_pieces, known_pieces
from plyforge.game.game import Game
from plyforge.interfaces.drawing.board import board
from plyforge.interfaces.drawing.pieces import looks, occupied_cells, symbol
from plyforge.interfaces.web import incoming
from plyforge.interfaces.web.analyse import position_view, read_history
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.handlers import Handler, Handlers
from plyforge.interfaces.web.outgoing import ExtraView, PieceView, SetupView, SketchView
from plyforge.interfaces.web.state import ServerState

MAX_DIGITS: Final = 6
"""Maximum digits of a number on a cell."""


def set_up(server: ServerState, client: Client, message: incoming.SetUp) -> None:
    """Send the pieces on the board, and those to choose from."""
    history = read_history(server, message)
    game, position = history.game, history.position
    arrange_hook(game)
    start, pieces = history.positions[0], occupied_cells(game.pieces(position))
    client.send(
        SetupView(
            kind=_geometry(game, position).kind,
            palette=_palette(game, start),
            counted=_has_numbers(game, start),
            pieces=_to_list(pieces),
            start=_to_list(occupied_cells(game.pieces(game.initial()))),
            players=None if game.turn(position) is None else list(game.players),
            side=history.turn,
            board=_draw(game, start, pieces, message.turned),
            extras=_extras(game, position),
        )
    )


def sketch(server: ServerState, client: Client, message: incoming.Sketch) -> None:
    """Draw pieces that need not be a position."""
    game, position = _board_position(server, message)
    pieces = _read_pieces(game, position, message.pieces)
    extras = None
    if message.side is not None and "extras" in game.rules.hooks:
        with suppress(PositionError):  # more pieces may follow
            extras = _extras(game, game.arrange(position, pieces, message.side))
    client.send(SketchView(board=_draw(game, position, pieces, message.turned), extras=extras))


def arrange(server: ServerState, client: Client, message: incoming.Arrange) -> None:
    """Send the position that the pieces make."""
    game, like = _board_position(server, message)
    position = game.arrange(like, _read_pieces(game, like, message.pieces), message.side)
    position = game.with_extras(position, {one.name: one.value for one in message.extras})
    client.send(position_view(game.history(position), turned=message.turned, arranged=True))


def _board_position(server: ServerState, message: incoming.BoardFields) -> tuple[Game, Any]:
    """Return the game, and a position that has the board's size."""
    game = server.catalog.game(message.game)
    return game, game.parse(message.position) if message.position else game.initial()


def _geometry(game: Game, position: Any) -> Geometry:
    geometry = game.geometry(position)
    if geometry is None:
        raise PlyforgeError(
            f"{game.rules.file}: {game.title} has no 'geometry', so there is no board to put"
            " pieces on; define it"
        )
    return geometry


def _palette(game: Game, position: Any) -> list[PieceView]:
    """Return the pieces to choose from; numbers are typed instead."""
    known = known_pieces(game, position)
    letters = list(occupied_cells({p: p for p in known if isinstance(p, str)}))
    look = looks(game, letters)
    return [
        PieceView(
            piece=letter,
            side=look[letter].side,
            name=look[letter].describe(game.players),
            picture=symbol(look[letter], game.players),
        )
        for letter in letters
    ]


def _extras(game: Game, position: Any) -> list[ExtraView]:
    return [
        ExtraView(name=name, value=value, choices=list(choices))
        for name, (value, choices) in game.extras(position).items()
    ]


def _has_numbers(game: Game, position: Any) -> bool:
    """Return whether cells hold numbers."""
    if _geometry(game, position).kind == "pits":
        return True
    return any(isinstance(piece, int) for piece in known_pieces(game, position))


def _to_list(pieces: dict[str, str]) -> list[dict[str, str]]:
    return [{"cell": cell, "piece": piece} for cell, piece in pieces.items()]


def _read_pieces(
    game: Game, position: Any, placed: Iterable[incoming.PlacedPiece]
) -> dict[str, Any]:
    """Return pieces as the game has them: pages send numbers as strings."""
    known = {str(piece): piece for piece in known_pieces(game, position)}
    has_numbers = _has_numbers(game, position)
    pieces: dict[str, Any] = {}
    for one in placed:
        text = one.piece
        is_number = has_numbers and text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS
        pieces[one.cell] = known.get(text, int(text) if is_number else text)
    check_pieces(game, position, pieces)
    return pieces


def _draw(game: Game, position: Any, pieces: dict[str, Any], turned: bool) -> str:
    geometry = _geometry(game, position)
    empty = dict.fromkeys(geometry.cells, 0) if geometry.kind == "pits" else {}
    label = f"{game.title}, being set up"
    return board(game, position, pieces={**empty, **pieces}, label=label, rotated=turned)


HANDLERS: Final[Handlers] = {
    incoming.SetUp: Handler(set_up, slow=True),
    incoming.Sketch: Handler(sketch),
    incoming.Arrange: Handler(arrange),
}
