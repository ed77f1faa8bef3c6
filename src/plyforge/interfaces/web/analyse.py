"""Messages of the page on which positions and games are analysed."""

import math
from collections.abc import Iterator
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
from plyforge.game.game import Game, History
from plyforge.interfaces.drawing.pieces import colours
from plyforge.interfaces.web import incoming
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.handlers import Handler, Handlers
from plyforge.interfaces.web.outgoing import (
    ComparedIteration,
    Counts,
    EvaluationView,
    Iteration,
    IterationProgress,
    LineView,
    PositionView,
    TermView,
)
from plyforge.interfaces.web.protocol import Outgoing
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.view import arrow, board_fields, is_at_top, legal_moves, moves_made
from plyforge.interfaces.web.workers import Job, Stop
from plyforge.match.expectation import expected_score
from plyforge.search.options import PRESETS

MIB: Final = 32.0
"""Size of an engine's table in MiB."""
PROGRESS_INTERVAL: Final = 0.5
"""Seconds between two reports on an unfinished iteration."""
MAX_LINE_MOVES: Final = 16
"""Moves of a line that are shown."""


# The position


def show_position(server: ServerState, client: Client, message: incoming.ShowPosition) -> None:
    """Show a position."""
    problem = None
    if message.partial:
        history, problem = _readable_part(server, message)
    else:
        history = read_history(server, message)
    client.send(position_view(history, message.number, message.turned, problem=problem))


def _readable_part(
    server: ServerState, message: incoming.ShowPosition
) -> tuple[History, str | None]:
    """Return as much of a game as can be shown, and what is wrong with the rest."""
    game = server.catalog.game(message.game)
    try:
        history = game.history(game.parse(message.position) if message.position else None)
    except PlyforgeError as error:
        return game.history(), f"the start position is shown instead: {error}"
    for number, text in enumerate(message.moves, 1):
        try:
            history.follow_text(text)
        except PlyforgeError as error:
            return history, f"move {number} and the moves after it are left out: {error}"
    return history, None


def read_history(server: ServerState, message: incoming.PositionFields) -> History:
    """Return the game in progress that a message describes."""
    game = server.catalog.game(message.game)
    history = game.history(game.parse(message.position) if message.position else None)
    for text in message.moves:
        history.follow_text(text)
    return history


def position_view(
    history: History,
    number: int | None = None,
    turned: bool = False,
    arranged: bool = False,
    problem: str | None = None,
) -> PositionView:
    """Return what the page shows of a position."""
    game, verdict = history.game, history.verdict()
    return PositionView(
        title=game.title,
        players=list(game.players),
        turn=history.turn,
        ply=len(history.moves),
        moves=moves_made(history),
        legal=legal_moves(history, history.playable()),
        end=verdict.reason if verdict.over else None,
        result=_result_text(history),
        arrangeable="arrange" in game.rules.hooks,
        colours=list(colours(game.players)),
        first_above=is_at_top(game, 0),
        evaluation=_evaluation_view(game, history.position),
        number=number,
        arranged=arranged,
        problem=problem,
        **board_fields(history, turned=turned),
    )


def _evaluation_view(game: Game, position: Any) -> EvaluationView | None:
    """Return the evaluation of a position and its terms."""
    if "evaluate" not in game.rules.hooks:
        return None
    try:
        value, terms = game.evaluation(position), game.terms(position)
    except PlyforgeError:  # a search reports it; the position can still be shown
        return None
    rows = [TermView(name=name, value=count, weight=weight) for name, count, weight in terms]
    return EvaluationView(value=value, terms=rows)


def _result_text(history: History) -> str:
    """Name the winner."""
    name = history.verdict().name
    if name in ("draw", "ongoing"):
        return "A draw" if name == "draw" else ""
    winner = history.turn if name == "win" else 1 - history.turn
    return f"{history.game.players[winner]} has won"


# A search


def make_engine(server: ServerState, game: Game, how: incoming.Configuration) -> Engine:
    """Make an engine; that takes long if its kernel must be compiled."""
    driver = server.drivers.find(how.driver)
    with server.catalog.building(game):
        engine = Engine(
            game,
            driver=driver,
            steps=server.steps.added,
            preset=how.preset,
            on=how.on,
            off=how.off,
            hash=MIB,
        )
        engine.prepare()
        return engine


def search(server: ServerState, client: Client, message: incoming.Search) -> None:
    """Analyse a position: send every iteration, and progress in between."""
    client.start(_search(server, message, _searchable_history(server, message)))


def _searchable_history(server: ServerState, message: incoming.PositionFields) -> History:
    history = read_history(server, message)
    if not history.legal_moves():
        raise PlyforgeError(f"nothing to search: {history.verdict().reason}")
    return history


def _search(server: ServerState, message: incoming.Search, history: History) -> Job:
    game, how = history.game, message.how

    def job(stop: Stop) -> Iterator[Outgoing]:
        key = (message.game, how)
        with server.engines.borrow(key, lambda: make_engine(server, game, how)) as engine:
            shown: list[Any] = []
            for info in engine.live(
                history,
                interval=PROGRESS_INTERVAL,
                until=stop,
                depth=message.depth,
                time=message.seconds,
                multipv=min(message.lines, len(history.legal_moves())),
                line_budget=INTERACTIVE_LINE_BUDGET,
            ):
                if isinstance(info, Progress):
                    yield progress_view(history, info)
                    continue
                arrows = [arrow(history, line.pv[0], n) for n, line in enumerate(info.lines)]
                board = (
                    None
                    if arrows == shown
                    else board_fields(history, arrows, message.turned)["board"]
                )
                shown = arrows
                yield Iteration(**_iteration_fields(engine, history, info), board=board)

    return job


def _iteration_fields(engine: Engine, history: History, info: Info) -> dict[str, Any]:
    return {
        "ply": len(history.moves),
        "depth": info.depth,
        "bound": info.bound,
        "nodes": info.counts.nodes,
        "seconds": info.seconds,
        "speed": _speed(info),
        "counts": Counts(
            leaves=info.counts.leaves,
            interior=info.counts.interior,
            transpositions=info.counts.transpositions,
            cuts=info.counts.cuts,
            first_share=info.counts.first_share,
            searches=len(info.steps),
        ),
        "last": isinstance(info, SearchResult),
        "lines": [
            LineView(
                score=score_text(line.score),
                bound=line.bound,
                first=_first_expected(history, line.score, line.proved),
                proved=line.proved,
                depth=line.depth,
                moves=engine.line_texts(history, line.pv[:MAX_LINE_MOVES]),
            )
            for line in info.lines
        ],
    }


def progress_view(history: History, progress: Progress) -> IterationProgress:
    """Return the state of an iteration whose score is not known yet."""
    return IterationProgress(
        ply=len(history.moves),
        depth=progress.depth,
        known=_bounds_text(progress.lower, progress.upper),
        nodes=progress.nodes,
        seconds=progress.seconds,
        speed=_speed(progress),
    )


def _bounds_text(lower: float, upper: float) -> str | None:
    """Format the bounds of a score; None if there are none."""
    if lower == -math.inf:
        return None if upper == math.inf else f"{score_text(upper)} or worse"
    rest = "or better" if upper == math.inf else f"to {score_text(upper)}"
    return f"{score_text(lower)} {rest}"


def _speed(info: Info | Progress) -> float | None:
    """Nodes per second."""
    return info.nodes / info.seconds if info.seconds > 0 else None


def _first_expected(history: History, score: float, proved: bool) -> float:
    """Return the first side's expected score, 0 to 1, for a score of the side to move."""
    expected = expected_score(history.game.rules, score, proved)
    return 1 - expected if history.turn else expected


# Several searches side by side


def compare(server: ServerState, client: Client, message: incoming.Compare) -> None:
    """Search a position to one depth with several configurations."""
    client.start(_compare(server, message, _searchable_history(server, message)))


def _compare(server: ServerState, message: incoming.Compare, history: History) -> Job:
    def job(stop: Stop) -> Iterator[Outgoing]:
        for place, how in enumerate(message.configurations):
            if stop.is_set():
                return
            engine = make_engine(server, history.game, how)
            for info in engine.infos(
                history, until=stop, depth=message.depth, time=message.seconds
            ):
                yield ComparedIteration(
                    **_iteration_fields(engine, history, info),
                    place=place,
                    complete=info.depth >= message.depth,
                )

    return job


# Search options


def _choices(request: Request) -> Response:
    """List drivers, presets and switches, from the tables that the command line uses."""
    server: ServerState = request.app.state.server
    return JSONResponse(
        {
            "drivers": server.drivers.to_list(),
            "presets": list(PRESETS),
            "switches": server.steps.to_list(),
        }
    )


HANDLERS: Final[Handlers] = {
    incoming.ShowPosition: Handler(show_position, slow=True),
    incoming.Search: Handler(search, slow=True),
    incoming.Compare: Handler(compare, slow=True),
}
ROUTES: Final = [Route("/api/choices", _choices)]
