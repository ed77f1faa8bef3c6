"""A stored game, to be gone through move by move."""

from typing import Any, Final

from starlette.requests import Request
from starlette.routing import Route

from plyforge.core.errors import PlyforgeError
from plyforge.game.game import History
from plyforge.interfaces.drawing.pieces import colours
from plyforge.interfaces.web.archive import (
    LruCache,
    answered,
    game_called,
    number_of,
    server_state,
    understood,
)
from plyforge.interfaces.web.matches import names_of, opened
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.view import board_fields, move_fields
from plyforge.match.openings import Opening
from plyforge.match.records import RESULTS
from plyforge.match.store import StoredGame, StoredMatch

_REPLAYED: Final[LruCache[History]] = LruCache(32, waiting=32)
"""Games as they were played: a page asks for one position after the other."""


@answered
def game(request: Request) -> dict[str, Any]:
    """A game: who played, how it ended, its moves."""
    match, stored, opening, history = _found(request)
    pairing, played, names = stored.pairing, stored.result, names_of(match)
    return {
        "number": pairing.number + 1,
        "title": history.game.title,
        "sides": list(history.game.players),
        "colours": list(colours(history.game.players)),
        "players": [names[pairing.first], names[pairing.second]],
        "result": RESULTS[played.points],
        "reason": played.reason,
        "opening": len(opening.moves),
        "moves": move_fields(history),
        "seconds": list(played.seconds),
        "nodes": list(played.nodes),
    }


@answered
def board(request: Request) -> dict[str, Any]:
    """The board after so many moves."""
    ply = number_of(request, "ply")
    *_, history = _found(request)
    return {"ply": ply, **board_fields(history.at(ply))}


def _found(request: Request) -> tuple[StoredMatch, StoredGame, Opening, History]:
    server = server_state(request)
    with opened(server) as store, understood(store.file):
        match = store.find_match(number_of(request, "match"))
        stored, opening = store.game(match.id, number_of(request, "game") - 1)
        status = store.file.stat()
        key = (status.st_dev, status.st_ino, match.id, match.created, stored.pairing.number)
        history = _REPLAYED.get(key, lambda: _played(server, match, stored, opening))
    return match, stored, opening, history


def _played(
    server: ServerState, match: StoredMatch, stored: StoredGame, opening: Opening
) -> History:
    """The game played once more; one of other rules than these does not get far."""
    rules = game_called(server, match.plan["game"])
    try:
        return Opening(stored.result.moves, opening.start).history(rules)
    except PlyforgeError as error:
        raise PlyforgeError(
            f"game {stored.pairing.number + 1} cannot be played by the rules of {rules.title} as"
            f" they are now: {error}"
        ) from error


ROUTES: Final = [
    Route("/api/matches/{match}/games/{game}", game),
    Route("/api/matches/{match}/games/{game}/boards/{ply}", board),
]
