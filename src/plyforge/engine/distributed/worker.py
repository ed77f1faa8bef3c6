"""The program of the processes that the engine starts with mpiexec.

    python -m mpi4py -m plyforge.engine.distributed.worker HOST PORT METHOD

The first process connects to the engine, receives the setup and then requests, and answers.  When
the connection ends, it ends, and MPI ends the others.
"""

import ctypes
import os
import queue
import signal
import socket
import sys
import threading
from typing import Any, Final

from plyforge.compilation.mpi import load_library
from plyforge.core.errors import PlyforgeError
from plyforge.engine.distributed.frames import Setup, Start, Stop, Task, receive, send
from plyforge.engine.distributed.ranks import Channels, Follower, GroupReply, Leader
from plyforge.engine.presets import uses_special_kernel
from plyforge.engine.setup import SearchSetup
from plyforge.jobs.user_files import use_files
from plyforge.search.hashtable import HashTable
from plyforge.search.kernels.table import DEEPER_TIMESTAMP
from plyforge.search.request import SearchRequest

TOKEN: Final = "PLYFORGE_MPI_TOKEN"
_DIGEST: Final = bytes(16)
_SIGNAL_OF_PARENT: Final = 1
"""PR_SET_PDEATHSIG of Linux."""


def main() -> None:
    """Serve the engine until it ends."""
    # Without mpiexec nobody would end this process.
    ctypes.CDLL(None).prctl(_SIGNAL_OF_PARENT, signal.SIGKILL)
    channels = Channels()
    engine = _Engine(sys.argv[1], int(sys.argv[2]), channels) if channels.number == 0 else None
    data = channels.commands.bcast(None if engine is None else engine.receive_setup())
    setup = SearchSetup.unpack(data)
    # The first process compiles; the others then find the kernel in the cache.
    member: Any = None
    error = ""
    if engine is not None:
        member, error = _make(setup, Leader, sys.argv[3], channels)
    error = channels.commands.bcast(error)
    if engine is None and not error:
        member, error = _make(setup, Follower, sys.argv[3], channels)
    errors = [text for text in channels.commands.allgather(error) if text]
    if engine is not None:
        engine.send(GroupReply(b"", [], 0.0, errors[0] if errors else ""))
    if not errors:
        if engine is not None:
            engine.serve(member)
        else:
            member.serve()


def _make(setup: SearchSetup, kind: Any, method: str, channels: Channels) -> tuple[Any, str]:
    """Return a member of the search, or an error."""
    try:
        load_library()
        game, options = setup.load_game(), setup.load_options()
        stamped = options.code("replace") == DEEPER_TIMESTAMP
        table = HashTable.sized(entries=setup.entries, stamped=stamped)
        special = uses_special_kernel(game, options)
        parts: dict[str, Any] = {"backend": setup.backend, "specialised": special}
        parts |= {"channels": channels, "method": method}
        with use_files(setup.files):
            return kind(game, options, table, **parts), ""
    except PlyforgeError as error:
        return None, str(error)


class _Engine:
    """The engine, as the first process sees it."""

    def __init__(self, host: str, port: int, channels: Channels) -> None:
        self._connection = socket.create_connection((host, port))
        self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.send(Start(os.environ.get(TOKEN, ""), channels.size))
        self._leader: Leader | None = None
        self._setups: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._tasks: queue.SimpleQueue[Task] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._running = self._stopped = 0
        """The number of the running task, and of the last one that was stopped."""
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, frame: Any) -> None:
        send(self._connection, frame)

    def receive_setup(self) -> bytes:
        return self._setups.get()

    def serve(self, leader: Leader) -> None:
        """Answer requests until the engine ends."""
        self._leader = leader
        while True:
            task = self._tasks.get()
            if not task.request:
                leader.close()
                return
            with self._lock:
                leader.reset_stop()
                self._running = task.number
                if self._stopped == task.number:
                    leader.stop()
            request = SearchRequest.unpack(task.request, leader.game, _DIGEST)
            reply = leader.answer_all(task.changes, request, task.node_limit)
            with self._lock:
                self._running = 0
            self.send(reply)

    def _read(self) -> None:
        while True:
            try:
                message = receive(self._connection)
            except OSError:
                message = None
            if message is None:
                # The engine has ended.  MPI ends the other processes when this one fails.
                os._exit(1)
            if isinstance(message, Setup):
                self._setups.put(message.setup)
            elif isinstance(message, Task):
                self._tasks.put(message)
            elif isinstance(message, Stop):
                with self._lock:
                    self._stopped = message.number
                    if self._running == message.number and self._leader is not None:
                        self._leader.stop()


if __name__ == "__main__":
    main()
