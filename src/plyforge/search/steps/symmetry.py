"""Symmetry: the table has one entry for all symmetric positions; see `kernels.keys`."""

NAME = "symmetry"
SUMMARY = (
    "the table has one entry for all symmetric positions; without effect where positions recur"
)
PAPER = "Pons, solver of connect four"
FILE = "search/kernels/keys.py"
EXACT = True
ON = False
HOOKS = ("canonical_key",)
NEEDS = ("table",)
