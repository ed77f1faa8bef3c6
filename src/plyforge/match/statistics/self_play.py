"""Games of a player against itself.

Game number `n` of a seed draws from `Stream(mix(seed, n))`: first a seed for each side's player,
then the random moves that open the game.  After those, the players choose.
"""

import hashlib
import time
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from plyforge.compilation.kernel import Backend
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.core.hashing import mix
from plyforge.core.randomness import Stream
from plyforge.core.scores import ONGOING
from plyforge.game.chance import draw_outcome
from plyforge.game.game import Game, History
from plyforge.games import load
from plyforge.jobs.executor import Report
from plyforge.jobs.user_files import files_fingerprint
from plyforge.match.openings import Opening
from plyforge.match.players import player
from plyforge.match.referee import describe_failure
from plyforge.match.statistics import playout
from plyforge.match.statistics.sources import PLY_LIMIT, Batch, check_seed, check_start

DEFAULT_RANDOM_PLIES: Final = 4
MAX_RANDOM_PLIES: Final = 1000


@dataclass(frozen=True)
class SelfPlaySettings:
    """Everything that determines the games; with the files that it names, all a worker needs."""

    game: str
    player: str
    start: Opening = field(default_factory=Opening)
    seed: int = 0
    random_plies: int = DEFAULT_RANDOM_PLIES
    backend: Backend | None = None
    ply_limit: int = PLY_LIMIT

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if not 0 <= self.random_plies <= MAX_RANDOM_PLIES:
            raise PlyforgeError(
                f"random plies must be between 0 and {MAX_RANDOM_PLIES}, not {self.random_plies}"
            )


class SelfPlay:
    """A source of games that a player plays against itself."""

    def __init__(self, settings: SelfPlaySettings, game: Game | None = None) -> None:
        game = load(settings.game, settings.backend) if game is None else game
        self._settings = settings
        self._start = settings.start.history(game)
        check_start(self._start)
        self._players = [player(game, settings.player) for _ in range(2)]

    def warm_up(self) -> None:
        """Compile the kernels of the players."""
        for one in self._players:
            one.warm_up()

    def play(self, first: int, count: int) -> Batch:
        """Play the games of these numbers."""
        games = np.zeros((count, playout.GAME_WORDS), np.int64)
        plies = np.zeros((self._settings.ply_limit, playout.PLY_WORDS), np.int64)
        lines = np.zeros(count, np.uint64)
        longest = 0
        for row, number in enumerate(range(first, first + count)):
            history, widths = self._play_game(number)
            end, value = self._end(history)
            games[row] = len(widths), end, np.float64(value).view(np.int64)
            lines[row] = _digest(history.moves)
            playout.add_plies(len(widths), widths, plies.ravel())
            longest = max(longest, len(widths))
        return Batch(games, plies[:longest], lines)

    def _play_game(self, number: int) -> tuple[History, list[int]]:
        """Play a game; return it with the number of legal moves at each ply."""
        stream = Stream(mix(self._settings.seed, number))
        history = self._start.copy()
        widths: list[int] = []
        try:
            for one in self._players:
                one.begin(stream.next_word())
            dice = stream.split("chance")
            while len(widths) < self._settings.ply_limit and (legal := history.legal_moves()):
                if outcomes := history.chance_outcomes():
                    history.play(draw_outcome(outcomes, dice))
                    continue
                if len(widths) < self._settings.random_plies:
                    move = stream.choice(legal)
                else:
                    move = self._players[history.turn].choose(history.copy(), None).move
                widths.append(len(legal))
                history.play(move)
        except GameFileError:
            raise
        except (Exception, SystemExit) as error:
            raise PlyforgeError(
                f"player '{self._settings.player}', game {number + 1}, move"
                f" {len(history.moves) + 1}: {describe_failure(error)}"
            ) from error
        return history, widths

    def _end(self, history: History) -> tuple[int, float]:
        """Return how a game ended, and its value for the first player."""
        verdict = history.verdict()
        if not verdict.over:
            return playout.TOO_LONG, 0.0
        return _ending(history), verdict.value if history.turn == 0 else 0.0 - verdict.value

    def close(self) -> None:
        """Close the players."""
        for one in self._players:
            one.close()


def _ending(history: History) -> int:
    """Return how a finished game ended, as `playout` numbers it."""
    game, position = history.game, history.position
    if game.outcome(position) != ONGOING:
        return playout.BY_RULES
    if history.verdict().by_path:
        ends = game.rules.constant("REPETITION") in ("draw", "loss")
        repeated = history.occurrences() >= game.rules.constant("REPETITION_COUNT")
        return playout.REPEATED if ends and repeated else playout.NO_PROGRESS
    return playout.DRAWN if _has_move(history) else playout.NO_MOVE


def _has_move(history: History) -> bool:
    game, position = history.game, history.position
    moves = game.moves(position)
    if game.rules.constant("REPETITION") != "illegal":
        return bool(moves)
    earlier = set(history.keys)
    return any(game.key(game.play(position, move)) not in earlier for move in moves)


def _digest(moves: list[int]) -> NDArray[np.uint64]:
    """Return a hash of a line of moves, to count different games."""
    words = np.array(moves, np.int64).tobytes()
    return np.frombuffer(hashlib.blake2b(words, digest_size=8).digest(), np.uint64)[0]  # type: ignore[no-any-return]


# In the processes that play


@dataclass(frozen=True)
class SelfPlayJob:
    """One game to play in another process."""

    settings: SelfPlaySettings
    number: int


_sources: dict[tuple[SelfPlaySettings, str], SelfPlay] = {}


def play_job(job: SelfPlayJob, report: Report) -> tuple[Batch, float]:
    """Play one game; return it with the seconds it took."""
    key = (job.settings, files_fingerprint())
    if key not in _sources:
        _sources[key] = SelfPlay(job.settings)
        _sources[key].warm_up()
    started = time.perf_counter()
    batch = _sources[key].play(job.number, 1)
    return batch, time.perf_counter() - started
