"""Minimax and alpha-beta at depth 4, for positions of two to ten stones (Koneru, Table 1)."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, zip_longest
from typing import Any

from plyforge.core.randomness import Stream
from plyforge.core.scores import ONGOING
from plyforge.games import load
from plyforge.games.andantino.board import Cell, image
from plyforge.games.andantino.evaluation import variation as evaluation_variant
from plyforge.games.andantino.rules import Position, stones_of, symmetries
from plyforge.lab import Case, Chart, Data, Finding, Series, Variation, open_engine
from plyforge.match.tables import Table

TITLE = "Minimax against alpha-beta in Andantino"
SOURCE = "S. Koneru, Alpha Beta Search on Andantino, Table 1"
DEFAULTS = "2026"
GAME = "andantino"
DEPTHS = (4,)
CLASSES = {2: 1, 4: 2, 6: 21, 8: 344, 10: 5872}
"""The number of classes of unfinished positions, by stones on the board."""
STONES = tuple(CLASSES)
POSITIONS = sum(CLASSES.values())
QUICK = (66, DEPTHS)
MINIMAX = {2: 305, 4: 1649, 6: 3283, 8: 7405, 10: 11307}
ALPHA_BETA = {2: 77, 4: 231, 6: 353, 8: 975, 10: 2343}
"""The published counts, by stones on the board."""

FULL, GENERATION, EVALUATION = "minimax", "order of generation", "order of evaluation"
WALLS = "order of evaluation, walls from four on"
KILLERS, KONERU = "wins, killers, evaluation", "preset koneru"
_FULL = Variation(FULL, "minimax", off=("all",), defaults=DEFAULTS)
_ANY = {"parity-first": "any", "parity-second": "any"}


def cases(seed: int, count: int) -> list[Case]:
    """Return one position of each class, alternating between numbers of stones."""
    layers = []
    for stones, texts in _layers(STONES[: max(count, 1)][-1]).items():
        layer = [Case(GAME, start=text, label=f"{stones} stones") for text in texts]
        Stream(seed).split(f"{stones} stones").shuffle(layer)
        layers.append(layer)
    turns = chain.from_iterable(zip_longest(*layers))
    return [case for case in turns if case is not None][:count]


@cache
def _layers(max_stones: int) -> dict[int, list[str]]:
    """Return a position of every class, by the number of stones."""
    game, level, layers = load(GAME), [load(GAME).initial()], {}
    for stones in range(2, max_stones + 1):
        level = _classes(level)
        if stones in STONES:
            layers[stones] = [game.text(position) for position in level]
    return layers


def _classes(level: Sequence[Position]) -> list[Position]:
    """Return the unfinished positions with one stone more, one of each class."""
    game, classes = load(GAME), dict[tuple[Any, ...], Position]()
    for position in level:
        for move in game.moves(position):
            child = game.play(position, move)
            if game.outcome(child) == ONGOING:
                classes.setdefault(min(_images(child)), child)
    return list(classes.values())


def _images(position: Position) -> Iterator[tuple[Any, ...]]:
    """Yield the stones in all twelve views, independent of their place on the board."""
    sides = stones_of(position, 0), stones_of(position, 1)
    for mirrored in (False, True):
        for turns in range(6):
            seen = [[image(cell, mirrored, turns) for cell in stones] for stones in sides]
            corner = tuple(min(axis) for axis in zip(*chain(*seen), strict=True))
            yield tuple(tuple(sorted(_shift(cell, corner) for cell in cells)) for cells in seen)


def _shift(cell: Cell, corner: tuple[int, ...]) -> Cell:
    return cell[0] - corner[0], cell[1] - corner[1]


def variations() -> list[Variation]:
    by_value = {"child-eval-depth": 1}
    walls = evaluation_variant(WALLED_FOUR=1, WALLED_FIVE=1, CELLS_TO_WIN=0, CELLS_TO_HAVE_WON=0)
    return [
        _FULL,
        Variation(GENERATION, "alphabeta", off=("all",)),
        Variation(EVALUATION, "alphabeta", off=("all",), on=("child-eval",), settings=by_value),
        Variation(
            *(WALLS, "alphabeta"),
            off=("all",),
            on=("child-eval",),
            settings=by_value,
            evaluation=walls,
        ),
        Variation(
            KILLERS, "alphabeta", "koneru", off=("table", "table-move", "deepening"), settings=_ANY
        ),
        Variation(KONERU, "alphabeta", "koneru", settings=_ANY),
    ]


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Return counts as printed: 1 + 2 · nodes below the root.

    Alpha-beta searches only positions that may be the published one, in their twelve views. A view
    changes only the order in which moves are generated.
    """
    stones, full = _full_tree(case, depth)
    if variation.name == FULL:
        return {"stones": stones, "printed": full}
    if full != MINIMAX[stones]:
        return {"stones": stones}
    (engine, history), counts = open_engine(case, variation), []
    for view in symmetries(history.position):
        engine.clear()
        counts.append(2 * engine.analyse(view, depth=depth).nodes - 1)
    return {
        "stones": stones,
        "printed": sum(counts) / len(counts),
        "least": min(counts),
        "most": max(counts),
        "equal": counts.count(ALPHA_BETA[stones]),
        "views": len(counts),
    }


@lru_cache(maxsize=1)
def _full_tree(case: Case, depth: int) -> tuple[int, int]:
    """Return stones and nodes as printed; all configurations of a position need them."""
    engine, history = open_engine(case, _FULL)
    return history.position.placed, 2 * engine.analyse(history, depth=depth).nodes - 1


def _numbers(data: Data, name: str, stones: int, metric: str, alike: bool = True) -> list[float]:
    """Return a metric of the positions with some stones.

    With `alike`, only positions where minimax has the published count are used.
    """
    depth, numbers = DEPTHS[0], []
    for case in data.cases(depth, (FULL, name)):
        full = data.row(FULL, depth, case)
        if full["stones"] == stones and (not alike or full["printed"] == MINIMAX[stones]):
            numbers.append(data.row(name, depth, case)[metric])
    return numbers


def _mean(data: Data, name: str, stones: int) -> float | None:
    counts = _numbers(data, name, stones, "printed")
    return sum(counts) / len(counts) if counts else None


def findings(data: Data) -> list[Finding]:
    return [
        row
        for make_findings in (_full, _alpha_beta)
        for stones in STONES
        for row in make_findings(data, stones)
    ]


def _full(data: Data, stones: int) -> list[Finding]:
    counts = _numbers(data, FULL, stones, "printed", alike=False)
    if not counts:
        return []
    alike = counts.count(MINIMAX[stones])
    every = len(counts) == CLASSES[stones]
    return [
        Finding(
            f"minimax, {stones} stones",
            f"{MINIMAX[stones]}",
            f"{alike} of {len(counts)} classes; {min(counts):.0f} to {max(counts):.0f}",
            "reproduced" if alike else "not reproduced" if every else "not measured",
            "" if every else f"there are {CLASSES[stones]} classes",
        )
    ]


def _alpha_beta(data: Data, stones: int) -> list[Finding]:
    """Report the order whose mean over views and positions is nearest to the published count."""
    published = ALPHA_BETA[stones]
    means = {name: _mean(data, name, stones) for name in data.variations[1:]}
    known = {name: mean for name, mean in means.items() if mean is not None}
    if not known:
        return []
    nearest = min(known, key=lambda name: abs(known[name] - published))
    least = min(_numbers(data, nearest, stones, "least"))
    most = max(_numbers(data, nearest, stones, "most"))
    equal, views = (sum(_numbers(data, nearest, stones, m)) for m in ("equal", "views"))
    exact = known[nearest] == published
    return [
        Finding(
            f"alpha-beta, {stones} stones",
            f"{published} ({_saved(published, stones)} % fewer)",
            f"{nearest}: {known[nearest]:.0f} ({least:.0f} to {most:.0f};"
            f" {_saved(known[nearest], stones)} % fewer); the same in {equal:.0f} of {views:.0f}"
            " views",
            "reproduced" if exact else "not comparable",
            "" if exact else "neither the position nor the order of moves is printed",
        )
    ]


def _saved(nodes: float, stones: int) -> int:
    """Return whole percent below minimax, truncated like the published ones."""
    return int(100 * (1 - nodes / MINIMAX[stones]))


def tables(data: Data) -> list[Table]:
    headings = ("", *(f"{stones} stones" for stones in STONES))
    rows = [
        (name, *("" if (mean := _mean(data, name, s)) is None else f"{mean:.0f}" for s in STONES))
        for name in data.variations
    ]
    rows += [
        ("published, minimax", *(str(MINIMAX[stones]) for stones in STONES)),
        ("published, alpha-beta", *(str(ALPHA_BETA[stones]) for stones in STONES)),
    ]
    title = "Nodes as printed, where minimax has the published number: means over views"
    return [Table(headings, tuple(rows), title)]


def charts(data: Data) -> list[Chart]:
    lines = []
    for name in data.variations:
        points = [(s, mean) for s in STONES if (mean := _mean(data, name, s)) is not None]
        lines.append(Series(name, tuple(s for s, _ in points), tuple(mean for _, mean in points)))
    published = [
        Series(name, STONES, tuple(counts.values()), published=True)
        for name, counts in ((FULL, MINIMAX), ("alpha-beta", ALPHA_BETA))
    ]
    return [
        Chart("nodes", "Andantino, depth 4: nodes where minimax has the published number",
              "stones on the board", "nodes (1 + 2 · nodes below the root)",
              (*lines, *published), log_y=True)
    ]  # fmt: skip


NOTES = """
Both columns of the report are odd throughout: every node below the root is counted twice, and the
root once. "Number of moves" is the number of stones. A class contains the positions that rotation,
reflection and translation make equal.

With two stones, the order of evaluation visits the smallest possible tree (Knuth and Moore 1975:
38 nodes below the root), which is the published 77. With four and six stones, the published counts
are nearest to the order of evaluation if that counts every stone with walls in four or more
directions and does not look ahead. With eight and ten, they are those of the order of generation or
worse. No single order gives all five. The report prints neither the positions nor the order, nor a
definition of surroundability. The preset `koneru` is used without its parities, by which one colour
would search depth 3.
"""
