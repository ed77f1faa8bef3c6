"""A game in progress: the positions so far, and the ends that depend on them.

The rules see one position; repetition and lack of progress depend on the earlier ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from plyforge.core.errors import MoveError, clip
from plyforge.core.scores import DRAW, LOSS, ONGOING, WIN, outcome_name
from plyforge.game.base import BaseGame

T = TypeVar("T")


@dataclass(frozen=True)
class Verdict:
    """The state of a game: its value for the side to move (`ONGOING` if not over), and why."""

    value: float
    reason: str
    by_path: bool = False
    """Whether earlier positions end the game: a repetition, or too long without progress."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.value != ONGOING

    @property
    def name(self) -> str:
        """`win`, `loss`, `draw` or `ongoing`, for the side to move."""
        return outcome_name(self.value)


class BaseHistory:
    """The part of `History` that needs no more than a `BaseGame`."""

    def __init__(self, game: BaseGame, start: Any = None) -> None:
        self.game = game
        positions = game.position_type
        first = game.initial() if start is None else positions.copy(positions.cast(start))
        self.positions = [first]
        self.moves: list[int] = []
        self._keys = [game.key(first)]
        self._since = [game.progress(first)]
        self._known: dict[str, Any] = {}
        """What the rules say about the current position, as far as they were asked."""

    def __repr__(self) -> str:
        return f"<History of {self.game.name}, {len(self.moves)} moves>"

    def copy(self) -> Self:
        """Return a copy, which can continue in another way."""
        return self.at(len(self.moves))

    def at(self, plies: int) -> Self:
        """Return the history as it was after that many moves."""
        if not 0 <= plies <= len(self.moves):
            raise MoveError(f"ply must be between 0 and {len(self.moves)}, not {plies}")
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other.moves = self.moves[:plies]
        for name in ("positions", "_keys", "_since"):
            setattr(other, name, getattr(self, name)[: plies + 1])
        other._known = dict(self._known) if plies == len(self.moves) else {}
        return other

    def _once(self, name: str, ask: Callable[[], T]) -> T:
        """Return what is known about the current position, or ask the rules."""
        if name not in self._known:
            self._known[name] = ask()
        known: T = self._known[name]
        return known

    @property
    def position(self) -> Any:
        """The current position."""
        return self.positions[-1]

    @property
    def turn(self) -> int:
        """The side to move, 0 or 1; without the hook `turn`, sides alternate from the start."""
        return self._once("turn", lambda: self.turn_at(len(self.moves)))

    def turn_at(self, plies: int) -> int:
        """Return the side to move after that many moves."""
        side = self.game.turn(self.positions[plies])
        return plies % 2 if side is None else side

    @property
    def keys(self) -> list[int]:
        """The keys of all positions so far."""
        return list(self._keys)

    @property
    def plies_without_progress(self) -> int:
        """Plies since the last irreversible move, added to `progress` of the start position."""
        return self._since[-1]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes and their probabilities if chance moves next, else nothing."""
        return [] if self.verdict().over else self.game.chance_outcomes(self.position)

    def legal_moves(self) -> list[int]:
        """Return the legal moves; none if the game is over."""
        return [] if self.verdict().over else self._playable()

    def playable(self) -> list[int]:
        """Return the legal moves, even where a player could claim a draw."""
        return self._playable() if self.claimable() else self.legal_moves()

    def _playable(self) -> list[int]:
        return list(self._once("playable", self._find_playable))

    def _find_playable(self) -> list[int]:
        moves = self.game.moves(self.position)
        if self.game.rules.constant("REPETITION") != "illegal":
            return moves
        return [
            m for m in moves if self.game.key(self.game.play(self.position, m)) not in self._keys
        ]

    def play(self, move: Any) -> None:
        """Make a legal move; raise `MoveError` if it is not."""
        if move not in self.legal_moves():
            hint = "; play_text makes moves from their texts" if isinstance(move, str) else ""
            raise MoveError(f"{move} is not a legal move here{hint}")
        self._make(move)

    def _make(self, move: int) -> None:
        irreversible = self.game.irreversible(self.position, move)
        self.positions.append(self.game.play(self.position, move))
        self.moves.append(move)
        self._keys.append(self.game.key(self.position))
        self._since.append(0 if irreversible else self._since[-1] + 1)
        self._known = {}

    def undo(self, count: int = 1) -> None:
        """Take back the last move, or the last `count` moves."""
        if not 0 <= count <= len(self.moves):
            raise MoveError(f"cannot take back {count} moves; {len(self.moves)} were made")
        if count:
            del self.moves[-count:], self.positions[-count:]
            del self._keys[-count:], self._since[-count:]
            self._known = {}

    def play_text(self, text: str) -> None:
        """Make the moves of a line such as `11-15 23-19`; an error names the illegal one."""
        for word in self.game.split_moves(text):
            self._make_silent_pass(word)
            number = len(self.moves) + 1
            verdict = self.verdict()
            if verdict.over:
                raise MoveError(
                    f"move {number}, '{clip(word)}': the game is over ({verdict.reason})"
                )
            try:
                self.play(self.game.parse_move(self.position, word))
            except MoveError as error:
                raise MoveError(f"move {number}, '{clip(word)}': {error}") from None

    def follow_text(self, text: str) -> None:
        """Make a move of a record, even where a player could claim a draw."""
        self._make_silent_pass(text)
        self._check_ongoing()
        self.follow(self.game.parse_move(self.position, text))

    def follow(self, move: int) -> None:
        """Make a move as `follow_text` does."""
        self._check_ongoing()
        if move not in self._playable():
            raise MoveError("the move repeats an earlier position")
        self._make(move)

    def _check_ongoing(self) -> None:
        verdict = self.verdict()
        if verdict.over and not self.claimable():
            raise MoveError(f"the game is over ({verdict.reason})")

    def claimable(self) -> bool:
        """Return whether the game is over only by a draw that a player has to claim."""
        verdict = self.verdict()
        if verdict.value != DRAW or self.game.outcome(self.position) != ONGOING:
            return False
        return bool(self._playable()) and not self.game.drawn(self.position)

    def _make_silent_pass(self, word: str) -> None:
        """Make a forced pass that a record leaves out before the move `word`."""
        if not self.game.rules.constant("SILENT_PASS"):
            return
        legal = self.legal_moves()
        if len(legal) == 1 and self.game.move_text(self.position, legal[0]) == "pass":
            try:
                self.game.parse_move(self.position, word)
            except MoveError:
                self.play(legal[0])

    def occurrences(self) -> int:
        """Return how often the current position has occurred, this time included."""
        return self._keys.count(self._keys[-1])

    def verdict(self) -> Verdict:
        """Return the state of the game."""
        return self._once("verdict", self._find_verdict)

    def _find_verdict(self) -> Verdict:
        game, position = self.game, self.position
        value = game.outcome(position)
        if value != ONGOING:
            return Verdict(value, self._reason(value))
        moves = self._playable()
        if not moves:
            return Verdict(game.stuck(position), "the side to move has no move")
        if game.drawn(position):
            return Verdict(DRAW, "a draw by rule")
        repetition = game.rules.constant("REPETITION")
        if repetition in ("draw", "loss"):
            count = game.rules.constant("REPETITION_COUNT")
            if self.occurrences() >= count:
                value = DRAW if repetition == "draw" else self._value_of_repeating()
                return Verdict(value, f"the position occurred {count} times", by_path=True)
        limit = game.rules.constant("NO_PROGRESS_LIMIT")
        if limit is not None and self._since[-1] >= limit:
            return Verdict(DRAW, f"{limit} plies without progress", by_path=True)
        return Verdict(ONGOING, "")

    def _reason(self, value: float) -> str:
        """Describe an outcome in words that are right in every game."""
        if value == DRAW:
            return "the game ends level"
        if value not in (WIN, LOSS):
            return "the final score decides"
        if not self.moves:
            return f"the side to move has {'won' if value == WIN else 'lost'}"
        winner = self.turn if value == WIN else 1 - self.turn
        wins = winner == self.turn_at(len(self.moves) - 1)
        return f"the last move {'wins' if wins else 'loses'} the game"

    def _value_of_repeating(self) -> int:
        """Return the value of a loss for the side that made the last move."""
        previous = self.game.turn(self.positions[-2]) if self.moves else None
        same_side = previous is not None and previous == self.game.turn(self.position)
        return LOSS if same_side else WIN
