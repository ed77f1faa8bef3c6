"""Stored matches: a list, one match's tables and plot, its games."""

from typing import Any, Final

from starlette.requests import Request
from starlette.routing import Route

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web.archive import (
    PLOTS,
    LruCache,
    command,
    explaining_errors,
    file_identity,
    find_game,
    find_title,
    json_endpoint,
    path_number,
    requested_rows,
    server_of,
    svg_endpoint,
    table_fields,
)
from plyforge.interfaces.web.state import ServerState
from plyforge.match.players import Description
from plyforge.match.ratings import Estimate
from plyforge.match.records import RESULTS
from plyforge.match.report import (
    COLUMNS,
    difference_remark,
    difference_text,
    final_score_remark,
    games_remark,
    margin_text,
    points_text,
    tables,
)
from plyforge.match.results import Standings, standings
from plyforge.match.store import Store, StoredGame, StoredMatch

_STANDINGS: Final[LruCache[Standings]] = LruCache(128, max_waiting=32)
COMMAND: Final = "plyforge match connect4 engine:depth=4 engine:depth=2 --games 20"
"""The command that a page without matches suggests."""


@json_endpoint
def list_matches(request: Request) -> dict[str, Any]:
    """List the matches of the file, the newest first."""
    server = server_of(request)
    begin, limit = requested_rows(request)
    file = server.databases.matches
    if file is None or not file.is_file():
        return {"total": 0, "from": begin, "matches": [], "command": command(COMMAND, file)}
    with Store.open_read_only(file) as store, explaining_errors(file):
        rows = [_row(server, store, match) for match in store.list_matches(begin, limit)]
        total = store.count()
    return {
        "file": file.name,
        "total": total,
        "from": begin,
        "matches": rows,
        "command": command(COMMAND, file),
    }


def _row(server: ServerState, store: Store, match: StoredMatch) -> dict[str, Any]:
    table = standings_of(store, match)
    return {
        "id": match.id,
        "title": find_title(server.catalog, match.plan["game"]),
        "players": [
            {
                "name": row.name,
                "points": points_text(row.points),
                "elo": f"{row.rating.value:+.0f}",
                "margin": margin_text(row.rating),
            }
            for row in table.rows
        ],
        "lead": _lead(table),
        "games": match.games,
        "created": match.created,
    }


def _lead(table: Standings) -> str | None:
    """Return the Elo difference of two players, from the leader's perspective."""
    if table.difference is None:
        return None
    difference = table.difference
    if table.rows[0].player:
        difference = Estimate(0.0 - difference.value, 0.0 - difference.high, 0.0 - difference.low)
    return difference_text(difference)


def names_of(match: StoredMatch) -> list[str]:
    """Return the names of the players, in the order of the plan."""
    return [Description.parse(text).name for text in match.plan["players"]]


def standings_of(store: Store, match: StoredMatch) -> Standings:
    """Return the standings of a match; they are cached until it has more games."""
    key = (file_identity(store.file), match.id, match.created, match.games)
    return _STANDINGS.get(
        key, lambda: standings(names_of(match), store.games(match.id, moves=False))
    )


@json_endpoint
def show_match(request: Request) -> dict[str, Any]:
    """Show a match: its tables, and remarks on them."""
    server = server_of(request)
    with open_store(server) as store, explaining_errors(store.file):
        match = store.find_match(path_number(request, "match"))
        table = standings_of(store, match)
        names, plan = names_of(match), match.plan
        return {
            "id": match.id,
            "game": plan["game"],
            "title": find_title(server.catalog, plan["game"]),
            "players": names,
            "created": match.created,
            "games": match.games,
            "tables": [table_fields(one) for one in tables(table)],
            "columns": COLUMNS,
            "remarks": [
                *difference_remark(names, table),
                *final_score_remark(names, table),
                *([games_remark(table, _first_side(server, plan["game"]))] if match.games else []),
                f"openings {plan['openings']}, seed {plan['seed']}",
            ],
        }


def _first_side(server: ServerState, game: str) -> str:
    try:
        return find_game(server.catalog, game).players[0]
    except PlyforgeError:
        return "the first side"


@svg_endpoint
def show_plot(request: Request) -> bytes:
    """Draw the ratings of a match."""
    server = server_of(request)
    with open_store(server) as store, explaining_errors(store.file):
        match = store.find_match(path_number(request, "match"))
        table = standings_of(store, match)
        title = f"{find_title(server.catalog, match.plan['game'])}: {match.games} games"
        key = ("match", file_identity(store.file), match.id, match.created, match.games)
        return PLOTS.get(key, lambda: _draw(title, table))


def _draw(title: str, table: Standings) -> bytes:
    from plyforge.interfaces.plots import canvas, standings

    return canvas.svg(standings.plot_standings(title, table))


@json_endpoint
def list_games(request: Request) -> dict[str, Any]:
    """List games of a match: players, result, reason, length."""
    begin, limit = requested_rows(request)
    with open_store(server_of(request)) as store, explaining_errors(store.file):
        match = store.find_match(path_number(request, "match"))
        names = names_of(match)
        rows = [_game_row(game, names) for game in store.games(match.id, begin, limit)]
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


def open_store(server: ServerState) -> Store:
    """Open the file of matches to read it."""
    if server.databases.matches is None:
        raise PlyforgeError("this server shows no matches; start it with --matches FILE")
    return Store.open_read_only(server.databases.matches)


ROUTES: Final = [
    Route("/api/matches", list_matches),
    Route("/api/matches/{match}", show_match),
    Route("/api/matches/{match}/plot.svg", show_plot),
    Route("/api/matches/{match}/games", list_games),
]
