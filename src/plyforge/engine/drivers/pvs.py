"""Principal variation search: alpha-beta with the switch `pvs` on."""

from plyforge.engine.drivers.alphabeta import find_value

__all__ = ["INSTEAD", "NEEDS", "PAPER", "SUMMARY", "find_value"]

SUMMARY = "alphabeta with the switch pvs on"
PAPER = "Marsland, Campbell 1982"
NEEDS = ("pvs",)
INSTEAD = "alphabeta"
