"""Where the time of a parallel search goes."""

from dataclasses import dataclass, fields
from typing import Any, Final

COUNTS: Final = ("splits", "joins", "aborts", "deferrals", "aborted_nodes", "table_conflicts")
SHARES: Final = ("near_root", "waiting", "splitting", "joining", "locking", "aborted")
"""What the time of threads goes to besides searching."""
MESSAGE_SHARES: Final = ("messaging", "looking_up")
"""The same for processes, in addition."""
PARTITION_COUNTS: Final = ("lookups", "lookup_hits", "stores", "steal_requests", "steals")
"""Counts of a partitioned table with work stealing."""


@dataclass
class WorkerAccount:
    """What one worker did; times are in units of the processor's time stamp."""

    total_nodes: int = 0
    aborted_nodes: int = 0
    """Nodes of subtrees that a cut above made useless while they were searched."""
    splits: int = 0
    """Nodes that it shared with others."""
    joins: int = 0
    """Nodes of others in which it took part."""
    aborts: int = 0
    deferrals: int = 0
    """In `abdada`: moves that it put off."""
    table_conflicts: int = 0
    """Entries of the table that two threads had written at the same time, as far as it saw them."""
    messages: int = 0
    """Moves and values that it exchanged with the owners of such nodes."""
    recursion_nodes: int = 0
    """Nodes that it searched by recursion; the others are near the root."""
    total_cycles: int = 0
    recursion_cycles: int = 0
    near_root_cycles: int = 0
    waiting_cycles: int = 0
    splitting_cycles: int = 0
    joining_cycles: int = 0
    locking_cycles: int = 0
    aborted_cycles: int = 0

    @classmethod
    def counters(cls) -> list[str]:
        """The names of fields that a worker of the kernel has, too."""
        return [field.name for field in fields(cls) if field.name != "total_cycles"]

    def add(self, worker: Any) -> None:
        """Add what a worker did in one search."""
        self.total_cycles += max(int(worker.end_cycles) - int(worker.start_cycles), 0)
        for name in self.counters():
            setattr(self, name, getattr(self, name) + int(getattr(worker, name)))


@dataclass(frozen=True)
class Account:
    """What the threads of a parallel search did.

    Shares are shares of the time of all threads together; `searching` is what remains.
    """

    method: str
    nodes: tuple[int, ...]
    """The nodes of each thread."""
    splits: int
    joins: int
    aborts: int
    deferrals: int
    aborted_nodes: int
    table_conflicts: int
    """Entries of the table that two threads had written at the same time, as far as seen."""
    near_root: float
    """Following the nodes near the root, whose moves can be shared."""
    waiting: float
    """Looking for work, or waiting for other threads."""
    splitting: float
    joining: float
    locking: float
    """Waiting for the lock."""
    aborted: float
    """Searching subtrees whose values were not needed any more."""
    seconds: float = 0.0
    """The time of all threads together; 0 if they took turns in one."""
    recursion: float = 1.0
    """Searching by recursion below these nodes, aborted searches included."""
    recursion_nodes: int = 0
    measured: bool = True
    """Whether shares were measured: not for threads that share only the table."""
    processes: bool = False
    """Whether these are processes, which exchange messages, instead of threads."""
    messages: int = 0
    """Messages that processes have sent."""
    message_bytes: int = 0
    messaging: float = 0.0
    """The share of sending and receiving."""
    merged: int = 0
    """Work of processes that waited for other work with the same position."""
    looking_up: float = 0.0
    """The share of waiting for entries of other processes."""
    lookups: int = 0
    """Entries that processes asked others for."""
    lookup_hits: int = 0
    """Answers with an entry."""
    stores: int = 0
    """Results that processes sent to the owners of their entries."""
    steal_requests: int = 0
    """How often processes asked others for work."""
    steals: int = 0
    """Moves that were handed over."""

    @classmethod
    def of(cls, method: str, workers: list[WorkerAccount], cycle_seconds: float = 0.0) -> "Account":
        """Return the account of all workers; `cycle_seconds` is the unit of their times."""
        total = sum(worker.total_cycles for worker in workers) or 1

        def count(name: str) -> int:
            return sum(int(getattr(worker, name)) for worker in workers)

        def share(name: str) -> float:
            return count(f"{name}_cycles") / total

        figures: dict[str, Any] = {name: count(name) for name in COUNTS}
        figures |= {name: share(name) for name in (*SHARES, "recursion")}
        figures["recursion_nodes"] = count("recursion_nodes")
        figures["seconds"] = sum(worker.total_cycles for worker in workers) * cycle_seconds
        return cls(method, tuple(worker.total_nodes for worker in workers), **figures)

    @classmethod
    def of_helpers(cls, method: str, nodes: tuple[int, ...], seconds: float) -> "Account":
        """Return the account of threads that share only the table, and search all the time."""
        nothing: dict[str, Any] = dict.fromkeys(COUNTS, 0) | dict.fromkeys(SHARES, 0.0)
        return cls(
            method, nodes, **nothing, seconds=seconds, recursion_nodes=sum(nodes), measured=False
        )

    @property
    def shares(self) -> dict[str, float]:
        """The shares of time by name; empty if they were not measured."""
        if not self.measured:
            return {}
        names = ("searching", *SHARES, *(MESSAGE_SHARES if self.processes else ()))
        return {name: float(getattr(self, name)) for name in names}

    def fields(self) -> dict[str, Any]:
        """Return the account for JSON."""
        return {
            "method": self.method,
            "nodes": list(self.nodes),
            "balance": self.balance,
            **{name: getattr(self, name) for name in COUNTS},
            "time_shares": self.shares,
            "thread_seconds": self.seconds,
            **(self._message_fields() if self.processes else {}),
        }

    def _message_fields(self) -> dict[str, Any]:
        total = sum(self.nodes) or 1
        return {
            "messages": self.messages,
            "message_bytes": self.message_bytes,
            "messages_per_node": self.messages / total,
            "bytes_per_node": self.message_bytes / total,
            "merged": self.merged,
            **{name: getattr(self, name) for name in PARTITION_COUNTS},
            "lookups_per_node": self.lookups / total,
        }

    def __str__(self) -> str:
        """The account in words, as the command line prints it."""
        nodes = " + ".join(f"{count:,}" for count in self.nodes)
        shares = [
            f"{name.replace('_', ' ')} {100 * share:.1f} %"
            for name, share in self.shares.items()
            if share >= 0.0005 or name == "searching"
        ]
        counts = [f"{count:,} {name}" for name in COUNTS if (count := getattr(self, name))]
        parts = (", ".join(shares), ", ".join(counts).replace("_", " "))
        workers = "processes" if self.processes else "threads"
        head = f"{self.method}, {len(self.nodes)} {workers}: {nodes} nodes"
        texts = [head, *(part for part in parts if part)]
        if self.processes:
            total = sum(self.nodes) or 1
            texts.append(
                f"{self.messages:,} messages ({self.messages / total:.3f} per node),"
                f" {self.message_bytes / total:.2f} bytes per node, {self.merged:,} merged"
            )
            if self.lookups or self.steal_requests:
                texts.append(
                    f"{self.lookups:,} remote look-ups, {self.lookup_hits:,} found, {self.stores:,}"
                    f" remote stores; {self.steal_requests:,} requests for work,"
                    f" {self.steals:,} moves handed over"
                )
        return "; ".join(texts)

    @property
    def searching(self) -> float:
        """The share of searching, without what was aborted."""
        others = sum(float(getattr(self, name)) for name in (*SHARES, *MESSAGE_SHARES))
        return max(1.0 - others, 0.0)

    @property
    def balance(self) -> float:
        """The mean number of nodes of a thread, divided by the greatest; 1 if all did the same."""
        most = max(self.nodes, default=0)
        return sum(self.nodes) / len(self.nodes) / most if most else 1.0
