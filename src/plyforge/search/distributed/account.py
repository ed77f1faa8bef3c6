"""What the processes of a distributed search did."""

from dataclasses import dataclass, fields
from typing import Any, Final

from plyforge.search.parallel.account import Account

WORD_BYTES: Final = 8


@dataclass
class ProcessAccount:
    """What one process did; times are in units of the processor's time stamp."""

    jobs_received: int = 0
    """Work that arrived, from other processes or from itself."""
    jobs_opened: int = 0
    """Nodes near the root whose moves it shared out."""
    subtrees: int = 0
    """Nodes that it searched by recursion."""
    merged: int = 0
    """Work that waited for other work with the same position and depth."""
    cancelled: int = 0
    """Work that was cancelled before it was done."""
    narrowed: int = 0
    """Messages about smaller windows."""
    aborts: int = 0
    """Subtrees that were left because they had been cancelled."""
    aborted_nodes: int = 0
    messages: int = 0
    """Messages that it sent, also to itself."""
    words_sent: int = 0
    remote_lookups: int = 0
    """Entries that it asked other processes for."""
    remote_hits: int = 0
    """Answers with an entry."""
    remote_stores: int = 0
    """Results that it sent to the owners of their entries."""
    steal_requests: int = 0
    """How often it asked another process for work."""
    given: int = 0
    """Moves that it handed over to others."""
    waiting_cycles: int = 0
    messaging_cycles: int = 0
    lookup_cycles: int = 0
    aborted_cycles: int = 0
    nodes: int = 0
    total_cycles: int = 0

    @classmethod
    def counters(cls) -> list[str]:
        """The names of fields that a process of the kernel has, too."""
        return [field.name for field in fields(cls) if field.name not in ("nodes", "total_cycles")]

    def add(self, process: Any, nodes: int) -> None:
        """Add what a process did in one search; `nodes` is what its counters say now."""
        for name in self.counters():
            setattr(self, name, getattr(self, name) + int(getattr(process, name)))
        self.nodes += nodes - int(process.start_nodes)
        self.total_cycles += max(int(process.end_cycles) - int(process.start_cycles), 0)

    def plus(self, other: "ProcessAccount") -> "ProcessAccount":
        """Return what a process did in two searches."""
        return ProcessAccount(
            *(getattr(self, field.name) + getattr(other, field.name) for field in fields(self))
        )


def account_of(method: str, processes: list[ProcessAccount], seconds: float) -> Account:
    """Return the account of all processes; `seconds` is the time of one of them."""
    total = sum(process.total_cycles for process in processes) or 1

    def count(name: str) -> int:
        return sum(int(getattr(process, name)) for process in processes)

    return Account(
        method,
        tuple(process.nodes for process in processes),
        splits=count("jobs_opened"),
        joins=count("jobs_received"),
        aborts=count("aborts"),
        deferrals=0,
        aborted_nodes=count("aborted_nodes"),
        table_conflicts=0,
        near_root=0.0,
        waiting=count("waiting_cycles") / total,
        splitting=0.0,
        joining=0.0,
        locking=0.0,
        aborted=count("aborted_cycles") / total,
        seconds=seconds * len(processes),
        processes=True,
        messages=count("messages"),
        messaging=count("messaging_cycles") / total,
        message_bytes=WORD_BYTES * count("words_sent"),
        merged=count("merged"),
        looking_up=count("lookup_cycles") / total,
        lookups=count("remote_lookups"),
        lookup_hits=count("remote_hits"),
        stores=count("remote_stores"),
        steal_requests=count("steal_requests"),
        steals=count("given"),
    )
