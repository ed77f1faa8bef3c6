"""Messages of the page on which positions and games are analysed."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from plyforge.core.errors import PlyforgeError
from plyforge.engine import (
    INTERACTIVE_LINE_BUDGET,
    Engine,
    Info,
    Progress,
    SearchResult,
    score_text,
)
from plyforge.engine.drivers import DRIVERS
from plyforge.game.game import Game, History
from plyforge.interfaces.drawing.pieces import colours
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.schema import (
    Check,
    Message,
    Optional,
    fields,
    many,
    number,
    optional,
    text,
    whole,
)
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.view import arrow, board_fields, has_top, legal_fields, move_fields
from plyforge.interfaces.web.workers import Job, Sent, Stop
from plyforge.match.expectation import expected_score
from plyforge.search.enhancements import ENHANCEMENTS
from plyforge.search.options import PRESETS

MIB: Final = 32.0
MAX_NAME: Final = 80
MAX_MOVE: Final = 200
MAX_MOVES: Final = 2000
MAX_POSITION: Final = 20_000
MAX_NUMBER: Final = 10**9
MAX_LINES: Final = 5
MAX_COMPARED: Final = 6
PULSE: Final = 0.5
"""Seconds of silence after which a search tells how far it has got."""
SHOWN: Final = 16
"""Moves of a line that are shown."""


# Where one is


def look(client: Client, given: dict[str, Any]) -> None:
    """The position after some moves: board, moves, how it stands; and which question it answers."""
    told = standing(history_in(client.server, given))
    client.send({"type": "position", "number": given["number"], **told})


def history_in(server: ServerState, given: dict[str, Any]) -> History:
    """The game in progress that a message means."""
    game = server.game(given["game"])
    start = game.parse(given["position"]) if given["position"] else None
    history = game.history(start)
    for word in given["moves"]:
        history.follow_text(word)
    return history


def standing(history: History) -> dict[str, Any]:
    """What the page shows of a position."""
    verdict = history.verdict()
    return {
        "title": history.game.title,
        "players": list(history.game.players),
        "turn": history.turn,
        "ply": len(history.moves),
        "moves": move_fields(history),
        "legal": legal_fields(history, history.playable()),
        "end": verdict.reason if verdict.over else None,
        "result": _result(history),
        "arrangeable": "arrange" in history.game.rules.hooks,
        "colours": list(colours(history.game.players)),
        "first_above": has_top(history.game, 0),
        **board_fields(history),
    }


def _result(history: History) -> str:
    """Who has won, in words."""
    name = history.verdict().name
    if name in ("draw", "ongoing"):
        return "A draw" if name == "draw" else ""
    winner = history.turn if name == "win" else 1 - history.turn
    return f"{history.game.players[winner]} has won"


# A search


@dataclass(frozen=True)
class Configuration:
    """How to search."""

    driver: str
    preset: str
    on: tuple[str, ...]
    off: tuple[str, ...]

    @classmethod
    def of(cls, given: dict[str, Any]) -> "Configuration":
        return cls(given["driver"], given["preset"], tuple(given["on"]), tuple(given["off"]))

    def engine(self, server: ServerState, game: Game) -> Engine:
        """An engine for it; that may take long, when its kernel is yet to be compiled."""
        with server.building(game):
            engine = Engine(
                game, driver=self.driver, preset=self.preset, on=self.on, off=self.off, hash=MIB
            )
            engine.prepare()
            return engine


def search(client: Client, given: dict[str, Any]) -> None:
    """Analyse a position: a message for every iteration, and figures in between."""
    history = _searchable(client.server, given)
    configuration = Configuration.of(given["how"])
    client.work(_search(client.server, given, history, configuration))


def _searchable(server: ServerState, given: dict[str, Any]) -> History:
    history = history_in(server, given)
    if not history.legal_moves():
        raise PlyforgeError(f"nothing to search: {history.verdict().reason}")
    return history


def _search(
    server: ServerState, given: dict[str, Any], history: History, configuration: Configuration
) -> Job:
    game = history.game

    def job(stop: Stop) -> Iterator[Sent]:
        key = (given["game"], configuration)
        with server.engines.borrow(key, lambda: configuration.engine(server, game)) as engine:
            shown: list[Any] = []
            for info in engine.live(
                history,
                interval=PULSE,
                until=stop,
                depth=given["depth"],
                time=given["seconds"],
                multipv=min(given["lines"], len(history.legal_moves())),
                line_budget=INTERACTIVE_LINE_BUDGET,
            ):
                if isinstance(info, Progress):
                    yield progress_fields(history, info)
                    continue
                arrows = [arrow(history, line.pv[0], n) for n, line in enumerate(info.lines)]
                told = info_fields(engine, history, info)
                if arrows != shown:
                    shown = arrows
                    told |= board_fields(history, arrows)
                yield told

    return job


def info_fields(engine: Engine, history: History, info: Info) -> dict[str, Any]:
    """An iteration as the page shows it; the bar is in view of the first side."""
    counts = info.counts
    return {
        "type": "info",
        "ply": len(history.moves),
        "depth": info.depth,
        "bound": info.bound,
        "nodes": counts.nodes,
        "seconds": info.seconds,
        "speed": _speed(info),
        "counts": count_fields(info),
        "last": isinstance(info, SearchResult),
        "lines": [
            {
                "score": score_text(line.score),
                "first": first_expected(history, line.score, line.proved),
                "proved": line.proved,
                "depth": line.depth,
                "moves": engine.line_texts(history, line.pv[:SHOWN]),
            }
            for line in info.lines
        ],
    }


def progress_fields(history: History, progress: Progress) -> dict[str, Any]:
    """How far an iteration has got; its score is not known yet."""
    return {
        "type": "progress",
        "ply": len(history.moves),
        "depth": progress.depth,
        "known": _known(progress.lower, progress.upper),
        "nodes": progress.nodes,
        "seconds": progress.seconds,
        "speed": _speed(progress),
    }


def _known(lower: float, upper: float) -> str | None:
    """Bounds of a score in words."""
    if lower == -math.inf:
        return None if upper == math.inf else f"{score_text(upper)} or worse"
    upwards = "or better" if upper == math.inf else f"to {score_text(upper)}"
    return f"{score_text(lower)} {upwards}"


def _speed(told: Info | Progress) -> float | None:
    """Nodes a second."""
    return told.nodes / told.seconds if told.seconds > 0 else None


def count_fields(info: Info) -> dict[str, Any]:
    """What a search has counted."""
    counts = info.counts
    return {
        "leaves": counts.leaves,
        "interior": counts.interior,
        "transpositions": counts.transpositions,
        "cuts": counts.cuts,
        "first_share": counts.first_share,
        "searches": len(info.steps),
    }


def first_expected(history: History, score: float, proved: bool) -> float:
    """What a score for the side to move promises the first side: 0 to 1."""
    own = expected_score(history.game.rules, score, proved)
    return 1 - own if history.turn else own


# Several searches side by side


def compare(client: Client, given: dict[str, Any]) -> None:
    """The same position and depth in several ways: one row for each."""
    history = _searchable(client.server, given)
    ways = [Configuration.of(way) for way in given["ways"]]
    client.work(_compare(client.server, history, ways, given["depth"], given["seconds"]))


def _compare(
    server: ServerState, history: History, ways: list[Configuration], depth: int, seconds: float
) -> Job:
    def job(stop: Stop) -> Iterator[Sent]:
        for place, way in enumerate(ways):
            if stop.is_set():
                return
            engine = way.engine(server, history.game)
            for info in engine.infos(history, until=stop, depth=depth, time=seconds):
                told = info_fields(engine, history, info)
                yield told | {"type": "row", "place": place, "complete": info.depth >= depth}

    return job


# What there is to choose from


def _choices(request: Request) -> Response:
    """Drivers, presets and switches, from the tables that the command line uses."""
    return JSONResponse(
        {
            "drivers": [{"name": d.name, "summary": d.row.summary} for d in DRIVERS.values()],
            "presets": list(PRESETS),
            "switches": [
                {"name": row.name, "summary": row.summary, "on": row.in_presets}
                for row in ENHANCEMENTS.values()
                if not row.rule
            ],
        }
    )


WHERE: Final[dict[str, Check | Optional]] = {
    "game": text(MAX_NAME),
    "position": optional(text(MAX_POSITION)),
    "moves": optional(many(text(MAX_MOVE), MAX_MOVES), []),
}
"""The fields that name a position."""
_NAMES: Final = optional(many(text(MAX_NAME), 60), [])
_HOW: Final = fields(
    driver=optional(text(MAX_NAME), "pvs"),
    preset=optional(text(MAX_NAME), "exact"),
    on=_NAMES,
    off=_NAMES,
)

MESSAGES: Final = {
    "look": Message({**WHERE, "number": optional(whole(0, MAX_NUMBER))}, look, slow=True),
    "search": Message(
        {
            **WHERE,
            "how": _HOW,
            "lines": optional(whole(1, MAX_LINES), 1),
            "depth": optional(whole(1, 100)),
            "seconds": number(0.05, 110),
        },
        search,
        slow=True,
    ),
    "compare": Message(
        {
            **WHERE,
            "ways": many(_HOW, MAX_COMPARED),
            "depth": whole(1, 60),
            "seconds": optional(number(0.05, 20), 10.0),
        },
        compare,
        slow=True,
    ),
}
ROUTES: Final = [Route("/api/choices", _choices)]
