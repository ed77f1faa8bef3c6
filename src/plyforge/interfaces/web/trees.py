"""Messages of the page that shows search trees."""

from collections.abc import Iterator
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.equilibrium.game_tree import build_tree
from plyforge.equilibrium.linear_program import solve_sequence_form
from plyforge.equilibrium.tracing import trace_profile
from plyforge.game.game import History
from plyforge.interfaces.drawing.board import board
from plyforge.interfaces.drawing.tree import tree
from plyforge.interfaces.drawing.treeplan import MAX_DRAWN, choose_collapsed, plan
from plyforge.interfaces.web import incoming
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.handlers import Handler, Handlers
from plyforge.interfaces.web.incoming import MAX_TREES, TRACE_LIMITS
from plyforge.interfaces.web.outgoing import (
    FeasibleDepthNote,
    MinimalTree,
    TreeDrawing,
    TreeFile,
    TreeView,
    VisitView,
)
from plyforge.interfaces.web.protocol import Outgoing
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.workers import Job, Stop
from plyforge.search.textbook.algorithms import check_algorithm
from plyforge.search.textbook.explain import NAMES, explain, format_bound, kind_text, window_text
from plyforge.search.textbook.export import to_dot, to_tikz
from plyforge.search.textbook.trace import Trace, Visit
from plyforge.search.textbook.tracing import (
    CHOICES,
    MAX_DEPTH,
    PARALLEL,
    FeasibleDepth,
    MinimalLeaves,
    TraceRequest,
    TraceResult,
    title_and_idea,
    trace_trees,
)

FIRST_DRAWN: Final = 80
"""Visits in the first drawing: few enough to read their values."""
EXPANDED: Final = 2400
"""Visits in an expanded tree: fewer than may be drawn, so that others can still be expanded."""
SECONDS: Final = 40.0
"""Time limit of a request: more than its searches may take, so that there is time to draw."""
EQUILIBRIUM: Final = "equilibrium"
EQUILIBRIUM_TITLE: Final = "Equilibrium"
EQUILIBRIUM_IDEA: Final = "mixed strategies for a game with hidden information, as kuhn or rps"
TRACES: Final = "traces"
"""The key in a client's data under which the number of its trees is kept."""


def show(server: ServerState, client: Client, message: incoming.ShowTrees) -> None:
    """Search a position with several algorithms, and draw what each visits."""
    names = tuple(dict.fromkeys(message.algorithms))
    if not names:
        raise PlyforgeError("no algorithm is chosen; choose at least one")
    for name in names:
        if name not in (*CHOICES, EQUILIBRIUM):
            raise UnknownName("algorithm", name, (*CHOICES, EQUILIBRIUM))
    if EQUILIBRIUM in names:
        return _show_equilibrium(server, client, message, names)
    if message.game.partition(":")[0] in server.catalog.hidden_names():
        raise PlyforgeError(
            f"{message.game} has hidden information, which {names[0]} would see; choose"
            f" {EQUILIBRIUM} instead"
        )
    history = _read_history(server, message)
    for name in names:
        check_algorithm(history.game, name)
    request = TraceRequest(
        history,
        message.depth,
        names,
        best_first=message.order == "best",
        workers=message.workers,
        seed=message.seed,
    )
    return client.start(_trace(server, client, request), SECONDS)


def _show_equilibrium(
    server: ServerState, client: Client, message: incoming.ShowTrees, names: tuple[str, ...]
) -> None:
    """Draw the whole tree of a game, with its information sets and the players' strategies."""
    if len(names) > 1 or message.position or message.moves:
        raise PlyforgeError(
            f"{EQUILIBRIUM} shows the whole game: choose it alone, without a position or moves"
        )
    game = server.catalog.hidden_game(message.game)
    request = TraceRequest(game.history(), MAX_DEPTH, names, best_first=False)

    def job(stop: Stop) -> Iterator[Outgoing]:
        def watch(_: int) -> None:
            if stop.is_set():
                raise PlyforgeError("the tree was stopped")

        tree_of_game = build_tree(game, max_nodes=TRACE_LIMITS.visits, report=watch)
        profile = solve_sequence_form(tree_of_game)
        note = "" if profile.tree.sets else "No player has a choice."
        result = TraceResult(
            EQUILIBRIUM_TITLE, profile.tree.describe(), trace_profile(profile), note
        )
        client.data[TRACES] = server.traces.put(request, [result])
        server.traces.trim()
        yield _tree_view(0, result)

    client.start(job, SECONDS)


def _read_history(server: ServerState, message: incoming.ShowTrees) -> History:
    game = server.catalog.game(message.game)
    history = game.history(game.parse(message.position) if message.position else None)
    if message.moves:
        history.play_text(message.moves)
    return history


def _trace(server: ServerState, client: Client, request: TraceRequest) -> Job:
    """Return a job that sends each tree when it is complete."""

    def job(stop: Stop) -> Iterator[Outgoing]:
        trees: list[TraceResult] = []
        client.data[TRACES] = server.traces.put(request, trees)
        for result in trace_trees(request, stop, TRACE_LIMITS):
            match result:
                case TraceResult():
                    trees.append(result)
                    server.traces.trim()
                    yield _tree_view(len(trees) - 1, result)
                case FeasibleDepth():
                    yield FeasibleDepthNote(place=result.index, note=result.note)
                case MinimalLeaves():
                    yield MinimalTree(leaves=result.leaves, note=result.note)

    return job


def _tree_view(place: int, result: TraceResult) -> TreeView:
    """Return a tree as the page shows it at first."""
    return TreeView(
        place=place,
        title=result.title,
        idea=result.idea,
        note=result.note,
        value=result.value,
        counts=result.counts,
        svg=tree(result.trace, collapsed=choose_collapsed(result.trace, max_drawn=FIRST_DRAWN)),
    )


def expand(server: ServerState, client: Client, message: incoming.ExpandTree) -> None:
    """Draw a tree with few visits collapsed, or none."""
    _, result = _find_tree(server, client, message.place)
    collapsed = choose_collapsed(result.trace, max_drawn=EXPANDED)
    client.send(TreeDrawing(place=message.place, svg=tree(result.trace, collapsed=collapsed)))


def export(server: ServerState, client: Client, message: incoming.ExportTree) -> None:
    """Send a tree as a file, with the visits that the page shows."""
    _, result = _find_tree(server, client, message.place)
    collapsed = choose_collapsed(result.trace, frozenset(message.collapsed))
    match message.format:
        case "svg" | "png":
            text = tree(result.trace, collapsed=collapsed, standalone=True)
        case "dot" | "tikz":
            drawing = plan(result.trace, collapsed)
            shown = Trace()
            shown.visits = [drawing.visits[number] for number in drawing.drawn]
            text = _export_remark(message.format, result, len(shown.visits))
            text += to_dot(shown) if message.format == "dot" else to_tikz(shown)
    client.send(TreeFile(place=message.place, format=message.format, text=text))


def _export_remark(format: str, result: TraceResult, drawn: int) -> str:
    sign = "//" if format == "dot" else "%"
    return f"{sign} {result.title}: {drawn:,} of {len(result.trace.visits):,} visits\n"


def draw(server: ServerState, client: Client, message: incoming.DrawTree) -> None:
    """Draw a tree with other visits collapsed."""
    _, result = _find_tree(server, client, message.place)
    collapsed = frozenset(message.collapsed)
    if choose_collapsed(result.trace, collapsed) != collapsed:
        raise PlyforgeError(f"more than {MAX_DRAWN:,} visits would be drawn; collapse others first")
    svg = tree(result.trace, collapsed=collapsed)
    client.send(TreeDrawing(place=message.place, svg=svg))


def show_visit(server: ServerState, client: Client, message: incoming.ShowVisit) -> None:
    """Send one visit, with its board."""
    request, result = _find_tree(server, client, message.place)
    visits = result.trace.visits
    if message.visit >= len(visits):
        raise PlyforgeError(f"there is no visit {message.visit}; the last is {len(visits) - 1}")
    client.send(_visit_view(message.place, request, visits, visits[message.visit]))


def _visit_view(place: int, request: TraceRequest, visits: list[Visit], visit: Visit) -> VisitView:
    game = request.history.game
    last: list[str] = []
    if visit.parent is not None:
        last = game.move_cells(visits[visit.parent].position, visit.path[-1])
    return VisitView(
        place=place,
        visit=visit.number,
        path=" ".join(_path(visits, visit)),
        side="chance" if visit.chance else _side_text(request.history, visit.side),
        window=window_text(visit, short=False),
        value=format_bound(visit),
        kind=kind_text(visit),
        depth=visit.depth if request.depth < MAX_DEPTH else None,
        moves=len(visit.moves),
        unseen=" ".join(visit.unseen),
        explanation=explain(visit),
        position=game.text(visit.position),
        board=board(game, visit.position, last=last),
        worker=None if visit.worker is None else visit.worker + 1,
    )


def _path(visits: list[Visit], visit: Visit) -> list[str]:
    """Return the moves from the root to a visit."""
    moves: list[str] = []
    while visit.parent is not None:
        moves.append(visit.move)
        visit = visits[visit.parent]
    return moves[::-1]


def _side_text(history: History, side: int) -> str:
    player = history.game.players[side]
    return NAMES[side] if player == NAMES[side] else f"{NAMES[side]}, {player}"


def _find_tree(server: ServerState, client: Client, place: int) -> tuple[TraceRequest, TraceResult]:
    request, trees = server.traces.get(client.data.get(TRACES))
    if place >= len(trees):
        raise PlyforgeError(f"there is no tree {place}; draw it first")
    return request, trees[place]


_SIDE_BY_SIDE: Final = ["minimax", "alpha-beta", "negascout", "mtdf"]
EXAMPLES: Final[list[dict[str, Any]]] = [
    {
        "title": "A textbook tree (Russell and Norvig)",
        "game": "tree",
        "position": "[[3,12,8],[2,4,6],[14,5,2]]",
        "algorithms": _SIDE_BY_SIDE,
    },
    {
        "title": "The same with MIN to move first",
        "game": "tree",
        "position": "[[3,12,8],[2,4,6],[14,5,2]] MIN",
        "algorithms": _SIDE_BY_SIDE,
    },
    {
        "title": "A deep cut: a bound from far above",
        "game": "tree",
        "position": "[5,[[[3,9],8],7]]",
        "algorithms": ["minimax", "alpha-beta"],
    },
    {
        "title": "A move that must be searched again",
        "game": "tree",
        "position": "[[1,2],[3,4],[5,6]]",
        "algorithms": ["alpha-beta", "negascout", "minimal"],
    },
    {
        "title": "Diamonds: every position is reached in many ways",
        "game": "tree:layered,branching=2,depth=4,seed=23,values=21,width=2",
        "algorithms": ["minimax", "alpha-beta", "table", "mtdf"],
    },
    {
        "title": "Parallel search: splits, and a cut that stops a worker",
        "game": "tree:uniform,branching=3,depth=3,seed=41,values=21",
        "algorithms": ["alpha-beta", "ybwc", "root-split", "abdada"],
    },
    {
        "title": "Information sets: rock-paper-scissors",
        "game": "rps",
        "algorithms": [EQUILIBRIUM],
    },
    {
        "title": "Information sets and chance: Kuhn poker",
        "game": "kuhn",
        "algorithms": [EQUILIBRIUM],
    },
    {
        "title": "Tic-tac-toe, three plies",
        "game": "tictactoe",
        "moves": "b2 a1",
        "depth": 3,
        "algorithms": ["alpha-beta", "minimal"],
    },
    {
        "title": "Pig near its end: chance, Star1 and Star2",
        "game": "pig:20",
        "position": "16 15 2 First to 20",
        "depth": 3,
        "algorithms": ["expectimax", "star1", "star2"],
    },
    {
        "title": "Connect four, three plies",
        "game": "connect4",
        "depth": 3,
        "algorithms": ["alpha-beta", "negascout"],
    },
]


def _choices(request: Request) -> Response:
    """List the algorithms and examples."""
    server: ServerState = request.app.state.server
    rows = [(name, *title_and_idea(name), name in PARALLEL) for name in CHOICES]
    rows.append((EQUILIBRIUM, EQUILIBRIUM_TITLE, EQUILIBRIUM_IDEA, False))
    return JSONResponse(
        {
            "algorithms": [
                dict(zip(("name", "title", "idea", "parallel"), row, strict=True)) for row in rows
            ],
            "hidden": server.catalog.hidden_names(),
            "max_trees": MAX_TREES,
            "examples": EXAMPLES,
        }
    )


ROUTES: Final = [Route("/api/trees", _choices)]
HANDLERS: Final[Handlers] = {
    incoming.ShowTrees: Handler(show, slow=True),
    incoming.DrawTree: Handler(draw, slow=True),
    incoming.ExpandTree: Handler(expand, slow=True),
    incoming.ExportTree: Handler(export, slow=True),
    incoming.ShowVisit: Handler(show_visit),
}
