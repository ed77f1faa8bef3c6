"""Replacement rules new and old in small tables, over games of Andantino (Koneru, Table 3)."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from plyforge.core.randomness import Stream
from plyforge.engine import Engine
from plyforge.game.game import Game, History
from plyforge.games import load
from plyforge.games.andantino.rules import Position
from plyforge.lab import (
    Case,
    Chart,
    Data,
    Estimate,
    Finding,
    Series,
    Variation,
    format_estimate,
    judge,
    judge_level,
    random_cases,
)
from plyforge.lab.findings import Verdict
from plyforge.lab.fixed_defaults import engine_options
from plyforge.rules import u64

TITLE = "New against old replacement in Andantino"
SOURCE = "S. Koneru, Alpha Beta Search on Andantino, Table 3"
DEFAULTS = "2026"
GAME = "andantino"
PLIES = 4
POSITIONS = 20
"""Games, each from a different random opening."""
DEPTHS = (4,)
QUICK = (3, DEPTHS)
METRICS = (
    ("nodes", "White's nodes in a game"),
    ("each", "White's nodes per move"),
    ("moves", "stones on the board at the end"),
)
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


def byte_key(position: Position) -> u64:
    """Return the part of a key that a table of 2^8 entries uses if it never compares keys."""
    return position.hash >> u64(56)


def twelve_bit_key(position: Position) -> u64:
    return position.hash >> u64(52)


SHORT_KEYS: dict[int, Callable[[Position], Any]] = {8: byte_key, 12: twelve_bit_key}


def cases(seed: int, count: int) -> list[Case]:
    cases = random_cases(GAME, PLIES, seed, count)
    return [replace(case, label=f"seed {seed}, {case.label}") for case in cases]


def name_of(rule: str, bits: int, opponent: str, checked: bool = True) -> str:
    return f"{rule}, 2^{bits}, against {opponent}" + ("" if checked else ", keys not compared")


def variations() -> list[Variation]:
    return [
        Variation(
            name_of(rule, bits, opponent, checked),
            "alphabeta",
            "koneru",
            settings={"parity-first": "any", "parity-second": "any", "replace": RULES[rule]},
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
    settings = {"parity-first": "any", "parity-second": "any", "replace": rule}
    options = Variation(
        rule, "alphabeta", "koneru", settings=settings, entries=entries, defaults=DEFAULTS
    )
    return Engine(game, **engine_options(game, options))


def findings(data: Data) -> list[Finding]:
    depth = data.max_depth(data.variations)
    if depth is None:
        return []
    rows = [row for opponent in OPPONENTS for row in _shrinking(data, depth, opponent)]
    rows += [_lengths(data, depth, rule, checked) for checked in (True, False) for rule in RULES]
    rows += [row for checked in (True, False) for row in _small(data, depth, checked)]
    for opponent in OPPONENTS:
        moves = data.mean(name_of(NEW, 20, opponent), depth, "moves")
        claim = f"moves of a game against {opponent}, 2^20 entries"
        row = judge(claim, PUBLISHED[NEW][20][1], moves, why="the opponent is not stated")
        if row.verdict == "not reproduced":
            row = replace(row, why=f"{row.why}; it was probably not this one")
        rows.append(row)
    for bits in (16, 20):
        ratio = data.ratio(name_of(OLD, bits, ITSELF), name_of(NEW, bits, ITSELF), depth, "nodes")
        published = f"{PUBLISHED[OLD][bits][0] / PUBLISHED[NEW][bits][0]:.3f}"
        claim = f"White's nodes in a game with 2^{bits} entries, old over those with new: level"
        rows.append(judge_level(claim, published, 1.0, ratio, LEVEL))
    rows.append(
        Finding(
            "White's nodes in a game, 2^20 entries",
            f"{PUBLISHED[NEW][20][0]}",
            format_estimate(data.mean(name_of(NEW, 20, ITSELF), depth, "nodes"))
            + " against itself",
            "not comparable",
            "the published program counts all children it makes, and those of MIN that it searches"
            " again, and sorts only those in its table",
        )
    )
    return rows


def _old_over_new(
    data: Data, depth: int, bits: int, opponent: str, checked: bool = True
) -> Estimate | None:
    """Return the ratio per move, since games differ in length."""
    old, new = (name_of(rule, bits, opponent, checked) for rule in (OLD, NEW))
    return data.ratio(old, new, depth, "each")


def _published(rule: str, bits: int) -> float:
    """Return White's nodes per move."""
    nodes, moves = PUBLISHED[rule][bits]
    return nodes / moves


def _shrinking(data: Data, depth: int, opponent: str) -> list[Finding]:
    small, large = (_old_over_new(data, depth, bits, opponent) for bits in (BITS[0], BITS[-1]))
    if small is None or large is None:
        return []
    held = small.low > 1 and abs(large.value - 1) < small.value - 1
    return [
        Finding(
            f"old needs more nodes than new in a small table, not in a large one ({opponent})",
            "old / new per move: "
            + ", ".join(f"{_published(OLD, b) / _published(NEW, b):.2f} (2^{b})" for b in (8, 20)),
            f"{format_estimate(small)} (2^8), {format_estimate(large)} (2^20)",
            "reproduced" if held else "not reproduced",
            "the same direction, not the same size; keys are compared here"
            if held
            else "no clear difference",
        )
    ]


def _small(data: Data, depth: int, checked: bool) -> list[Finding]:
    """Report the effect of small tables on games against itself."""
    condition = "" if checked else ", if keys are not compared"
    why = "a small table that compares keys only loses entries" if checked else ""
    rows = []
    for bits in SHORT_KEYS:
        new, old = (name_of(rule, bits, ITSELF, checked) for rule in (NEW, OLD))
        for claim, above, below, ratio in (
            (
                "new, over those with 2^20",
                (NEW, bits),
                (NEW, 20),
                (new, name_of(NEW, 20, ITSELF)),
            ),
            ("old, over those with new", (OLD, bits), (NEW, bits), (old, new)),
        ):
            published = PUBLISHED[above[0]][above[1]][0] / PUBLISHED[below[0]][below[1]][0]
            row = judge(
                f"White's nodes in a game with 2^{bits} entries, {claim}{condition}",
                round(published, 2),
                data.ratio(*ratio, depth, "nodes"),
                why=why,
                none=1.0,
            )
            rows.append(
                row if checked else _compare_single_games(row, published, data, ratio, depth)
            )
    return rows


def _compare_single_games(
    row: Finding, published: float, data: Data, pair: tuple[str, str], depth: int
) -> Finding:
    """Give no verdict against the single published game if ours lie on both sides of it."""
    games = [
        data.row(pair[0], depth, case)["nodes"] / data.row(pair[1], depth, case)["nodes"]
        for case in data.cases(depth, pair)
    ]
    if row.verdict != "not reproduced":
        return row
    why = f"one game was published; in our single games it is {min(games):.2g} to {max(games):.2g}"
    among = min(games) <= published <= max(games)
    return replace(row, verdict="not comparable" if among else row.verdict, why=why)


def _lengths(data: Data, depth: int, rule: str, checked: bool) -> Finding:
    """Report whether the length of games against itself depends on the size of the table."""
    names = [name_of(rule, bits, ITSELF, checked or bits not in SHORT_KEYS) for bits in BITS]
    games = [
        [data.row(name, depth, case)["moves"] for name in names]
        for case in data.cases(depth, names)
    ]
    equal = sum(len(set(game)) == 1 for game in games)
    varies: Verdict = "reproduced" if equal < len(games) / 2 else "not reproduced"
    return Finding(
        f"the size of the table changes the length of the game, {rule}"
        + ("" if checked else ", if keys are not compared"),
        ", ".join(str(moves) for _, moves in PUBLISHED[rule].values()) + " moves",
        f"in {len(games) - equal} of {len(games)} games against itself",
        varies if games else "not measured",
        "wrong entries are used" if not checked else "a sound table changes no value",
    )


def charts(data: Data) -> list[Chart]:
    depth = data.max_depth(data.variations)
    if depth is None:
        return []
    ratios = [
        Series.of(f"against {one}", [(b, _old_over_new(data, depth, b, one)) for b in BITS])
        for one in OPPONENTS
    ]
    wrong = [(bits, _old_over_new(data, depth, bits, ITSELF, False)) for bits in SHORT_KEYS]
    ratios.append(Series.of("against itself, keys not compared", wrong))
    printed = tuple(_published(OLD, bits) / _published(NEW, bits) for bits in BITS)
    ratios.append(Series("opponent not stated", BITS, printed, published=True))
    lengths = []
    for rule in (NEW, OLD):
        for checked, suffix in ((True, ""), (False, ", keys not compared")):
            bits = BITS if checked else tuple(SHORT_KEYS)
            points = [
                (b, data.mean(name_of(rule, b, ITSELF, checked), depth, "moves")) for b in bits
            ]
            lengths.append(Series.of(rule + suffix, [(float(b), mean) for b, mean in points]))
        moves = tuple(PUBLISHED[rule][bits][1] for bits in BITS)
        lengths.append(Series(rule, BITS, moves, published=True))
    return [
        Chart("ratio", "Andantino, depth 4: White's nodes per move with old over those with new",
              "bits of the table's index", "nodes per move, old / new", tuple(ratios)),
        Chart("moves", "Andantino, depth 4: length of games against itself",
              "bits of the table's index", "stones at the end", tuple(lengths)),
    ]  # fmt: skip


NOTES = """
The report states neither the opponent nor the number of games: each figure seems to be of one game,
and "moves" are taken as stones on the board. Here White plays against random moves, against a
search of one ply, and against itself, from random openings of four plies; its table starts empty
and is kept through the game.

The published lengths of games differ with the size of the table (25 to 54 moves with 2^8 and 2^12
entries, 35 with more), which no sound table causes: values, and all but a few choices among equal
moves, stay the same. The program that was published with the report
(github.com/arjunkoneru/Alpha-Beta-for-Andantino) takes any entry at a position's index and never
compares the stored key. Done this way, with keys of as many bits as the index, our games become
longer or shorter too, and a table of 2^8 entries makes fewer nodes, not more, and fewer with new
than with old, in about the published proportions. With 2^12 entries single games differ more; the
published one of 54 moves is longer than all of ours. No verdict is given against a single game
within the range of ours; this was decided after seeing them.
"""
