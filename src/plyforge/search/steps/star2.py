"""Star2: outcomes are probed before they are searched; the code is in `kernels/outcomes.py`."""

from plyforge.search.parameters import integer, plies

NAME = "star2"
SUMMARY = (
    "where chance moves, the first moves after every outcome are searched before any outcome is"
    " searched completely, which gives bounds at little cost"
)
PAPER = "Ballard 1983"
FILE = "search/kernels/outcomes.py"
EXACT = True
NEEDS = ("star1",)
HOOKS = ("chance",)
PARAMETERS = (
    integer("star2-probes", 1, "the probing factor: moves that a probe tries", 1, 1000),
    plies("star2-depth", 1, "the minimum remaining depth, in plies", 1),
)
COUNTERS = {
    "star2_probed": "outcomes that were probed",
    "star2_cuts": "nodes of chance that probes ended",
}
