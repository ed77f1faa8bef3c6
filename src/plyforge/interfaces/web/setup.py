"""Messages of the page for analysis by which pieces are set up, one by one.

The page keeps what stands where, the server draws it; whether it is a position the game says, when
the page asks for it.
"""

from collections.abc import Iterable
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.geometry import Geometry
from plyforge.game.arranging import arrange_hook, check_pieces, known_pieces
from plyforge.game.game import Game
from plyforge.interfaces.drawing.board import board
from plyforge.interfaces.drawing.pieces import looks, occupied, symbol
from plyforge.interfaces.web.analyse import MAX_NAME, MAX_POSITION, WHERE, history_in
from plyforge.interfaces.web.analyse import standing as position_fields
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.schema import (
    Check,
    Message,
    Optional,
    fields,
    many,
    optional,
    text,
    whole,
)
from plyforge.interfaces.web.state import ServerState

MAX_CELLS: Final = 2000
MAX_DIGITS: Final = 6
"""Of a number that lies in a cell."""


def setup(client: Client, given: dict[str, Any]) -> None:
    """Begin to set up: what stands there now, and what may be put there."""
    history = history_in(client.server, given)
    game, position = history.game, history.position
    arrange_hook(game)
    geometry = _geometry(game, position)
    start, found = history.positions[0], occupied(game.pieces(position))
    client.send(
        {
            "type": "setup",
            "kind": geometry.kind,
            "palette": _palette(game, start),
            "counted": _is_counted(game, start),
            "pieces": _listed(found),
            "start": _listed(occupied(game.pieces(game.initial()))),
            "players": None if game.turn(position) is None else list(game.players),
            "side": history.turn,
            "board": _sketch(game, start, found),
        }
    )


def sketch(client: Client, given: dict[str, Any]) -> None:
    """The board with pieces that need not make a position."""
    game, like = _like(client.server, given)
    pieces = _read(game, like, given["pieces"])
    client.send({"type": "sketch", "board": _sketch(game, like, pieces)})


def arrange(client: Client, given: dict[str, Any]) -> None:
    """The position that pieces make, as a page shows it."""
    game, like = _like(client.server, given)
    position = game.arrange(like, _read(game, like, given["pieces"]), given["side"])
    client.send({"type": "position", "arranged": True, **position_fields(game.history(position))})


def _like(server: ServerState, given: dict[str, Any]) -> tuple[Game, Any]:
    """The game, and a position that tells the board's size."""
    game = server.game(given["game"])
    return game, game.parse(given["position"]) if given["position"] else game.initial()


def _geometry(game: Game, position: Any) -> Geometry:
    geometry = game.geometry(position)
    if geometry is None:
        raise PlyforgeError(
            f"{game.rules.file}: {game.title} has no 'geometry', so there is no board to put"
            " pieces on; define it"
        )
    return geometry


def _palette(game: Game, position: Any) -> list[dict[str, Any]]:
    """The pieces to choose from; numbers are typed."""
    known = known_pieces(game, position)
    letters = list(occupied({p: p for p in known if isinstance(p, str)}))
    look = looks(game, letters)
    return [
        {
            "piece": letter,
            "side": look[letter].side,
            "name": look[letter].describe(game.players),
            "picture": symbol(look[letter], game.players),
        }
        for letter in letters
    ]


def _is_counted(game: Game, position: Any) -> bool:
    """Whether cells hold numbers."""
    if _geometry(game, position).kind == "pits":
        return True
    return any(isinstance(piece, int) for piece in known_pieces(game, position))


def _listed(pieces: dict[str, str]) -> list[dict[str, str]]:
    return [{"cell": cell, "piece": piece} for cell, piece in pieces.items()]


def _read(game: Game, like: Any, given: Iterable[dict[str, str]]) -> dict[str, Any]:
    """Pieces as the game has them: a page writes numbers as texts, too."""
    known = {str(piece): piece for piece in known_pieces(game, like)}
    counted = _is_counted(game, like)
    found: dict[str, Any] = {}
    for one in given:
        told = one["piece"]
        number = counted and told.isascii() and told.isdecimal() and len(told) <= MAX_DIGITS
        found[one["cell"]] = known.get(told, int(told) if number else told)
    check_pieces(game, like, found)
    return found


def _sketch(game: Game, like: Any, pieces: dict[str, Any]) -> str:
    geometry = _geometry(game, like)
    empty = dict.fromkeys(geometry.cells, 0) if geometry.kind == "pits" else {}
    return board(game, like, pieces={**empty, **pieces}, label=f"{game.title}, being set up")


_LIKE: Final[dict[str, Check | Optional]] = {
    "game": text(MAX_NAME),
    "position": optional(text(MAX_POSITION)),
    "pieces": many(fields(cell=text(MAX_NAME), piece=text(MAX_NAME)), MAX_CELLS),
}

MESSAGES: Final = {
    "setup": Message(WHERE, setup, slow=True),
    "sketch": Message(_LIKE, sketch),
    "arrange": Message({**_LIKE, "side": whole(0, 1)}, arrange),
}
