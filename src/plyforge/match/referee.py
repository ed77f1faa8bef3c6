"""One game between two players; the referee checks moves and times.

Loops.  A game counts as a loop when it ends without a winner, by repetition, by lack of progress or
by the limit of plies, although one side is ahead: the game's own evaluation of the last position is
at least `Game.ahead` away from 0, by default a twentieth of its range.  (The authors of
VisionDraughts count games that a player cannot finish although it is ahead.)
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.core.randomness import Stream
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.clock import Clock
from plyforge.game.chance import draw_outcome
from plyforge.game.game import Game, History
from plyforge.match.players import Player

Watch = Callable[[History, float], None]
"""Called before every move with the game so far and the seconds that the move may take."""

TIME_MARGIN: Final = 0.25
"""Seconds that a player may be late, because the machine may be busy."""
_WIN_PLIES: Final = 4
"""Moves in a row that both sides must score beyond the limit to end a game as a win."""
_DRAW_PLIES: Final = 12
"""The same for a draw."""
_MIN_DRAW_PLIES: Final = 40
"""The length from which a game can be ended as a draw."""


@dataclass(frozen=True)
class Adjudication:
    """The scores on which both players must agree for a game to end early.

    They are shares of the evaluation's range; None for never.
    """

    win: float | None = None
    draw: float | None = None

    def __post_init__(self) -> None:
        if self.win is not None and not 0 < self.win <= 1:
            raise PlyforgeError(
                f"the share for a win must be more than 0 and at most 1, not {self.win!r}"
            )
        if self.draw is not None and not 0 <= self.draw <= 1:
            raise PlyforgeError(f"the share for a draw must be between 0 and 1, not {self.draw!r}")


@dataclass(frozen=True)
class MatchRules:
    """The rules of a match that are not those of the game."""

    max_plies: int = 500
    """A game that reaches this length is a draw."""
    clock: Clock | None = None
    """The clock that each side has for a game."""
    hang_timeout: float = 300.0
    """Seconds after which a player without a time limit counts as hanging."""
    adjudication: Adjudication = Adjudication()


@dataclass(frozen=True)
class GameResult:
    """A finished game."""

    moves: tuple[int, ...]
    points: float
    """The first player's points: 1, 0.5 or 0."""
    reason: str
    ending: str
    """`rules`, `path` (repetition or no progress), `limit`, `adjudicated` or `forfeit`."""
    loop: bool
    score: float | None
    """The final score for the first player, in games that have one."""
    seconds: tuple[float, float]
    nodes: tuple[int, int]


_SideScore = tuple[int, float | None]
"""A side, and its score for itself as a share of the range."""


@dataclass
class _Side:
    player: Player
    clock: Clock | None
    seconds: float = 0.0
    nodes: int = 0


class Referee:
    """Plays games between two players."""

    def __init__(self, game: Game, rules: MatchRules) -> None:
        self.game = game
        self.rules = rules

    def play(
        self,
        players: tuple[Player, Player],
        opening: History,
        watch: Watch | None = None,
        chance_seed: int = 0,
    ) -> GameResult:
        """Play from an opening to the end; `players[0]` has the game's first side.

        In a game of chance, the outcomes are drawn from `chance_seed`, whatever the players do.
        """
        chance = Stream(chance_seed)
        sides = tuple(_Side(player, self.rules.clock) for player in players)
        scores: list[_SideScore] = []
        while True:
            verdict = opening.verdict()
            if verdict.over:
                # The value is for the side to move.
                value = verdict.value if opening.turn == 0 else 0.0 - verdict.value
                ending = "path" if verdict.by_path else "rules"
                return self._finish(opening, sides, _points(value), verdict.reason, ending, value)
            if len(opening.moves) >= self.rules.max_plies:
                reason = f"the limit of {self.rules.max_plies} moves"
                return self._finish(opening, sides, 0.5, reason, "limit")
            adjudicated = self._adjudicate(opening, scores)
            if adjudicated is not None:
                points, reason = adjudicated
                return self._finish(opening, sides, points, reason, "adjudicated")
            if outcomes := opening.chance_outcomes():
                opening.play(draw_outcome(outcomes, chance))
                continue
            fault = self._move(opening, sides[opening.turn], scores, watch)
            if fault is not None:
                return self._forfeit(opening, sides, fault)

    def _move(
        self,
        history: History,
        side: _Side,
        scores: list[_SideScore],
        watch: Watch | None,
    ) -> str | None:
        """Let a side move; return its fault if that loses the game."""
        allowed = self.allowed_seconds(side.player, side.clock)
        if watch is not None:
            watch(history, allowed)
        started = time.perf_counter()
        try:
            # A copy: players may try moves on it.
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
            return f"it took {took:.2f} s, more than its {side.player.seconds:g} s"
        if not _is_legal(history, choice.move):
            return f"its move {_describe(choice.move, repr)} is not legal"
        scores.append((history.turn, score))
        history.play(int(choice.move))
        return None

    def allowed_seconds(self, player: Player, clock: Clock | None) -> float:
        """Return the seconds after which a player has lost on time or hangs."""
        limit = clock.left if clock is not None else player.seconds
        return self.rules.hang_timeout if limit is None else limit + TIME_MARGIN

    def _share(self, score: float | None) -> float | None:
        """Return a score as a share of the evaluation's range; 1 for a win."""
        if score is None or math.isnan(score):
            return None
        return max(-1.0, min(1.0, score / self.game.evaluation_limit))

    def _adjudicate(self, history: History, scores: list[_SideScore]) -> tuple[float, str] | None:
        """Return the first player's points and the reason if both players agree on them."""
        rules = self.rules.adjudication
        if rules.win is not None and len(scores) >= _WIN_PLIES:
            seen = _for_first(scores[-_WIN_PLIES:])
            for points, sign in ((1.0, 1), (0.0, -1)):
                if seen and all(sign * share >= rules.win for share in seen):
                    return points, f"both agree on a score of at least {rules.win:g} of the range"
        if rules.draw is not None and len(history.moves) >= _MIN_DRAW_PLIES:
            seen = _for_first(scores[-_DRAW_PLIES:])
            if len(seen) == _DRAW_PLIES and all(abs(share) <= rules.draw for share in seen):
                return 0.5, f"both agree on a score of at most {rules.draw:g} of the range"
        return None

    def _forfeit(self, history: History, sides: tuple[_Side, ...], fault: str) -> GameResult:
        first, second = sides
        return forfeit(
            self.game,
            history.moves,
            history.turn,
            fault,
            (first.seconds, second.seconds),
            (first.nodes, second.nodes),
        )

    def _finish(
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


def _is_legal(history: History, move: Any) -> bool:
    """Return whether a move is legal; a player may return any object."""
    return isinstance(move, Integral) and int(move) in history.legal_moves()


def _for_first(scores: Sequence[_SideScore]) -> list[float]:
    """Return scores for the first player; empty if one is missing, or all are of one side."""
    if len({side for side, _ in scores}) < 2:
        return []
    shares = []
    for side, share in scores:
        if share is None:
            return []
        shares.append(share if side == 0 else 0.0 - share)
    return shares


def forfeit(
    game: Game,
    moves: Sequence[int],
    loser: int,
    fault: str,
    seconds: tuple[float, float] = (0.0, 0.0),
    nodes: tuple[int, int] = (0, 0),
) -> GameResult:
    """Return a game that a side loses by a fault of its player."""
    reason = f"{game.players[loser]} loses: {fault}"
    points = 0.0 if loser == 0 else 1.0
    return GameResult(tuple(moves), points, reason, "forfeit", False, None, seconds, nodes)


def describe_failure(error: BaseException) -> str:
    """Describe a player's exception as a fault."""
    name, text = type(error).__name__, _describe(error, str)
    return f"it failed: {name}: {text}" if text else f"it failed: {name}"


def _describe(thing: Any, convert: Callable[[Any], str]) -> str:
    """Return the text of a player's object on one line of printable characters."""
    try:
        text = convert(thing)
    except Exception:
        text = f"(a {type(thing).__name__})"
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return clip(" ".join(printable.split()))
