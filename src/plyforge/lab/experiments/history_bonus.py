"""The history heuristic: d^2 against 2^d, and a penalty for moves that do not cut."""

from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Equals,
    Estimate,
    LessThan,
    Series,
    Variation,
    format_estimate,
    mixed_cases,
)
from plyforge.lab.experiments._pooled import pooled_ratio
from plyforge.match.tables import Table

TITLE = "The bonus and the penalty of the history heuristic"
SOURCE = "Kishimoto and Müller, tutorial on alpha-beta"
QUESTION = (
    "Does it matter whether a cutoff adds d^2 or 2^d to the history of a move, and does a penalty"
    " for quiet moves without a cutoff pay?"
)
DEFAULTS = "2026"
GAMES = {"checkers": 12, "othello": 10, "connect4": 8, "andantino": 8, "chess": 12}
"""Games, and the number of random moves before a position."""
GROUPS = tuple(GAMES)
POSITIONS = 60 * len(GROUPS)
DEPTHS = (6, 7, 8, 9, 10)
QUICK = (2 * len(GROUPS), (4, 5))
MAX_DEPTHS = {"checkers": 10, "othello": 8, "connect4": 10, "andantino": 6, "chess": 6}
METRICS = (("leaves", "leaves"), ("nodes", "nodes"), ("first_cuts", "cutoffs by the first move"))

NONE, SQUARE, POWER = "no history", "d^2", "2^d"
SQUARE_PENALTY, POWER_PENALTY = "d^2 and penalty", "2^d and penalty"
_BASE = ("table", "table-move", "killers", "pvs", "deepening")
PENALTY = 16
"""In sixteenths of the bonus: as much as the move that cuts gains."""


def variations() -> list[Variation]:
    def history(name: str, growth: str, penalty: int) -> Variation:
        settings = {"depth-step": 1, "history-growth": growth, "history-penalty": penalty}
        return Variation(name, off=("all",), on=(*_BASE, "history"), settings=settings)

    return [
        Variation(NONE, off=("all",), on=_BASE, settings={"depth-step": 1}),
        history(SQUARE, "square", 0),
        history(POWER, "power", 0),
        history(SQUARE_PENALTY, "square", PENALTY),
        history(POWER_PENALTY, "power", PENALTY),
    ]


def cases(seed: int, count: int) -> list[Case]:
    return mixed_cases(GAMES, seed, count)


def wanted(number: int, variation: Variation, depth: int) -> bool:
    return depth <= MAX_DEPTHS[GROUPS[number % len(GROUPS)]]


def claims() -> list[Claim]:
    where = ", ".join(f"{game} {depth}" for game, depth in MAX_DEPTHS.items())
    where = f"all games at their depths ({where})"
    return [
        Claim(
            "A bonus of d^2 and one of 2^d serve equally well",
            "such as d^2 or 2^d",
            f"leaves with 2^d over those with d^2, no penalty, {where}",
            Equals(1, 0.05),
            lambda data: _ratio(data, POWER, SQUARE),
            "",
            "History Heuristic",
            note="the document names both without a preference",
        ),
        Claim(
            "History improves the order of moves beside a table, killers and deepening",
            "improve move ordering",
            f"leaves with d^2 over those without history, {where}",
            LessThan(1),
            lambda data: _ratio(data, SQUARE, NONE),
            "",
            "History Heuristic",
            note="it 'might not be as effective as it used to be'",
        ),
        Claim(
            "A penalty for quiet moves that do not cut improves history",
            "Stockfish gives a penalty",
            f"leaves with the penalty over those without, d^2, {where}",
            LessThan(1),
            lambda data: _ratio(data, SQUARE_PENALTY, SQUARE),
            "",
            "History Heuristic",
            note="Stockfish reduces late moves by history too; ours only orders them",
        ),
    ]


def _ratio(data: Data, name: str, baseline: str) -> Estimate | None:
    return pooled_ratio(data.without_forced_wins(), MAX_DEPTHS, name, baseline, "leaves")


def tables(data: Data) -> list[Table]:
    data = data.without_forced_wins()
    names = (SQUARE, POWER, SQUARE_PENALTY, POWER_PENALTY)
    rows = []
    for game, depth in MAX_DEPTHS.items():
        part = data.part(game)
        cells = (part.ratio(name, NONE, depth, "leaves") for name in names)
        rows.append((f"{game}, depth {depth}", *map(format_estimate, cells)))
    return [Table(("", *names), tuple(rows), "Leaves over those without history")]


def charts(data: Data) -> list[Chart]:
    data = data.without_forced_wins()
    names = (SQUARE, POWER, SQUARE_PENALTY, POWER_PENALTY)
    bars = []
    for game, depth in MAX_DEPTHS.items():
        part = data.part(game)
        points = [(float(i), part.ratio(n, NONE, depth, "leaves")) for i, n in enumerate(names)]
        bars.append(Series.of(f"{game}, depth {depth}", points))
    return [
        Chart("leaves", "Leaves with history over those without", "",
              "leaves / leaves without history (1 = no difference)", tuple(bars), names, origin=1.0)
    ]  # fmt: skip


METHOD = f"""
Positions after a few random moves, one of each random game, searched by principal variation search
with a table of 2^20 entries, its move first, killers and iterative deepening by 1; leaves are those
of all iterations. The penalty takes from every quiet move that was tried before the cutoff
{PENALTY} sixteenths of what the cutting move gains; what the document leaves open. A move is quiet
as the game defines it; in games without captures all moves are. All games weigh the same, each at
one depth. Positions with a forced win in reach are left out.
"""
THREATS = """
Histories have one number for each side and move slot, and are not aged; other programs limit or age
them, which changes how much the bonus matters. Depths are small, and d^2 and 2^d differ more at
great depths.
"""
