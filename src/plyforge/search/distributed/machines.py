"""The machines of a search in virtual time: what things take there, and what was spent."""

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Machines:
    """What things take on the machines that are simulated, in seconds."""

    node: float
    """Visiting a node."""
    job: float = 1e-6
    """Opening a job: its moves are played from the root, and its node is put aside."""
    message: float = 0.5e-6
    """Sending a message to another process, and receiving one."""
    latency: float = 5e-6
    """A message on its way."""
    start: float = 0.0
    """Starting a search that has several processes, and collecting what they report."""
    command: float = 0.0
    """The same, for each process other than the first."""


@dataclass
class ClusterTimes:
    """The virtual times of searches, in seconds; sums over all processes."""

    elapsed: float
    """What the clock shows at the end, which is not a sum."""
    works: tuple[float, ...]
    """What each process spends on nodes."""
    jobs: float
    messages: float
    lookups: float
    """Waiting for entries of the table that others own."""
    ends: float
    """Starting and ending searches."""
    spared: float
    """What subtrees would have taken that were cancelled."""
    sent: int
    """Messages to other processes."""
    words: int
    """Their length."""
    steal_requests: int

    @classmethod
    def none(cls, processes: int) -> "ClusterTimes":
        """Return the times before the first search."""
        return cls(0.0, (0.0,) * processes, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0)

    @property
    def work(self) -> float:
        return sum(self.works)

    @property
    def idle(self) -> float:
        """The rest of all processes' time."""
        busy = self.work + self.jobs + self.messages + self.lookups + self.ends
        return len(self.works) * self.elapsed - busy

    @property
    def balance(self) -> float:
        """The mean work of a process, divided by the greatest; 1 if all did the same."""
        most = max(self.works)
        return self.work / len(self.works) / most if most else 1.0

    def plus(self, other: "ClusterTimes") -> "ClusterTimes":
        """Return the times of two searches, one after the other."""
        mine, theirs = vars(self), vars(other)
        found = {field.name: mine[field.name] + theirs[field.name] for field in fields(self)}
        found["works"] = tuple(map(sum, zip(self.works, other.works, strict=True)))
        return ClusterTimes(**found)
