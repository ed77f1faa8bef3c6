"""Built-in experiments search alike after a change of a game's options or of a default."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plyforge.engine import Engine
from plyforge.engine.drivers import DRIVERS, parameters_for
from plyforge.games import checkers, load, tictactoe
from plyforge.games.checkers import evaluation
from plyforge.lab import measuring
from plyforge.lab.cases import Case
from plyforge.lab.catalog import experiment_names, load_experiment
from plyforge.lab.data import TIMES
from plyforge.lab.experiments import minimal_tree
from plyforge.lab.fixed_defaults import TABLES, engine_options
from plyforge.lab.variations import Variation
from plyforge.search.enhancements import ENHANCEMENTS, PARAMETERS

STEP = Path(__file__).parents[2] / "examples" / "steps" / "mate_distance.py"
CASE = Case("tictactoe", (4,))
DEPTH = 6
NAMES = ("pvs", "mtdf", "sss", minimal_tree.GRAPH)


def forget_engines() -> None:
    measuring._engines.clear()
    minimal_tree._graphs.cache_clear()


@pytest.fixture(autouse=True)
def new_engines() -> Iterator[None]:
    """Use no engine of another test, and leave none."""
    forget_engines()
    yield
    forget_engines()


def counts(*names: str) -> list[dict[str, float]]:
    """Return the counts of configurations of a built-in experiment."""
    experiment = load_experiment("minimal-tree")
    rows = [experiment.measure(CASE, experiment.variation(name), DEPTH) for name in names]
    return [{name: row[name] for name in row if name not in TIMES} for row in rows]


def present_nodes() -> float:
    return measuring.measure_search(CASE, Variation("present"), DEPTH)["nodes"]


def test_counts_do_not_depend_on_present_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    before, present = counts(*NAMES), present_nodes()
    forget_engines()
    changes = {"on": ["wins"], "off": ["killers"], "set": {"history-penalty": 0}}
    monkeypatch.setattr(tictactoe, "SEARCH", changes, raising=False)
    step = replace(PARAMETERS["depth-step"], default=1)
    monkeypatch.setitem(PARAMETERS, "depth-step", step)
    assert counts(*NAMES) == before
    assert present_nodes() != present, "the changes make no difference here"


@pytest.mark.parametrize("name", experiment_names())
def test_a_built_in_experiment_names_its_defaults(name: str) -> None:
    assert {variation.defaults for variation in load_experiment(name).variations} == {"2026"}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_names_every_parameter_and_every_game(name: str) -> None:
    table = TABLES[name]
    known = {parameter for driver in DRIVERS.values() for parameter in parameters_for(driver)}
    assert set(table.settings) == known
    steps = {step for preset in table.presets.values() for step in preset.switches}
    assert steps <= set(ENHANCEMENTS)


def described(engine: Engine) -> tuple[object, ...]:
    """Return what an engine's options amount to."""
    options = engine.options
    on = {step.name for step in options.steps if options.has(step.name)}
    values = {name: options.get(name) for name in options.parameters if name != "specialise"}
    return on, values, engine.driver.name


@pytest.mark.parametrize("game", ["checkers", "connect4", "hex:6"])
@pytest.mark.parametrize(
    "variation",
    [
        Variation("defaults"),
        Variation("no table", "mtdf", off=("table",)),
        Variation("plain", "minimax", off=("all",), on=("table",)),
        Variation("sss", "sss", settings={"replace": "newer"}),
        Variation("printed", "alphabeta", "koneru", off=("deepening",)),
        Variation("rules", "alphabeta", off=("cycles",)),
    ],
    ids=lambda variation: variation.name,
)
def test_named_defaults_amount_to_those_of_a_configuration(game: str, variation: Variation) -> None:
    """Where the present defaults are those of the table, both ways give one search."""
    rules = load(game)
    table = TABLES["2026"]
    own = table.games[rules.rules.name]
    search = {"on": own.on, "off": own.off, "set": own.settings}
    constants = {**rules.rules.constants, "SEARCH": search}
    then = rules.with_rules(replace(rules.rules, constants=constants))
    fixed = replace(variation, defaults="2026", entries=1 << 10)
    now = Engine(rules, **engine_options(rules, fixed))
    settings = {**table.settings, **table.presets[variation.preset].settings}
    settings |= {} if variation.preset == "koneru" else own.settings
    spelled = replace(variation, entries=1 << 10, settings={**settings, **variation.settings})
    assert described(now) == described(Engine(then, **engine_options(then, spelled)))


def test_an_evaluation_is_named_where_the_game_has_another(monkeypatch: pytest.MonkeyPatch) -> None:
    fixed = Variation("fixed", defaults="2026")
    assert engine_options(load("checkers"), fixed)["evaluation"] is None
    other = evaluation.EVALUATION.with_weights(2 * evaluation.EVALUATION.vector)
    monkeypatch.setattr(checkers, "EVALUATION", other)
    assert engine_options(load("checkers"), fixed)["evaluation"] is evaluation
    chosen = replace(fixed, evaluation="none")
    assert engine_options(load("checkers"), chosen)["evaluation"] == "none"


def test_a_step_of_the_user_is_switched_as_the_configuration_says() -> None:
    game = load("tictactoe")
    for off in ((), ("mate-distance",)):
        variation = Variation("own", steps=(str(STEP),), off=off, defaults="2026", entries=256)
        engine = Engine(game, **engine_options(game, variation))
        assert engine.options.has("mate-distance") == (not off)
