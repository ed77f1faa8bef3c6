"""A stored game, shown move by move."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.routing import Route

from plyforge.core.errors import PlyforgeError
from plyforge.game.game import Game, History
from plyforge.interfaces.drawing.pieces import colours
from plyforge.interfaces.web.archive import (
    LruCache,
    explaining_errors,
    file_identity,
    find_game,
    json_endpoint,
    page_name,
    path_number,
    query_number,
    requested_rows,
    server_of,
)
from plyforge.interfaces.web.matches import names_of, open_store
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.view import board_fields, moves_made
from plyforge.match.openings import Opening
from plyforge.match.records import RESULTS, make_record
from plyforge.match.store import StoredGame, StoredMatch
from plyforge.records import plain

_REPLAYED: Final[LruCache[History]] = LruCache(32, max_waiting=32)
"""Replayed games: a page asks for the positions of a game one by one."""


@json_endpoint
def show_game(request: Request) -> dict[str, Any]:
    """Show a game: its players, result and moves."""
    match, stored, opening, history = _replayed_game(request)
    pairing, played, names = stored.pairing, stored.result, names_of(match)
    return {
        "number": pairing.number + 1,
        "game": page_name(match.plan["game"]),
        "start": None if opening.start is None else history.game.text(history.positions[0]),
        "title": history.game.title,
        "sides": list(history.game.players),
        "colours": list(colours(history.game.players)),
        "players": [names[pairing.first], names[pairing.second]],
        "result": RESULTS[played.points],
        "reason": played.reason,
        "opening": len(opening.moves),
        "moves": [msgspec.structs.asdict(move) for move in moves_made(history)],
        "seconds": list(played.seconds),
        "nodes": list(played.nodes),
    }


@json_endpoint
def show_board(request: Request) -> dict[str, Any]:
    """Draw the board after a number of moves."""
    ply = path_number(request, "ply")
    *_, history = _replayed_game(request)
    return {"ply": ply, **board_fields(history.at(ply))}


@json_endpoint
def show_record(request: Request) -> dict[str, Any]:
    """Return a game as the text of a file, in the format of its game."""
    match, stored, opening, history = _replayed_game(request)
    record = make_record(history.game, stored, opening, names_of(match))
    return {"text": history.game.write_game(record)}


@json_endpoint
def show_records(request: Request) -> dict[str, Any]:
    """Return some games of a match as the text of a file.

    `own` is whether they are in the format of their game.  A page that needs all games in one
    format asks for the plain one with `?plain=1`.
    """
    server = server_of(request)
    begin, limit = requested_rows(request)
    plain_format = bool(query_number(request, "plain", 0, 0, 1))
    with open_store(server) as store, explaining_errors(store.file):
        match = store.find_match(path_number(request, "match"))
        games, openings = store.games(match.id, begin, limit), store.openings(match.id)
    rules, names, records = find_game(server.catalog, match.plan["game"]), names_of(match), []
    for stored in games:
        number = stored.pairing.opening
        opening = openings[number] if number < len(openings) else Opening()
        with _naming_game(rules, stored):
            records.append(make_record(rules, stored, opening, names))
    text = rules.write_games(records, plain_format)
    own = not plain.is_plain(text)
    return {
        "total": match.games,
        "from": begin,
        "games": len(records),
        "own": own,
        "text": text,
    }


def _replayed_game(request: Request) -> tuple[StoredMatch, StoredGame, Opening, History]:
    server = server_of(request)
    with open_store(server) as store, explaining_errors(store.file):
        match = store.find_match(path_number(request, "match"))
        stored, opening = store.game(match.id, path_number(request, "game") - 1)
        key = (file_identity(store.file), match.id, match.created, stored.pairing.number)
        history = _REPLAYED.get(key, lambda: _replay(server, match, stored, opening))
    return match, stored, opening, history


def _replay(
    server: ServerState, match: StoredMatch, stored: StoredGame, opening: Opening
) -> History:
    """Replay the game; raise an error if it does not follow the current rules."""
    rules = find_game(server.catalog, match.plan["game"])
    with _naming_game(rules, stored):
        return Opening(stored.result.moves, opening.start).history(rules)


@contextmanager
def _naming_game(rules: Game, stored: StoredGame) -> Iterator[None]:
    """Say which game of a match cannot be replayed."""
    try:
        yield
    except PlyforgeError as error:
        raise PlyforgeError(
            f"game {stored.pairing.number + 1} does not follow the current rules of"
            f" {rules.title}: {error}"
        ) from error


ROUTES: Final = [
    Route("/api/matches/{match}/records", show_records),
    Route("/api/matches/{match}/games/{game}", show_game),
    Route("/api/matches/{match}/games/{game}/record", show_record),
    Route("/api/matches/{match}/games/{game}/boards/{ply}", show_board),
]
