"""Games to learn from, as jobs: two vectors of weights for one evaluation play each other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

import numpy as np

from plyforge.compilation.kernel import Backend
from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.engine import Engine
from plyforge.engine.limits import validate_depth
from plyforge.evaluate import evaluation_of, with_evaluation
from plyforge.game.game import Game, History
from plyforge.games import load
from plyforge.jobs.executor import Executor, Report, Work
from plyforge.jobs.user_files import UserFile, file_names, files_fingerprint, read_available
from plyforge.learn.inputs import Reals
from plyforge.learn.selfplay import play_out
from plyforge.search.request import WindowResult

_TABLE_ENTRIES: Final = 1 << 14
RULES: Final = "rules"
PATH: Final = "path"
LENGTH: Final = "length"
"""How a game ended: by the rules, by repetition or lack of progress, or by its length."""


@dataclass(frozen=True)
class GamePlan:
    """How games are played: all that a worker needs to know, with the user's files."""

    game: str
    """The name of the game or its file, with the variant."""
    evaluation: str = ""
    """The evaluation whose weights are learned; empty for the game's own."""
    depth: int = 4
    """How deep each position is searched, in plies."""
    seed: int = 0
    opening: int = 4
    """The number of random moves at the start."""
    explored: int = 0
    """Later, one move in this many is random; 0 for none."""
    max_plies: int = 200
    lines: bool = False
    """Whether principal variations are kept, for which the search is slower."""
    backend: Backend | None = None
    """Whether rules and search are compiled; the games are the same either way."""
    longest_opening: int = 0
    """If it is more than `opening`, each game has a random number of random moves up to this."""
    solve_from: int = 0
    """From this ply on, moves are searched to the end of the game; 0 for never."""

    def __post_init__(self) -> None:
        validate_depth(self.depth)
        for name in ("opening", "explored", "longest_opening", "solve_from"):
            value = getattr(self, name)
            if value < 0:
                raise PlyforgeError(f"{name.replace('_', ' ')} must be at least 0, not {value}")
        longest = max(self.opening, self.longest_opening)
        if self.max_plies <= longest:
            raise PlyforgeError(
                f"games of {self.max_plies} plies end within the opening of {longest};"
                " allow more plies"
            )

    def files(self) -> list[UserFile]:
        """Read the files of the user that it names."""
        return read_available([*file_names(self.game), *file_names(self.evaluation)])

    def load_game(self, untrained: bool = False) -> Game:
        """Load the game with its evaluation, whose weights are data.

        `untrained` leaves out the file of weights that comes with an evaluation.
        """
        game = load(self.game, self.backend)
        if self.evaluation:
            game = with_evaluation(game, self.evaluation, untrained=untrained)
        return with_evaluation(game, evaluation_of(game))

    def draw_opening(self, stream: Stream) -> int:
        """Return the number of random moves of a game."""
        lengths = range(self.opening, max(self.opening, self.longest_opening) + 1)
        return stream.choice(lengths) if len(lengths) > 1 else self.opening

    def depth_at(self, ply: int) -> int:
        """Return how deep the position after so many moves is searched."""
        return self.max_plies if self.solve_from and ply >= self.solve_from else self.depth


@dataclass(frozen=True)
class GameTask:
    """One game to play: the job of a worker."""

    plan: GamePlan
    number: int
    """The number of the game, which with the seed of the plan decides all chance."""
    weights: tuple[bytes, bytes]
    """The weights of sides 0 and 1, as 64-bit floats."""


@dataclass(frozen=True)
class GameBatch:
    """Several games to play, with the weights of the plan's evaluation: the job of a worker."""

    plan: GamePlan
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class PlayedGame:
    """A game that was played."""

    number: int
    moves: tuple[int, ...]
    searched: tuple[float | None, ...]
    """What the search found before each move, for the side to move; None in the opening."""
    lines: tuple[tuple[int, ...], ...]
    """The principal variation of each search, empty in the opening; or nothing at all."""
    result: float
    """The result for side 0: 1 won, 0 drawn, -1 lost."""
    score: float
    """The final score for side 0, in a game that has scores; otherwise the same as the result."""
    ending: str

    def fields(self) -> dict[str, Any]:
        """Return the game as plain data."""
        return asdict(self)

    @classmethod
    def from_fields(cls, fields: dict[str, Any]) -> "PlayedGame":
        """Return the game that `fields` describes."""
        moves, lines = tuple(fields["moves"]), tuple(tuple(line) for line in fields["lines"])
        plain = {**fields, "moves": moves, "searched": tuple(fields["searched"]), "lines": lines}
        return cls(**plain)


_MAX_ENGINES: Final = 4
_NO_MARGIN: Final = 1e9
"""A margin within which all values lie: no noisy move is skipped because it gains too little."""
_engines: dict[tuple[Any, ...], tuple[Engine, Engine]] = {}
"""The engines of this process, kept from job to job; making them takes longer than a game."""


def play_task(task: GameTask, report: Report) -> PlayedGame:
    """Play a game."""
    engines = engines_of(task.plan)
    for engine, weights in zip(engines, task.weights, strict=True):
        engine.set_weights(np.frombuffer(weights))
    return _play(task.plan, task.number, engines)


def play_batch(batch: GameBatch, report: Report) -> list[PlayedGame]:
    """Play several games; one engine plays both sides."""
    engine, _ = engines_of(batch.plan)
    return [_play(batch.plan, number, (engine, engine)) for number in batch.numbers]


def _play(plan: GamePlan, number: int, engines: tuple[Engine, Engine]) -> PlayedGame:
    for engine in engines:
        engine.clear()  # so that a game does not depend on those before it
    game = engines[0].game
    stream = Stream(plan.seed).split(f"game {number}")
    found: dict[int, WindowResult] = {}

    def choose(history: History) -> int:
        ply = len(history.moves)
        result = engines[history.turn].search(history, depth=plan.depth_at(ply))
        assert result.move is not None
        found[ply] = result
        return result.move

    history = game.history()
    play_out(history, stream, plan.draw_opening(stream), plan.explored, plan.max_plies, choose)
    plies = range(len(history.moves))
    return PlayedGame(
        number,
        tuple(history.moves),
        tuple(found[ply].value if ply in found else None for ply in plies),
        tuple(found[ply].line if ply in found else () for ply in plies) if plan.lines else (),
        *result_of(history),
    )


def result_of(history: History) -> tuple[float, float, str]:
    """Return result and score for side 0, and how the game ended; a draw if it has not."""
    verdict = history.verdict()
    if not verdict.over:
        return 0.0, 0.0, LENGTH
    value = -verdict.value if history.turn else verdict.value
    result = float(np.sign(value))
    score = value if abs(value) <= SCORE_LIMIT else result
    return result, float(score), PATH if verdict.by_path else RULES


def engines_of(plan: GamePlan, quiescence: bool = False) -> tuple[Engine, Engine]:
    """Return the engines of both sides, which a process keeps from job to job.

    With `quiescence`, noisy moves are searched on at the horizon, if the game has the hook.
    """
    key = (plan.game, plan.evaluation, plan.lines, quiescence, plan.backend, files_fingerprint())
    if key not in _engines:
        if len(_engines) >= _MAX_ENGINES:
            _engines.clear()
        game = plan.load_game(untrained=True)  # tasks bring their weights
        search: dict[str, Any] = {"entries": _TABLE_ENTRIES}
        if plan.lines:
            # A line must reach its leaf: the table and null windows would cut it off.
            search |= {"driver": "alphabeta", "off": ["table"]}
        if quiescence and "noisy_moves" in game.hooks:
            search |= {"on": ["quiescence"], "settings": {"quiescence-margin": _NO_MARGIN}}
        _engines[key] = (Engine(game, **search), Engine(game, **search))
    return _engines[key]


Pair = tuple[int, Reals, Reals]
"""A game to play: its number, and the weights of both sides."""


class GameQueue:
    """Workers that play games, for as long as the `with` block lasts.

    They keep their compiled search and their tables from game to game.  With another function for
    `work`, they do other tasks, too.
    """

    def __init__(
        self, executor: Executor, files: Sequence[UserFile], work: Work = play_task
    ) -> None:
        self._opened = executor.open(work, files)

    def __enter__(self) -> Self:
        self._queue = self._opened.__enter__()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._opened.__exit__(*exception)

    def run(self, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Do tasks, and yield the place of each in the sequence with its result, as they end."""
        for task in tasks:
            self._queue.submit(task)
        places = {id(task): place for place, task in enumerate(tasks)}
        for done in self._queue.results():
            if done.failure is not None:
                what = f"game {done.job.number + 1}" if isinstance(done.job, GameTask) else "task"
                raise PlyforgeError(
                    f"{what}: the job {done.failure}: {done.detail.strip()};"
                    " run the same command again to resume"
                )
            yield places[id(done.job)], done.result

    def play(self, plan: GamePlan, games: Iterable[Pair]) -> Iterator[PlayedGame]:
        """Play games, and yield them as they end."""
        tasks = [GameTask(plan, n, (one.tobytes(), other.tobytes())) for n, one, other in games]
        for _, game in self.run(tasks):
            yield game

    def play_matches(
        self, plan: GamePlan, pairs: Sequence[tuple[Reals, Reals]], count: int, first: int = 0
    ) -> Iterator[tuple[int, float | None]]:
        """Play a match of `count` games for each pair, all at the same time.

        Yield, after each game, the place of its pair, and the share of points of the first weights
        of that pair if this was its last game.  Games come in twos with one opening; `first` is the
        number of the first opening.
        """
        # Games of a pair have the same number, so that they have the same opening.
        numbers = range(first, first + count // 2)
        tasks, places, signs = [], [], []
        for place, pair in enumerate(pairs):
            one, other = (weights.tobytes() for weights in pair)
            for sides, sign in (((one, other), 1), ((other, one), -1)):
                tasks += [GameTask(plan, number, sides) for number in numbers]
                places += [place] * len(numbers)
                signs += [sign] * len(numbers)
        left = [2 * len(numbers)] * len(pairs)
        sums = [0.0] * len(pairs)
        for task, game in self.run(tasks):
            place = places[task]
            sums[place] += signs[task] * game.result
            left[place] -= 1
            share = None if left[place] else 0.5 + sums[place] / (4 * len(numbers))
            yield place, share


def play_pairs(
    games: GamePlan, one: Reals, other: Reals, count: int, queue: GameQueue, first: int = 0
) -> list[tuple[float, float]]:
    """Play `count` games in pairs with one opening; return both results of `one` in each pair.

    A result is from -1 to 1.  `first` is the number of the first opening.
    """
    # Games of a pair have the same number, so that they have the same opening.
    numbers = range(first, first + count // 2)
    as_first = {g.number: g.result for g in queue.play(games, [(n, one, other) for n in numbers])}
    as_second = {g.number: g.result for g in queue.play(games, [(n, other, one) for n in numbers])}
    return [(as_first[n], -as_second[n]) for n in numbers]


def match_score(
    games: GamePlan, one: Reals, other: Reals, count: int, queue: GameQueue, first: int = 0
) -> float:
    """Return the share of points of weights against others, in pairs of games with one opening."""
    pairs = play_pairs(games, one, other, count, queue, first)
    return 0.5 + sum(map(sum, pairs)) / (4 * len(pairs))
