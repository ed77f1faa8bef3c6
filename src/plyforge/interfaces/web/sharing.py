"""A search that a master shares out to workers: its tree, and who works where."""

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from queue import SimpleQueue
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine import score_text
from plyforge.engine.master import Master
from plyforge.engine.master.opening import open_master
from plyforge.engine.master.result import MasterResult, WorkerSummary, line_texts
from plyforge.engine.master.tree import Node
from plyforge.game.game import History
from plyforge.interfaces.web import incoming
from plyforge.interfaces.web.analyse import MIB, searchable_history
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.handlers import Handler, Handlers
from plyforge.interfaces.web.outgoing import SharedNode, SharedSearch, SharedWorker
from plyforge.interfaces.web.protocol import Outgoing
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.workers import Stop

_INTERVAL: Final = 0.3
"""Seconds between two messages."""


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
    how = message.how
    with server.catalog.building(history.game):
        arguments = {
            "driver": server.drivers.find(how.driver),
            "steps": server.steps.added,
            "preset": how.preset,
            "on": how.on,
            "off": how.off,
            "hash": MIB / message.workers,
        }
        master = open_master(history.game, arguments, message.workers, server.executor)
    with closing(master), stop.calling(master.stop):
        master.prepare()
        if not stop.is_set():
            yield from _views(master, history, message.seconds)


def _views(master: Master, history: History, seconds: float) -> Iterator[Outgoing]:
    """Search in another thread, and yield what is to be sent."""
    waiting: SimpleQueue[SharedSearch | Exception | None] = SimpleQueue()
    sent = -_INTERVAL

    def report(result: MasterResult) -> None:
        nonlocal sent  # the tree changes later, so it is read here
        if time.monotonic() - sent >= _INTERVAL:
            sent = time.monotonic()
            waiting.put(shared_view(history, result, last=False))

    def search() -> None:
        try:
            result = master.search(history, time=seconds, report=report)
            waiting.put(shared_view(history, result, last=True))
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


def shared_view(history: History, result: MasterResult, last: bool) -> SharedSearch:
    """Return what the page shows of a search."""
    places: dict[tuple[int, ...], list[int]] = {}
    for worker in result.workers:
        if worker.path is not None and not worker.lost:
            places.setdefault(worker.path, []).append(worker.number)
    game, position = history.game, history.position
    estimate = result.estimate
    return SharedSearch(
        ply=len(history.moves),
        depth=estimate.depth,
        score=score_text(estimate.score),
        bound=estimate.bound if result.searched else "none",
        proved=estimate.proved,
        line=line_texts(game, position, estimate.line),
        nodes=result.nodes,
        seconds=result.seconds,
        last=last,
        tree=_node_view(result.tree, "", (), places),
        workers=[_worker_view(history, worker) for worker in result.workers],
    )


def _node_view(
    node: Node, move: str, path: tuple[int, ...], places: dict[tuple[int, ...], list[int]]
) -> SharedNode:
    game, position = node.history.game, node.history.position
    value = node.estimate()
    return SharedNode(
        move=move,
        player=game.players[node.turn],
        score=None if value is None else score_text(value.score),
        bound="none" if value is None else value.bound,
        depth=None if value is None else value.depth,
        workers=places.get(path, []),
        children=[
            _node_view(child, game.move_text(position, one), (*path, one), places)
            for one, child in node.children.items()
        ],
    )


def _worker_view(history: History, worker: WorkerSummary) -> SharedWorker:
    path = worker.path
    return SharedWorker(
        number=worker.number,
        place=worker.place,
        path=None if path is None else line_texts(history.game, history.position, path),
        depth=None if worker.estimate is None else worker.estimate.depth,
        nodes=worker.nodes,
        moved=worker.moves,
        lost=worker.lost,
    )


HANDLERS: Final[Handlers] = {incoming.ShareOut: Handler(share_out, slow=True)}
