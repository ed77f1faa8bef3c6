"""The transposition table; its code is in `kernels/table.py` and `kernels/node.py`."""

from plyforge.search.kernels.table import (
    AT_LEAST,
    DEEPER,
    DEEPER_TIMESTAMP,
    EQUAL,
    NEWER,
    OLD,
    SHARPLY_DEEPER,
    TWO_LEVEL,
)
from plyforge.search.parameters import YES_NO, choice

REPLACEMENTS = {
    "newer": NEWER,
    "deeper": DEEPER,
    "sharply-deeper": SHARPLY_DEEPER,
    "deeper-timestamp": DEEPER_TIMESTAMP,
    "old": OLD,
    "two-level": TWO_LEVEL,
}

NAME = "table"
SUMMARY = (
    "a transposition table stores results, which narrow the window or answer a node when its"
    " position comes up again"
)
PAPER = "Greenblatt, Eastlake, Crocker 1967; Mańdziuk, Osman 2004; Koneru"
FILE = "search/kernels/table.py"
EXACT = True
PARAMETERS = (
    choice(
        "depth-rule",
        "equal",
        "the depth at which an entry is valid: `equal` to that of the node, which gives minimax"
        " values, or `at-least` that",
        {"equal": EQUAL, "at-least": AT_LEAST},
        exact=("equal",),
    ),
    choice("replace", "two-level", "when a new result replaces an old one", REPLACEMENTS),
    choice(
        "same-position",
        "yes",
        "whether the replacement rule also applies when the same position is stored again",
        YES_NO,
    ),
    choice(
        "stamp",
        "save",
        "what the time stamps of `deeper-timestamp` count: saves, or moves of the game",
        {"save": 1, "move": 0},
    ),
    choice("store-leaves", "no", "whether leaves are stored and looked up, too", YES_NO),
)
