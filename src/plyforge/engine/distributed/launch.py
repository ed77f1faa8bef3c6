"""Start the processes of a distributed search, talk to them, and end them in any case."""

import contextlib
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from pathlib import Path
from typing import IO, Final

from plyforge.compilation.mpi import INSTALL, load_library
from plyforge.core.errors import PlyforgeError, clip
from plyforge.engine.distributed.frames import (
    Answer,
    Frame,
    Setup,
    Start,
    Stop,
    Task,
    receive,
    send,
)
from plyforge.engine.distributed.ranks import Change, GroupReply
from plyforge.engine.distributed.worker import TOKEN
from plyforge.engine.setup import SearchSetup

_START_SECONDS: Final = 120.0
"""How long processes may take to start."""
_END_SECONDS: Final = 5.0
"""How long they may take to end."""
_LOOK_SECONDS: Final = 0.2
HOSTFILE: Final = "PLYFORGE_MPI_HOSTFILE"
"""An environment variable: a file with the machines to use, in the form of mpiexec."""
_ROOT: Final = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class ProcessesLost(PlyforgeError):
    """A process of a distributed search has ended before its time."""


def _mpiexec() -> str:
    """Return the path of mpiexec, that of this Python first."""
    beside = Path(sys.executable).with_name("mpiexec")
    found = str(beside) if beside.exists() else shutil.which("mpiexec")
    if found is None:
        raise PlyforgeError(f"mpiexec was not found; {INSTALL}")
    return found


def _command(processes: int, method: str, host: str, port: int) -> list[str]:
    command = [_mpiexec(), "-n", str(processes), "--map-by", ":OVERSUBSCRIBE", "--bind-to", "none"]
    # A process that searches looks for messages often, and must not yield whenever there is none;
    # one without work yields by itself.
    command += ["--mca", "mpi_yield_when_idle", "0", "-x", TOKEN]
    if hosts := os.environ.get(HOSTFILE):
        command += ["--hostfile", hosts]
    worker = "plyforge.engine.distributed.worker"
    return [*command, sys.executable, "-m", "mpi4py", "-m", worker, host, str(port), method]


class Processes:
    """Processes that were started with mpiexec; the first of them is connected."""

    def __init__(self, setup: SearchSetup, processes: int, method: str) -> None:
        load_library()
        token = secrets.token_hex(16)
        remote = HOSTFILE in os.environ
        host = socket.gethostname() if remote else "127.0.0.1"
        self._output: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (until they end)
        self._number = 0
        with socket.create_server(("" if remote else host, 0)) as listener:
            self._program = subprocess.Popen(
                _command(processes, method, host, listener.getsockname()[1]),
                stdin=subprocess.DEVNULL,
                stdout=self._output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **_ROOT, TOKEN: token},
                # Ctrl-C is for the engine, which stops the search.
                start_new_session=True,
            )
            try:
                self._connection = self._accept(listener, token)
            except BaseException:
                _end(self._program, self._output)
                raise
        self._finalizer = weakref.finalize(
            self, _close, self._connection, self._program, self._output
        )
        send(self._connection, Setup(setup.pack()))
        reply = self._wait()
        if reply.error:
            self.close()
            raise PlyforgeError(reply.error)

    def _accept(self, listener: socket.socket, token: str) -> socket.socket:
        """Wait until the first process connects, and check that it is ours."""
        limit = time.monotonic() + _START_SECONDS
        listener.settimeout(_LOOK_SECONDS)
        while time.monotonic() < limit:
            if self._program.poll() is not None:
                raise self._lost("did not start")
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            connection.settimeout(_START_SECONDS)
            start = receive(connection)
            if isinstance(start, Start) and secrets.compare_digest(start.token, token):
                connection.settimeout(None)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return connection
            connection.close()
        raise PlyforgeError(
            f"the processes of the search did not start within {_START_SECONDS:.0f} s{self._said()}"
        )

    def _lost(self, what: str) -> ProcessesLost:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._program.wait(_END_SECONDS)
        return ProcessesLost(f"a process of the search {what}{self._said()}")

    def _said(self) -> str:
        """Return the end of what the processes have printed, for a message."""
        self._output.seek(0)
        lines = self._output.read().decode(errors="replace").split("\n")
        words = [line.strip() for line in lines if line.strip(" -*\t")]
        return f": {clip(' '.join(words), 300)}" if words else ""

    def search(self, changes: list[Change], request: bytes, node_limit: int | None) -> GroupReply:
        """Let the processes carry out a request."""
        self._number += 1
        try:
            send(self._connection, Task(self._number, changes, request, node_limit))
        except OSError:
            raise self._lost("has ended unexpectedly") from None
        return self._wait()

    def stop(self) -> None:
        """Stop the running search; safe to call from any thread."""
        with contextlib.suppress(OSError):
            send(self._connection, Stop(self._number))

    def _wait(self) -> GroupReply:
        while True:
            ready, _, _ = select.select([self._connection], [], [], _LOOK_SECONDS)
            if not ready and self._program.poll() is None:
                continue
            frame: Frame | None = None
            with contextlib.suppress(OSError):
                frame = receive(self._connection) if ready else None
            if isinstance(frame, Answer):
                return frame.reply
            raise self._lost("has ended unexpectedly")

    def close(self) -> None:
        """End all processes."""
        self._finalizer()


def _close(
    connection: socket.socket, program: "subprocess.Popen[bytes]", output: IO[bytes]
) -> None:
    """Ask the processes to end, and end them if they do not."""
    with contextlib.suppress(OSError):
        send(connection, Task(0, [], b"", None))
    with contextlib.suppress(subprocess.TimeoutExpired):
        program.wait(_END_SECONDS)
    connection.close()
    _end(program, output)


def _end(program: "subprocess.Popen[bytes]", output: IO[bytes]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        if program.poll() is not None:
            break
        with contextlib.suppress(ProcessLookupError):
            os.killpg(program.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            program.wait(_END_SECONDS)
    output.close()
