"""How many leaves a search takes beyond the fewest that could prove its value.

Twenty midgame positions a game are searched to fixed depths by every driver, and by the default
one with one thing changed at a time.  The figure is the leaves of all iterations of all positions
over those of the left-first minimal graphs of the last iteration.  All searches are exact, and
their values are compared.  `store-leaves` is left out: with it a leaf that comes up twice counts
once, which the minimal graph does not do.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import plyforge
from benchmarks.bars import RATIOS, Bar
from benchmarks.clock import Settings
from benchmarks.positions import texts
from benchmarks.table import Row, surroundings
from plyforge.game.game import Game, History
from plyforge.lab.minimal_graph import MinimalGraphs

ENTRIES = 1 << 22
DEFAULT = "pvs, the defaults"


@dataclass(frozen=True)
class Way:
    """One configuration: what differs from the defaults."""

    name: str
    driver: str = "pvs"
    on: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    def engine(self, game: Game, entries: int = ENTRIES) -> plyforge.Engine:
        return plyforge.Engine(
            game,
            driver=self.driver,
            on=self.on,
            off=self.off,
            settings=self.settings,
            entries=entries,
        )


DRIVERS = (
    Way(DEFAULT),
    Way("alphabeta", "alphabeta"),
    Way("aspiration", "aspiration"),
    Way("mtdf, guess last", "mtdf", settings={"guess": "last"}),
    Way("mtdf, guess two-back", "mtdf", settings={"guess": "two-back"}),
    Way("mtdf, two-back, step 1", "mtdf", settings={"guess": "two-back", "step": 1}),
    Way("mtdf, last, step 4", "mtdf", settings={"guess": "last", "step": 4}),
    Way("mtdf, last, killers off", "mtdf", off=("killers",), settings={"guess": "last"}),
    Way(
        "mtdf, last, step 4, killers off",
        "mtdf",
        off=("killers",),
        settings={"guess": "last", "step": 4},
    ),
    Way("real-mtdf", "real-mtdf"),
    Way("mtd-bi", "mtd-bi"),
    Way("mtd-step", "mtd-step"),
    Way("sss", "sss"),
    Way("dual", "dual"),
)
ORDERINGS = (
    Way("without deepening", off=("deepening",)),
    Way("step 1", settings={"step": 1}),
    Way("step 4", settings={"step": 4}),
    Way("without table-move", off=("table-move",)),
    Way("without etc", off=("etc",)),
    Way("etc from depth 2", settings={"etc-depth": 2}),
    Way("without history", off=("history",)),
    Way("without continuation", off=("continuation",)),
    Way("without either history", off=("history", "continuation")),
    Way("no penalty", settings={"history-penalty": 0}),
    Way("killers off", off=("killers",)),
    Way("killers on", on=("killers",)),
    Way("child-eval off", off=("child-eval",)),
    Way("child-eval on", on=("child-eval",)),
    Way("wins on", on=("wins",)),
    Way("eib on", on=("eib",)),
    Way(
        "Koneru's order",
        on=("wins", "killers", "child-eval"),
        settings={"order": ("wins", "killers", "table", "child-eval")},
    ),
)
PLAIN = Way("plain alpha-beta", "alphabeta", off=("all",))


@dataclass(frozen=True)
class Case:
    """A game, the depths it is searched to, and the depth at which plain alpha-beta is tried."""

    game: str
    depths: tuple[int, ...]
    plain: int


CASES = (
    Case("othello", (9,), 9),
    Case("checkers", (12, 13, 14), 14),
    Case("connect4", (12, 13, 14), 12),
)
QUICK_CASES = (
    Case("othello", (6,), 6),
    Case("checkers", (8,), 8),
    Case("connect4", (8,), 8),
)


@dataclass(frozen=True)
class Target:
    """A position, its value at a depth, and the leaves that would prove it."""

    root: History
    value: float
    least: int


@dataclass(frozen=True)
class Outcome:
    """What a configuration needed for all positions."""

    way: Way
    leaves: int
    interior: int
    ratio: float
    """All its leaves over those of all minimal graphs."""
    mean: float
    """The mean of the ratios of the positions."""
    seconds: float


def targets(game: Game, depth: int, positions: Sequence[str]) -> list[Target]:
    graphs, found = MinimalGraphs(game), []
    for text in positions:
        root = game.history(game.parse(text))
        value, least = graphs.find(root, depth)
        found.append(Target(root, value, least))
    return found


def outcome(game: Game, way: Way, depth: int, found: Sequence[Target]) -> Outcome:
    engine = way.engine(game)
    leaves, interior, seconds, ratios = 0, 0, 0.0, []
    for target in found:
        engine.clear()
        start = time.process_time()
        result = engine.analyse(target.root, depth=depth)
        seconds += time.process_time() - start
        if result.score != target.value:
            raise ArithmeticError(f"{way.name} finds {result.score} instead of {target.value}")
        leaves += result.counts.leaves
        interior += result.counts.interior
        ratios.append(result.counts.leaves / target.least)
    least = sum(target.least for target in found)
    mean = sum(ratios) / len(ratios)
    return Outcome(way, leaves, interior, leaves / least, mean, seconds)


def differs(way: Way, standard: plyforge.Engine) -> bool:
    """Whether a configuration is another than the game's own."""
    mine = way.engine(standard.game, entries=256).options
    theirs = standard.options
    known = {**mine.settings, **theirs.settings}
    settings = any(mine.get(name) != theirs.get(name) for name in known)
    return mine.switches != theirs.switches or settings


def page(game: str, depth: int, found: Sequence[Target], outcomes: Sequence[Outcome]) -> list[str]:
    """One table of the results file."""
    least = sum(target.least for target in found)
    lines = [
        f"## {game}, depth {depth}",
        "",
        f"{len(found)} positions; the minimal graphs have {least:,} leaves together.",
        "",
        "| configuration | leaves | over minimal | mean of ratios | interior | CPU s |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for one in outcomes:
        figures = f"{one.leaves:,} | {one.ratio:.2f} | {one.mean:.2f} | {one.interior:,}"
        lines.append(f"| {one.way.name} | {figures} | {one.seconds:.2f} |")
    return [*lines, ""]


def rows(settings: Settings) -> Iterator[Row]:
    facts = ", ".join(f"{name} {value}" for name, value in surroundings().items() if value)
    lines = ["# Leaves over the left-first minimal graph", "", facts, ""]
    for case in QUICK_CASES if settings.quick else CASES:
        game = plyforge.load(case.game)
        positions = texts(case.game)[: 3 if settings.quick else None]
        standard = Way(DEFAULT).engine(game, entries=256)
        for depth in case.depths:
            found = targets(game, depth, positions)
            ways = [*DRIVERS, *(way for way in ORDERINGS if differs(way, standard))]
            outcomes = [outcome(game, way, depth, found) for way in ways]
            best = min(outcomes, key=lambda one: one.leaves)
            lines += page(case.game, depth, found, outcomes)
            yield _row("efficiency", case.game, f"d{depth}, the defaults", outcomes[0], None)
            bar = None if settings.quick else RATIOS["efficiency", case.game]
            yield _row("efficiency", case.game, f"d{depth}, best: {best.way.name}", best, bar)
            if depth == case.plain:
                plain = outcome(game, PLAIN, depth, found)
                yield Row(
                    "pruning",
                    case.game,
                    f"d{depth}, leaves of plain alpha-beta over the defaults'",
                    nodes=plain.leaves,
                    ratio=plain.leaves / outcomes[0].leaves,
                    bar=None if settings.quick else RATIOS["pruning", case.game],
                    note=f"defaults {outcomes[0].leaves:,}, plain {plain.seconds:.0f} s",
                )
    settings.results.mkdir(parents=True, exist_ok=True)
    name = "quick-efficiency.md" if settings.quick else "efficiency.md"
    (settings.results / name).write_text("\n".join(lines), encoding="utf-8")


def _row(comparison: str, game: str, case: str, one: Outcome, bar: Bar | None) -> Row:
    note = f"mean of ratios {one.mean:.2f}, {one.seconds:.1f} s"
    if one.ratio < 1:
        # All iterations together cannot take less than a minimal graph of the last one.
        note = f"{one.ratio:.2f} of the minimal graph, which therefore is none: no ratio"
        return Row(comparison, game, case, nodes=one.leaves, bar=bar, note=note)
    return Row(comparison, game, case, nodes=one.leaves, ratio=one.ratio, bar=bar, note=note)
