"""Moves at the horizon; the code is in `kernels/ends.py`."""

NAME = "horizon-moves"
SUMMARY = "moves are generated at the horizon, too, to detect a side that has no move"
FILE = "search/kernels/ends.py"
EXACT = True
RULE = True
