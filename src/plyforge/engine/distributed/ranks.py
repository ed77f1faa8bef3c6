"""The processes of a distributed search within MPI: the first one leads, the others serve.

Between searches the leader sends commands, small pieces of MessagePack.  While a search runs, the
kernels exchange messages of their own on another communicator.
"""

import atexit
import time
from typing import Any, Final

import msgspec

from plyforge.core.errors import PlyforgeError
from plyforge.search.counts import CORE_COUNTS, Counts
from plyforge.search.distributed.member import Member, split_plies
from plyforge.search.kernels.context import ONE_PLY
from plyforge.search.request import SearchReply, SearchRequest
from plyforge.search.searcher import Searcher

_COMMAND: Final = 11
_REPORT: Final = 12
"""Tags of messages between searches."""
_FAST_LOOKS: Final = 400
"""How often a process looks for a message before it rests longer between looks."""
_SHORT_REST, _LONG_REST = 50e-6, 2e-3
_MIN_SHARED_NODES: Final = 2000
"""With a smaller limit of nodes, the leader searches alone: telling the others, and waiting until
all have ended, would take longer.  Such searches complete the lines after a stop."""

Change = tuple[str, int]
"""Something that every process does before a search: its name, and a number."""


class Command(msgspec.Struct, array_like=True):
    """What the leader tells the others to do."""

    changes: list[Change]
    request: bytes
    """Empty to end the process."""
    search: int
    split_plies: int
    node_limit: int | None


class Report(msgspec.Struct, array_like=True):
    """What a process has done in a search."""

    core: list[int]
    steps: dict[str, int]
    account: list[int]
    error: str


class GroupReply(msgspec.Struct, array_like=True):
    """The answer of all processes to a request."""

    reply: bytes
    """The packed `SearchReply`, whose counts are those of all; empty after an error."""
    accounts: list[list[int]]
    kernel_seconds: float
    error: str


_encode = msgspec.msgpack.Encoder().encode
_DIGEST: Final = bytes(16)
"""Requests between processes of one search need no digest: all have the same setup."""


def apply(changes: list[Change], member: Member) -> None:
    """Carry out changes between searches."""
    for name, number in changes:
        if name == "generation":
            Searcher.new_generation(member)
        elif name == "age":
            Searcher.age(member, number)
        elif name == "clear":
            Searcher.clear(member)
        else:
            raise PlyforgeError(f"unknown change '{name}' of a distributed search")


def report_of(member: Member, error: str) -> Report:
    counts = Searcher.counts.fget(member)  # type: ignore[attr-defined]
    core = [getattr(counts, name) for name in CORE_COUNTS]
    return Report(core, dict(counts.steps), list(vars(member.total).values()), error)


def _receive(communicator: Any, source: int, tag: int) -> bytes:
    """Wait for a message without using the processor, as MPI itself would."""
    looks = 0
    while not communicator.iprobe(source, tag):
        looks += 1
        time.sleep(_SHORT_REST if looks < _FAST_LOOKS else _LONG_REST)
    data: bytes = communicator.recv(None, source, tag)
    return data


class Channels:
    """The communicators of a process: for commands, and for the messages of kernels.

    All processes make them at the same time.
    """

    def __init__(self) -> None:
        from mpi4py import MPI

        if not MPI.Is_initialized():
            MPI.Init()
            atexit.register(MPI.Finalize)
        self.commands = MPI.COMM_WORLD
        self.kernels = self.commands.Dup()
        self.number, self.size = self.commands.Get_rank(), self.commands.Get_size()


class Leader(Member):
    """The first process of MPI."""

    def __init__(self, *arguments: Any, channels: Channels, **more: Any) -> None:
        super().__init__(*arguments, number=0, size=channels.size, network="mpi", **more)
        self._communicator = channels.commands
        self.use_communicator(int(channels.kernels.handle))
        self._searches = 0
        self._limit: int | None = None
        self._changes: list[Change] = []
        self._reports: list[Report] = []

    def answer_all(
        self, changes: list[Change], request: SearchRequest, node_limit: int | None
    ) -> GroupReply:
        """Carry out a request with all processes."""
        self._changes += changes
        apply(changes, self)
        self.reset_counts()
        self._limit = node_limit
        self._reports = []
        try:
            result = self.search(request)
        except PlyforgeError as error:
            return GroupReply(b"", [], 0.0, str(error))
        reports = [report_of(self, ""), *self._reports]
        errors = [report.error for report in reports if report.error]
        counts = Counts()
        for report in reports:
            core = dict(zip(CORE_COUNTS, report.core, strict=True))
            counts = counts.plus(Counts(**core, steps=report.steps))
        return GroupReply(
            b"" if errors else SearchReply(result, counts).pack(),
            [report.account for report in reports],
            self.kernel_seconds,
            errors[0] if errors else "",
        )

    def _run(self, request: SearchRequest) -> float:
        plies = split_plies(self.options, request.depth)
        self._searches += 1
        few_nodes = self._limit is not None and self._limit < _MIN_SHARED_NODES
        alone = few_nodes or request.depth <= plies * ONE_PLY
        if not alone:
            self._send_all(
                Command(
                    self._changes,
                    request.pack(self.game, _DIGEST),
                    self._searches,
                    plies,
                    self._limit,
                )
            )
            self._changes = []
        try:
            self.start_search(
                request,
                search=self._searches,
                split_plies=plies,
                node_limit=self._limit,
                size=1 if alone else None,
            )
            self.run()
        finally:
            self.note_account()
            self.note_learning()
            if not alone:
                self._reports = self._gather()
        return float(self.process.value)

    def _send_all(self, command: Command) -> None:
        data = _encode(command)
        for rank in range(1, self.size):
            self._communicator.send(data, rank, _COMMAND)

    def _gather(self) -> list[Report]:
        decode = msgspec.msgpack.Decoder(Report).decode
        ranks = range(1, self.size)
        return [decode(_receive(self._communicator, rank, _REPORT)) for rank in ranks]

    def close(self) -> None:
        """End the other processes."""
        self._send_all(Command([], b"", 0, 0, None))


class Follower(Member):
    """A process of MPI other than the first."""

    def __init__(self, *arguments: Any, channels: Channels, **more: Any) -> None:
        number, size = channels.number, channels.size
        super().__init__(*arguments, number=number, size=size, network="mpi", **more)
        self._communicator = channels.commands
        self.use_communicator(int(channels.kernels.handle))

    def serve(self) -> None:
        """Carry out the leader's commands until it ends."""
        decode = msgspec.msgpack.Decoder(Command).decode
        while True:
            command = decode(_receive(self._communicator, 0, _COMMAND))
            if not command.request:
                return
            apply(command.changes, self)
            error = ""
            try:
                self._follow(command)
            except PlyforgeError as failure:
                error = str(failure)
            self._communicator.send(_encode(report_of(self, error)), 0, _REPORT)

    def _follow(self, command: Command) -> None:
        request = SearchRequest.unpack(command.request, self.game, _DIGEST)
        self.reset_stop()
        self.reset_counts()
        try:
            self.start_search(
                request,
                search=command.search,
                split_plies=command.split_plies,
                node_limit=command.node_limit,
            )
            self.run()
        finally:
            self.note_account()
            self.note_learning()
