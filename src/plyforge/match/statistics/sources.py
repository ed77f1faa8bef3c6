"""Sources of games: they play games by number and return the raw figures.

Random play runs in a kernel; `self_play` lets players play.
"""

from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from plyforge.compilation.interruptible import run, stopper
from plyforge.compilation.kernel import Backend, build
from plyforge.compilation.notices import Notices
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.game.game import Game, History
from plyforge.game.kernels.path_ends import REPETITION_CODES
from plyforge.match.statistics import playout

PLY_LIMIT: Final = 4096
"""Plies after which a game is stopped."""
MAX_SEED: Final = 2**64 - 1
_STOP, _OVERFLOW, _PROBABILITIES, _WRONG_PROBABILITIES = 0, 1, 2, 3
_SLACK = 4096
"""Words after the move buffer, for rules that write a little more than they declared."""


@dataclass(frozen=True)
class Batch:
    """Figures of some games."""

    games: NDArray[np.int64]
    """A row of `playout.GAME_WORDS` per game."""
    plies: NDArray[np.int64]
    """A row of `playout.PLY_WORDS` per ply."""
    lines: NDArray[np.uint64] | None = None
    """A hash of each game's moves; None where the source does not keep them."""


def check_seed(seed: int) -> None:
    """Reject a seed that is not a 64-bit word."""
    if not 0 <= seed <= MAX_SEED:
        raise PlyforgeError(f"seed must be between 0 and 2^64 - 1, not {seed}")


def check_start(history: History) -> None:
    """Reject a position in which the game is over."""
    verdict = history.verdict()
    if verdict.over:
        raise PlyforgeError(
            f"the game is over in this position ({verdict.reason}); give one with moves to play"
        )


class GameSource(Protocol):
    """Plays games by number: a game depends on its number, not on the games before it."""

    def play(self, first: int, count: int) -> Batch:
        """Play the games numbered `first` to `first` + `count` - 1."""


class RandomPlay:
    """Random games from the current position of a history; legal moves are equally likely."""

    def __init__(
        self,
        history: History,
        seed: int = 0,
        backend: Backend | None = None,
        ply_limit: int = PLY_LIMIT,
        notices: Notices | None = None,
    ) -> None:
        check_seed(seed)
        check_start(history)
        game = history.game
        self._game = game
        self._start = history.position
        self._seed = seed
        self._backend: Backend = backend or game.backend
        self._ply_limit = ply_limit
        self._max_moves = int(game.rules.constant("MAX_MOVES"))
        self._settings = _settings(game, history, ply_limit)
        self._keys = history.keys[:-1]
        kernel = playout.WITH_TURN if "turn" in game.rules.hooks else playout.ALTERNATING
        self._kernel = build(kernel, game.rules, game.position_type, self._backend, notices=notices)

    def play(self, first: int, count: int) -> Batch:
        """Play the games of these numbers.  Ctrl-C stops at once and loses all of them."""
        games = np.zeros((count, playout.GAME_WORDS), np.int64)
        plies = np.zeros((self._ply_limit, playout.PLY_WORDS), np.int64)
        # Uncompiled, a control word can be a buffer itself.
        compiled = self._backend == "compiled"
        control: Any = np.zeros(8, np.int64) if compiled else [0] * 8
        probabilities: NDArray[np.float64] = np.zeros(self._max_moves + _SLACK)
        control[_PROBABILITIES] = probabilities.ctypes.data if compiled else probabilities
        widths = np.zeros(self._ply_limit, np.int64)
        if self._backend == "python":
            # Unsigned 64-bit keys need Python's integers; a dict of moves grows as needed.
            path = dict(enumerate(self._keys))
            with self._game.rules.blame("random play"):
                words = [self._settings, control, {}, path, widths, plies.ravel(), games.ravel()]
                self._kernel.call(self._start, self._seed, first, count, *words)
        else:
            buffer = np.zeros(self._max_moves + _SLACK, np.int64)
            path_words = np.zeros(len(self._keys) + self._ply_limit + 2, np.uint64)
            path_words[: len(self._keys)] = np.array(self._keys, np.uint64)
            arrays = [self._settings, control, buffer, path_words, widths, plies, games]
            addresses = [array.ctypes.data for array in arrays]
            with self._game.rules.blame("random play"):
                run(
                    lambda: self._kernel.call(self._start, self._seed, first, count, *addresses),
                    stopper(control, _STOP),
                )
        if control[_OVERFLOW]:
            raise GameFileError(
                f"{self._game.rules.file}: a position has {control[_OVERFLOW]} moves, but MAX_MOVES"
                f" is {self._max_moves}; raise it"
            )
        if control[_WRONG_PROBABILITIES]:
            raise GameFileError(
                f"{self._game.rules.file}: 'chance_outcomes' gives probabilities that are not above"
                " 0, or do not add up to 1; 'plyforge check' finds the position"
            )
        return Batch(games, plies)


def _settings(game: Game, history: History, ply_limit: int) -> NDArray[np.int64]:
    limit = game.rules.constant("NO_PROGRESS_LIMIT")
    words = np.zeros(playout.SETTINGS, np.int64)
    words[playout.REPETITION] = REPETITION_CODES[game.rules.constant("REPETITION")]
    words[playout.REPETITION_COUNT] = int(game.rules.constant("REPETITION_COUNT"))
    words[playout.NO_PROGRESS_LIMIT] = -1 if limit is None else int(limit)
    words[playout.PLY_LIMIT] = ply_limit
    words[playout.PLIES_BEFORE] = len(history.moves)
    words[playout.SINCE] = history.plies_without_progress
    last: Any = game.turn(history.positions[-2]) if history.moves else None
    words[playout.LAST_MOVER] = -1 if last is None else last
    return words
