"""Repetition and lack of progress; the code is in `kernels/cycles.py`."""

from plyforge.search.kernels.cycles import CYCLES_FAST, CYCLES_SAFE
from plyforge.search.parameters import choice, integer

NAME = "cycles"
SUMMARY = (
    "repetition and lack of progress end the game as the rules say, positions before the root"
    " included"
)
PAPER = "Campbell 1985; Kishimoto, Müller 2004"
FILE = "search/kernels/cycles.py"
EXACT = True
RULE = True
PARAMETERS = (
    choice(
        "cycle-policy",
        "safe",
        "how path-dependent values are stored in the table: `safe` by path, `fast` by position,"
        " `shared` by position where they hold on other paths, too",
        {"fast": CYCLES_FAST, "safe": CYCLES_SAFE, "shared": CYCLES_SAFE},
        exact=("safe", "shared"),
        only_with="table",
    ),
    integer(
        "repeats",
        0,
        "the number of occurrences of a position that counts as a repetition; 0 for the game's own"
        " rule",
        0,
        10,
    ),
)
