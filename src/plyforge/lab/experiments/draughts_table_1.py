"""Games between the learning draughts players: does ordering the search win games?"""

from collections.abc import Callable
from functools import cache

from plyforge.core.errors import PlyforgeError
from plyforge.games import load
from plyforge.games.checkers.named_players import weights
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Equals,
    Estimate,
    LessThan,
    MoreThan,
    Series,
    Variation,
    format_estimate,
)
from plyforge.lab.data import Values
from plyforge.lab.experiments._draughts import (
    GROUPS,
    LS_DRAUGHTS,
    NEURODRAUGHTS,
    over_trainings,
    trained_cases,
    trainings,
    weights_digest,
)
from plyforge.match.players import Player, player
from plyforge.match.referee import MatchRules, Referee
from plyforge.match.tables import Table

TITLE = "Games between VisionDraughts with and without ordering, and LS-Draughts"
SOURCE = "Duarte, Otsuka and Julia 2009"
QUESTION = (
    "Does VisionDraughts win more games, and end fewer in loops, if its search tries the table's"
    " moves first?"
)
DEFAULTS = "2026"
PLIES = 6
"""The number of random moves before the players begin."""
POSITIONS = 520
"""Openings; each is played twice, with the sides exchanged."""
DEPTHS = (4, 6)
QUICK = (10, (6,))
DEPTH = 6
"""The depth of the claims, and of the row under which games at equal nodes are stored."""
NODES = 4_000
"""Nodes of a move in games at equal nodes."""
MAX_PLIES = 200
MIB = 4
METRICS = (("won", "won"), ("lost", "lost"), ("drawn", "drawn"), ("loops", "loops"),
           ("plies", "plies"), ("nodes", "nodes per move"),
           ("other_nodes", "opponent's nodes per move"))  # fmt: skip
FROM_14 = 25.0
"""What 14 games leave open: half of a 95 % interval for a share, in percent."""

ORDERED, UNORDERED, LS = "vision-draughts-ordered", "vision-draughts", "ls-draughts"
PAIRINGS = {
    "ordered v unordered": (ORDERED, UNORDERED),
    "ordered v LS-Draughts": (ORDERED, LS),
    "unordered v LS-Draughts": (UNORDERED, LS),
}
PUBLISHED = {
    "ordered v unordered": (8, 1, 5, 3),
    "ordered v LS-Draughts": (8, 0, 6, 2),
    "unordered v LS-Draughts": (3, 1, 10, 7),
}
"""Won, lost, drawn, loops, of 14 games."""
FIRST, BY_ORDERED, BY_UNORDERED = PAIRINGS
BY_DEPTH, BY_NODES = "equal depth", "equal nodes"


def name_of(pairing: str, limit: str) -> str:
    return f"{pairing}, {limit}"


def cases(seed: int, count: int) -> list[Case]:
    return trained_cases(PLIES, seed, count)


def variations() -> list[Variation]:
    return [
        Variation(
            name_of(pairing, limit),
            extra={
                "pairing": pairing,
                "limit": limit,
                "weights": weights_digest(NEURODRAUGHTS, LS_DRAUGHTS),
            },
        )
        for limit in (BY_DEPTH, BY_NODES)
        for pairing in PAIRINGS
    ]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    return variation.extra["limit"] == BY_DEPTH or depth == DEPTH


def describe(name: str, training: int, limit: str, depth: int) -> str:
    """Return the description of a player with the net of a training."""
    net = LS_DRAUGHTS if name == LS else NEURODRAUGHTS
    settings = f"hash={MIB},evaluation={weights(net, training)}"
    if limit == BY_DEPTH:
        return f"{name}:{settings},depth={depth}"
    # A search of a fixed depth cannot stop at a number of nodes; deepening can.
    deepening = ",on=deepening,depth-step=1" if name == LS else ""
    return f"{name}:{settings},nodes={NODES}{deepening}"


@cache
def _player(description: str) -> Player:
    return player(load("checkers"), description)


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Play an opening with both sides; return shares of the two games for the first player."""
    limit, names = variation.extra["limit"], PAIRINGS[variation.extra["pairing"]]
    of_vision, of_ls = trainings(case)
    descriptions = (
        describe(name, of_ls if name == LS else of_vision, limit, depth) for name in names
    )
    first, second = map(_player, descriptions)
    game = load("checkers")
    referee = Referee(game, MatchRules(max_plies=MAX_PLIES))
    found = dict.fromkeys(("won", "lost", "drawn", "loops", "plies", "nodes", "other_nodes"), 0.0)
    for seat, players in enumerate([(first, second), (second, first)]):
        for one in players:
            one.begin(0)
        result = referee.play(players, case.history(game))
        if result.ending == "forfeit":
            raise PlyforgeError(f"{case.label}: a player lost by a fault: {result.reason}")
        points = result.points if seat == 0 else 1.0 - result.points
        for name, holds in (
            ("won", points == 1.0),
            ("lost", points == 0.0),
            ("drawn", points == 0.5),
            ("loops", result.loop),
        ):
            found[name] += holds / 2
        moves = max(1, (len(result.moves) - len(case.moves)) // 2)
        found["plies"] += len(result.moves) / 2
        found["nodes"] += result.nodes[seat] / moves / 2
        found["other_nodes"] += result.nodes[1 - seat] / moves / 2
    return found


def _mean(
    data: Data, name: str, figure: Callable[[Values], float], depth: int = DEPTH
) -> Estimate | None:
    return over_trainings(
        {case: 100 * figure(data.row(name, depth, case)) for case in data.cases(depth, (name,))}
    )


def lead(row: Values) -> float:
    """Return the share of games won less that of games lost."""
    return row["won"] - row["lost"]


def fewer_loops(data: Data, limit: str) -> Estimate | None:
    """Return by how much more often games against LS-Draughts are loops if moves are ordered."""
    names = name_of(BY_ORDERED, limit), name_of(BY_UNORDERED, limit)
    return over_trainings(
        {
            case: 100
            * (data.row(names[0], DEPTH, case)["loops"] - data.row(names[1], DEPTH, case)["loops"])
            for case in data.cases(DEPTH, names)
        }
    )


def _lead_claim(pairing: str, limit: str, statement: str) -> Claim:
    won, lost, drawn, _ = PUBLISHED[pairing]
    at = f"depth {DEPTH}" if limit == BY_DEPTH else f"{NODES:,} nodes per move"
    return Claim(
        f"{statement}, at {limit}",
        f"{won} won, {lost} lost, {drawn} drawn",
        f"games won less games lost, {pairing}, {at}",
        MoreThan(0),
        lambda data: _mean(data, name_of(pairing, limit), lead),
        " %",
        "table 1",
        samples="trainings",
    )


def _loops_claim(limit: str) -> Claim:
    at = f"depth {DEPTH}" if limit == BY_DEPTH else f"{NODES:,} nodes per move"
    return Claim(
        f"Ordering reduces the number of loops, at {limit}",
        "2 of 14 games against LS-Draughts with ordering, 7 of 14 without",
        f"share of loops against LS-Draughts, with ordering less without, {at}",
        LessThan(0),
        lambda data: fewer_loops(data, limit),
        " %",
        "section 6",
        samples="trainings",
    )


def _share_claim(pairing: str, metric: str, count: int, statement: str) -> Claim:
    return Claim(
        statement,
        f"{count} of 14",
        f"share of games {'in loops' if metric == 'loops' else metric}, {pairing}, depth {DEPTH}",
        Equals(round(100 * count / 14, 1), FROM_14),
        lambda data: _mean(data, name_of(pairing, BY_DEPTH), lambda row: row[metric]),
        " %",
        "table 1",
        note=f"14 games leave about ±{FROM_14:g} points open",
        samples="trainings",
    )


def claims() -> list[Claim]:
    return [
        *(
            _lead_claim(pairing, limit, statement)
            for limit in (BY_DEPTH, BY_NODES)
            for pairing, statement in (
                (FIRST, "With ordering, VisionDraughts beats itself without"),
                (BY_ORDERED, "With ordering, VisionDraughts beats LS-Draughts"),
                (BY_UNORDERED, "Without ordering, VisionDraughts beats LS-Draughts"),
            )
        ),
        _loops_claim(BY_DEPTH),
        _loops_claim(BY_NODES),
        _share_claim(FIRST, "won", 8, "Ordering wins 57 % of games against no ordering"),
        _share_claim(FIRST, "loops", 3, "21 % of games between the two searches are loops"),
        _share_claim(BY_ORDERED, "loops", 2, "14 % of games of the ordered search are loops"),
        _share_claim(BY_UNORDERED, "loops", 7, "50 % of games of the unordered search are loops"),
    ]


def tables(data: Data) -> list[Table]:
    return [_results(data), _by_training(data)]


def _results(data: Data) -> Table:
    """Return Table 1 of the source with our figures beside its own."""
    rows = []
    for limit in (BY_DEPTH, BY_NODES):
        for pairing, published in PUBLISHED.items():
            for depth in data.depths:
                name = name_of(pairing, limit)
                if not data.cases(depth, (name,)):
                    continue
                figures = (
                    format_estimate(_mean(data, name, lambda row, m=m: row[m], depth))  # type: ignore[misc]
                    for m in ("won", "lost", "drawn", "loops")
                )
                at = f"depth {depth}" if limit == BY_DEPTH else f"{NODES:,} nodes"
                games = str(2 * len(data.cases(depth, (name,))))
                seed = "/".join(map(str, published))
                rows.append((f"{pairing}, {at}", games, *figures, seed))
    headings = ("pairing", "games", "won (%)", "lost (%)", "drawn (%)", "loops (%)",
                "published, of 14")  # fmt: skip
    return Table(headings, tuple(rows), "Results for the first player; intervals over trainings")


def _by_training(data: Data) -> Table:
    rows = []
    for pairing in PAIRINGS:
        for limit in (BY_DEPTH, BY_NODES):
            name = name_of(pairing, limit)
            if not data.cases(DEPTH, (name,)):
                continue
            parts = [data.part(group) for group in GROUPS]
            leads = (_of_openings(part, name, lead) for part in parts)
            rows.append((pairing, limit, *map(format_estimate, leads)))
    title = (
        f"Games won less games lost (%), by training of VisionDraughts, depth {DEPTH}; intervals"
        " over openings"
    )
    return Table(("pairing", "limit", *GROUPS), tuple(rows), title)


def _of_openings(data: Data, name: str, figure: Callable[[Values], float]) -> Estimate | None:
    return data.difference_of(
        {case: 100 * figure(data.row(name, DEPTH, case)) for case in data.cases(DEPTH, (name,))}
    )


def charts(data: Data) -> list[Chart]:
    def line(pairing: str, figure: Callable[[Values], float]) -> Series:
        name = name_of(pairing, BY_DEPTH)
        parts = [(n, data.part(group)) for n, group in enumerate(GROUPS, 1)]
        return Series.of(pairing, [(n, _of_openings(part, name, figure)) for n, part in parts])

    return [
        Chart("lead", f"Won less lost, depth {DEPTH}", "training", "games (%)",
              tuple(line(pairing, lead) for pairing in PAIRINGS)),
        Chart("loops", f"Loops, depth {DEPTH}", "training", "games (%)",
              tuple(line(pairing, lambda row: row["loops"]) for pairing in PAIRINGS)),
    ]  # fmt: skip


METHOD = f"""
Each opening of {PLIES} random moves is played twice, with the sides exchanged, by the players that
the game checkers names: `{ORDERED}`, `{UNORDERED}` and `{LS}`. Each net was trained five times
from other random weights and games. Both players of the first pairing have the same net, as the
search is what differs; against LS-Draughts all 25 pairs of trainings occur equally often. At equal
depth all search {DEPTHS[0]} or {DEPTH} plies. At equal nodes each move has {NODES:,} nodes;
LS-Draughts then deepens, since a search of a fixed depth cannot stop. A game is drawn after
{MAX_PLIES} plies. A loop is a game without a winner although one side is ahead by the hand
evaluation, which is the same judge for all players. Units of the intervals of claims are the five
trainings, so that they hold for nets trained anew; with five units they are wide. By training, the
units are openings.
"""
THREATS = """
The features of LS-Draughts were chosen by one genetic run of 12 individuals and 8 generations, with
trainings of 200 games. Depths and times of the published games are not known. Two and
seven loops of 14 games differ by chance with a probability of about 10 % (Fisher's exact test). At
equal depth both searches of VisionDraughts find the same values unless entries of deeper searches
are used, so that only the choice among equal moves, and such entries, can change a game.
"""
