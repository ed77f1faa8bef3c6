"""Runs of learning: rounds of games and changes of weights, each stored when it ends.

A round depends on the state before it and on the seed alone, so the same seed gives the same
weights with any number of processes, and a run that was interrupted ends like an uninterrupted one.
"""

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.game.forms import Evaluation
from plyforge.game.game import Game
from plyforge.jobs.executor import Executor, Work
from plyforge.jobs.local import local_executor
from plyforge.jobs.user_files import use_files
from plyforge.learn.datasets import make_samples, read_dataset, rows_of_games
from plyforge.learn.games import GameQueue, Pair, PlayedGame, match_score, play_task
from plyforge.learn.inputs import Indices, Reals
from plyforge.learn.methods import EPISODES, JUDGED, LEAVES, SAMPLES, SEARCHES
from plyforge.learn.methods.outcome import Learned
from plyforge.learn.methods.supervised import SupervisedParameters, TrainingState, train_epochs
from plyforge.learn.methods.tdleaf import leaf_episode
from plyforge.learn.model import GameModel
from plyforge.learn.plan import CLONE, LINEAR, LearningPlan
from plyforge.learn.samples import Episode, Samples, used_weights
from plyforge.learn.store import LearningStore, Round, RunRow, State

MAX_GAMES: Final = 10_000_000
DEFAULT_GAMES: Final = 1000


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    games: int
    round: Round | None
    """The last round that has ended."""
    note: str = ""
    """What happens now, in words."""


@dataclass
class LearningRun:
    """A run of a file: it continues where it was left."""

    plan: LearningPlan
    store: LearningStore
    name: str
    executor: Executor = field(default_factory=local_executor)
    game: Game = field(init=False)
    model: GameModel = field(init=False)
    start: Reals = field(init=False)
    """The weights of the start."""
    state: State = field(init=False)
    """The state after the last round that was stored, or the start."""
    row: RunRow = field(init=False)
    unfinished: State | None = field(init=False, default=None)
    """What a training that has not ended has come to, if it is better than the start."""

    def __post_init__(self) -> None:
        self.store.claim()
        with use_files(self.plan.files()):
            self.game = self.plan.load_game()
            self.model = self.plan.make_model(self.game)
            self.start = self.plan.start_weights(self.model)
            self.plan.make_parameters(self.model)  # so that they are checked before games
        self.row = self.store.begin(self.name, self.plan.settings(self.game))
        self.state = State(Round(0, 0), self.start, {"points": 0.0}, (self.start,))
        self.reload()

    def reload(self) -> State:
        """Read the last state that was stored, also if an interrupt came just after that.

        Return it, or else what a training that has not ended has come to, or else the start.
        """
        self.state = self.store.last_state(self.row.id) or self.state
        return self.state if self.state.round.number else self.unfinished or self.state

    @property
    def weights(self) -> Reals:
        """The weights as they are now."""
        return self.state.weights

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation as it is now."""
        return self.model.with_weights(self.weights)

    def total_games(self, games: int | None) -> int:
        """Return how many games there will be at the end; raise an error if that is impossible."""
        total = DEFAULT_GAMES if games is None else games
        if not 1 <= total <= MAX_GAMES:
            raise PlyforgeError(
                f"the number of games must be between 1 and {MAX_GAMES:,}, not {total:,}"
            )
        return total

    def run(self, games: int | None = None) -> Generator[Progress, None, None]:
        """Learn until so many games have been played; yield how far it is after each game or round.

        The loop may be left at any time: all rounds that have ended are stored.
        """
        total = self.total_games(games)
        queue = GameQueue(self.executor, self.plan.files(), self._work)
        with queue, self.plan.explain_divergence():
            yield from self._steps(total, queue)

    @property
    def _work(self) -> Work:
        """What workers do."""
        return play_task

    def _steps(self, games: int, queue: GameQueue) -> Iterator[Progress]:
        data = self.plan.find_method().data
        if data == JUDGED:
            raise PlyforgeError(f"a run of '{self.plan.method}' is opened with 'open_run'")
        return (
            self._run_samples(games, queue) if data == SAMPLES else self._run_rounds(games, queue)
        )

    def _add(self, state: State) -> None:
        """Store a state, then make it that of the run."""
        self.store.add_state(self.row.id, state)
        self.state = state

    # Methods that learn while they play

    def _run_rounds(self, games: int, queue: GameQueue) -> Iterator[Progress]:
        yield Progress(self.state.round.games, None)
        while self.state.round.games < games:
            began = time.monotonic()
            played = yield from self._play_round(queue)
            self._add(self._learn(played, queue, began))
            yield Progress(self.state.round.games, self.state.round)

    def _play_round(self, queue: GameQueue) -> Generator[Progress, None, list[PlayedGame]]:
        """Play the games of the next round; return them in the order of their numbers."""
        plan, first = self.plan, self.state.round.games
        tasks: list[Pair] = []
        for number in range(first, first + plan.round_games):
            other = self.state.others[0] if plan.opponent == CLONE else self.weights
            pair = (self.weights, other) if number % 2 == 0 else (other, self.weights)
            tasks.append((number, *pair))
        played = []
        for game in queue.play(plan.games, tasks):
            played.append(game)
            yield Progress(first + len(played), None)
        return sorted(played, key=lambda game: game.number)

    def _learn(self, played: Sequence[PlayedGame], queue: GameQueue, began: float) -> State:
        """Return the state after a round whose games have been played."""
        plan, before = self.plan, self.state
        episodes = [episode for game in played if (episode := self._episode(game)) is not None]
        loss, weights = None, before.weights
        if episodes:
            learned = plan.find_method().learn(
                self.model,
                weights,
                episodes,
                plan.make_parameters(self.model, before.round.games),
            )
            loss, weights = learned.loss, learned.weights
        number, games = before.round.number + 1, before.round.games + len(played)
        points = before.extra["points"] + sum(map(_learner_points, played))
        clone, note = before.others[0], ""
        if plan.opponent == CLONE and games % plan.tournament == 0:
            share = points / plan.tournament
            replaced = share > plan.replace_above
            clone = weights if replaced else clone
            note = f"{share:.1%} against the clone, {'replaced' if replaced else 'kept'}"
            points = 0.0
        figures = self._test(Round(number, games, loss, note=note), weights, queue)
        figures = replace(figures, seconds=time.monotonic() - began)
        return State(figures, weights, {"points": points}, (clone,))

    def _test(self, figures: Round, weights: Reals, queue: GameQueue) -> Round:
        """Return the figures of a round, with a test against the start if it is time for one."""
        plan = self.plan
        if not plan.test_rounds or figures.number % plan.test_rounds:
            return figures
        score = score_against(plan, weights, self.start, figures.number, queue)
        return replace(figures, score=score, score_games=plan.test_games)

    def _episode(self, game: PlayedGame) -> Episode | None:
        """Return the positions of a game that the learner learns from; None if there are none."""
        plan, start = self.plan, self.game.initial()
        data = plan.find_method().data
        if data == LEAVES:
            episode = leaf_episode(self.model, start, game.moves, game.lines, game.result)
        else:
            inputs, sides = self.model.read_line(start, game.moves)
            searched = _searched(game) if data == SEARCHES else None
            rows = np.arange(len(game.moves))
            episode = Episode(inputs.take(rows), sides[rows], game.result, searched=searched)
        rows = np.arange(min(plan.games.opening, len(game.moves)), len(game.moves))
        if plan.opponent == CLONE and data != EPISODES:
            # The clone's searches are not those of the weights that learn.  Its positions are: from
            # the learner's alone, a net learns that whoever is to move wins, since it wins most
            # games, and saturates.
            mine = self._sides(game)[rows] == game.number % 2
            rows = rows[mine]
        return _take(episode, rows) if len(rows) else None

    def _sides(self, game: PlayedGame) -> Indices:
        """Return who made each move."""
        _, sides = self.model.read_line(self.game.initial(), game.moves)
        return sides[: len(game.moves)]

    # Methods that learn from a data set

    def _run_samples(self, games: int, queue: GameQueue) -> Iterator[Progress]:
        plan, began = self.plan, time.monotonic()
        if plan.data:
            rows = read_dataset(Path(plan.data), self.game, plan.games.opening)
            games = len({row.game for row in rows})
        else:
            played = yield from self._play_missing(games, queue)
            by_score = plan.method in LINEAR
            rows = list(rows_of_games(self.game, played, plan.games.opening, by_score))
        if self.state.round.games == games:
            return
        samples = make_samples(self.model, rows, plan.search_weight)
        learned = yield from self._fit(samples, games)
        number = self.state.round.number + 1
        figures = Round(number, games, learned.loss, learned.held_out_loss)
        if plan.test_rounds:
            score = score_against(plan, learned.weights, self.start, number, queue)
            figures = replace(figures, score=score, score_games=plan.test_games)
        figures = replace(figures, seconds=time.monotonic() - began)
        used = used_weights(samples.inputs, self.model.size)
        extra = {"points": 0.0, "history": learned.history, "positions": len(rows)}
        extra["used weights"] = used
        self._add(State(figures, learned.weights, extra, (self.start,)))
        self.unfinished = None
        yield Progress(games, figures)

    def _fit(self, samples: Samples, games: int) -> Generator[Progress, None, Learned]:
        """Fit the weights to samples; a supervised training is stored after each epoch."""
        method, parameters = self.plan.find_method(), self.plan.make_parameters(self.model)
        if not isinstance(parameters, SupervisedParameters):
            learned: Learned = method.learn(self.model, self.start, samples, parameters)
            return learned
        number = self.state.round.number + 1
        # The number of games is the name of the part: more games are other samples.
        stored = self.store.parts(self.row.id, number).get(games)
        before = None if stored is None else TrainingState.from_bytes(stored)
        for state in train_epochs(self.model, self.start, samples, parameters, before):
            self.store.set_part(self.row.id, number, games, state.to_bytes())
            learned, epoch = state.learned, len(state.history)
            figures = Round(number, games, learned.loss, learned.held_out_loss)
            self.unfinished = State(figures, learned.weights, {"history": learned.history})
            yield Progress(games, None, f"epoch {epoch}, loss {state.history[-1][0]:.4g}")
        return learned

    def _play_missing(
        self, games: int, queue: GameQueue
    ) -> Generator[Progress, None, list[PlayedGame]]:
        """Play and store the games that are not stored; return all in order."""
        stored = self.store.games(self.row.id)
        yield Progress(len(stored), None)
        missing = [number for number in range(games) if number not in stored]
        tasks = [(number, self.start, self.start) for number in missing]
        for game in queue.play(self.plan.games, tasks):
            self.store.add_game(self.row.id, game)
            stored[game.number] = game
            yield Progress(len(stored), None)
        return [stored[number] for number in range(games)]


def score_against(
    plan: LearningPlan, weights: Reals, other: Reals, test: int, queue: GameQueue
) -> float:
    """Return the share of points of weights against others, in pairs of games with one opening."""
    games = replace(plan.games, seed=plan.seed_of(f"test {test}"), explored=0, lines=False)
    return match_score(games, weights, other, plan.test_games, queue)


def _learner_points(game: PlayedGame) -> float:
    """Return the learner's points: it has side 0 in games with even numbers."""
    result = game.result if game.number % 2 == 0 else -game.result
    return (1.0 + result) / 2.0


def _searched(game: PlayedGame) -> Reals:
    return np.array([np.nan if value is None else value for value in game.searched])


def _take(episode: Episode, rows: Any) -> Episode:
    """Return some positions of an episode."""
    return Episode(
        episode.inputs.take(rows),
        episode.sides[rows],
        episode.result,
        None if episode.known is None else episode.known[rows],
        None if episode.searched is None else episode.searched[rows],
    )
