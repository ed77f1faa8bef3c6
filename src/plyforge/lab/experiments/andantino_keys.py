"""Collisions in a table of Andantino whose keys have few bits (Koneru, section 2.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from plyforge.evaluate import compiled_evaluation
from plyforge.games import load
from plyforge.games.andantino.rules import Position
from plyforge.lab import (
    Case,
    Chart,
    Claim,
    Data,
    Estimate,
    LessThan,
    Series,
    Variation,
    format_estimate,
    open_engine,
)
from plyforge.lab.experiments._andantino_openings import ANY_PARITY, GAME, played_openings
from plyforge.match.tables import Table
from plyforge.search.textbook import Node, View
from plyforge.search.values import INFINITY

TITLE = "Keys of few bits in Andantino: false matches and wrong values"
SOURCE = "Koneru, Alpha Beta Search on Andantino, section 2.2"
QUESTION = """
How often does a probe find the entry of another position if a table compares only 20 bits, and how
often is the value of the root wrong because of that?
"""
DEFAULTS = "2026"
PLIES = 6
POSITIONS = 40
"""Games, each from a different opening."""
SAMPLE = 10
"""The number of games for keys of other lengths."""
DEPTHS = (4,)
DEPTH = DEPTHS[0]
"""The depth of the document's games."""
QUICK = (3, DEPTHS)
WHOLE, JUDGED = 64, 20
KEYS = (WHOLE, JUDGED, 16, 12)
VERY_RARE = 0.1
"""Percent of probes: less than one in a thousand."""
RARELY_WRONG = 10
"""Percent of games with a wrong value."""


def name_of(bits: int) -> str:
    return f"{bits} bits"


def cases(seed: int, count: int) -> list[Case]:
    return played_openings(PLIES, seed, count)


def variations() -> list[Variation]:
    return [Variation(name_of(bits), extra={"bits": bits}) for bits in KEYS]


def wanted(number: int, variation: Variation, depth: int) -> bool:
    return number < SAMPLE or variation.extra["bits"] == JUDGED


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Search White's positions of a game one after the other, with one table."""
    search, positions = KeySearch(_view(), variation.extra["bits"]), _white(case, depth)
    found = [search.root(position, depth) for position in positions]
    pairs = list(zip(found, _right(case, depth), strict=True))
    return {
        "probes": search.probes,
        "false": search.false,
        "entries": len(search.entries),
        "roots": len(positions),
        "wrong": sum(mine[0] != right[0] for mine, right in pairs),
        "other_moves": sum(mine[1] != right[1] for mine, right in pairs),
    }


@lru_cache(maxsize=1)
def _right(case: Case, depth: int) -> list[tuple[float, int]]:
    """Return values and moves with whole keys."""
    search = KeySearch(_view(), WHOLE)
    return [search.root(position, depth) for position in _white(case, depth)]


def _view() -> View:
    """Return the game as the search sees it; its evaluation is compiled, which saves most time."""
    game = load(GAME)
    return View(game, compiled_evaluation(game))


@lru_cache(maxsize=1)
def _white(case: Case, depth: int) -> Sequence[Position]:
    """Return the positions with White to move in the engine's game against itself."""
    options = Variation("player", "alphabeta", "koneru", settings=ANY_PARITY, defaults=DEFAULTS)
    engine, history = open_engine(case, options)
    positions = []
    while not history.verdict().over:
        if history.turn == 0:
            positions.append(history.position)
        engine.clear()
        history.play(engine.analyse(history, depth=depth).move)
    return positions


@dataclass
class Entry:
    """A stored value; it belongs to the position with the key `whole`."""

    whole: int
    depth: int
    low: float
    high: float


class KeySearch:
    """Alpha-beta with a table that compares the first bits of a key only.

    Every probe is checked against the whole key, which the search itself does not see. Leaves are
    not stored, and a new entry replaces an old one.
    """

    def __init__(self, view: View, bits: int) -> None:
        self._view, self._shift = view, WHOLE - bits
        self.entries: dict[int, Entry] = {}
        self.probes = 0
        self.false = 0
        """Probes that found the entry of another position."""

    def root(self, position: Position, depth: int) -> tuple[float, int]:
        """Return value and move; the root itself is not looked up."""
        best, move = -INFINITY, -1
        for child in self._view.children(self._view.root(position)):
            value = -self._value(child, depth - 1, -INFINITY, -best)
            if value > best:
                best, move = value, child.move or 0
        return best, move

    def _value(self, node: Node, depth: int, alpha: float, beta: float) -> float:
        """Return a value: at most alpha is an upper bound, at least beta a lower one."""
        leaf = self._view.leaf(node, depth)
        if leaf is not None:
            return leaf
        whole = int(node.position.hash)
        found = self._find(whole, depth)
        if found is not None:
            if found.low >= beta or found.low == found.high:
                return found.low
            if found.high <= alpha:
                return found.high
        best = -INFINITY
        for child in self._view.children(node):
            best = max(best, -self._value(child, depth - 1, -beta, -max(alpha, best)))
            if best >= beta:
                break
        low = best if best > alpha else -INFINITY
        high = best if best < beta else INFINITY
        self.entries[whole >> self._shift] = Entry(whole, depth, low, high)
        return best

    def _find(self, whole: int, depth: int) -> Entry | None:
        self.probes += 1
        found = self.entries.get(whole >> self._shift)
        self.false += found is not None and found.whole != whole
        return found if found is not None and found.depth == depth else None


def false_share(data: Data, bits: int) -> Estimate | None:
    """Return the percentage of probes that find the entry of another position."""
    return _percent(data.per(name_of(bits), DEPTH, "false", "probes"))


def wrong_share(data: Data, bits: int) -> Estimate | None:
    """Return the percentage of games in which a root value differs from that with whole keys."""
    return _percent(data.share(name_of(bits), DEPTH, lambda row: row["wrong"] > 0))


def _percent(share: Estimate | None) -> Estimate | None:
    return share and share.rescale(100)


def claims() -> list[Claim]:
    return [
        Claim(
            "with 20 bits, a match of two different positions is very rare",
            "very rare",
            f"probes that find the entry of another position, keys of {JUDGED} bits, depth {DEPTH},"
            " one table for White's searches of a game",
            LessThan(VERY_RARE),
            lambda data: false_share(data, JUDGED),
            " %",
            "section 2.2",
            note="very rare is taken as less than one probe in a thousand",
        ),
        Claim(
            "with 20 bits, collisions hardly ever matter",
            "very rare",
            f"games in which the value of a root differs from that with {WHOLE} bits, keys of"
            f" {JUDGED} bits, depth {DEPTH}",
            LessThan(RARELY_WRONG),
            lambda data: wrong_share(data, JUDGED),
            " %",
            "section 2.2",
            note="very rare is taken as fewer than one game in ten",
        ),
    ]


def tables(data: Data) -> list[Table]:
    rows = []
    for bits in KEYS:
        name = name_of(bits)
        figures = (
            (data.mean(name, DEPTH, "probes"), ""),
            (data.mean(name, DEPTH, "entries"), ""),
            (false_share(data, bits), " %"),
            (wrong_share(data, bits), " %"),
            (_percent(data.per(name, DEPTH, "wrong", "roots")), " %"),
            (_percent(data.per(name, DEPTH, "other_moves", "roots")), " %"),
        )
        rows.append((name, *(format_estimate(figure, unit) for figure, unit in figures)))
    headings = (
        *("key", "probes in a game", "entries at the end", "false matches"),
        *("games with a wrong value", "wrong root values", "other moves"),
    )
    return [Table(headings, tuple(rows), "White's searches of a game, depth 4")]


def charts(data: Data) -> list[Chart]:
    short = [bits for bits in KEYS if bits != WHOLE]
    lines = [
        Series.of(label, [(bits, figure(data, bits)) for bits in short])
        for label, figure in (
            ("probes that find another position", false_share),
            ("games with a wrong root value", wrong_share),
        )
    ]
    return [
        Chart("share", "Andantino, depth 4: keys of few bits, one table for a game",
              "bits of a key", "share of probes, or of games (%)", tuple(lines))
    ]  # fmt: skip


METHOD = """
An engine plays a game against itself at depth 4, from six sensible plies; no two openings are equal
up to symmetry. White's positions of this game are then searched one after the other by plain
alpha-beta in the order of generation, to depth 4, with one table that is kept through the game, as
the document's is. The table compares only the first bits of a key, and a checker knows the whole
key of 64 bits. The document calls the index of its table the key; its program compares nothing
else, so that 20 bits are all that is compared. An entry is used only for the same depth. The table
has room for all keys, so nothing is lost but entries with the same short key.
"""

THREATS = """
How often keys collide depends on how many positions a table holds: deeper searches and longer games
have more collisions. The document gives no number for "very rare"; the limits are ours. With whole
keys of 64 bits, two positions may still share one, which is not checked.
"""
