"""The branching factor of checkers and give-away checkers (Mańdziuk and Osman 2004)."""

from plyforge.games import load
from plyforge.lab import Case, Chart, Claim, Data, Equals, Estimate, Series, Variation
from plyforge.lab.experiments._comparisons import figure_table
from plyforge.lab.experiments._giveaway import DOCUMENT, PLIES, positions
from plyforge.match.tables import Table

TITLE = "The branching factor of checkers and give-away checkers"
SOURCE = f"{DOCUMENT}, section 2"
QUESTION = "How many moves does a position in the tree of checkers and give-away checkers have?"
DEFAULTS = "2026"
POSITIONS = 400
"""Ten random games, every position of each."""
TOGETHER = PLIES
DEPTHS = (1, 3, 5, 7)
QUICK = (40, (1, 7))
DEPTH = 7
TREE = "full tree"


def cases(seed: int, count: int) -> list[Case]:
    return positions(seed, count)


def variations() -> list[Variation]:
    return [Variation(TREE, "minimax")]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Count the positions at the last but one ply of the full tree, and their moves."""
    game = load(case.game)
    position = case.history(game).position
    nodes, moves = (game.perft(position, plies, finished=0) for plies in (depth - 1, depth))
    return {"nodes": nodes, "moves": moves}


def branching_factor(data: Data, depth: int = DEPTH) -> Estimate | None:
    """Return the mean number of moves of the positions from which the last ply is played."""
    return data.per(TREE, depth, "moves", "nodes")


def claims() -> list[Claim]:
    return [
        Claim(
            "the branching factor of checkers and give-away checkers is between 2 and 3",
            "between 2 and 3",
            f"moves per position, {DEPTH - 1} plies below positions of random games",
            Equals(2.5, 0.5),
            branching_factor,
            place="section 2",
            note="both games have the same moves, so their trees are the same",
        )
    ]


def tables(data: Data) -> list[Table]:
    return [
        figure_table(
            "moves per position by the distance from positions of random games", "",
            [f"{depth - 1} plies" for depth in DEPTHS],
            {
                "all positions together": [branching_factor(data, depth) for depth in DEPTHS],
                "mean over the trees": [_mean_over_trees(data, depth) for depth in DEPTHS],
            },
        )
    ]  # fmt: skip


def _mean_over_trees(data: Data, depth: int) -> Estimate | None:
    """Return the mean of the moves per position of each tree, so that large trees do not weigh."""
    rows = {case: data.row(TREE, depth, case) for case in data.cases(depth, (TREE,))}
    return data.mean_of(
        {case: row["moves"] / row["nodes"] for case, row in rows.items() if row["nodes"]}
    )


def charts(data: Data) -> list[Chart]:
    lines = [
        Series.of("all positions together",
                  [(d - 1, branching_factor(data, d)) for d in data.depths]),
        Series.of("mean over the trees", [(d - 1, _mean_over_trees(data, d)) for d in data.depths]),
    ]  # fmt: skip
    return [
        Chart("moves", "Checkers and give-away checkers: moves per position of the full tree",
              "distance from positions of random games (plies)", "moves per position", tuple(lines))
    ]  # fmt: skip


METHOD = """
Positions are those of random games of give-away checkers, all 40 of each; intervals are by games.
Checkers has the same moves, and so the same trees. Below each, the full tree is searched, and the
moves of its positions at a given distance are counted: those of all positions at that distance
together, divided by their number. Distance 0 is the mean over the random games themselves. The
paper does not say how it counts, and refers to Schaeffer et al. (1996); figures for checkers are
usually means over search trees, so a distance of six plies is judged.
"""
THREATS = """
Trees with many moves have more positions, so they count more. Trees of alpha-beta have other
positions than full ones, and games between good players other ones than random games.
"""
