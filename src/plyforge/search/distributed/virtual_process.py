"""A process in virtual time."""

from plyforge.search.distributed.member import Member


class VirtualProcess:
    """What the simulator knows about a process."""

    def __init__(self, member: Member) -> None:
        self.member = member
        self.due = 0.0
        """When its turn ends."""
        self.turn = 0
        """Counts its turns, and their early ends."""
        self.asleep = False
        """Whether it has nothing to do until a message arrives."""
        self.running: tuple[int, int, int] | None = None
        """The subtree that it searches for another process: that, the child, and its serial."""
        self.waiting: list[list[int]] = []
        """Messages that have arrived since its turn began."""
        self.debt = 0.0
        """What requests of others have cost it since then."""
        self.refusals = 0
        self.work = 0.0

    @property
    def nodes(self) -> int:
        context = self.member.context
        return int(context.leaves) + int(context.interior)
