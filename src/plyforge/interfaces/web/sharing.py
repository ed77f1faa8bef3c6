"""A search that a master shares out to workers: its tree, and who works where."""

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from queue import SimpleQueue
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine import score_text
from plyforge.engine.master import Master
from plyforge.engine.master.estimate import Estimate
from plyforge.engine.master.opening import open_master
from plyforge.engine.master.result import MasterResult, WorkerSummary, line_texts
from plyforge.engine.master.tree import Node
from plyforge.game.game import History
from plyforge.interfaces.web import incoming
from plyforge.interfaces.web.analyse import MAX_LINE_MOVES, MIB, searchable_history
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.handlers import Handler, Handlers
from plyforge.interfaces.web.outgoing import (
    SharedNode,
    SharedRest,
    SharedSearch,
    SharedValue,
    SharedWorker,
)
from plyforge.interfaces.web.protocol import Outgoing
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.view import readable_move
from plyforge.interfaces.web.workers import Stop
from plyforge.jobs.choosing import LOCAL

_INTERVAL: Final = 0.3
"""Seconds between two messages."""

ToRoot = Callable[[Estimate], Estimate]
"""Turns an estimate of a node into that of the line from the root to it."""
Places = dict[tuple[int, ...], list[int]]
"""The numbers of the workers at each node, by the moves from the root to it."""


def share_out(server: ServerState, client: Client, message: incoming.ShareOut) -> None:
    """Analyse a position with a master and its workers."""
    if message.how.threads > 1:
        raise PlyforgeError(
            f"each worker has one thread, not {message.how.threads}; set Threads to 1"
        )
    history = searchable_history(server, message)
    client.start(lambda stop: _run(server, message, history, stop), pool=server.batch_workers)


def _run(
    server: ServerState, message: incoming.ShareOut, history: History, stop: Stop
) -> Iterator[Outgoing]:
    with _borrow_master(server, message, history) as master, stop.calling(master.stop):
        if not stop.is_set():
            yield from _views(master, history, message.seconds)


def _borrow_master(
    server: ServerState, message: incoming.ShareOut, history: History
) -> AbstractContextManager[Master]:
    """Return a master for the time of a search.

    One whose workers are in this process is kept afterwards: it continues with its tree if the
    next search begins at a position of it.  Workers on a cluster are ended for the sake of others.
    """
    how = message.how

    def make() -> Master:
        arguments = {
            "driver": server.drivers.find(how.driver),
            "steps": server.steps.added,
            "preset": how.preset,
            "on": how.on,
            "off": how.off,
            "hash": MIB / message.workers,
        }
        with server.catalog.building(history.game):
            master = open_master(history.game, arguments, message.workers, server.executor)
            master.prepare()
        return master

    if server.executor == LOCAL:
        return server.masters.borrow((message.game, how, message.workers), make)
    return closing(make())


def _views(master: Master, history: History, seconds: float) -> Iterator[Outgoing]:
    """Search in another thread, and yield what is to be sent."""
    waiting: SimpleQueue[SharedSearch | Exception | None] = SimpleQueue()

    def report(result: MasterResult) -> None:
        waiting.put(shared_view(result, last=False))

    def search() -> None:
        try:
            result = master.search(history, time=seconds, report=report, interval=_INTERVAL)
            waiting.put(shared_view(result, last=True))
        except Exception as error:
            waiting.put(error)
        waiting.put(None)

    thread = threading.Thread(target=search, name="master", daemon=True)
    thread.start()
    try:
        while (item := waiting.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        master.stop()
        thread.join()


def shared_view(result: MasterResult, last: bool) -> SharedSearch:
    """Return what the page shows of a search."""
    places: Places = {}
    for worker in result.workers:
        if worker.path is not None and not worker.lost:
            places.setdefault(worker.path, []).append(worker.number)
    history, estimate = result.root, result.estimate
    return SharedSearch(
        ply=len(history.moves),
        player=history.game.players[history.turn],
        value=_value_view(estimate if result.searched else None),
        line=_line_view(history, estimate.line[:MAX_LINE_MOVES]),
        nodes=result.nodes,
        quick_nodes=result.quick_nodes,
        seconds=result.seconds,
        last=last,
        tree=_TreeView(estimate.line, places).node(result.tree, ()),
        workers=[_worker_view(history, worker) for worker in result.workers],
    )


class _TreeView:
    """Turns the nodes of a master's tree into what the page shows."""

    def __init__(self, line: tuple[int, ...], places: Places) -> None:
        self._line, self._places = line, places

    def node(
        self,
        node: Node,
        path: tuple[int, ...],
        move: str = "",
        to_root: ToRoot = lambda estimate: estimate,
    ) -> SharedNode:
        """Return a node with its children, the best one first."""
        game, position = node.history.game, node.history.position

        def child_view(one: int, child: Node) -> SharedNode:
            def lift(estimate: Estimate) -> Estimate:
                return to_root(estimate.lift(one, child.turn == node.turn))

            return self.node(child, (*path, one), readable_move(game, position, one), lift)

        return SharedNode(
            move=move,
            value=_value_view(node.estimate(), to_root),
            best=path == self._line[: len(path)],
            nodes=node.nodes,
            workers=self._places.get(path, []),
            rest=self._rest(node, path, to_root),
            children=[child_view(one, node.children[one]) for one in _best_first(node)],
        )

    def _rest(self, node: Node, path: tuple[int, ...], to_root: ToRoot) -> SharedRest | None:
        rest = node.rest
        if not node.children or not rest:
            return None
        here = len(path)
        best = self._line[:here] == path and self._line[here : here + 1] in {(one,) for one in rest}
        below = sum(child.nodes for child in node.children.values())
        return SharedRest(
            moves=len(rest),
            value=_value_view(node.own, to_root),
            best=best,
            nodes=node.nodes - below,
        )


def _best_first(node: Node) -> list[int]:
    """Return the moves that have children, in the order of their scores."""

    def score(move: int) -> float:
        value = node.estimate_of(move)
        return -math.inf if value is None else value.score

    return sorted(node.children, key=score, reverse=True)


def _line_view(history: History, line: tuple[int, ...]) -> list[str]:
    return line_texts(history.game, history.position, line, readable=True)


def _value_view(
    estimate: Estimate | None, to_root: ToRoot = lambda estimate: estimate
) -> SharedValue | None:
    if estimate is None:
        return None
    value = to_root(estimate)
    return SharedValue(
        score=score_text(value.score), bound=value.bound, depth=value.depth, proved=value.proved
    )


def _worker_view(history: History, worker: WorkerSummary) -> SharedWorker:
    path, estimate = worker.path, worker.estimate
    return SharedWorker(
        number=worker.number,
        place=worker.place,
        path=None if path is None else _line_view(history, path),
        rest=worker.rest,
        depth=None if estimate is None or path is None else len(path) + estimate.depth,
        nodes=worker.nodes,
        moved=worker.moves,
        lost=worker.lost,
    )


HANDLERS: Final[Handlers] = {incoming.ShareOut: Handler(share_out, slow=True)}
