"""One game between two players, under a referee who sees to the rules and to the time.

Loops.  A game counts as a loop when it ends without a winner, by repetition, by lack of progress or
by the limit of moves, although one side is ahead: the game's own evaluation of the last position is
at least `Game.ahead` away from 0, a twentieth of its range unless the game says otherwise.  (The
authors of VisionDraughts count games that a player cannot finish although it stands better.)
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.clock import Clock
from plyforge.game.game import Game, History
from plyforge.match.players import Player

Watch = Callable[[History, float], None]
"""Hears, before every move, how the game stands and how many seconds the move may take."""

TIME_MARGIN: Final = 0.25
"""Seconds that a player may be late: a busy machine is not the player's fault."""
_AGREED_PLIES: Final = 4
"""So many moves in a row must be scored beyond the limit, by both sides, to end a game early."""
_DRAWN_PLIES: Final = 12
"""The same for a draw."""
_DRAWN_FROM: Final = 40
"""No game is given as a draw before so many plies."""


@dataclass(frozen=True)
class Adjudication:
    """When a game ends before its time: scores on which both players agree, as shares of the
    evaluation's range; None for never."""

    win: float | None = None
    draw: float | None = None

    def __post_init__(self) -> None:
        if self.win is not None and not 0 < self.win <= 1:
            raise PlyforgeError(
                f"a win given at {self.win!r} of the range: give a share over 0, at most 1"
            )
        if self.draw is not None and not 0 <= self.draw <= 1:
            raise PlyforgeError(
                f"a draw given at {self.draw!r} of the range: give a share from 0 to 1"
            )


@dataclass(frozen=True)
class MatchRules:
    """The rules of a match that are not those of the game."""

    max_plies: int = 500
    """A game that reaches this length is a draw."""
    clock: Clock | None = None
    """The clock that each side has for a game."""
    patience: float = 300.0
    """Seconds after which a player without a time limit counts as hanging."""
    adjudication: Adjudication = Adjudication()


@dataclass(frozen=True)
class GameResult:
    """A game that has ended."""

    moves: tuple[int, ...]
    points: float
    """The first player's: 1, 0.5 or 0."""
    reason: str
    ending: str
    """`rules`, `path` (repetition or no progress), `limit`, `adjudicated` or `forfeit`."""
    loop: bool
    score: float | None
    """The final score for the first player, in games that have one."""
    seconds: tuple[float, float]
    nodes: tuple[int, int]


_Opinion = tuple[int, float | None]
"""A side, and the share of the range that it saw for itself."""


@dataclass
class _Side:
    player: Player
    clock: Clock | None
    seconds: float = 0.0
    nodes: int = 0


class Referee:
    """Lets two players play."""

    def __init__(self, game: Game, rules: MatchRules) -> None:
        self.game = game
        self.rules = rules

    def play(
        self,
        players: tuple[Player, Player],
        opening: History,
        watch: Watch | None = None,
    ) -> GameResult:
        """Play from an opening to the end; `players[0]` has the game's first side."""
        sides = tuple(_Side(player, self.rules.clock) for player in players)
        scores: list[_Opinion] = []
        while True:
            verdict = opening.verdict()
            if verdict.over:
                # In view of the side to move; a final score tells its own sign.
                value = verdict.value if opening.turn == 0 else 0.0 - verdict.value
                ending = "path" if verdict.by_path else "rules"
                return self._ended(opening, sides, _points(value), verdict.reason, ending, value)
            if len(opening.moves) >= self.rules.max_plies:
                reason = f"the limit of {self.rules.max_plies} moves"
                return self._ended(opening, sides, 0.5, reason, "limit")
            agreed = self._agreed(opening, scores)
            if agreed is not None:
                points, reason = agreed
                return self._ended(opening, sides, points, reason, "adjudicated")
            fault = self._move(opening, sides[opening.turn], scores, watch)
            if fault is not None:
                return self._forfeited(opening, sides, fault)

    def _move(
        self,
        history: History,
        side: _Side,
        scores: list[_Opinion],
        watch: Watch | None,
    ) -> str | None:
        """Let a side move; the reason if it loses the game by how it does."""
        allowed = self.allowed(side.player, side.clock)
        if watch is not None:
            watch(history, allowed)
        started = time.perf_counter()
        try:
            # A copy: trying moves out in it is the player's right.
            choice = side.player.choose(history.copy(), side.clock)
            score, nodes = self._share(choice.score), int(choice.nodes or 0)
        except (Exception, SystemExit) as error:
            return describe_failure(error)
        took = time.perf_counter() - started
        side.seconds += took
        side.nodes += nodes
        if side.clock is not None:
            if took > side.clock.left + TIME_MARGIN:
                return f"its time ran out ({side.clock.left:.2f} s left, {took:.2f} s used)"
            side.clock = side.clock.after(took)
        elif side.player.seconds is not None and took > allowed:
            return f"it took {took:.2f} s where it had {side.player.seconds:g} s"
        if not _legal(history, choice.move):
            return f"its move {_words(choice.move, repr)} is not legal"
        scores.append((history.turn, score))
        history.play(int(choice.move))
        return None

    def allowed(self, player: Player, clock: Clock | None) -> float:
        """The seconds after which a player has lost on time or hangs."""
        promised = clock.left if clock is not None else player.seconds
        return self.rules.patience if promised is None else promised + TIME_MARGIN

    def _share(self, score: float | None) -> float | None:
        """A score as a share of the evaluation's range, 1 for a win."""
        if score is None or math.isnan(score):
            return None
        return max(-1.0, min(1.0, score / self.game.evaluation_limit))

    def _agreed(self, history: History, scores: list[_Opinion]) -> tuple[float, str] | None:
        """The first player's points, if both players have long agreed on them."""
        rules = self.rules.adjudication
        if rules.win is not None and len(scores) >= _AGREED_PLIES:
            seen = _for_first(scores[-_AGREED_PLIES:])
            for points, sign in ((1.0, 1), (0.0, -1)):
                if seen and all(sign * share >= rules.win for share in seen):
                    return points, f"both agree on a score of at least {rules.win:g} of the range"
        if rules.draw is not None and len(history.moves) >= _DRAWN_FROM:
            seen = _for_first(scores[-_DRAWN_PLIES:])
            if len(seen) == _DRAWN_PLIES and all(abs(share) <= rules.draw for share in seen):
                return 0.5, f"both agree on a score of at most {rules.draw:g} of the range"
        return None

    def _forfeited(self, history: History, sides: tuple[_Side, ...], fault: str) -> GameResult:
        first, second = sides
        return forfeit(
            self.game,
            history.moves,
            history.turn,
            fault,
            (first.seconds, second.seconds),
            (first.nodes, second.nodes),
        )

    def _ended(
        self,
        history: History,
        sides: tuple[_Side, ...],
        points: float,
        reason: str,
        ending: str,
        value: float | None = None,
    ) -> GameResult:
        first, second = sides
        unfinished = ending in ("path", "limit") and points == 0.5
        has_score = value is not None and abs(value) <= SCORE_LIMIT
        return GameResult(
            tuple(history.moves),
            points,
            reason,
            ending,
            loop=unfinished and self._someone_is_ahead(history),
            score=value if has_score and ending == "rules" else None,
            seconds=(first.seconds, second.seconds),
            nodes=(first.nodes, second.nodes),
        )

    def _someone_is_ahead(self, history: History) -> bool:
        return abs(self.game.evaluation(history.position)) >= self.game.ahead


def _points(value: float) -> float:
    return 0.5 if value == 0 else float(value > 0)


def _legal(history: History, move: Any) -> bool:
    """Whether a move is one; a player may answer with anything."""
    return isinstance(move, Integral) and int(move) in history.legal_moves()


def _for_first(opinions: Sequence[_Opinion]) -> list[float]:
    """Scores in view of the first player; empty if one is missing, or all are of one side."""
    if len({side for side, _ in opinions}) < 2:
        return []
    found = []
    for side, share in opinions:
        if share is None:
            return []
        found.append(share if side == 0 else 0.0 - share)
    return found


def forfeit(
    game: Game,
    moves: Sequence[int],
    loser: int,
    fault: str,
    seconds: tuple[float, float] = (0.0, 0.0),
    nodes: tuple[int, int] = (0, 0),
) -> GameResult:
    """A game that a side loses by what its player does."""
    reason = f"{game.players[loser]} loses: {fault}"
    points = 0.0 if loser == 0 else 1.0
    return GameResult(tuple(moves), points, reason, "forfeit", False, None, seconds, nodes)


def describe_failure(error: BaseException) -> str:
    """Describe a player's exception as a fault."""
    name, words = type(error).__name__, _words(error, str)
    return f"it failed: {name}: {words}" if words else f"it failed: {name}"


def _words(thing: Any, told: Callable[[Any], str]) -> str:
    """What a player's object says of itself, on one line that every file can hold."""
    try:
        text = told(thing)
    except Exception:
        text = f"(a {type(thing).__name__})"
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return clip(" ".join(printable.split()))
