"""Minimax: one search of every node, without windows."""

from plyforge.engine.drivers.alphabeta import find_value

__all__ = ["OFF", "PAPER", "PRUNES", "SUMMARY", "find_value"]

SUMMARY = "every node, no windows; enhancements only where switched on by name"
PAPER = "Shannon 1950"
OFF = ("all",)
PRUNES = False
