"""Stored runs of learning: a list, and the curves of one or two runs.

A page asks again every few seconds, so it follows a run that is being written.
"""

from datetime import UTC, datetime
from typing import Any, Final

from starlette.requests import Request
from starlette.routing import Route

from plyforge.core.errors import PlyforgeError
from plyforge.evaluate import find_form
from plyforge.game.forms import Form
from plyforge.interfaces.web.archive import (
    LruCache,
    command,
    explaining_errors,
    file_identity,
    find_game,
    find_title,
    json_endpoint,
    query_number,
    read_integer,
    requested_rows,
    server_of,
)
from plyforge.interfaces.web.learning_charts import MAX_POINTS, LoadedRun, draw_runs
from plyforge.interfaces.web.state import ServerState
from plyforge.learn.curves import WeightCurves, score_points
from plyforge.learn.store import LearningStore, Round, RunRow, RunSummary

MAX_RUNS: Final = 2
"""Runs that are shown side by side."""
MIN_WIDTH, MAX_WIDTH = 240, 1600
"""The width of a chart in pixels."""
COMMAND: Final = "plyforge learn connect4 td --games 300 --depth 2"
"""The command that a page without runs suggests."""
_CURVES: Final[LruCache[dict[str, Any]]] = LruCache(32, max_waiting=32)
_FORMS: Final[LruCache[tuple[Form | None]]] = LruCache(64, max_waiting=32)


@json_endpoint
def list_runs(request: Request) -> dict[str, Any]:
    """List the runs of the file, the newest first."""
    server = server_of(request)
    begin, limit = requested_rows(request)
    file = server.databases.learning
    if file is None or not file.is_file():
        return {"total": 0, "from": begin, "runs": [], "command": command(COMMAND, file)}
    with LearningStore.open_read_only(file) as store, explaining_errors(file):
        runs = store.runs()[::-1]
        rows = [_row(server, run, store.summary(run.id)) for run in runs[begin : begin + limit]]
    return {
        "file": file.name,
        "total": len(runs),
        "from": begin,
        "runs": rows,
        "command": command(COMMAND, file),
        "now": _now(),
    }


def _row(server: ServerState, run: RunRow, summary: RunSummary | None) -> dict[str, Any]:
    last = Round(0, 0) if summary is None else summary.last
    tested = None if summary is None else summary.tested
    return {
        "id": run.id,
        "name": str(run.name),
        "title": find_title(server.catalog, str(run.plan["game"])),
        "method": str(run.plan["method"]),
        "games": int(last.games),
        "rounds": int(last.number),
        "loss": None if last.loss is None else f"{last.loss:.4g}",
        "score": None if tested is None else _score_text(tested),
        "created": str(run.created),
        "ended": None if summary is None else str(summary.ended),
    }


def _score_text(tested: Round) -> str:
    (point,), _ = score_points([tested])
    low, high = point.interval
    return f"{point.score:.1%} ({100 * low:.0f} to {100 * high:.0f})"


@json_endpoint
def show_curves(request: Request) -> dict[str, Any]:
    """Show the curves of one or two runs, as `?run=1&run=2`, with their tables.

    `width` is that of a chart in pixels; with `changes=1` weights are drawn as changes.
    """
    server = server_of(request)
    width = query_number(request, "width", 600, MIN_WIDTH, MAX_WIDTH)
    changes = bool(query_number(request, "changes", 0, 0, 1))
    ids = [read_integer("run", text) for text in request.query_params.getlist("run")]
    if not 1 <= len(ids) <= MAX_RUNS or len(set(ids)) < len(ids):
        raise PlyforgeError(
            f"choose between 1 and {MAX_RUNS} different runs, as ?run=1&run=2, not {len(ids)}"
        )
    with _open_store(server) as store, explaining_errors(store.file):
        runs = {run.id: run for run in store.runs()}
        for number in ids:
            if number not in runs:
                raise PlyforgeError(f"{store.file.name} has no run {number}")
        chosen = [runs[number] for number in ids]
        rows = [_row(server, run, store.summary(run.id)) for run in chosen]
        state = tuple((row["id"], row["created"], row["rounds"], row["ended"]) for row in rows)
        drawn = _CURVES.get(
            (file_identity(store.file), state, width, changes),
            lambda: draw_runs([_load(server, store, run) for run in chosen], width, changes),
        )
    return {"runs": rows, "now": _now(), **drawn}


def _load(server: ServerState, store: LearningStore, run: RunRow) -> LoadedRun:
    state = store.last_state(run.id)
    steps = state.extra.get("history", ()) if state else ()
    history = [(float(loss), None if held is None else float(held)) for loss, held in steps]
    curves = WeightCurves.read(store, run, _find_form(server, run), MAX_POINTS)
    return LoadedRun(run, str(run.name), store.rounds(run.id), history, curves)


def _find_form(server: ServerState, run: RunRow) -> Form | None:
    """Return the form of a run's evaluation, None if it is not one of a game on this server.

    An evaluation in a file is never loaded: nothing that a database names is executed.
    """
    game, fingerprint = str(run.plan["game"]), str(run.plan["form"])

    def find() -> tuple[Form | None]:
        try:
            return (find_form(find_game(server.catalog, game), fingerprint),)
        except PlyforgeError:
            return (None,)

    return _FORMS.get((server.catalog, game, fingerprint), find)[0]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _open_store(server: ServerState) -> LearningStore:
    if server.databases.learning is None:
        raise PlyforgeError("this server shows no learning; start it with --learning FILE")
    return LearningStore.open_read_only(server.databases.learning)


ROUTES: Final = [
    Route("/api/learning", list_runs),
    Route("/api/learning/curves", show_curves),
]
