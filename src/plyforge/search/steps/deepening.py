"""Iterative deepening; the code is in `engine/deepening.py`."""

from plyforge.search.parameters import choice, integer, plies, real

PARITIES = {"any": 0, "odd": 1, "even": 2}

NAME = "deepening"
SUMMARY = (
    "iterative deepening: shallower searches come first, and leave their best moves in the table"
)
PAPER = "Slate, Atkin 1977; Kishimoto, Müller, tutorial on alpha-beta"
FILE = "engine/deepening.py"
EXACT = True
PARAMETERS = (
    plies("start", 0, "the first depth; 0 for depth-step, or 1 if that is 2 and the depth odd"),
    integer("depth-step", 2, "plies from one iteration to the next", 1, 8),
    choice(
        "parity-first",
        "any",
        "whether the first player searches only odd or even depths (Koneru: even for White, who"
        " begins in Andantino)",
        PARITIES,
    ),
    choice(
        "parity-second", "any", "the same for the second player (Koneru: odd for Black)", PARITIES
    ),
    real(
        "end-share",
        0.3,
        "in a game that says how long it can last: after a depth of this share of that, the next"
        " search is to its end; 0 for never",
        0.0,
        1.0,
    ),
    real("end-share-limited", 0.0, "the same with a limit on time or nodes", 0.0, 1.0),
)
