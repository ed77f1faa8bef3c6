"""Experiments on what each selective step of the search is worth in a game: `selective-GAME`.

Steps come from the table of enhancements: all that are not exact, and whose hooks the game has.
Each is added alone to the preset `exact`, with what it needs, and taken out of the preset `play`.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from plyforge.engine.drivers import DEFAULT, find_driver
from plyforge.engine.presets import preset_for
from plyforge.game.game import Game
from plyforge.games import load
from plyforge.lab.ablate import allows_step
from plyforge.lab.cases import Case
from plyforge.lab.experiment import Experiment
from plyforge.lab.fixed_defaults import evaluation_name, pin_options
from plyforge.lab.measuring import open_engine, search_figures
from plyforge.lab.played_games import play_game
from plyforge.lab.selective_report import ALONE, BASELINE, GROUP, PLAY, REFERENCE, charts, tables
from plyforge.lab.variations import Variation
from plyforge.search.options import Options
from plyforge.search.steps.step import Step

PREFIX: Final = "selective-"
DEFAULTS: Final = "2026"
EXACT, UNPRUNED, NOTHING_SELECTIVE = "exact", "unpruned play", "play, no selective step"
QUICK_POSITIONS: Final = 3
ENTRIES: Final = 1 << 18
"""Entries of a table: few, so that the engines of all configurations fit into memory."""
SETTINGS: Final = {"skip-research": "no"}
"""Only an exact search may skip searches near the horizon; so none does, or a step that never acts
would seem to cost nodes."""
PLAY_DEPTH: Final = 2
"""The depth of the searches that play the games of which positions are taken."""


@dataclass(frozen=True)
class Sample:
    """The positions of a game, and the depth to which they are searched."""

    game: str
    """The game, with a variant where the usual size takes too long."""
    opening: int
    """Random moves at the start of a game."""
    plies: int
    """The plies after which the position of a game is taken."""
    positions: int
    depth: int


SAMPLES: Final = {
    "chess": Sample("chess", 6, 24, 48, 6),
    "checkers": Sample("checkers", 6, 16, 120, 12),
    "giveaway": Sample("giveaway", 6, 16, 150, 14),
    "othello": Sample("othello", 6, 20, 200, 8),
    "connect4": Sample("connect4", 4, 8, 200, 12),
    "hex": Sample("hex:7", 4, 10, 50, 5),
    "andantino": Sample("andantino", 4, 10, 24, 5),
}
"""The sample of each game, chosen before anything was measured with it.

Andantino first had 200 positions and depth 9; its threats make `check` and `quiescence` visit more
than a hundred times the nodes, which the first position showed.
"""


def selective_names() -> list[str]:
    """Return the names of these experiments."""
    return [f"{PREFIX}{game}" for game in SAMPLES]


def selective(name: str, variations: Sequence[Variation] | None = None) -> Experiment:
    """Return an experiment by its name; its configurations are those of an old run, if given."""
    sample = SAMPLES[name.removeprefix(PREFIX)]
    game = load(sample.game)
    variations = tuple(configurations(game) if variations is None else variations)
    exact = variations[0]

    def cases(seed: int, count: int) -> list[Case]:
        return [
            play_game(sample.game, sample.opening, sample.plies, exact, PLAY_DEPTH, seed, number)
            for number in range(count)
        ]

    return Experiment(
        reference=name,
        name=name,
        title=f"What each selective step is worth in {game.title}",
        source="measured here",
        positions=sample.positions,
        depths=(sample.depth,),
        quick=(QUICK_POSITIONS, (max(2, sample.depth - 2),)),
        repeats=1,
        metrics=(("nodes", "nodes"), ("seconds", "time"), ("value", "value"), ("move", "move")),
        notes="",
        cases=cases,
        variations=variations,
        measure=measure,
        wanted=lambda number, variation, depth: True,
        claims=(),
        charts=lambda data: charts(data, variations),
        tables=lambda data: tables(data, variations),
        digest=_digest(name, sample, variations),
        command=f"lab run {name}",
        question=QUESTION,
        method=METHOD.format(**vars(sample), play_depth=PLAY_DEPTH),
        threats=THREATS,
        with_variations=lambda old: selective(name, old),
    )


def _digest(*identity: object) -> str:
    return hashlib.blake2b(repr(identity).encode(), digest_size=8).hexdigest()


def measure(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Search a position, and return its figures and the best move."""
    engine, history = open_engine(case, variation)
    result = engine.analyse(history, depth=depth)
    return {**search_figures(result), "move": result.move}


def configurations(game: Game) -> list[Variation]:
    """Return the searches of a game: `exact`, steps alone, `play`, and steps taken out of it."""
    driver = find_driver(DEFAULT)
    exact, play = (preset_for(game, name, driver) for name in (EXACT, PLAY))
    exact = exact.changed(off=[step.name for step in exact.steps if not step.exact])
    steps = find_selective_steps(game, exact)
    found = _Configurations(game, evaluation_name(game))
    found.add(EXACT, exact)
    for step in steps:
        _add_alone(found, exact, play, (*_inexact_needs(exact, step), step.name))
    on = [step for step in steps if play.has(step.name)]
    horizon = [step.name for step in on if "at_horizon" in step.functions]
    unpruned = _without_pruning(exact, play, [s.name for s in on if s.name not in horizon])
    reference = found.add(UNPRUNED, unpruned)
    found.compare(PLAY, play, PLAY, reference, reference)
    for step in on:
        same = reference
        if step.name in horizon:
            name = f"{UNPRUNED} without {step.name}"
            same = found.add(name, unpruned.changed(off=[step.name]))
        changed = play.changed(off=[step.name])
        found.compare(f"{PLAY} without {step.name}", changed, PLAY, PLAY, same)
    if on:
        name = f"{UNPRUNED} without {', '.join(horizon)}"
        same = found.add(name, unpruned.changed(off=horizon)) if horizon else reference
        bare = play.changed(off=[step.name for step in on])
        found.compare(NOTHING_SELECTIVE, bare, PLAY, PLAY, same)
    return [*found.variations.values()]


def find_selective_steps(game: Game, options: Options) -> list[Step]:
    """Return the steps that are not exact and that a game's hooks allow, and all that they need."""

    def allowed(step: Step) -> bool:
        return allows_step(game, step) and all(allowed(options.rows[need]) for need in step.needs)

    return [step for step in options.steps if not (step.exact or step.rule) and allowed(step)]


@dataclass
class _Configurations:
    """Configurations by name."""

    game: Game
    evaluation: str | None
    variations: dict[str, Variation] = field(default_factory=dict)

    def add(self, name: str, options: Options) -> str:
        """Add a configuration to compare others with, and return its name."""
        pinned = self._pin(name, options)
        for known in self.variations.values():
            if replace(known, name=name, extra={}) == pinned:
                return known.name
        self.variations[name] = pinned
        return name

    def compare(
        self, name: str, options: Options, group: str, baseline: str, reference: str
    ) -> None:
        """Add a configuration, and what it is compared with."""
        extra = {GROUP: group, BASELINE: baseline, REFERENCE: reference}
        self.variations[name] = replace(self._pin(name, options), extra=extra)

    def _pin(self, name: str, options: Options) -> Variation:
        options = options.changed(settings=SETTINGS)
        pinned = pin_options(name, DEFAULTS, self.game, options)
        return replace(pinned, entries=ENTRIES, evaluation=self.evaluation)


def _add_alone(
    found: _Configurations, exact: Options, play: Options, chain: tuple[str, ...]
) -> None:
    """Add a step to `exact`, after all inexact steps that it needs, with the settings of `play`."""
    name = " + ".join(chain)
    if name in found.variations:
        return
    if len(chain) > 1:
        _add_alone(found, exact, play, chain[:-1])
    rows = [exact.rows[one] for one in chain]
    needs = {need for row in rows for need in row.needs} - set(chain)
    conflicts = {other for row in rows for other in row.conflicts if exact.has(other)}
    settings = {p.name: play.get(p.name) for row in rows for p in row.parameters}
    options = exact.changed((*needs, *chain), conflicts, settings)
    baseline = " + ".join(chain[:-1]) or EXACT
    found.compare(name, options, ALONE, baseline, baseline)


def _inexact_needs(options: Options, step: Step) -> list[str]:
    """Return all inexact steps without which a step has no effect, in the order of the table."""
    needs: set[str] = set()
    waiting = [*step.needs]
    while waiting:
        row = options.rows[waiting.pop()]
        waiting += row.needs
        if not row.exact:
            needs.add(row.name)
    return [row.name for row in options.steps if row.name in needs]


def _without_pruning(exact: Options, play: Options, pruning: Sequence[str]) -> Options:
    """Return `play` without steps, and with every parameter exact."""
    settings = {
        parameter.name: exact.get(parameter.name)
        for step in play.steps
        for parameter in step.parameters
        if parameter.exact and play.get(parameter.name) not in parameter.exact
    }
    return play.changed(off=pruning, settings=settings)


QUESTION = (
    "How many nodes and how much time does each selective step save at a fixed depth, by itself and"
    " beside the others, and how often does it change the value and the best move?"
)
METHOD = """
Positions of games whose first {opening} moves are random and in which both sides then play the best
move of an exact search to depth {play_depth}; one position of each game, after {plies} plies. All
searches use iterative deepening and an empty table of 2^18 entries; nodes and times are those of
all iterations. A step alone is added to the preset `exact` with what it needs, and compared with
the same search without it. A step taken out of the preset `play` is compared with `play`. Its
parameters are those of `play` in both cases. The error is the mean absolute difference of the root
value from a search of the same depth that prunes nothing, in units of the game's evaluation: for a
step alone, the same search without it; for `play`, a search with the same order of moves and the
same steps at the horizon, without all other selective steps and with an exact table. No search uses
Reinefeld's condition, which holds in exact searches only. The error and the share of other best
moves are those of positions where neither search finds a forced result; nodes and times are those
of positions where no search finds one. A forced result is missed where the search that prunes
nothing finds a win or a loss and the other one does not. There is no published claim; depth and
number of positions were chosen by the time that a pilot with seed 0 took.
"""
THREATS = """
A fixed depth says nothing about strength: a step that saves nodes searches deeper in the same time,
and matches decide whether that is worth its errors. Another best move need not be a worse one:
moves of the same value count as different. Quiescence and extensions change the value because they
look further, so their difference is no error. Parameters that `play` does not set are defaults,
which fit no game in particular. The exact search has a kernel without selective steps, so times
over `exact` contain the cost of asking for them. Times are those of single searches.
"""
