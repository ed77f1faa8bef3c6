"""`plyforge check`: mistakes in a game's rules, found by random play in both backends.

`check` starts a process of its own, because rules may hang or crash; `examination` is what runs
in it; every other file looks for one kind of mistake.
"""

from plyforge.check.report import Problem, Report, Statistics
from plyforge.check.supervisor import check

__all__ = ["Problem", "Report", "Statistics", "check"]
