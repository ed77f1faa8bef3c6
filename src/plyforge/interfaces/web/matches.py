"""Stored matches: a list, one match's tables and plot, its games."""

from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.routing import Route

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web.archive import (
    PICTURES,
    LruCache,
    answered,
    command,
    game_called,
    number_of,
    pictured,
    rows_asked,
    server_state,
    table_fields,
    title_of,
    understood,
)
from plyforge.interfaces.web.state import ServerState
from plyforge.match.players import Description
from plyforge.match.ratings import Estimate
from plyforge.match.records import RESULTS
from plyforge.match.report import (
    difference_remark,
    difference_text,
    games_remark,
    margin_text,
    points_text,
    tables,
)
from plyforge.match.results import Standings, standings
from plyforge.match.store import Store, StoredGame, StoredMatch

_STANDINGS: Final[LruCache[Standings]] = LruCache(128, waiting=32)
COMMAND: Final = "plyforge match connect4 engine:depth=4 engine:depth=2 --games 20"
"""What a page without matches tells one to type."""


@answered
def listed(request: Request) -> dict[str, Any]:
    """The matches of the file, the newest first."""
    server = server_state(request)
    begin, most = rows_asked(request)
    file = server.databases.matches
    if file is None or not file.is_file():
        return {"total": 0, "from": begin, "matches": [], "command": command(COMMAND, file)}
    with Store.open_read_only(file) as store, understood(file):
        rows = [_row(server, store, match) for match in store.list_matches(begin, most)]
        total = store.count()
    return {
        "file": file.name,
        "total": total,
        "from": begin,
        "matches": rows,
        "command": command(COMMAND, file),
    }


def _row(server: ServerState, store: Store, match: StoredMatch) -> dict[str, Any]:
    found = standings_of(store, match)
    return {
        "id": match.id,
        "title": title_of(server, match.plan["game"]),
        "players": [
            {
                "name": row.name,
                "points": points_text(row.points),
                "elo": f"{row.rating.value:+.0f}",
                "margin": margin_text(row.rating),
            }
            for row in found.rows
        ],
        "lead": _lead(found),
        "games": match.games,
        "created": match.created,
    }


def _lead(found: Standings) -> str | None:
    """With two players, how much better the first of the table is."""
    if found.difference is None:
        return None
    seen = found.difference
    if found.rows[0].player:
        seen = Estimate(0.0 - seen.value, 0.0 - seen.high, 0.0 - seen.low)
    return difference_text(seen)


def names_of(match: StoredMatch) -> list[str]:
    """What the tables call the players, in the order of the plan."""
    return [Description.parse(text).name for text in match.plan["players"]]


def standings_of(store: Store, match: StoredMatch) -> Standings:
    """What the games of a match say; reckoned again only when there are more of them."""
    key = (_inode(store.file), match.id, match.created, match.games)
    return _STANDINGS.get(
        key, lambda: standings(names_of(match), store.games(match.id, moves=False))
    )


def _inode(file: Path) -> tuple[int, int]:
    """What tells a file from another one that has come in its place."""
    status = file.stat()
    return status.st_dev, status.st_ino


@answered
def one(request: Request) -> dict[str, Any]:
    """A match: its tables, and what they do not say."""
    server = server_state(request)
    with opened(server) as store, understood(store.file):
        match = store.find_match(number_of(request, "match"))
        found = standings_of(store, match)
        names, plan = names_of(match), match.plan
        return {
            "id": match.id,
            "game": plan["game"],
            "title": title_of(server, plan["game"]),
            "players": names,
            "created": match.created,
            "games": match.games,
            "tables": [table_fields(table) for table in tables(found)],
            "remarks": [
                *difference_remark(names, found),
                *([games_remark(found, _first_side(server, plan["game"]))] if match.games else []),
                f"openings {plan['openings']}, seed {plan['seed']}",
            ],
        }


def _first_side(server: ServerState, game: str) -> str:
    try:
        return game_called(server, game).players[0]
    except PlyforgeError:
        return "the first side"


@pictured
def plot(request: Request) -> bytes:
    """The ratings of a match, drawn."""
    server = server_state(request)
    with opened(server) as store, understood(store.file):
        match = store.find_match(number_of(request, "match"))
        found = standings_of(store, match)
        title = f"{title_of(server, match.plan['game'])}: {match.games} games"
        key = ("match", _inode(store.file), match.id, match.created, match.games)
        return PICTURES.get(key, lambda: _drawn(title, found))


def _drawn(title: str, found: Standings) -> bytes:
    from plyforge.interfaces.plots import canvas, standings

    return canvas.svg(standings.pictured(title, found))


@answered
def games(request: Request) -> dict[str, Any]:
    """Some of the games of a match: players, result, reason, length."""
    begin, most = rows_asked(request)
    with opened(server_state(request)) as store, understood(store.file):
        match = store.find_match(number_of(request, "match"))
        names = names_of(match)
        rows = [_game_row(game, names) for game in store.games(match.id, begin, most)]
    return {"total": match.games, "from": begin, "games": rows}


def _game_row(game: StoredGame, names: list[str]) -> dict[str, Any]:
    pairing, played = game.pairing, game.result
    return {
        "number": pairing.number + 1,
        "opening": pairing.opening + 1,
        "players": [names[pairing.first], names[pairing.second]],
        "result": RESULTS[played.points],
        "reason": played.reason,
        "loop": played.loop,
        "plies": len(played.moves),
    }


def opened(server: ServerState) -> Store:
    """The file of matches, to be read."""
    if server.databases.matches is None:
        raise PlyforgeError("this server has no file of matches; start it with --matches FILE")
    return Store.open_read_only(server.databases.matches)


ROUTES: Final = [
    Route("/api/matches", listed),
    Route("/api/matches/{match}", one),
    Route("/api/matches/{match}/plot.svg", plot),
    Route("/api/matches/{match}/games", games),
]
