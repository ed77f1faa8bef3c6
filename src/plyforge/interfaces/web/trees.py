"""Messages of the page that shows the trees which searches visit."""

from collections.abc import Iterator
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from plyforge.core.errors import PlyforgeError
from plyforge.game.game import History
from plyforge.interfaces.drawing.board import board
from plyforge.interfaces.drawing.tree import tree
from plyforge.interfaces.drawing.treeplan import MAX_DRAWN, choose_collapsed
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.schema import Message, choice, many, optional, text, whole
from plyforge.interfaces.web.workers import Job, Sent, Stop
from plyforge.search.textbook.explain import NAMES, explain, format_bound, kind_text, window_text
from plyforge.search.textbook.trace import Visit
from plyforge.search.textbook.tracing import (
    CHOICES,
    MAX_DEPTH,
    FeasibleDepth,
    TraceLimits,
    TraceRequest,
    TraceResult,
    title_and_idea,
    trace_trees,
)

LIMITS: Final = TraceLimits()
MAX_TREES: Final = 4
"""Side by side."""
FIRST_DRAWN: Final = 2400
"""Visits in the first drawing: fewer than may be drawn, so that some can be opened."""
SECONDS: Final = 40.0
"""For a request: more than all its searches may take, so that there is time to draw."""
MAX_NAME: Final = 80
MAX_TEXT: Final = 20_000
"""Signs of a position or of moves."""
KEPT: Final = "trees"
"""The client's name for its trees in the server."""


def show(client: Client, given: dict[str, Any]) -> None:
    """Search a position with some algorithms, and draw what each of them visits."""
    history = _history(client, given)
    names = list(dict.fromkeys(given["algorithms"]))
    if not names:
        raise PlyforgeError("no algorithm is chosen; choose at least one")
    wish = TraceRequest(history, given["depth"], tuple(names), given["order"] == "best")
    client.work(trees(client, wish), SECONDS)


def _history(client: Client, given: dict[str, Any]) -> History:
    game = client.server.game(given["game"])
    history = game.history(game.parse(given["position"]) if given["position"] else None)
    if given["moves"]:
        history.play_text(given["moves"])
    return history


def trees(client: Client, wish: TraceRequest) -> Job:
    """A job that sends each tree when it is complete."""

    def job(stop: Stop) -> Iterator[Sent]:
        kept: list[TraceResult] = []
        client.kept[KEPT] = client.server.trees.put(wish, kept)
        for found in trace_trees(wish, stop, LIMITS):
            if isinstance(found, TraceResult):
                kept.append(found)
                client.server.trees.trim()
                yield tree_fields(len(kept) - 1, found)
            elif isinstance(found, FeasibleDepth):
                yield {"type": "reach", "place": found.index, "note": found.note}
            else:
                yield {"type": "minimal", "leaves": found.leaves, "note": found.note}

    return job


def tree_fields(place: int, grown: TraceResult) -> Sent:
    """A tree as the page shows it at first."""
    return {
        "type": "tree",
        "place": place,
        "title": grown.title,
        "idea": grown.idea,
        "note": grown.note,
        "value": grown.value,
        "counts": grown.counts,
        "svg": tree(grown.trace, collapsed=choose_collapsed(grown.trace, max_drawn=FIRST_DRAWN)),
    }


def draw(client: Client, given: dict[str, Any]) -> None:
    """Draw a tree again with other visits collapsed."""
    place, (_, grown) = given["place"], _kept(client, given)
    shut = frozenset(given["collapsed"])
    if choose_collapsed(grown.trace, shut) != shut:
        raise PlyforgeError(f"more than {MAX_DRAWN:,} visits would be drawn; collapse others first")
    client.send({"type": "drawing", "place": place, "svg": tree(grown.trace, collapsed=shut)})


def visit(client: Client, given: dict[str, Any]) -> None:
    """All about one visit, with the board."""
    wish, grown = _kept(client, given)
    visits = grown.trace.visits
    if given["visit"] >= len(visits):
        raise PlyforgeError(f"there is no visit {given['visit']}; the last is {len(visits) - 1}")
    found = visits[given["visit"]]
    client.send({"type": "visit", "place": given["place"], **visit_fields(wish, visits, found)})


def visit_fields(wish: TraceRequest, visits: list[Visit], found: Visit) -> dict[str, Any]:
    """A visit as the page tells it; numbers are in view of MAX."""
    game = wish.history.game
    words = [found.move]
    above = found
    last: list[str] = []
    if found.parent is not None:
        last = game.move_cells(visits[found.parent].position, found.path[-1])
    while above.parent is not None:
        above = visits[above.parent]
        words.append(above.move)
    return {
        "visit": found.number,
        "path": " ".join(reversed(words[:-1])),
        "side": _side(wish.history, found.side),
        "window": window_text(found, short=False),
        "value": format_bound(found),
        "kind": kind_text(found),
        "depth": found.depth if wish.depth < MAX_DEPTH else None,
        "moves": len(found.moves),
        "unseen": " ".join(found.unseen),
        "explanation": explain(found),
        "position": game.text(found.position),
        "board": board(game, found.position, last=last),
    }


def _side(history: History, side: int) -> str:
    player = history.game.players[side]
    return NAMES[side] if player == NAMES[side] else f"{NAMES[side]}, {player}"


def _kept(client: Client, given: dict[str, Any]) -> tuple[TraceRequest, TraceResult]:
    wish, kept = client.server.trees.get(client.kept.get(KEPT))
    if given["place"] >= len(kept):
        raise PlyforgeError(f"there is no tree {given['place']}; draw it first")
    return wish, kept[given["place"]]


_SIDE_BY_SIDE: Final = ["minimax", "alpha-beta", "negascout", "mtdf"]
EXAMPLES: Final[list[dict[str, Any]]] = [
    {
        "title": "A textbook's tree (Russell and Norvig)",
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
        "title": "Tic-tac-toe, three plies",
        "game": "tictactoe",
        "moves": "b2 a1",
        "depth": 3,
        "algorithms": ["alpha-beta", "minimal"],
    },
    {
        "title": "Connect four, three plies",
        "game": "connect4",
        "depth": 3,
        "algorithms": ["alpha-beta", "negascout"],
    },
]


def _choices(request: Request) -> Response:
    """What can be drawn, and examples."""
    rows = [(name, *title_and_idea(name)) for name in CHOICES]
    return JSONResponse(
        {
            "algorithms": [{"name": n, "title": title, "idea": idea} for n, title, idea in rows],
            "most": MAX_TREES,
            "examples": EXAMPLES,
        }
    )


ROUTES: Final = [Route("/api/trees", _choices)]
MESSAGES: Final = {
    "trees": Message(
        {
            "game": text(MAX_NAME),
            "position": optional(text(MAX_TEXT)),
            "moves": optional(text(MAX_TEXT)),
            "depth": optional(whole(1, MAX_DEPTH), MAX_DEPTH),
            "algorithms": many(choice(*CHOICES), MAX_TREES),
            "order": optional(choice("rules", "best"), "rules"),
        },
        show,
        slow=True,
    ),
    "drawing": Message(
        {
            "place": whole(0, MAX_TREES - 1),
            "collapsed": many(whole(0, LIMITS.visits), MAX_DRAWN),
        },
        draw,
        slow=True,
    ),
    "visit": Message({"place": whole(0, MAX_TREES - 1), "visit": whole(0, LIMITS.visits)}, visit),
}
