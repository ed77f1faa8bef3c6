"""Where games come from: a source plays them by number and hands back the bare figures.

Random play is the only source so far.  Another one, such as an engine against itself, plays with
`History` in whatever way it likes and fills the same batch.
"""

from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from plyforge.compilation.interruptible import run
from plyforge.compilation.kernel import Backend, build
from plyforge.compilation.notices import Notices
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.game.game import Game, History
from plyforge.match.statistics import playout

PLY_LIMIT: Final = 4096
"""Random games are broken off at this length."""
MAX_SEED: Final = 2**64 - 1
_STOP, _OVERFLOW = 0, 1
_SLACK = 4096
"""Words behind the move buffer, for rules that write a little more than they declared."""
_REPETITIONS = {
    None: playout.ALLOWED,
    "draw": playout.DRAWS,
    "loss": playout.LOSES,
    "illegal": playout.ILLEGAL,
}


@dataclass(frozen=True)
class Batch:
    """Some games: a row of `kernels.playout.GAME_WORDS` each, and a row of PLY_WORDS per ply."""

    games: NDArray[np.int64]
    plies: NDArray[np.int64]


class GameSource(Protocol):
    """Plays games by number: the same number gives the same game, whatever was played before."""

    def play(self, first: int, count: int) -> Batch:
        """The games numbered `first` to `first` + `count` - 1."""
        ...


class RandomPlay:
    """Random games from where a history stands, every legal move as likely as any other."""

    def __init__(
        self,
        history: History,
        seed: int = 0,
        backend: Backend | None = None,
        ply_limit: int = PLY_LIMIT,
        notices: Notices | None = None,
    ) -> None:
        if not 0 <= seed <= MAX_SEED:
            raise PlyforgeError(f"seed {seed} is out of range; it goes from 0 to 2^64 - 1")
        verdict = history.verdict()
        if verdict.over:
            raise PlyforgeError(
                f"the game is over in this position ({verdict.reason}): nothing can be played"
            )
        game = history.game
        self._game = game
        self._start = history.position
        self._seed = seed
        self._backend: Backend = backend or game.backend
        self._ply_limit = ply_limit
        self._most_moves = int(game.rules.constant("MAX_MOVES"))
        self._settings = _settings(game, history, ply_limit)
        self._keys = history.keys[:-1]
        kernel = playout.PLAYOUT_TOLD if "turn" in game.rules.hooks else playout.PLAYOUT_COUNTED
        self._kernel = build(kernel, game.rules, game.position_type, self._backend, notices=notices)

    def play(self, first: int, count: int) -> Batch:
        """The games of these numbers; Ctrl-C stops them at once, and none of them is returned."""
        games = np.zeros((count, playout.GAME_WORDS), np.int64)
        plies = np.zeros((self._ply_limit, playout.PLY_WORDS), np.int64)
        control = np.zeros(8, np.int64)
        widths = np.zeros(self._ply_limit, np.int64)
        if self._backend == "python":
            # Keys fill 64 bits without sign: they need Python's integers, the moves room to grow.
            path = dict(enumerate(self._keys))
            with self._game.rules.blame("random play"):
                words = [self._settings, control, {}, path, widths, plies.ravel(), games.ravel()]
                self._kernel.call(self._start, self._seed, first, count, *words)
        else:
            buffer = np.zeros(self._most_moves + _SLACK, np.int64)
            path_words = np.zeros(len(self._keys) + self._ply_limit + 2, np.uint64)
            path_words[: len(self._keys)] = np.array(self._keys, np.uint64)
            arrays = [self._settings, control, buffer, path_words, widths, plies, games]
            addresses = [array.ctypes.data for array in arrays]
            with self._game.rules.blame("random play"):
                run(
                    lambda: self._kernel.call(self._start, self._seed, first, count, *addresses),
                    control,
                    _STOP,
                )
        if control[_OVERFLOW]:
            raise GameFileError(
                f"{self._game.rules.file}: a position has {control[_OVERFLOW]} moves, but MAX_MOVES"
                f" is {self._most_moves}; raise it"
            )
        return Batch(games, plies)


def _settings(game: Game, history: History, ply_limit: int) -> NDArray[np.int64]:
    limit = game.rules.constant("NO_PROGRESS_LIMIT")
    words = np.zeros(playout.SETTINGS, np.int64)
    words[playout.REPETITION] = _REPETITIONS[game.rules.constant("REPETITION")]
    words[playout.REPETITION_COUNT] = int(game.rules.constant("REPETITION_COUNT"))
    words[playout.NO_PROGRESS_LIMIT] = -1 if limit is None else int(limit)
    words[playout.PLY_LIMIT] = ply_limit
    words[playout.PLIES_BEFORE] = len(history.moves)
    words[playout.SINCE] = history.plies_without_progress
    last: Any = game.turn(history.positions[-2]) if history.moves else None
    words[playout.LAST_MOVER] = -1 if last is None else last
    return words
