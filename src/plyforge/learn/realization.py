"""Fit realization probabilities: how often moves of a category are played where there is one."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine.result import Info
from plyforge.game.game import Game
from plyforge.game.history import BaseHistory
from plyforge.game.replay import play_moves, start_position
from plyforge.search.fits import Row
from plyforge.search.steps.realization import KINDS, category_of

MIN_SEEN: Final = 30
"""A category that was possible in fewer positions costs a ply."""
MIN_PLIES, MAX_PLIES = 0.25, 4.0

Sample = tuple[list[int], int]
"""The categories of the possible moves, and that of the move that was played."""


def observe(game: Game, history: BaseHistory, iterations: Sequence[Info]) -> Sample:
    """Return the categories in a position; the best move counts as played."""
    return categories(game, history, iterations[-1].move)


def categories(game: Game, history: BaseHistory, played: int) -> Sample:
    """Return the categories of all moves of a position, and that of one of them."""
    target = _last_target(game, history)
    found = {move: _category(game, history.position, move, target) for move in history.playable()}
    return sorted(set(found.values())), found[played]


def _last_target(game: Game, history: BaseHistory) -> int:
    """Return where the last move captured, or -1."""
    if not history.moves:
        return -1
    return _target(game, history.positions[-2], history.moves[-1])


def _target(game: Game, position: Any, move: int) -> int:
    """Return where a move captures, or -1."""
    tactical = game.call_hook("move_kind", position, move) != 0
    return int(game.call_hook("move_target", position, move)) if tactical else -1


def _category(game: Game, position: Any, move: int, last_target: int) -> int:
    target = _target(game, position, move)
    return category_of(
        int(game.call_hook("move_kind", position, move)),
        bool(game.call_hook("in_check", game.play(position, move))),
        game.call_hook("exchange", position, move) < 0,
        target >= 0 and target == last_target,
        bool(game.call_hook("in_check", position)),
    )


def describe(category: int) -> str:
    """Return a category in words.

    >>> describe(category_of(1, True, False, True, False))
    'kind 1, check, takes back'
    """
    flags = ("check", "loses material", "takes back", "evades")
    bits = category // KINDS
    words = [word for place, word in enumerate(flags) if bits >> place & 1]
    return ", ".join([f"kind {category % KINDS}", *words])


def read_samples(game: Game, path: Path) -> list[list[Sample]]:
    """Return the samples of the games in a file, a list for each game."""
    from plyforge.match.files import read_records

    games = []
    for record in read_records(path, game):
        whole = game.history(start_position(game, record))
        play_moves(whole, record)
        games.append([categories(game, whole.at(n), move) for n, move in enumerate(whole.moves)])
    return games


def fit_rows(games: Iterable[Sequence[Sample]]) -> list[Row]:
    """Return the probability of each category, and what depth a move of it costs.

    A category of probability p costs log p / log q plies.  q is such that the moves that were
    played cost a ply on average.
    """
    seen: Counter[int] = Counter()
    played: Counter[int] = Counter()
    for possible, one in (sample for game in games for sample in game):
        seen.update(possible)
        played[one] += 1
    usual = [category for category in seen if seen[category] >= MIN_SEEN]
    # One more success and one more failure keep probabilities away from 0 and 1.
    chance = {one: (played[one] + 1) / (seen[one] + 2) for one in usual}
    total = sum(played[one] for one in usual)
    if total == 0:
        raise PlyforgeError(
            f"no category of moves was possible in {MIN_SEEN} positions; play more games (--games)"
        )
    ply = sum(played[one] * math.log(chance[one]) for one in usual) / total
    return [
        {
            "category": one,
            "probability": round(chance[one], 4),
            "plies": round(min(max(math.log(chance[one]) / ply, MIN_PLIES), MAX_PLIES) * 16) / 16,
            "seen": seen[one],
            "played": played[one],
        }
        for one in sorted(usual)
    ]
