"""Runs that learn from a teacher's games: the search should choose the teacher's moves.

A round takes some games of the data set, in a random order, searches all moves of their positions
with the present weights, and updates these.  Held-out games tell how often the search agrees.
"""

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.engine import Engine
from plyforge.game.replay import play_moves, start_position
from plyforge.jobs.executor import Report, Work
from plyforge.learn.games import GamePlan, GameQueue, GameTask, engines_of, play_task
from plyforge.learn.inputs import join_inputs
from plyforge.learn.methods.mmto import YES, Comparisons, MmtoParameters, update
from plyforge.learn.methods.tdleaf import Leaf, final_score, read_leaf
from plyforge.learn.model import GameModel
from plyforge.learn.prediction import default_prediction
from plyforge.learn.runs import LearningRun, Progress, score_against
from plyforge.learn.samples import random_order
from plyforge.learn.store import Round, State
from plyforge.match.files import read_records

AGREEMENT: Final = "agreement of the start"
"""The share of the teacher's moves in held-out games that the first weights choose."""
_CHUNK: Final = 4
"""Games of one task."""


@dataclass(frozen=True)
class TeacherGame:
    """A game of the teacher."""

    start: Any
    moves: tuple[int, ...]


@dataclass(frozen=True)
class TeacherTask:
    """Some games to search with these weights: the job of a worker."""

    plan: GamePlan
    games: tuple[TeacherGame, ...]
    weights: bytes
    margin: float | None
    """Moves whose values differ by more are not compared; None to count agreement only."""
    quiescence: bool
    """Whether noisy moves are searched on at the horizon."""


@dataclass(frozen=True)
class Searched:
    """What a worker has found."""

    comparisons: Comparisons | None
    positions: int
    agreed: float
    """In how many of them the search chose the teacher's move."""


def search_teacher(task: TeacherTask | GameTask, report: Report) -> Any:
    """Search all moves in the positions of some games, or play a game of a test."""
    if isinstance(task, GameTask):
        return play_task(task, report)
    engine = engines_of(task.plan, task.quiescence)[0]
    engine.set_weights(np.frombuffer(task.weights))
    engine.clear()
    model = GameModel(engine.game)
    leaves: list[Leaf] = []
    pairs: list[tuple[int, int]] = []
    positions = 0
    agreed = beyond = 0.0
    for game in task.games:
        position = game.start
        for ply, move in enumerate(game.moves):
            if ply >= task.plan.opening:
                found = _compare(engine, model, position, move, task)
                if found is not None:
                    positions += 1
                    agreed += found.agreement
                    beyond += found.better
                    first = len(leaves)
                    leaves += found.leaves
                    pairs += [(first, first + n) for n in range(1, len(found.leaves))]
            position = engine.game.play(position, move)
    if task.margin is None or not positions:
        return Searched(None, positions, agreed)
    return Searched(_join(leaves, pairs, positions, beyond), positions, agreed)


@dataclass(frozen=True)
class _Position:
    """What was found in one position."""

    agreement: float
    """1 if the teacher's move alone is the best one, 1/n if n moves are equally good, else 0."""
    better: int
    """How many moves are better than the teacher's by more than the margin."""
    leaves: list[Leaf]
    """The leaf of the teacher's move, then those within the margin."""


def _compare(
    engine: Engine, model: GameModel, position: Any, played: int, task: TeacherTask
) -> _Position | None:
    """Compare the teacher's move with the others; return None if there is no choice."""
    game, depth = engine.game, task.plan.depth
    others = [move for move in game.legal_moves(position) if move != played]
    if not others:
        return None
    value, leaf = _value(engine, model, position, played, depth, -np.inf, np.inf)
    low, high = _window(value, task.margin or 0.0)
    best, equal, better = True, 1, 0
    leaves = [] if leaf is None else [leaf]
    for move in others:
        other, leaf = _value(engine, model, position, move, depth, low, high)
        best = best and other <= value
        equal += other == value
        better += other >= high
        if leaf is not None and leaves:
            leaves.append(leaf)
    return _Position(1 / equal if best else 0.0, better, leaves)


def _window(value: float, margin: float) -> tuple[float, float]:
    """Return the window of the values that are compared with one, which lies inside."""
    infinity = np.float32(np.inf)
    below = np.nextafter(np.float32(value - margin), -infinity)
    above = np.nextafter(np.float32(value + margin), infinity)
    return float(below), float(above)


def _value(
    engine: Engine,
    model: GameModel,
    position: Any,
    move: int,
    depth: int,
    low: float,
    high: float,
) -> tuple[float, Leaf | None]:
    """Return the value of a move for the mover, and its leaf if it is within the window."""
    game = engine.game
    child = game.play(position, move)
    same = game.turn(child) is not None and game.turn(child) == game.turn(position)
    sign = 1.0 if same else -1.0
    score = final_score(game, child)
    if score is not None:
        return sign * score, None
    window = (low, high) if same else (-high, -low)
    result = engine.search(child, *window, depth=depth - 1)
    value = sign * result.value
    if not low < value < high or abs(value) > SCORE_LIMIT:
        return value, None
    leaf = read_leaf(model, child, result.line)
    known = None if leaf.decided is None else value
    return value, replace(leaf, sign=sign * leaf.sign, decided=known)


def _join(
    leaves: Sequence[Leaf], pairs: Sequence[tuple[int, int]], positions: int, beyond: float
) -> Comparisons:
    return Comparisons(
        join_inputs([leaf.inputs for leaf in leaves]),
        np.array([leaf.sign for leaf in leaves], np.float64),
        np.array([np.nan if leaf.decided is None else leaf.decided for leaf in leaves]),
        np.array(pairs, np.int64).reshape(-1, 2),
        positions,
        beyond,
    )


def join_comparisons(parts: Sequence[Comparisons]) -> Comparisons:
    """Return several comparisons as one."""
    starts = np.cumsum([0, *(len(part.signs) for part in parts)])
    return Comparisons(
        join_inputs([part.leaves for part in parts]),
        np.concatenate([part.signs for part in parts]),
        np.concatenate([part.known for part in parts]),
        np.concatenate(
            [part.pairs + start for part, start in zip(parts, starts[:-1], strict=True)]
        ),
        sum(part.positions for part in parts),
        sum(part.beyond for part in parts),
    )


class TeacherRun(LearningRun):
    """A run that learns from the games of a teacher."""

    def __post_init__(self) -> None:
        super().__post_init__()
        parameters = self.plan.make_parameters()
        assert isinstance(parameters, MmtoParameters)
        self._parameters = parameters
        if self.plan.games.depth < 2:
            raise PlyforgeError(
                f"the depth for 'mmto' must be at least 2, a move and a reply, not"
                f" {self.plan.games.depth}"
            )
        self._scale = default_prediction(self.game).scale
        games = self._read_games()
        order = random_order(len(games), self.plan.seed_of("held out"))
        held = round(parameters.held_out * len(games))
        self._held = [games[number] for number in order[:held]]
        self._games = [games[number] for number in order[held:]]
        if not self._games:
            raise PlyforgeError(f"{self.plan.data} has no game to learn from")

    @property
    def _work(self) -> Work:
        return search_teacher

    def _read_games(self) -> list[TeacherGame]:
        """Return the games of the data set, whether or not they have a result.

        Equal games count once: else one could be learned from and held out, too.  A teacher that
        always plays the same move in a position plays both games of an opening alike.
        """
        found: dict[tuple[str, tuple[int, ...]], TeacherGame] = {}
        for record in read_records(Path(self.plan.data), self.game):
            start = start_position(self.game, record)
            history = self.game.history(start)
            play_moves(history, record)
            moves = tuple(history.moves)
            if len(moves) > self.plan.games.opening:
                key = (self.game.text(history.positions[0]), moves)
                found.setdefault(key, TeacherGame(history.positions[0], moves))
        return list(found.values())

    def _steps(self, games: int, queue: GameQueue) -> Iterator[Progress]:
        yield Progress(self.state.round.games, None)
        extra = dict(self.state.extra)
        if AGREEMENT not in extra and self._held:
            extra = {AGREEMENT: (yield from self.agreement(queue, self.start))}
        while self.state.round.games < games:
            began, before = time.monotonic(), self.state.round
            batch = self._batch(before.games)
            margin = self._parameters.margin * self._parameters.slope * self._scale
            parts = yield from self._search(batch, margin, before.games, queue)
            comparisons = [part.comparisons for part in parts if part.comparisons is not None]
            weights, loss = self.weights, None
            if comparisons:
                joined = join_comparisons(comparisons)
                step = self._parameters.step / self.plan.slowness(before.games)
                parameters = replace(self._parameters, step=step)
                weights, loss = update(
                    self.model, self.weights, self.start, joined, parameters, self._scale
                )
            figures = Round(before.number + 1, before.games + len(batch), loss)
            figures = yield from self._test_teacher(figures, weights, queue)
            figures = replace(figures, seconds=time.monotonic() - began)
            self._add(State(figures, weights, extra, (self.start,)))
            yield Progress(figures.games, figures)

    def _batch(self, first: int) -> list[TeacherGame]:
        """Return the games of the next round; after the last game, it begins again."""
        count = min(self.plan.round_games, len(self._games))
        return [self._games[(first + n) % len(self._games)] for n in range(count)]

    def _search(
        self,
        games: Sequence[TeacherGame],
        margin: float | None,
        done: int,
        queue: GameQueue,
        weights: Any = None,
    ) -> Generator[Progress, None, list[Searched]]:
        """Let workers search games; return what they find, in order."""
        data = (self.weights if weights is None else weights).tobytes()
        chunks = [tuple(games[start : start + _CHUNK]) for start in range(0, len(games), _CHUNK)]
        quiet = self._parameters.quiescence == YES
        tasks = [TeacherTask(self.plan.games, chunk, data, margin, quiet) for chunk in chunks]
        found: list[Searched | None] = [None] * len(tasks)
        for place, result in queue.run(tasks):
            found[place] = result
            yield Progress(done, None, "searching the teacher's moves")
        return [one for one in found if one is not None]

    def _test_teacher(
        self, figures: Round, weights: Any, queue: GameQueue
    ) -> Generator[Progress, None, Round]:
        """Return the figures with a test, if it is time for one."""
        plan = self.plan
        if not plan.test_rounds or figures.number % plan.test_rounds:
            return figures
        score = score_against(plan, weights, self.start, figures.number, queue)
        figures = replace(figures, score=score, score_games=plan.test_games)
        if not self._held:
            return figures
        share = yield from self.agreement(queue, weights, figures.games)
        return replace(figures, held_out_loss=1.0 - share, note=f"agrees in {share:.1%}")

    def agreement(
        self, queue: GameQueue, weights: Any, done: int = 0
    ) -> Generator[Progress, None, float]:
        """Return the share of positions of held-out games in which the teacher's move is chosen."""
        parts = yield from self._search(self._held, None, done, queue, weights)
        positions = sum(part.positions for part in parts)
        return sum(part.agreed for part in parts) / max(1, positions)
