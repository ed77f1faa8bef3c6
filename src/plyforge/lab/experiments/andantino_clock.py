"""Games by the document's plan for its time, counted in nodes (Koneru, section 4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from plyforge.engine import Engine
from plyforge.engine.result import Info
from plyforge.game.game import History
from plyforge.games import load
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    Exactly,
    LessThan,
    MoreThan,
    Series,
    Variation,
    format_estimate,
    open_engine,
)
from plyforge.lab.experiments._andantino_openings import ANY_PARITY, GAME, played_openings
from plyforge.match.tables import Table

TITLE = "The time plan in Andantino: ten seconds a move, depth 8, early stops"
SOURCE = "Koneru, Alpha Beta Search on Andantino, section 4"
QUESTION = """
How much of ten minutes does a side use if it has ten seconds for each move and stops at depth 8,
how often does the depth end a move, and do early stops change the moves?
"""
DEFAULTS = "2026"
PLIES = 6
POSITIONS = 60
"""Games, each from a different opening."""
DEPTHS = (8,)
DEPTH = DEPTHS[0]
"""The published limit."""
QUICK = (3, DEPTHS)
BEYOND = 10
"""The depth to which a move is searched to see what the limit leaves out."""
SECONDS, MINUTES = 10, 10
ALLOWANCE = MINUTES * 60 // SECONDS
"""How many moves of full length ten minutes allow."""
SPEEDS = (100, 1_000, 10_000)
"""Assumed nodes per second of the document's program."""
JUDGED, FAST = 1_000, 10_000
"""The speed for verdicts, and that for what a limit of depth changes, which a slow one misses."""
OBVIOUS = 3
"""A move is obvious if so many iterations in a row have returned it."""
MIN_OBVIOUS_DEPTH = 4
TIME, LIMIT, PROOF = "by_time", "by_limit", "by_proof"
"""What ends a move: the time, the depth, or a forced win or loss."""
SAME = 95
"""Percent of moves: at least so many are the same if early stops do not change the game."""


def name_of(speed: int) -> str:
    return f"{speed:,} nodes per second"


def cases(seed: int, count: int) -> list[Case]:
    return played_openings(PLIES, seed, count)


def variations() -> list[Variation]:
    return [
        Variation(
            *(name_of(speed), "alphabeta", "koneru"),
            settings={**ANY_PARITY, "depth-step": 1},
            entries=1 << 18,
            extra={"budget": SECONDS * speed},
        )
        for speed in SPEEDS
    ]


@dataclass(frozen=True)
class Stop:
    """Where a search of one move stops: its move, depth and nodes."""

    move: int
    depth: int
    nodes: int


@dataclass(frozen=True)
class Search:
    """The search of one move, beyond the limit of the plan if the time allows."""

    iterations: Sequence[Stop]
    """The finished iterations, at least one."""
    nodes: int
    stopped: bool
    """Whether the time ended it."""

    def plan(self, limit: int) -> tuple[Stop, str]:
        """Return where the plan stops, and why.

        If the time is over, the move is that of the last finished iteration, and all nodes count.
        """
        for one in self.iterations:
            if one.depth == limit:
                return one, LIMIT
        last = self.iterations[-1]
        if self.stopped:
            return Stop(last.move, last.depth, self.nodes), TIME
        return last, PROOF

    def obvious(self) -> Stop | None:
        """Return the first iteration that is deep enough and ends a row of equal moves."""
        for end in range(OBVIOUS, len(self.iterations) + 1):
            row = self.iterations[end - OBVIOUS : end]
            if row[-1].depth >= MIN_OBVIOUS_DEPTH and len({one.move for one in row}) == 1:
                return row[-1]
        return None


def search_move(engine: Engine, history: History, budget: int) -> Search:
    """Search a position with an empty table until the nodes are used up or depth 10 is done."""
    engine.clear()
    infos: list[Info] = []
    result = engine.analyse(history, depth=BEYOND, nodes=budget, report=infos.append)
    finished = {info.depth: info for info in reversed(infos) if info.bound == "exact"}
    stops = [Stop(info.move, depth, info.nodes) for depth, info in sorted(finished.items())]
    return Search(stops or [Stop(result.move, 0, result.nodes)], result.nodes, result.stopped)


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Play a game by the plan on both sides, and note what other plans would have done."""
    engine, history = open_engine(case, variation)
    budget = variation.extra["budget"]
    used, legal = [0, 0], list[int]()
    counts = dict.fromkeys(
        (TIME, LIMIT, PROOF, "obvious_nodes", "obvious_other", "beyond_nodes", "beyond_other"), 0
    )
    while not history.verdict().over:
        search = search_move(engine, history, budget)
        plan, reason = search.plan(depth)
        obvious = search.obvious()
        early = obvious if obvious is not None and obvious.nodes < plan.nodes else plan
        counts[reason] += 1
        counts["obvious_nodes"] += early.nodes
        counts["obvious_other"] += early.move != plan.move
        counts["beyond_nodes"] += search.nodes
        counts["beyond_other"] += search.iterations[-1].move != plan.move
        used[history.turn] += plan.nodes
        legal.append(len(history.legal_moves()))
        history.play(plan.move)
    third = -(-len(legal) // 3)
    return {
        **counts,
        "moves": len(legal),
        "nodes": sum(used),
        "most_used": max(used) / (ALLOWANCE * budget),
        "middle_legal": _mean(legal[-2 * third : -third]),
        "last_legal": _mean(legal[-third:]),
        "replies": _replies(),
    }


def _mean(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _replies() -> int:
    """Return the number of moves in the position with two stones."""
    history = load(GAME).history()
    history.play(history.legal_moves()[0])
    return len(history.legal_moves())


def per_move(data: Data, metric: str, speed: int = JUDGED) -> Estimate | None:
    """Return the percentage of moves to which something applies."""
    return _percent(data.per(name_of(speed), DEPTH, metric, "moves"))


def same_moves(
    data: Data, other: str, speed: int = JUDGED, among: str = "moves"
) -> Estimate | None:
    """Return the percentage of moves that another plan would have played too."""
    share = _percent(data.per(name_of(speed), DEPTH, other, among))
    return share and share.rescale(-1, 100)


def most_used(data: Data, speed: int = JUDGED) -> Estimate | None:
    """Return the percentage of ten minutes that the slower side of a game uses."""
    return _percent(data.mean(name_of(speed), DEPTH, "most_used"))


def nodes_of(data: Data, metric: str, other: str, speed: int = JUDGED) -> Estimate | None:
    """Return the nodes of one plan as a percentage of those of another."""
    return _percent(data.per(name_of(speed), DEPTH, metric, other))


def _percent(share: Estimate | None) -> Estimate | None:
    return share and share.rescale(100)


def claims() -> list[Claim]:
    assumed = f"at {name_of(JUDGED)}"
    return [
        Claim(
            "ten seconds a move and depth 8 do not use the full ten minutes",
            "we do not want to use the full time",
            f"time of the side that uses more, as a share of ten minutes, {assumed}",
            LessThan(100),
            most_used,
            " %",
            "section 4",
            note="the speed of the document's program is not known; other speeds are in the table",
        ),
        Claim(
            "stopping after a certain depth saves time",
            "will save time (no figure)",
            f"nodes with the limit of depth {DEPTH} / without it (up to depth {BEYOND}), {assumed}",
            LessThan(100),
            lambda data: nodes_of(data, "nodes", "beyond_nodes"),
            " %",
            "section 4",
        ),
        Claim(
            "a certain depth yields good results",
            "can guess to yield good results",
            f"of the moves that depth {DEPTH} ends, those that a search to depth {BEYOND} in the"
            f" same time plays too, at {name_of(FAST)}",
            MoreThan(SAME),
            lambda data: same_moves(data, "beyond_other", FAST, LIMIT),
            " %",
            "section 4",
            note="good is taken as the same move in 95 % of positions",
        ),
        Claim(
            "stopping at an obvious move saves time",
            "will save time (no figure)",
            f"nodes if a move that three iterations return ends the search / nodes of the plan,"
            f" {assumed}",
            LessThan(100),
            lambda data: nodes_of(data, "obvious_nodes", "nodes"),
            " %",
            "section 4",
        ),
        Claim(
            "a longer search returns the obvious move again",
            "the same move",
            f"moves that are the same if the search stops at an obvious move, {assumed}",
            MoreThan(SAME),
            lambda data: same_moves(data, "obvious_other"),
            " %",
            "section 4",
            note="the same in 95 % of positions; obvious is not defined, and taken as three"
            " iterations in a row from depth 4 on",
        ),
        Claim(
            "at the start there are only two possible moves",
            "2",
            "legal moves in the position with two stones",
            Exactly(2),
            lambda data: data.mean(name_of(JUDGED), DEPTH, "replies"),
            " moves",
            "section 4",
            note="the first move has six, all equal up to symmetry",
        ),
        Claim(
            "the number of possible moves decreases in the end game",
            "start to decrease",
            f"legal moves in the last third of a game / in the second, {assumed}",
            LessThan(100),
            lambda data: nodes_of(data, "last_legal", "middle_legal"),
            " %",
            "section 4",
        ),
    ]


def tables(data: Data) -> list[Table]:
    figures = (
        ("time of the slower side, of ten minutes", most_used),
        ("moves ended by the time", lambda data, speed: per_move(data, TIME, speed)),
        ("moves ended by depth 8", lambda data, speed: per_move(data, LIMIT, speed)),
        ("moves ended by a forced win or loss", lambda data, s: per_move(data, PROOF, s)),
        ("nodes / nodes up to depth 10", lambda d, s: nodes_of(d, "nodes", "beyond_nodes", s)),
        (
            "moves ended by depth 8 that depth 10 plays",
            lambda d, s: same_moves(d, "beyond_other", s, LIMIT),
        ),
        ("nodes with obvious moves / nodes", lambda d, s: nodes_of(d, "obvious_nodes", "nodes", s)),
        ("moves as without obvious moves", lambda data, s: same_moves(data, "obvious_other", s)),
    )
    rows = [
        (label, *(format_estimate(figure(data, speed), " %") for speed in SPEEDS))
        for label, figure in figures
    ]
    headings = ("", *(name_of(speed) for speed in SPEEDS))
    return [Table(headings, tuple(rows), "Games by the plan, at three assumed speeds")]


def charts(data: Data) -> list[Chart]:
    lines = [
        Series.of(f"ended by {label}", [(speed, per_move(data, why, speed)) for speed in SPEEDS])
        for label, why in (("the time", TIME), ("depth 8", LIMIT), ("a forced win or loss", PROOF))
    ]
    used = Series.of("the side that uses more", [(s, most_used(data, s)) for s in SPEEDS])
    return [
        Chart("reasons", "Andantino: what ends a move, with ten seconds and depth 8",
              "assumed nodes per second", "moves (%)", tuple(lines), log_x=True),
        Chart("used", "Andantino: time used in a game, with ten seconds a move and depth 8",
              "assumed nodes per second", "share of ten minutes (%)", (used,), log_x=True),
    ]  # fmt: skip


METHOD = """
Both sides play by the document's plan: every move has ten seconds, iterative deepening goes through
every depth and ends after depth 8, and a side has ten minutes. The time is counted in nodes, so
that a game can be repeated: ten seconds are 1,000, 10,000 or 100,000 nodes, for assumed speeds of
100, 1,000 and 10,000 nodes per second. The speed of the document's program is not known, and our
engine would need a fraction of a second for depth 8; verdicts are at 1,000 nodes per second. If the
time is over, the move of the last finished iteration is played, as in the author's program.

Each position is searched on to depth 10 in the same time, which shows what the limit changes. The
document does not say when a move is obvious; here it is if three iterations in a row return it, the
last of depth 4 or more. The game itself is always played by the plan without this stop. The search
is the preset `koneru` without its parities, with an empty table at every move. Games start with six
sensible plies, no two equal up to symmetry.
"""

THREATS = """
All figures but the number of replies depend on the assumed speed. A kept table would use less time.
A move that differs from that of depth 10 need not be worse.
"""
