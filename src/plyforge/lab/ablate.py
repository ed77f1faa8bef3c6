"""An ablation as an experiment: every enhancement off, and every one that is off by default on.

It works on any game, a user's own file included.
"""

import hashlib
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine.engine import preset_for
from plyforge.games import load
from plyforge.lab.cases import Case, random_cases
from plyforge.lab.charts import Chart, Series
from plyforge.lab.data import Data
from plyforge.lab.experiment import Experiment
from plyforge.lab.findings import Finding
from plyforge.lab.measuring import measured
from plyforge.lab.variations import Variation
from plyforge.search.enhancements import ENHANCEMENTS

PREFIX: Final = "ablate "
_PLIES: Final = 8
"""Random moves before a position is searched."""
_MOST_MEAN: Final = "all"


def ablation(name: str) -> Experiment:
    """The experiment that tells what each enhancement is worth in a game."""
    game = load(name)
    options = preset_for(game, "exact")
    base = f"defaults of {game.name}"
    variations = [Variation(base)]
    for row in ENHANCEMENTS.values():
        if row.rule:
            continue
        if options.has(row.name):
            driver = "alphabeta" if row.name == "pvs" else "pvs"
            variations.append(Variation(f"without {row.name}", driver, off=(row.name,)))
        else:
            variations.append(Variation(f"with {row.name}", on=(row.name,)))
    variations.append(Variation("plain alpha-beta", "alphabeta", off=(_MOST_MEAN,)))
    return Experiment(
        f"{PREFIX}{name}",
        f"{PREFIX}{name}",
        f"What each enhancement is worth in {game.title}",
        "measured here",
        20,
        (6, 8),
        (5, (4, 5)),
        1,
        (("leaves", "leaves"), ("nodes", "nodes"), ("seconds", "time")),
        "Leaves of all iterations; every position is searched from an empty table.",
        lambda seed, count: _cases(name, seed, count),
        tuple(variations),
        measured,
        lambda number, variation, depth: True,
        lambda data: findings(data, base),
        lambda data: charts(data, base, game.title),
        None,
        hashlib.blake2b(repr(variations).encode(), digest_size=8).hexdigest(),
    )


def _cases(name: str, seed: int, count: int) -> list[Case]:
    """Positions after some random moves, fewer where games end too soon."""
    for plies in range(_PLIES, -1, -2):
        try:
            return random_cases(name, plies, seed, count)
        except PlyforgeError:
            continue
    raise PlyforgeError(f"{name}: its games are over before they begin")


def findings(data: Data, base: str) -> list[Finding]:
    """Leaves and time of each configuration over the defaults', at the greatest depth."""
    found = []
    depth = data.deepest(data.variations)
    for name in data.variations[1:]:
        leaves = data.ratio(name, base, depth, "leaves") if depth else None
        times = data.ratio(name, base, depth, "seconds") if depth else None
        if leaves is None or times is None:
            continue
        word = "more" if leaves.value > 1 else "fewer"
        sure = "" if leaves.low <= 1 <= leaves.high else f", {word} leaves"
        found.append(
            Finding(
                name,
                "",
                f"leaves × {leaves.value:.3g} ({leaves.low:.3g} to {leaves.high:.3g}),"
                f" time × {times.value:.3g}",
                "not comparable",
                f"depth {depth}{sure or ', no clear difference'}",
            )
        )
    return found


def charts(data: Data, base: str, title: str) -> list[Chart]:
    depth = data.deepest(data.variations)
    if depth is None:
        return []
    names = data.variations[1:]
    series = [
        Series.of(
            metric,
            [
                (float(place), data.ratio(name, base, depth, column))
                for place, name in enumerate(names)
            ],
        )
        for metric, column in (("leaves", "leaves"), ("time", "seconds"))
    ]
    return [
        Chart(
            "ablation",
            f"{title}: what changes when one thing changes (depth {depth})",
            "",
            "over the defaults (1 = no difference)",
            tuple(series),
            names,
            log_y=True,
        )
    ]
