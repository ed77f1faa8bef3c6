"""The engine as a player: with any options and evaluation, or at one of its levels."""

from collections.abc import Iterable
from copy import copy
from typing import Any, Final, Self

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine import Driver, Engine
from plyforge.engine.book import choose_move
from plyforge.engine.clock import Clock
from plyforge.engine.drivers import DEFAULT, find_driver, parameters_for
from plyforge.engine.engine import validate_threads
from plyforge.engine.levels import choose, level
from plyforge.game.game import Game, History
from plyforge.match.players.description import Description
from plyforge.match.players.limits import MoveLimits
from plyforge.match.players.player import Choice
from plyforge.search.options import PLAY, Options
from plyforge.search.parallel.methods import DEFAULT as DEFAULT_METHOD
from plyforge.search.parameters import PLAYER_SETTINGS
from plyforge.search.steps.files import load_step
from plyforge.search.steps.step import Step

DEFAULT_MIB: Final = 16.0
"""The size of the table if the description does not give one."""


class _BaseEnginePlayer:
    """The parts that are common to players with an engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._book_choices = Stream(0)

    @property
    def options(self) -> Options:
        """The switches and parameters of its search."""
        return self._engine.options

    @property
    def driver(self) -> Driver:
        """The driver of its search."""
        return self._engine.driver

    def clone(self) -> Self:
        """Return a player with the same settings, which takes over the kernel."""
        other = copy(self)
        other._engine = self._engine.clone()
        return other

    def warm_up(self) -> None:
        self._engine.prepare()

    def begin(self, seed: int) -> None:
        self._book_choices = Stream(seed)
        self._engine.prepare()
        self._engine.clear()

    def _choose_from_book(self, history: History) -> Choice | None:
        """Return a move of the engine's book, if it has one here."""
        book = self._engine.book
        moves = [] if book is None else book.moves(history)
        if not moves:
            return None
        chosen = choose_move(moves, self._book_choices)
        return Choice(chosen.move, chosen.score, chosen.depth, 0)

    def close(self) -> None:
        self._engine.stop()


class EnginePlayer(_BaseEnginePlayer):
    """Searches within its limits."""

    def __init__(self, game: Game, engine: Engine, limits: MoveLimits) -> None:
        super().__init__(engine)
        self._game = game
        self._limits = limits
        self.seconds = limits.time

    def choose(self, history: History, clock: Clock | None) -> Choice:
        return self._search(history, clock, catch_interrupt=False)

    def choose_until_interrupted(self, history: History, clock: Clock | None) -> Choice:
        return self._search(history, clock, catch_interrupt=True)

    def _search(self, history: History, clock: Clock | None, catch_interrupt: bool) -> Choice:
        own, chosen = self._limits, self._choose_from_book(history)
        if chosen is not None:
            return chosen
        result = self._engine.analyse(
            history,
            depth=own.depth,
            nodes=own.nodes,
            time=own.time,
            clock=clock,
            use_book="none",
            catch_interrupt=catch_interrupt,
        )
        score = scale_score(self._game, self._engine.game, result.score)
        return Choice(result.move, score, result.depth, result.nodes)


def scale_score(game: Game, searched: Game, score: float) -> float:
    """Return a score in the units of the game's own evaluation.

    Another evaluation has another range; scores of forced wins and losses are not scaled.
    """
    if abs(score) > SCORE_LIMIT:
        return score
    return score * (game.evaluation_limit / searched.evaluation_limit)


class LevelPlayer(_BaseEnginePlayer):
    """Plays at one of the engine's levels."""

    seconds = None

    def __init__(self, engine: Engine, number: int) -> None:
        super().__init__(engine)
        self._level = number
        self._seed = 0

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._seed = seed

    def choose(self, history: History, clock: Clock | None) -> Choice:
        return self._choose(history, catch_interrupt=False)

    def choose_until_interrupted(self, history: History, clock: Clock | None) -> Choice:
        return self._choose(history, catch_interrupt=True)

    def _choose(self, history: History, catch_interrupt: bool) -> Choice:
        chosen = self._choose_from_book(history)
        if chosen is not None:
            return chosen
        return Choice(
            choose(self._engine, history, self._level, self._seed, catch_interrupt=catch_interrupt)
        )


def engine_player(
    game: Game, description: Description, limits: MoveLimits
) -> EnginePlayer | LevelPlayer:
    arguments = engine_arguments(description, PLAYER_SETTINGS)
    number = description.integer("level")
    if number is not None:
        if own_limits(description).any:
            raise PlyforgeError(
                f"player '{description}': a level sets its own limits; leave out depth, nodes and"
                " time"
            )
        level(number)
    else:
        limits = move_limits(description, limits)
    threads = description.integer("threads")
    try:
        engine = Engine(
            game,
            threads=validate_threads(1 if threads is None else threads),
            parallel=description.settings.get("parallel", DEFAULT_METHOD),
            **arguments,
        )
    except PlyforgeError as error:
        raise PlyforgeError(f"player '{description}': {error}") from error
    if number is not None:
        return LevelPlayer(engine, number)
    return EnginePlayer(game, engine, limits)


def own_limits(description: Description) -> MoveLimits:
    """Return the limits that a description gives."""
    return MoveLimits(
        description.integer("depth"), description.integer("nodes"), description.number("time")
    )


def move_limits(description: Description, limits: MoveLimits) -> MoveLimits:
    """Return the limits of a player: its own, or those of all players."""
    own = own_limits(description)
    if not own.any and not limits.any:
        raise PlyforgeError(
            f"player '{description}' has no limit; give one, as {description.kind}:depth=6 (in a"
            " match, --depth, --nodes, --time and --clock set one for all players)"
        )
    if own.time is not None and limits.clock is not None:
        raise PlyforgeError(
            f"player '{description}': give a time per move or a clock for the game, not both"
        )
    return own if own.any else limits


def engine_arguments(description: Description, settings: Iterable[str]) -> dict[str, Any]:
    """Return the arguments of the engine.

    `settings` are the allowed settings besides the parameters of the search.
    """
    description.reject_main()
    driver, steps = _driver_and_steps(description)
    parameters = {**parameters_for(driver), **{p.name: p for s in steps for p in s.parameters}}
    description.reject_unknown([*settings, *parameters])
    values = dict(description.settings)
    size, entries = description.number("hash"), description.integer("entries")
    if size is None and entries is None:
        size = DEFAULT_MIB
    return {
        "driver": driver,
        "steps": steps,
        "on": description.names("on"),
        "off": description.names("off"),
        "settings": {
            name: tuple(value.split("+")) if "+" in value else value
            for name, value in values.items()
            if name in parameters
        },
        "hash": size,
        "entries": entries,
        "preset": values.get("preset", PLAY),
        "evaluation": values.get("evaluation"),
        "book": values.get("book"),
    }


def _driver_and_steps(description: Description) -> tuple[Driver, list[Step]]:
    """Return the driver and the search steps; the files that they come from are executed."""
    try:
        driver = find_driver(description.settings.get("driver", DEFAULT))
        return driver, [load_step(file) for file in description.names("step")]
    except PlyforgeError as error:
        raise PlyforgeError(f"player '{description}': {error}") from error
