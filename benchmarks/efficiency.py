"""The leaves of a search, compared with the minimum that proves its value.

Twenty midgame positions per game are searched to fixed depths by every driver, and by the default
one with one thing changed at a time.  The figure is the number of leaves of all iterations of all
positions, divided by that of the left-first minimal graphs of the last iteration.  All searches are
exact, and their values are compared.  `store-leaves` is left out: with it a leaf that occurs twice
counts once, unlike in the minimal graph.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import plyforge
from benchmarks.clock import Settings
from benchmarks.positions import position_texts
from benchmarks.table import Row, environment_facts
from benchmarks.targets import RATIOS, Target
from plyforge.game.game import Game, History
from plyforge.lab.minimal_graph import MinimalGraphs

ENTRIES = 1 << 22
DEFAULT = "pvs, the defaults"


@dataclass(frozen=True)
class Configuration:
    """A search configuration: its differences from the defaults."""

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
    Configuration(DEFAULT),
    Configuration("alphabeta", "alphabeta"),
    Configuration("aspiration", "aspiration"),
    Configuration("mtdf, guess last", "mtdf", settings={"guess": "last"}),
    Configuration("mtdf, guess two-back", "mtdf", settings={"guess": "two-back"}),
    Configuration(
        "mtdf, two-back, step 1", "mtdf", settings={"guess": "two-back", "depth-step": 1}
    ),
    Configuration("mtdf, last, step 4", "mtdf", settings={"guess": "last", "depth-step": 4}),
    Configuration("mtdf, last, killers off", "mtdf", off=("killers",), settings={"guess": "last"}),
    Configuration(
        "mtdf, last, step 4, killers off",
        "mtdf",
        off=("killers",),
        settings={"guess": "last", "depth-step": 4},
    ),
    Configuration(
        "mtdf, last, step 4, etc from depth 2",
        "mtdf",
        settings={"guess": "last", "depth-step": 4, "etc-depth": 2},
    ),
    Configuration("real-mtdf", "real-mtdf"),
    Configuration("mtd-bi", "mtd-bi"),
    Configuration("mtd-step", "mtd-step"),
    Configuration("sss", "sss"),
    Configuration("dual", "dual"),
)
ORDERINGS = (
    Configuration("without deepening", off=("deepening",)),
    Configuration("step 1", settings={"depth-step": 1}),
    Configuration("step 4", settings={"depth-step": 4}),
    Configuration("without table-move", off=("table-move",)),
    Configuration("without etc", off=("etc",)),
    Configuration("etc from depth 2", settings={"etc-depth": 2}),
    Configuration("without history", off=("history",)),
    Configuration("without continuation", off=("continuation",)),
    Configuration("without either history", off=("history", "continuation")),
    Configuration("no penalty", settings={"history-penalty": 0}),
    Configuration("killers off", off=("killers",)),
    Configuration("killers on", on=("killers",)),
    Configuration("child-eval off", off=("child-eval",)),
    Configuration("child-eval on", on=("child-eval",)),
    Configuration("wins on", on=("wins",)),
    Configuration("eib on", on=("eib",)),
    Configuration(
        "Koneru's order",
        on=("wins", "killers", "child-eval"),
        settings={"order": ("wins", "killers", "table", "child-eval")},
    ),
)
PLAIN = Configuration("plain alpha-beta", "alphabeta", off=("all",))


@dataclass(frozen=True)
class Case:
    """A game, the depths to search, and the depth for plain alpha-beta."""

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
class ProvedPosition:
    """A position, its value at a depth, and the minimum of leaves that proves it."""

    root: History
    value: float
    min_leaves: int


@dataclass(frozen=True)
class Outcome:
    """The costs of a configuration for all positions."""

    configuration: Configuration
    leaves: int
    interior: int
    ratio: float
    """Its leaves divided by those of all minimal graphs."""
    mean: float
    """The mean of the ratios of the positions."""
    seconds: float


def prove_positions(game: Game, depth: int, positions: Sequence[str]) -> list[ProvedPosition]:
    graphs, proved = MinimalGraphs(game), []
    for text in positions:
        root = game.history(game.parse(text))
        value, min_leaves = graphs.find(root, depth)
        proved.append(ProvedPosition(root, value, min_leaves))
    return proved


def measure(
    game: Game, configuration: Configuration, depth: int, positions: Sequence[ProvedPosition]
) -> Outcome:
    engine = configuration.engine(game)
    engine.prepare()
    leaves, interior, seconds, ratios = 0, 0, 0.0, []
    for proved in positions:
        engine.clear()
        start = time.process_time()
        result = engine.analyse(proved.root, depth=depth)
        seconds += time.process_time() - start
        if result.score != proved.value:
            raise ArithmeticError(
                f"{configuration.name} finds {result.score} instead of {proved.value}"
            )
        leaves += result.counts.leaves
        interior += result.counts.interior
        ratios.append(result.counts.leaves / proved.min_leaves)
    min_leaves = sum(proved.min_leaves for proved in positions)
    mean = sum(ratios) / len(ratios)
    return Outcome(configuration, leaves, interior, leaves / min_leaves, mean, seconds)


def differs(configuration: Configuration, standard: plyforge.Engine) -> bool:
    """Whether a configuration differs from the game's own."""
    mine = configuration.engine(standard.game, entries=256).options
    theirs = standard.options
    known = {**mine.settings, **theirs.settings}
    settings = any(mine.get(name) != theirs.get(name) for name in known)
    return mine.switches != theirs.switches or settings


def page(
    game: str, depth: int, positions: Sequence[ProvedPosition], outcomes: Sequence[Outcome]
) -> list[str]:
    """Return one table of the results file."""
    min_leaves = sum(proved.min_leaves for proved in positions)
    lines = [
        f"## {game}, depth {depth}",
        "",
        f"{len(positions)} positions; the minimal graphs have {min_leaves:,} leaves together.",
        "",
        "| configuration | leaves | over minimal | mean of ratios | interior | CPU s |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for one in outcomes:
        figures = f"{one.leaves:,} | {one.ratio:.2f} | {one.mean:.2f} | {one.interior:,}"
        lines.append(f"| {one.configuration.name} | {figures} | {one.seconds:.2f} |")
    return [*lines, ""]


def rows(settings: Settings) -> Iterator[Row]:
    facts = ", ".join(f"{name} {value}" for name, value in environment_facts().items() if value)
    lines = ["# Leaves over the left-first minimal graph", "", facts, ""]
    for case in QUICK_CASES if settings.quick else CASES:
        game = plyforge.load(case.game)
        positions = position_texts(case.game)[: 3 if settings.quick else None]
        standard = Configuration(DEFAULT).engine(game, entries=256)
        for depth in case.depths:
            proved = prove_positions(game, depth, positions)
            configurations = [
                *DRIVERS,
                *(configuration for configuration in ORDERINGS if differs(configuration, standard)),
            ]
            outcomes = [
                measure(game, configuration, depth, proved) for configuration in configurations
            ]
            best = min(outcomes, key=lambda one: one.leaves)
            lines += page(case.game, depth, proved, outcomes)
            yield _row("efficiency", case.game, f"d{depth}, the defaults", outcomes[0], None)
            target = None if settings.quick else RATIOS["efficiency", case.game]
            yield _row(
                "efficiency", case.game, f"d{depth}, best: {best.configuration.name}", best, target
            )
            if depth == case.plain:
                plain = measure(game, PLAIN, depth, proved)
                yield Row(
                    "pruning",
                    case.game,
                    f"d{depth}, leaves of plain alpha-beta over the defaults'",
                    nodes=plain.leaves,
                    ratio=plain.leaves / outcomes[0].leaves,
                    target=None if settings.quick else RATIOS["pruning", case.game],
                    note=f"defaults {outcomes[0].leaves:,}, plain {plain.seconds:.0f} s",
                )
    settings.results.mkdir(parents=True, exist_ok=True)
    name = "quick-efficiency.md" if settings.quick else "efficiency.md"
    (settings.results / name).write_text("\n".join(lines), encoding="utf-8")


def _row(comparison: str, game: str, case: str, one: Outcome, target: Target | None) -> Row:
    note = f"mean of ratios {one.mean:.2f}, {one.seconds:.1f} s"
    if one.ratio < 1:
        # All iterations together cannot have fewer leaves than a minimal graph of the last one.
        note = f"{one.ratio:.2f} of the minimal graph, which is thus not minimal: no ratio"
        return Row(comparison, game, case, nodes=one.leaves, target=target, note=note)
    return Row(comparison, game, case, nodes=one.leaves, ratio=one.ratio, target=target, note=note)
