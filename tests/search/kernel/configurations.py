"""Random options of a search: every switch and parameter that keeps values exact."""

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from plyforge import Engine, Game
from plyforge.engine import DRIVERS
from plyforge.engine.drivers import parameters_for
from plyforge.search.enhancements import ENHANCEMENTS, REPLACEMENTS, SOURCES
from plyforge.search.hashtable import HashTable
from plyforge.search.options import Options
from plyforge.search.searcher import Searcher

SWITCHES = [
    row.name for row in ENHANCEMENTS.values() if row.exact and not row.rule and not row.hooks
]

yes_no = st.sampled_from(["yes", "no"])
tiny_to_large = st.sampled_from([0.0, 1e-30, 1e-12, 1e-3, 0.01, 0.7, 1.0, 5.0, 100.0, 2.0**23])

parameters = st.fixed_dictionaries(
    {},
    optional={
        "replace": st.sampled_from(sorted(REPLACEMENTS)),
        "same-position": yes_no,
        "stamp": st.sampled_from(["save", "move"]),
        "store-leaves": yes_no,
        "table-move-depth": st.sampled_from([-1, 0, 2]),
        "etc-depth": st.integers(2, 4),
        "history-growth": st.sampled_from(["square", "power"]),
        "history-penalty": st.sampled_from([0, 1, 8, 16]),
        "history-ageing": st.sampled_from([0, 1, 40]),
        "child-eval-depth": st.integers(1, 3),
        "wins-depth": st.integers(1, 3),
        "order": st.permutations(list(SOURCES)).flatmap(
            lambda names: st.integers(0, len(names)).map(lambda kept: names[:kept])
        ),
        "skip-research": yes_no,
        "start": st.integers(0, 4),
        "depth-step": st.integers(1, 3),
        "guess": st.sampled_from(["zero", "last", "two-back"]),
        "epsilon": tiny_to_large,
        "mtd-step": tiny_to_large,
        "mtd-step-growth": st.sampled_from([1.0, 2.0, 100.0]),
        "aspiration": tiny_to_large,
        "aspiration-growth": st.sampled_from([1.0, 1.5, 4.0, 1024.0]),
    },
)


@dataclass(frozen=True)
class Configuration:
    """The options of an engine; a failing example prints them."""

    driver: str
    on: tuple[str, ...]
    settings: dict[str, Any]
    entries: int
    cycles: bool = False

    @property
    def off(self) -> list[str]:
        return ["all"] if self.cycles else ["all", "cycles"]

    def engine(self, game: Game, **more: Any) -> Engine:
        return Engine(
            game,
            driver=self.driver,
            on=self.on,
            off=self.off,
            settings=self.settings,
            entries=self.entries,
            **more,
        )

    def searcher(self, game: Game, **more: Any) -> Searcher:
        """Make a searcher with these options, without a driver."""
        known = parameters_for(DRIVERS[self.driver])
        options = Options.preset("exact").declaring(known)
        options = options.changed(self.on, self.off, self.settings)
        return Searcher(game, options, HashTable.sized(entries=self.entries, stamped=True), **more)


@st.composite
def configurations(
    draw: st.DrawFn, cycles: bool = False, drivers: list[str] | None = None
) -> Configuration:
    chosen = draw(st.lists(st.sampled_from(SWITCHES), unique=True))
    if draw(st.booleans()):
        chosen = list({*chosen, "table"})  # most errors need one
    on = [name for name in chosen if all(needed in chosen for needed in ENHANCEMENTS[name].needs)]
    return Configuration(
        driver=draw(st.sampled_from(drivers or sorted(DRIVERS))),
        on=tuple(sorted(on)),
        settings=draw(parameters),
        entries=draw(st.sampled_from([256, 257, 300, 1000, 4096, 1 << 16])),
        cycles=cycles,
    )
