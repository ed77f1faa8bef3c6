"""Messages of the page on which positions and games are analysed."""

import math
import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

import msgspec
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
    ThreadsView,
)
from plyforge.interfaces.web.protocol import Outgoing
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.view import arrow, board_fields, is_at_top, legal_moves, moves_made
from plyforge.interfaces.web.workers import Job, Stop
from plyforge.match.expectation import expected_score
from plyforge.search.options import PLAY, PRESETS
from plyforge.search.parallel.account import COUNTS
from plyforge.search.parallel.methods import METHODS, find_method

MIB: Final = 32.0
"""Size of an engine's table in MiB."""
PROGRESS_INTERVAL: Final = 0.5
"""Seconds between two reports on an unfinished iteration."""
_LAST_HISTORY: Final = "last history"
MIN_SECONDS: Final = 0.05
"""Seconds that each part of a search has at least."""
MAX_LINE_MOVES: Final = 16
"""Moves of a line that are shown."""


# The position


def show_position(server: ServerState, client: Client, message: incoming.ShowPosition) -> None:
    """Show a position."""
    problem = None
    if message.partial:
        history, problem = _readable_part(server, message)
    else:
        history = read_history(server, message, client)
    client.send(position_view(history, message.number, message.turned, problem=problem))
    if server.books:
        client.send(server.books.view(history))


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


def read_history(
    server: ServerState, message: incoming.PositionFields, client: Client | None = None
) -> History:
    """Return the game in progress that a message describes.

    The last one of the client is remembered: a page that walks through a long game asks for one
    position after another, and only the moves that differ are played.
    """
    game = server.catalog.game(message.game)
    start = (message.game, message.position)
    known = None if client is None else client.data.get(_LAST_HISTORY)
    if known is not None and known[0] == start:
        same = _count_equal(known[1], message.moves)
        history: History = known[2].at(same)
    else:
        same, history = 0, game.history(game.parse(message.position) if message.position else None)
    for text in message.moves[same:]:
        history.follow_text(text)
    if client is not None and len(history.moves) == len(message.moves):
        client.data[_LAST_HISTORY] = start, message.moves, history.copy()
    return history


def _count_equal(some: Sequence[str], others: Sequence[str]) -> int:
    """Return the number of equal items at the start of two sequences."""
    pairs = enumerate(zip(some, others, strict=False))
    return next((n for n, (one, other) in pairs if one != other), min(len(some), len(others)))


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
        opening=history.opening,
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
    _check_threads(server, how)
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
            threads=how.threads,
            parallel=how.parallel,
        )
        engine.prepare()
        return engine


def _check_threads(server: ServerState, how: incoming.Configuration) -> None:
    limit = server.limits.analysis_threads
    if how.threads > limit:
        allowed = "one thread" if limit == 1 else f"{limit} threads"
        raise PlyforgeError(
            f"an analysis may use {allowed} on this server, not {how.threads}; to allow more, start"
            f" it with 'plyforge serve --analysis-threads {how.threads}'"
        )
    find_method(how.parallel)


def search(server: ServerState, client: Client, message: incoming.Search) -> None:
    """Analyse a position: send every iteration, and progress in between."""
    _check_threads(server, message.how)
    job = SearchJob(server, message, searchable_history(server, message))
    client.start(job, resumable=True, threads=message.how.threads)


def searchable_history(server: ServerState, message: incoming.PositionFields) -> History:
    """Return the game of a message; an error if there is nothing to search."""
    history = read_history(server, message)
    if not history.legal_moves():
        raise PlyforgeError(f"nothing to search: {history.verdict().reason}")
    return history


class SearchJob:
    """A search that can be paused: it starts again with the same table, which is quick.

    What is sent counts nodes and seconds of all its parts, and never goes back to a lower depth.
    """

    def __init__(self, server: ServerState, message: incoming.Search, history: History) -> None:
        self._server, self._message, self._history = server, message, history
        self._sent: Iteration | None = None
        self._arrows: list[Any] = []
        self._nodes, self._seconds = 0, 0.0
        self._finished = False

    def __call__(self, stop: Stop) -> Iterator[Outgoing]:
        """Search until `stop`, a limit or the end."""
        message, history, server = self._message, self._history, self._server
        if self._finished:
            return
        key, how = (message.game, message.how), message.how
        make = partial(make_engine, server, history.game, how)
        with server.engines.borrow(key, make) as engine, stop.calling(engine.stop):
            for info in engine.live(
                history,
                interval=PROGRESS_INTERVAL,
                until=stop,
                depth=message.depth,
                time=max(MIN_SECONDS, message.seconds - self._seconds),
                multipv=min(message.lines, len(history.legal_moves())),
                line_budget=lambda: 0 if _is_paused(stop) else INTERACTIVE_LINE_BUDGET,
            ):
                yield from self._views(engine, info, stop)

    def _views(self, engine: Engine, info: Info | Progress, stop: Stop) -> Iterator[Outgoing]:
        """Return what to send: nothing that an earlier part has sent already."""
        sent_depth = 0 if self._sent is None else self._sent.depth
        if isinstance(info, Progress):
            if info.depth > sent_depth:
                yield progress_view(self._history, info, self._nodes, self._seconds)
            return
        last = isinstance(info, SearchResult)
        if last and _is_paused(stop):
            self._nodes += info.nodes
            self._seconds += info.seconds
            return
        self._finished = last
        if info.depth > sent_depth or (last and info.depth == sent_depth):
            arrows = [arrow(self._history, line.pv[0], n) for n, line in enumerate(info.lines)]
            board = None
            if arrows != self._arrows:
                board = board_fields(self._history, arrows, self._message.turned)["board"]
            self._arrows = arrows
            fields = _iteration_fields(engine, self._history, info, self._nodes, self._seconds)
            self._sent = Iteration(**fields, board=board)
            yield self._sent
        elif last and self._sent is not None:
            nodes, seconds = self._nodes + info.nodes, self._seconds + info.seconds
            yield msgspec.structs.replace(
                self._sent, last=True, board=None, nodes=nodes, seconds=seconds
            )


def _is_paused(stop: Stop) -> bool:
    return stop.is_set() and not stop.final


def _iteration_fields(
    engine: Engine, history: History, info: Info, nodes: int = 0, seconds: float = 0.0
) -> dict[str, Any]:
    """Return the fields of an `Iteration`; `nodes` and `seconds` were used before."""
    nodes, seconds = nodes + info.nodes, seconds + info.seconds
    return {
        "ply": len(history.moves),
        "depth": info.depth,
        "bound": info.bound,
        "nodes": nodes,
        "seconds": seconds,
        "speed": _speed(nodes, seconds),
        "counts": Counts(
            leaves=info.counts.leaves,
            interior=info.counts.interior,
            transpositions=info.counts.transpositions,
            cuts=info.counts.cuts,
            first_share=info.counts.first_share,
            searches=len(info.steps),
        ),
        "last": isinstance(info, SearchResult),
        "threads": _threads_view(engine, info),
        "lines": [
            LineView(
                score=score_text(line.score),
                bound=line.bound,
                first=_first_expected(history, line.score, line.proved),
                proved=line.proved,
                depth=line.depth,
                moves=engine.line_texts(history, line.pv[:MAX_LINE_MOVES], readable=True),
            )
            for line in info.lines
        ],
    }


def _threads_view(engine: Engine, info: Info) -> ThreadsView | None:
    """Return what the threads of a search did; None if there is only one."""
    if engine.threads == 1:
        return None
    account = info.account
    if account is None:  # they share the table only
        return ThreadsView(method=engine.parallel, nodes=list(info.thread_nodes))
    return ThreadsView(
        method=account.method,
        nodes=list(account.nodes),
        shares=account.shares,
        events={name: getattr(account, name) for name in COUNTS},
    )


def progress_view(
    history: History, progress: Progress, nodes: int = 0, seconds: float = 0.0
) -> IterationProgress:
    """Return the state of an iteration whose score is not known yet."""
    nodes, seconds = nodes + progress.nodes, seconds + progress.seconds
    return IterationProgress(
        ply=len(history.moves),
        depth=progress.depth,
        known=_bounds_text(progress.lower, progress.upper),
        nodes=nodes,
        seconds=seconds,
        speed=_speed(nodes, seconds),
        thread_nodes=list(progress.thread_nodes),
    )


def _bounds_text(lower: float, upper: float) -> str | None:
    """Format the bounds of a score; None if there are none."""
    if lower == -math.inf:
        return None if upper == math.inf else f"{score_text(upper)} or worse"
    rest = "or better" if upper == math.inf else f"to {score_text(upper)}"
    return f"{score_text(lower)} {rest}"


def _speed(nodes: int, seconds: float) -> float | None:
    """Nodes per second."""
    return nodes / seconds if seconds > 0 else None


def _first_expected(history: History, score: float, proved: bool) -> float:
    """Return the first side's expected score, 0 to 1, for a score of the side to move."""
    expected = expected_score(history.game.rules, score, proved)
    return 1 - expected if history.turn else expected


# Several searches side by side


def compare(server: ServerState, client: Client, message: incoming.Compare) -> None:
    """Search a position to one depth with several configurations."""
    for how in message.configurations:
        _check_threads(server, how)
    job = _compare(server, message, searchable_history(server, message))
    threads = max((how.threads for how in message.configurations), default=1)
    client.start(job, pool=server.batch_workers, resumable=True, threads=threads)


def _compare(server: ServerState, message: incoming.Compare, history: History) -> Job:
    waiting = list(enumerate(message.configurations))

    def job(stop: Stop) -> Iterator[Outgoing]:
        """Compare; a pause comes between two configurations, so that all figures are complete."""
        while waiting and not stop.is_set():
            place, how = waiting.pop(0)
            end = threading.Event()
            with stop.calling(partial(_set_if_final, end, stop)):
                engine = make_engine(server, history.game, how)
                infos = engine.infos(history, until=end, depth=message.depth, time=message.seconds)
                yield from rows(engine, place, infos)

    def rows(engine: Engine, place: int, infos: Iterable[Info]) -> Iterator[Outgoing]:
        for info in infos:
            yield ComparedIteration(
                **_iteration_fields(engine, history, info),
                place=place,
                complete=info.depth >= message.depth,
            )

    return job


def _set_if_final(event: threading.Event, stop: Stop) -> None:
    if stop.final:
        event.set()


# Search options


def _choices(request: Request) -> Response:
    """List drivers, presets and switches as on the command line; `preset` is chosen at first."""
    server: ServerState = request.app.state.server
    return JSONResponse(
        {
            "drivers": server.drivers.to_list(),
            "presets": list(PRESETS),
            "preset": PLAY,
            "switches": server.steps.to_list(),
            "max_threads": server.limits.analysis_threads,
            "methods": [
                {"name": method.name, "summary": method.summary} for method in METHODS.values()
            ],
        }
    )


HANDLERS: Final[Handlers] = {
    incoming.ShowPosition: Handler(show_position, slow=True),
    incoming.Search: Handler(search, slow=True),
    incoming.Compare: Handler(compare, slow=True),
}
ROUTES: Final = [Route("/api/choices", _choices)]
