"""An experiment that switches each enhancement off, or on if it is off by default.

It works with any game, including a game file.
"""

import hashlib
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.engine.drivers import DEFAULT, find_driver
from plyforge.engine.presets import preset_for
from plyforge.game.game import Game
from plyforge.games import game_file, load
from plyforge.jobs.user_files import read_user_file
from plyforge.lab.cases import random_cases, random_game
from plyforge.lab.charts import Chart, Series
from plyforge.lab.claims import format_estimate
from plyforge.lab.data import Data
from plyforge.lab.experiment import Experiment
from plyforge.lab.measuring import measure_search
from plyforge.lab.statistics import Estimate
from plyforge.lab.variations import Variation
from plyforge.match.tables import Table
from plyforge.search.steps.files import load_step
from plyforge.search.steps.step import Step

PREFIX: Final = "ablate "
_DRIVER: Final = " --driver "
_STEP: Final = " --step "
_PLIES: Final = 8
"""The maximum number of random moves before a position."""
_TRIALS: Final = 30
"""How many random games are played to estimate the length of games."""
_REST: Final = 3
"""Half of the random games must last this many times the number of random moves."""


def split_reference(reference: str) -> tuple[str, str, list[str]]:
    """Return the game, the driver and the steps of an ablation's reference.

    >>> split_reference("ablate connect4 --driver mtdf --step mine.py")
    ('connect4', 'mtdf', ['mine.py'])
    """
    head, *steps = reference.removeprefix(PREFIX).split(_STEP)
    game, _, driver = head.partition(_DRIVER)
    return game, driver or DEFAULT, steps


def ablation(
    name: str, driver: str = DEFAULT, steps: Sequence[str] = (), loaded: Game | None = None
) -> Experiment:
    """Return the experiment that measures each enhancement in a game, which may be loaded.

    `driver` is that of the searches, by its name or file; `steps` are files of search steps, each
    of which is measured like a built-in one.
    """
    game = load(name) if loaded is None else loaded
    words = [] if driver == DEFAULT else [(_DRIVER, driver)]
    words += [(_STEP, step) for step in steps]
    tail = "".join(f"{option}{value}" for option, value in words)
    base = f"defaults of {game.name}"
    variations = _variations(game, base, driver, tuple(steps))
    return Experiment(
        reference=f"{PREFIX}{name}{tail}",
        name=f"{PREFIX}{name}{tail}",
        title=f"What each enhancement is worth in {game.title}",
        source="measured here",
        positions=20,
        depths=(6, 8),
        quick=(5, (4, 5)),
        repeats=1,
        metrics=(("leaves", "leaves"), ("nodes", "nodes"), ("seconds", "time")),
        notes="Leaves are summed over all iterations. Every search starts with an empty table.",
        cases=lambda seed, count: random_cases(name, _plies(game), seed, count),
        variations=variations,
        measure=measure_search,
        wanted=lambda number, variation, depth: True,
        claims=(),
        charts=lambda data: charts(data, base, game.title),
        tables=lambda data: tables(data, base),
        digest=_digest(name, game, variations),
        command=f"lab ablate {shlex.quote(name)}"
        + "".join(f"{option}{shlex.quote(value)}" for option, value in words),
    )


def _variations(game: Game, base: str, name: str, steps: tuple[str, ...]) -> tuple[Variation, ...]:
    """Return the defaults, each enhancement switched, other drivers, and plain alpha-beta.

    All of them have the steps of users, switched on or off, and so use one kernel.
    """
    driver = find_driver(name)
    options = preset_for(game, "exact", driver).with_steps(map(load_step, steps))
    options = driver.options(options, [], [], {})
    variations = [Variation(base, name, steps=steps)]
    for row in options.steps:
        if (
            row.rule
            or not allows_step(game, row)
            or not (row.exact or row.authored or options.has(row.name))
        ):
            continue
        without = driver.instead if row.name in driver.needs else name
        if not options.has(row.name):
            with_it = Variation(f"with {row.name}", name, on=(row.name,), steps=steps)
            variations.append(with_it)
        elif without:
            without_it = Variation(f"without {row.name}", without, off=(row.name,), steps=steps)
            variations.append(without_it)
    if name != DEFAULT:
        variations.append(Variation(f"driver {DEFAULT}", steps=steps))
    off = ("all", *(step.name for step in options.added))
    return (*variations, Variation("plain alpha-beta", "alphabeta", off=off, steps=steps))


def _digest(name: str, game: Game, variations: tuple[Variation, ...]) -> str:
    """Return a hash of the rules, the configurations and the files that these name."""
    text = repr(variations).encode()
    path = game_file(name)
    if path is None:
        file = Path(game.rules.file)
        files = sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else [file]
        text += b"".join(one.read_bytes() for one in files)
    else:
        text += read_user_file(path).content
    text += b"".join(file.content for file in variations[0].read_files())
    return hashlib.blake2b(text, digest_size=8).hexdigest()


def _plies(game: Game) -> int:
    """Return the number of random moves before a position, fewer if games are short."""
    for plies in range(_PLIES, 0, -1):
        stream = Stream(0).split(f"{plies} plies")
        going = (random_game(game, plies * _REST, stream) is not None for _ in range(_TRIALS))
        if sum(going) * 2 >= _TRIALS:
            return plies
    if game.history().verdict().over:
        raise PlyforgeError(f"{game.name}: the starting position is already over")
    return 0


def tables(data: Data, base: str) -> list[Table]:
    """Compare each configuration with the defaults at the greatest depth."""
    depth = data.max_depth(data.variations)
    if depth is None:
        return []
    rows = []
    for name in data.variations[1:]:
        leaves = data.ratio(name, base, depth, "leaves")
        times = data.ratio(name, base, depth, "seconds")
        rows.append((name, format_estimate(leaves), format_estimate(times), _difference(leaves)))
    title = f"Over the {base}: depth {depth}, {len(data.cases(depth))} positions"
    return [Table(("configuration", "leaves ×", "time ×", "difference"), tuple(rows), title)]


def _difference(leaves: Estimate | None) -> str:
    if leaves is None or not leaves.has_interval or leaves.contains(1):
        return "unclear"
    return "more leaves" if leaves.value > 1 else "fewer leaves"


def charts(data: Data, base: str, title: str) -> list[Chart]:
    depth = data.max_depth(data.variations)
    if depth is None:
        return []
    heading = f"{title}: the effect of each change (depth {depth})"
    pairs = [(name, base) for name in data.variations[1:]]
    metrics = {"leaves": "leaves", "time": "seconds"}
    return [ratio_chart(data, depth, ("ablation", heading, "over the defaults"), pairs, metrics)]


def ratio_chart(
    data: Data,
    depth: int,
    labels: tuple[str, str, str],
    pairs: Sequence[tuple[str, str]],
    metrics: Mapping[str, str],
) -> Chart:
    """Draw configurations relative to others: a bar for each pair and metric.

    `labels` are the name of the chart, its title, and what the figures are relative to; `metrics`
    are figures by their headings.
    """
    name, title, over = labels
    series = [
        Series.of(
            heading,
            [
                (float(place), data.ratio(one, baseline, depth, metric))
                for place, (one, baseline) in enumerate(pairs)
            ],
        )
        for heading, metric in metrics.items()
    ]
    return Chart(
        name,
        title,
        "configuration",
        f"{over} (1 = no difference)",
        tuple(series),
        tuple(one for one, _ in pairs),
        log_y=True,
        origin=1.0,
    )


def allows_step(game: Game, step: Step) -> bool:
    """Return whether a game has the hooks and the fitted numbers that a step needs."""
    has_hooks = all(hook in game.rules.hooks for hook in step.hooks)
    if not has_hooks or step.fit is None:
        return has_hooks
    play = preset_for(game, "play", find_driver(DEFAULT))
    return bool(play.get(step.fit_parameter))
