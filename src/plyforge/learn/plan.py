"""The plan of a run of learning: everything that its result depends on, except its length."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

import plyforge
from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.core.randomness import Stream
from plyforge.evaluate import evaluation_of, load_evaluation
from plyforge.evaluate.fingerprint import form_fingerprint
from plyforge.game.forms import Net
from plyforge.game.forms.layers import initial_weights
from plyforge.game.game import Game
from plyforge.jobs.user_files import UserFile, file_names, read_available, read_user_file
from plyforge.learn.game_file import SUFFIX, GameFile, is_game_file
from plyforge.learn.games import GamePlan
from plyforge.learn.inputs import Reals
from plyforge.learn.losses import Diverged
from plyforge.learn.masking import MaskedModel
from plyforge.learn.methods import EPISODES, SAMPLES, TEACHER, Method, find_method
from plyforge.learn.methods.parameters import MAX_RATE, Parameters
from plyforge.learn.model import GameModel
from plyforge.learn.prediction import Prediction

SELF: Final = "self"
CLONE: Final = "clone"
ZERO: Final = "zero"
DECLARED: Final = "declared"
"""Weights to start from: none, and those that the code declares where there is a file of others."""
OPPONENTS: Final = (SELF, CLONE)
PATTERNS: Final = "patterns"
LINEAR: Final = ("regression", "regression-gradient", PATTERNS)
"""Methods that predict values, not results: a win is worth the maximum of the evaluation."""
EVOLUTION: Final = "evolution"
GENETIC: Final = "genetic"
AUTO: Final = "auto"
MMTO: Final = "mmto"


@dataclass(frozen=True)
class LearningPlan:
    """A method, the evaluation whose weights it learns, and how games are played."""

    games: GamePlan
    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the method that are not the usual ones, by name."""
    start: str = ""
    """The file of weights to start from; empty for those of the evaluation, `zero` for none.

    `declared` leaves out the file of weights that comes with an evaluation.
    """
    data: str = ""
    """The file of a data set to learn from, instead of games that are played."""
    opponent: str = SELF
    """Whom the learner plays: itself, or an earlier copy, from whose searches it does not learn."""
    round_games: int = 10
    """Games that are played with the same weights, before these change."""
    tournament: int = 200
    """Games against a clone, after which it may be replaced."""
    replace_above: float = 0.5
    """The share of points in a tournament above which the learner replaces the clone."""
    squash: str = ""
    """How values become predictions, if not as is usual for the evaluation."""
    scale: float = 1.0
    """The unit of values in predictions, if `squash` is set."""
    search_weight: float = 0.0
    """For samples: how much the value of a search counts against the result of the game."""
    test_rounds: int = 20
    """Rounds between two tests against the weights of the start; 0 for no tests."""
    test_games: int = 20
    features: tuple[str, ...] = ()
    """The features that count, if not all of the evaluation."""
    slow_after: int = 0
    """The step size is divided by 1 + games / this number; 0 for a constant one."""
    positions: int = 0
    """Of recorded games: the positions of each that are learned from; 0 for all."""
    quiet: bool = False
    """Of recorded games: whether only quiet positions are learned from."""

    def __post_init__(self) -> None:
        method = self.find_method()
        self.make_parameters()
        if self.opponent not in OPPONENTS:
            raise UnknownName("opponent", self.opponent, OPPONENTS)
        for name, minimum in (
            ("round_games", 1),
            ("tournament", 1),
            ("test_rounds", 0),
            ("slow_after", 0),
            ("positions", 0),
        ):
            _check_integer(name, getattr(self, name), minimum)
        if self.test_rounds:
            _check_integer("test_games", self.test_games, 2)
        if self.test_games % 2:
            raise PlyforgeError(
                f"test games must be an even number, so that both sides begin equally often, not"
                f" {self.test_games}"
            )
        for name in ("replace_above", "search_weight"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise PlyforgeError(
                    f"{_words(name)} must be between 0 and 1, not {getattr(self, name)}"
                )
        if self.opponent == CLONE and self.tournament % self.round_games:
            raise PlyforgeError(
                f"a tournament of {self.tournament} games must consist of whole rounds of"
                f" {self.round_games} games"
            )
        if self.slow_after and method.data == SAMPLES:
            raise PlyforgeError(
                f"'{self.method}' fits a whole data set; its step size does not depend on games, so"
                f" slow after must be 0, not {self.slow_after}"
            )
        if self.games.lines != method.needs_lines:
            raise PlyforgeError(f"the games of '{self.method}' must keep their lines, or not")
        if self.squash and not self.fits_scale:
            self.prediction()
        recorded = is_game_file(self.data) and method.data == SAMPLES
        for name in ("positions", "quiet"):
            if getattr(self, name) and not recorded:
                raise PlyforgeError(
                    f"{name} can be chosen of a file of recorded games only (--data FILE{SUFFIX});"
                    " see 'plyforge learn record'"
                )
        if self.fits_scale and (not recorded or self.squash != "sigmoid"):
            raise PlyforgeError(
                "a scale of 0 is found from recorded games, for a sigmoid: it needs"
                f" --squash sigmoid and --data FILE{SUFFIX}"
            )
        if self.opponent == CLONE and self.method == EVOLUTION:
            raise PlyforgeError(
                "'evolution' has no clone: its parameter 'against' says whom candidates play"
            )
        if method.data == TEACHER and not self.data:
            raise PlyforgeError(
                f"'{self.method}' learns from a teacher's games; give a file of them (--data)"
            )
        if self.data and method.data not in (SAMPLES, TEACHER):
            raise PlyforgeError(
                f"'{self.method}' learns from games that it plays; leave out the data set"
                f" '{clip(self.data)}'"
            )

    def find_method(self) -> Method:
        """Return the row of the method."""
        return find_method(self.method)

    def make_parameters(self, model: GameModel | None = None, games: int = 0) -> Parameters:
        """Return the parameters of the method; for a model, with the step size in its units.

        A step size counts for predictions of values in units of their scale, so that it means the
        same whether a pawn is 1 or 100.  `games` is how many have been played.
        """
        parameters = self.find_method().make_parameters(**self.parameters)
        rate = getattr(parameters, "rate", None)
        self._check_rate(model, rate)
        if model is None or rate is None:
            return parameters
        changed: Any = {"rate": rate * model.prediction.scale**2 / self.slowness(games)}
        return replace(parameters, **changed)

    def slowness(self, games: int) -> float:
        """Return by what a step size is divided after so many games."""
        return 1.0 + games / self.slow_after if self.slow_after else 1.0

    def _check_rate(self, model: GameModel | None, rate: float | None) -> None:
        """Reject a step size that is too large in the units of a model."""
        if model is None or rate is None:
            return
        maximum = MAX_RATE / model.prediction.scale**2
        if rate > maximum:
            raise PlyforgeError(
                f"rate must be at most {maximum:.3g} for predictions with a scale of"
                f" {model.prediction.scale:.3g}, not {rate:g}"
            )

    @contextmanager
    def explain_divergence(self) -> Iterator[None]:
        """Name the step size as it was given, not that in the units of the model."""
        try:
            yield
        except Diverged as error:
            rate = getattr(self.make_parameters(), "rate", 0.0)
            if not rate:
                raise
            raise Diverged(error.problem, f"use a rate less than {rate:g}") from None

    @property
    def fits_scale(self) -> bool:
        """Whether the scale of predictions is found from the data."""
        return bool(self.squash) and self.scale == 0

    def prediction(self) -> Prediction | None:
        """Return how values become predictions; None for the usual way."""
        if self.fits_scale:
            return Prediction(self.squash)  # until the scale is known
        return Prediction(self.squash, self.scale) if self.squash else None

    def load_game(self) -> Game:
        """Load the game with the evaluation whose weights are learned."""
        return self.games.load_game(untrained=self.method == PATTERNS or bool(self.start))

    def make_model(self, game: Game) -> GameModel:
        """Return the model of the game's evaluation."""
        prediction = self.prediction()
        if prediction is not None and self.squash == "identity":
            # A loss is worth the minimum of the evaluation, a win its maximum.
            low, high = map(float, game.rules.constant("EVALUATION_RANGE"))
            prediction = replace(prediction, minimum=low, maximum=high)
        if prediction is None and (self.method in LINEAR or self.find_method().data == TEACHER):
            limit = float(game.evaluation_limit)
            prediction = Prediction("identity", 1.0, -limit, limit)
        if self.features:
            return MaskedModel(game, self.features, prediction=prediction)
        return GameModel(game, prediction=prediction)

    def files(self) -> list[UserFile]:
        """Read the files of the user that it names."""
        return [*self.games.files(), *read_available(file_names(self.start))]

    def _read_files(self) -> list[UserFile]:
        """Read all files that the result depends on."""
        named = bool(self.data) and not is_game_file(self.data)
        return [*self.files(), *([read_user_file(self.data)] if named else [])]

    def start_weights(self, model: GameModel) -> Reals:
        """Return the weights to start from.

        A net without weights gets small random ones: with zeros, all its units would learn the
        same.
        """
        if self.start == ZERO:
            vector = np.zeros(model.size)
        elif self.start and self.start != DECLARED:
            vector = load_evaluation(model.game, self.start).vector
        else:
            vector = model.start
        if isinstance(model.evaluation.form, Net) and not vector.any():
            assert model.network is not None
            vector = initial_weights(model.network, self.seed_of("weights"))
        return model.mask(vector) if isinstance(model, MaskedModel) else vector

    def seed_of(self, label: str) -> int:
        """Return the seed for one purpose."""
        return Stream(self.games.seed).split(label).next_word()

    def settings(self, game: Game) -> dict[str, Any]:
        """Return all that the result depends on, as plain data."""
        plain = asdict(self)
        games = plain.pop("games")
        for name in ("backend", "longest_opening", "solve_from"):  # the last two are parameters
            del games[name]
        for name in ("features", "slow_after", "positions", "quiet"):
            if not plain[name]:
                del plain[name]  # so that runs from before there was a choice are resumed
        if self.opponent == CLONE and self.find_method().data == EPISODES:
            plain["positions"] = "of both sides"  # once they were the learner's only
        return {
            **games,
            **plain,
            "parameters": self._fixed_parameters(),
            "form": form_fingerprint(evaluation_of(game).form),
            "program": plyforge.__version__,
            "files": {k: v for one in self._read_files() for k, v in one.digests().items()},
            **self._recording(),
        }

    def _recording(self) -> dict[str, Any]:
        """Return how recorded games were played; their number may grow."""
        if not is_game_file(self.data):
            return {}
        with GameFile.open_read_only(self.data) as file:
            return {"recording": file.plan()}

    def _fixed_parameters(self) -> dict[str, Any]:
        """Return all parameters but the length of a run, which may grow."""
        parameters = asdict(self.make_parameters())
        parameters.pop("generations", None)
        if parameters.get("towards") == "zero":
            del parameters["towards"]  # so that runs from before there was a choice are resumed
        return parameters


def default_name(game: Game, method: str, evaluation: str) -> str:
    """Return the usual name of a run."""
    return "-".join(filter(None, [game.name, Path(evaluation).stem, method]))


def _check_integer(name: str, value: Any, minimum: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < minimum:
        raise PlyforgeError(f"{_words(name)} must be an integer of at least {minimum}, not {value}")


def _words(name: str) -> str:
    return name.replace("_", " ")
