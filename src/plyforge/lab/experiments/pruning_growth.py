"""Nodes by depth in chess with three methods of forward pruning (Hoki and Muramatsu 2012)."""

from functools import cache
from itertools import combinations

from plyforge.lab import Case, Chart, Claim, Data, NotComparable, Series, Variation
from plyforge.lab.experiments._comparisons import Figure, figure_table, growth_per_ply
from plyforge.lab.played_games import play_game
from plyforge.match.tables import Table

TITLE = "Nodes by depth in chess with null move, futility pruning and late move reductions"
SOURCE = "Kishimoto and Müller, tutorial on alpha-beta"
QUESTION = (
    "How does the number of nodes grow with the depth in chess, without pruning, with each of three"
    " methods of forward pruning, and with all of them?"
)
DEFAULTS = "2026"
RANDOM_PLIES, PLIES, PLAY_DEPTH = 6, 24, 2
"""Games start with random moves, and are played on by searches of this depth to these plies."""
POSITIONS = 20
DEPTHS = (1, 2, 3, 4, 5, 6, 7, 8)
QUICK = (3, (1, 2, 3, 4, 5))
MAX_DEPTH = DEPTHS[-1]
METRICS = (("nodes", "nodes"), ("seconds", "time"))

EVALUATION = "positional"
ALWAYS = ("quiescence", "gains")
METHODS = {"null move": "null-move", "futility": "futility", "reductions": "lmr"}
"""The three methods, and the step of each."""
SETTINGS = {
    "depth-step": 1,
    "order": ("table", "wins", "gains", "killers", "history", "child-eval"),
    "quiescence-margin": 200,
    "null-move-step": 200,
    "futility-margin": 120,
}
"""Deepening by 1, and margins in hundredths of a pawn."""
NONE = "no pruning"
COMBINATIONS = tuple(
    chosen for size in range(len(METHODS) + 1) for chosen in combinations(METHODS, size)
)


def name_of(chosen: tuple[str, ...]) -> str:
    return " + ".join(chosen) or NONE


NAMES = tuple(map(name_of, COMBINATIONS))
ALL = NAMES[-1]
_PLAYER = Variation("player", evaluation=EVALUATION, defaults=DEFAULTS)
_LOST = "the figure is a picture whose curves are lost; only that nodes grow less can be compared"


def variations() -> list[Variation]:
    return [
        Variation(
            name_of(chosen),
            on=(*ALWAYS, *(METHODS[name] for name in chosen)),
            settings=SETTINGS,
            evaluation=EVALUATION,
        )
        for chosen in COMBINATIONS
    ]


def cases(seed: int, count: int) -> list[Case]:
    return [_play(seed, number) for number in range(count)]


@cache
def _play(seed: int, number: int) -> Case:
    return play_game("chess", RANDOM_PLIES, PLIES, _PLAYER, PLAY_DEPTH, seed, number)


def claims() -> list[Claim]:
    return [
        Claim(
            f"Pruning reduces the number of nodes in chess: {name}",
            "figure 5 (lost)",
            f"nodes of all iterations over those without pruning, depth {MAX_DEPTH}",
            NotComparable(_LOST),
            _reduction(name),
            "",
            "Search Performance of Pruning Techniques",
            note="theirs is Crafty; cited from Hoki and Muramatsu 2012",
        )
        for name in (*METHODS, ALL)
    ]


def _reduction(name: str) -> Figure:
    return lambda data: data.without_forced_wins().ratio(name, NONE, MAX_DEPTH, "nodes")


def tables(data: Data) -> list[Table]:
    data = data.without_forced_wins()
    depths = (2, 4, 6, MAX_DEPTH)
    nodes = {name: [data.mean(name, depth, "nodes") for depth in depths] for name in NAMES}
    figures = {
        name: [
            data.ratio(name, NONE, MAX_DEPTH, "nodes"),
            data.ratio(name, NONE, MAX_DEPTH, "seconds"),
            growth_per_ply(data, name, MAX_DEPTH, "nodes"),
        ]
        for name in NAMES
    }
    columns = (
        *("nodes / no pruning", "time / no pruning"),
        f"growth per ply, depths {MAX_DEPTH - 2} to {MAX_DEPTH}",
    )
    return [
        figure_table("Nodes of all iterations", "", [f"depth {d}" for d in depths], nodes),
        figure_table(f"At depth {MAX_DEPTH}", "", columns, figures),
    ]


def charts(data: Data) -> list[Chart]:
    data = data.without_forced_wins()
    lines = [
        Series.of(name, [(depth, data.mean(name, depth, "nodes")) for depth in data.depths])
        for name in NAMES
    ]
    return [
        Chart("nodes", "Nodes in chess with methods of forward pruning", "search depth (plies)",
              "nodes of all iterations", tuple(lines), log_y=True)
    ]  # fmt: skip


METHOD = f"""
Games of chess start with {RANDOM_PLIES} random moves, are played on by searches of depth
{PLAY_DEPTH}, and give one position each, after {PLIES} plies. All searches have quiescence,
captures sorted by their gain, iterative deepening by 1, the other enhancements of the exact search
of 2026, and an empty table of 2^20 entries. To these are added null move, futility pruning (with
margins by depth, up to four plies before the leaves) and late move reductions, in all combinations;
other selective steps are off. Nodes include those of quiescence and are summed over all iterations.
Growth is that of all nodes over two plies, because even and odd depths differ, and its square root
is taken at each position. Positions with a forced win in reach are left out.
"""
THREATS = """
The picture of figure 5 in Hoki and Muramatsu 2012 is lost in the document that cites it. Its
caption says that it shows nodes by depth in chess, with Crafty. So no number can be compared, only
the shape: nodes grow exponentially, and pruning makes them grow less. Which combinations the figure
shows is not known; the three methods are those in the title of the paper. Crafty's margins,
reductions and order of moves differ from ours.
"""
