"""Star1: windows for the outcomes of chance; the code is in `kernels/outcomes.py`."""

NAME = "star1"
SUMMARY = (
    "where chance moves, each outcome has a window, and bounds of the values still unknown may end"
    " the node early; without it, such a node has no window (ExpectiMax)"
)
PAPER = "Ballard 1983"
FILE = "search/kernels/outcomes.py"
EXACT = True
HOOKS = ("chance",)
COUNTERS = {"star1_cuts": "nodes of chance that the values of some outcomes ended"}
