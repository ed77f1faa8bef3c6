"""Learning draughts players of the literature: NeuroDraughts, LS-Draughts and VisionDraughts.

    M. Lynch, NeuroDraughts, 1997; H. Neto and R. Julia, LS-Draughts, 2007; G. Caixeta and R. Julia,
    VisionDraughts, 2008; V. Duarte, A. Otsuka and R. Julia, on ordering its search, 2009.

Their nets are in the folder `weights`, five trainings each; docs/games/checkers-players.md says how
they were made.
"""

from typing import Final

HIDDEN: Final = (20,)
"""The hidden units of the nets."""
LS_DRAUGHTS: Final = (
    "piece advantage",
    "piece disadvantage",
    "king advantage",
    "piece threat",
    "piece take",
    "advancement",
    "double diagonal",
    "guard",
    "apex",
    "cramp",
    "centre control",
    "king centre control",
    "exchange",
    "pole",
    "the move",
)
"""Features of LS-Draughts, chosen by `plyforge learn checkers genetic`."""
TRAININGS: Final = 5
"""The number of independent trainings of each net."""
DEPTH: Final = 6
"""The depth of a search unless another limit is given."""
_DEEPENING: Final = "on=table+deepening{more},depth-step=1,depth-rule=at-least{settings}"
_ORDERED: Final = "+table-move"


def weights(net: str, training: int) -> str:
    """Return the evaluation of a training, from 1 to `TRAININGS`, of `neurodraughts` or
    `ls-draughts`.

    >>> weights("ls-draughts", 2)
    'game:weights/ls-draughts-2.npz'
    """
    return f"game:weights/{net}-{training}.npz"


def _describe(driver: str, net: str, search: str = "") -> str:
    parts = [f"engine:driver={driver},preset=exact,off=all", search]
    parts += [f"depth={DEPTH},evaluation={weights(net, 1)}"]
    return ",".join(filter(None, parts))


def _ordered_by(depth: int) -> str:
    return _DEEPENING.format(more=_ORDERED, settings=f",table-move-depth={depth}")


NAMED_PLAYERS: Final = {
    "neurodraughts": _describe("minimax", "neurodraughts"),
    "ls-draughts": _describe("alphabeta", "ls-draughts"),
    "vision-draughts": _describe(
        "alphabeta", "neurodraughts", _DEEPENING.format(more="", settings="")
    ),
    "vision-draughts-ordered": _describe("alphabeta", "neurodraughts", _ordered_by(1)),
    "vision-draughts-d2": _describe("alphabeta", "neurodraughts", _ordered_by(2)),
}
"""VisionDraughts tries the table's moves first in `vision-draughts-ordered`, those of entries one
ply shallower than the node or less, as its text has it; in `vision-draughts-d2` two plies, as its
listing has it."""
