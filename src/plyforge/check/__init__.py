"""`plyforge check`: find mistakes in a game's rules by random play in both backends.

Rules may hang or crash, so `check` examines them in another process.  `supervisor` starts it,
`child` runs in it, `examination` plays the games, and the other files each look for one kind of
mistake.
"""

from plyforge.check.report import Problem, Report, Statistics
from plyforge.check.supervisor import check

__all__ = ["Problem", "Report", "Statistics", "check"]
