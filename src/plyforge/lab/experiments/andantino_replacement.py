"""Replacement rules new and old in small tables, over games of Andantino (Koneru, Table 3)."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

from plyforge.core.randomness import Stream
from plyforge.engine import Engine
from plyforge.game.game import Game, History
from plyforge.games import load
from plyforge.games.andantino.rules import Position
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Equals,
    Estimate,
    MoreThan,
    NotComparable,
    Series,
    Variation,
    format_estimate,
)
from plyforge.lab.experiments._andantino_openings import ANY_PARITY, GAME, played_openings
from plyforge.lab.fixed_defaults import engine_options
from plyforge.match.tables import Table
from plyforge.rules import u64

TITLE = "New against old replacement in Andantino"
SOURCE = "Koneru, Alpha Beta Search on Andantino, Table 3"
QUESTION = """
Does a table that never replaces an entry cost more nodes over a game than one that always does, and
does the difference shrink as the table grows?
"""
DEFAULTS = "2026"
PLIES = 6
POSITIONS = 40
"""Games, each from a different opening."""
DEPTHS = (4,)
DEPTH = DEPTHS[0]
"""The published depth."""
QUICK = (3, DEPTHS)
BITS = (8, 12, 16, 20)
NEW, OLD = "new", "old"
PUBLISHED = {
    NEW: {8: (18868, 25), 12: (88476, 36), 16: (71939, 35), 20: (72489, 35)},
    OLD: {8: (41285, 33), 12: (227284, 54), 16: (71707, 35), 20: (72525, 35)},
}
"""White's nodes and the number of moves, by index bits."""
RANDOM, ONE_PLY, ITSELF = "random", "one ply", "itself"
OPPONENTS = (RANDOM, ONE_PLY, ITSELF)
RULES = {NEW: "newer", OLD: "old"}
LEVEL = 0.05
"""Ratios this close to 1 count as level."""
MARGIN = 0.1
"""The margin of a published ratio, as a share of it."""


def byte_key(position: Position) -> u64:
    """Return the part of a key that a table of 2^8 entries uses if it never compares keys."""
    return position.hash >> u64(56)


def twelve_bit_key(position: Position) -> u64:
    return position.hash >> u64(52)


SHORT_KEYS: dict[int, Callable[[Position], Any]] = {8: byte_key, 12: twelve_bit_key}


def cases(seed: int, count: int) -> list[Case]:
    return played_openings(PLIES, seed, count)


def name_of(rule: str, bits: int, opponent: str, checked: bool = True) -> str:
    return f"{rule}, 2^{bits}, against {opponent}" + ("" if checked else ", keys not compared")


def variations() -> list[Variation]:
    return [
        Variation(
            name_of(rule, bits, opponent, checked),
            "alphabeta",
            "koneru",
            settings={**ANY_PARITY, "replace": RULES[rule]},
            entries=1 << bits,
            extra={"opponent": opponent, "key": 64 if checked else bits},
        )
        for opponent in OPPONENTS
        for checked in (True, False)
        for bits in (BITS if checked else SHORT_KEYS)
        for rule in (NEW, OLD)
    ]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Play a game; White is the agent, whose table starts empty and is kept throughout."""
    rule, key = variation.settings["replace"], variation.extra["key"]
    agent = _engine(rule, variation.entries, key)
    other = _opponent(case, variation, depth)
    history = case.history(agent.game)
    nodes = choices = 0
    while not history.verdict().over:
        if history.turn == 0:
            result = agent.analyse(history, depth=depth)
            nodes, choices, move = nodes + result.nodes, choices + 1, result.move
        else:
            move = other(history)
        history.play(move)
    return {"nodes": nodes, "each": nodes / choices, "moves": history.position.placed}


def _opponent(case: Case, variation: Variation, depth: int) -> Callable[[History], int]:
    kind = variation.extra["opponent"]
    if kind == RANDOM:
        stream = Stream(0).split(case.label)
        return lambda history: stream.choice(history.legal_moves())
    rule, key = variation.settings["replace"], variation.extra["key"]
    engine = _engine(rule, variation.entries, key, black=True)
    plies = 1 if kind == ONE_PLY else depth
    return lambda history: engine.analyse(history, depth=plies).move


def _engine(rule: str, entries: int, key: int, black: bool = False) -> Engine:
    engine = _make_engine(rule, entries, key, black)
    engine.clear()
    return engine


@cache
def _make_engine(rule: str, entries: int, key: int, black: bool) -> Engine:
    """Make an engine; each kind is made once for each side."""
    game = load(GAME)
    if key in SHORT_KEYS:
        hooks = {**game.rules.hooks, "key": SHORT_KEYS[key]}
        game = Game(replace(game.rules, hooks=hooks), game.variant, game.backend)
    settings = {**ANY_PARITY, "replace": rule}
    options = Variation(
        rule, "alphabeta", "koneru", settings=settings, entries=entries, defaults=DEFAULTS
    )
    return Engine(game, **engine_options(game, options))


def claims() -> list[Claim]:
    return [
        *(_claim_row(bits, checked=True) for bits in BITS),
        *(_claim_row(bits, checked=False) for bits in SHORT_KEYS),
        Claim(
            "the difference between old and new shrinks as the table grows",
            "old / new per move 1.66 with 2^8 entries, 1.00 with 2^20",
            "nodes per move, old / new, with 2^8 entries less that with 2^20; against itself, keys"
            " compared, depth 4",
            MoreThan(0),
            _shrinking,
            place="section 2.2, Table 3",
        ),
        Claim(
            "the size of the table changes the game",
            "25, 36, 35 and 35 moves with new, 33, 54, 35 and 35 with old",
            "share of games against itself whose length is not the same with 2^8 and 2^20 entries;"
            " new, keys compared, depth 4",
            MoreThan(50),
            partial(_other_length, sizes=(8, 20)),
            " %",
            "Table 3",
            note="a table that compares keys changes no value, and so few moves",
        ),
        Claim(
            "from 2^16 entries on, the size of the table does not change the game",
            "35 moves with 2^16 and with 2^20",
            "share of games against itself whose length is the same with 2^16 and 2^20 entries;"
            " new, keys compared, depth 4",
            MoreThan(50),
            partial(_same_length, sizes=(16, 20)),
            " %",
            "Table 3",
        ),
        Claim(
            "a game takes 35 moves with a large table",
            "35",
            "stones on the board at the end of games against itself; new, 2^20 entries, depth 4",
            NotComparable("the opponent is not stated, and one game was published"),
            lambda data: data.mean(name_of(NEW, 20, ITSELF), DEPTH, "moves"),
            " moves",
            "Table 3",
        ),
        Claim(
            "White visits about 72,000 nodes in a game with a large table",
            "72,489",
            "White's nodes in games against itself; new, 2^20 entries, depth 4",
            NotComparable(
                "the opponent is not stated; the published program counts all children it makes,"
                " and some of them twice"
            ),
            lambda data: data.mean(name_of(NEW, 20, ITSELF), DEPTH, "nodes"),
            " nodes",
            "Table 3",
        ),
    ]


def _claim_row(bits: int, checked: bool) -> Claim:
    """Compare a row by its ratio: numbers of nodes depend on the opponent and on the program."""
    (old, _), (new, _) = PUBLISHED[OLD][bits], PUBLISHED[NEW][bits]
    published = old / new
    level = abs(published - 1) < LEVEL
    rule = (
        Equals(1, LEVEL)
        if level
        else Equals(round(published, 2), round(MARGIN * published, 2), no_effect=1)
    )
    how = "compared, as the document says" if checked else "not compared, as its program does"
    what = "as many nodes as new" if level else f"{published:.2f} times the nodes of new"
    return Claim(
        f"with 2^{bits} entries, old takes {what}" + ("" if checked else " (keys not compared)"),
        f"{old} / {new} = {published:.2f}" if not level else f"{old} / {new} = {published:.3f}",
        f"White's nodes in games against itself, old / new; depth 4, keys {how}",
        rule,
        lambda data: data.ratio(
            name_of(OLD, bits, ITSELF, checked), name_of(NEW, bits, ITSELF, checked), DEPTH, "nodes"
        ),
        place="Table 3",
        note="one game was published for each figure",
    )


def _old_over_new(data: Data, bits: int, opponent: str, checked: bool = True) -> Estimate | None:
    """Return the ratio per move, since games differ in length."""
    old, new = (name_of(rule, bits, opponent, checked) for rule in (OLD, NEW))
    return data.ratio(old, new, DEPTH, "each")


def _published(rule: str, bits: int) -> float:
    """Return White's nodes per move."""
    nodes, moves = PUBLISHED[rule][bits]
    return nodes / moves


def _shrinking(data: Data) -> Estimate | None:
    names = {(rule, bits): name_of(rule, bits, ITSELF) for rule in (OLD, NEW) for bits in (8, 20)}
    gaps = {}
    for case in data.cases(DEPTH, tuple(names.values()), ("each",)):
        each = {key: data.row(name, DEPTH, case)["each"] for key, name in names.items()}
        gaps[case] = each[OLD, 8] / each[NEW, 8] - each[OLD, 20] / each[NEW, 20]
    return data.difference_of(gaps)


def _same_length(data: Data, sizes: tuple[int, int], checked: bool = True) -> Estimate | None:
    """Return the percentage of games against itself that are equally long with two sizes."""
    pair = [name_of(NEW, bits, ITSELF, checked or bits not in SHORT_KEYS) for bits in sizes]
    share = data.share_of(
        {
            case: len({data.row(name, DEPTH, case)["moves"] for name in pair}) == 1
            for case in data.cases(DEPTH, pair, ("moves",))
        }
    )
    return share and share.rescale(100)


def _other_length(data: Data, sizes: tuple[int, int], checked: bool = True) -> Estimate | None:
    share = _same_length(data, sizes, checked)
    return share and share.rescale(-1, 100)


def tables(data: Data) -> list[Table]:
    tables = []
    for metric, title in (
        ("nodes", "White's nodes in a game"),
        ("moves", "Stones on the board at the end"),
    ):
        rows: list[tuple[str, ...]] = []
        for opponent, checked in (*((one, True) for one in OPPONENTS), (ITSELF, False)):
            for rule in RULES:
                cells = [
                    format_estimate(data.mean(name_of(rule, b, opponent, checked), DEPTH, metric))
                    if checked or b in SHORT_KEYS
                    else ""
                    for b in BITS
                ]
                tail = "" if checked else ", keys not compared"
                rows.append((f"{rule}, against {opponent}{tail}", *cells))
        place = ("nodes", "moves").index(metric)
        rows += [
            (f"{rule}, published", *(str(PUBLISHED[rule][bits][place]) for bits in BITS))
            for rule in RULES
        ]
        headings = ("", *(f"2^{bits} entries" for bits in BITS))
        tables.append(Table(headings, tuple(rows), title))
    return [*tables, _lengths(data)]


def _lengths(data: Data) -> Table:
    rows = []
    for checked, how in ((True, "keys compared"), (False, "keys not compared")):
        cells = [
            format_estimate(_other_length(data, (bits, 20), checked), " %")
            for bits in BITS[:-1]
            if checked or bits in SHORT_KEYS
        ]
        rows.append((how, *cells, *[""] * (len(BITS) - 1 - len(cells))))
    headings = ("new, against itself", *(f"2^{bits} entries" for bits in BITS[:-1]))
    return Table(headings, tuple(rows), "Games of another length than with 2^20 entries")


def charts(data: Data) -> list[Chart]:
    ratios = [
        Series.of(f"against {one}", [(b, _old_over_new(data, b, one)) for b in BITS])
        for one in OPPONENTS
    ]
    wrong = [(bits, _old_over_new(data, bits, ITSELF, False)) for bits in SHORT_KEYS]
    ratios.append(Series.of("against itself, keys not compared", wrong))
    printed = tuple(_published(OLD, bits) / _published(NEW, bits) for bits in BITS)
    ratios.append(Series("opponent not stated", BITS, printed, published=True))
    lengths = []
    for rule in (NEW, OLD):
        for checked, suffix in ((True, ""), (False, ", keys not compared")):
            bits = BITS if checked else tuple(SHORT_KEYS)
            points = [
                (b, data.mean(name_of(rule, b, ITSELF, checked), DEPTH, "moves")) for b in bits
            ]
            lengths.append(Series.of(rule + suffix, [(float(b), mean) for b, mean in points]))
        moves = tuple(PUBLISHED[rule][bits][1] for bits in BITS)
        lengths.append(Series(rule, BITS, moves, published=True))
    return [
        Chart("ratio", "Andantino, depth 4: White's nodes per move with old over those with new",
              "bits of the table's index", "White's nodes per move, old / new", tuple(ratios)),
        Chart("moves", "Andantino, depth 4: length of games against itself",
              "bits of the table's index", "stones on the board at the end", tuple(lengths)),
    ]  # fmt: skip


METHOD = """
The document states neither the opponent nor the number of games: each figure seems to be of one
game, and "moves" are taken as stones on the board. Here White plays against random moves, against a
search of one ply, and against itself; its table starts empty and is kept through the game. A game
starts with six sensible plies (each at most two points below the best in a search of depth 4), and
no two openings are equal up to symmetry. Verdicts are on games against itself.

A row is compared by the ratio of old to new, since numbers of nodes depend on the program. The
document stores a hash key and speaks of the remaining bits, so keys are compared. The program in
the author's repository (github.com/arjunkoneru/Alpha-Beta-for-Andantino) takes any entry at a
position's index and never compares the stored key. The rows of 2^8 and 2^12 entries are judged in
both ways; for the second, keys have as many bits as the index.
"""

THREATS = """
A single published game may differ from the mean of ours by more than the margin, although both have
the same cause: a refuted row says that the published ratio is not typical of our games. The order
of moves and the evaluation are ours.
"""
