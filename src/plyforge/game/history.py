"""A game in progress: the positions so far, and the ends that depend on them.

Rules judge a position by itself; repetition and lack of progress depend on the way to it.
"""

import copy
from dataclasses import dataclass
from typing import Any, Self

from plyforge.core.errors import MoveError, clip
from plyforge.core.scores import DRAW, LOSS, ONGOING, WIN, outcome_name
from plyforge.game.base import BaseGame


@dataclass(frozen=True)
class Verdict:
    """How a game stands: its value for the side to move (`ONGOING` if not over), and why."""

    value: float
    reason: str
    by_path: bool = False
    """Whether it is the way that ends the game: a repetition, or no progress for too long."""

    @property
    def over(self) -> bool:
        return self.value != ONGOING

    @property
    def name(self) -> str:
        """`win`, `loss`, `draw` or `ongoing`, for the side to move."""
        return outcome_name(self.value)


class BaseHistory:
    """A start position and the moves made from it, without what only `Game` offers."""

    def __init__(self, game: BaseGame, start: Any = None) -> None:
        self.game = game
        kind = game.position_type
        first = game.initial() if start is None else kind.copy(kind.cast(start))
        self.positions = [first]
        self.moves: list[int] = []
        self._keys = [game.key(first)]
        self._since = [game.progress(first)]

    def __repr__(self) -> str:
        return f"<History of {self.game.name}, {len(self.moves)} moves>"

    def copy(self) -> Self:
        """The same game so far, to be gone on with in another way."""
        return self.at(len(self.moves))

    def at(self, plies: int) -> Self:
        """The game as it stood after so many moves."""
        if not 0 <= plies <= len(self.moves):
            raise MoveError(f"ply {plies} is not of this game; it goes from 0 to {len(self.moves)}")
        other = copy.copy(self)
        other.moves = self.moves[:plies]
        for name in ("positions", "_keys", "_since"):
            setattr(other, name, getattr(self, name)[: plies + 1])
        return other

    @property
    def position(self) -> Any:
        return self.positions[-1]

    @property
    def turn(self) -> int:
        """0 or 1: whose turn it is; a game without `turn` alternates from the start position."""
        return self.turn_at(len(self.moves))

    def turn_at(self, plies: int) -> int:
        """Whose turn it was after so many moves."""
        told = self.game.turn(self.positions[plies])
        return plies % 2 if told is None else told

    @property
    def keys(self) -> list[int]:
        """The keys of all positions so far."""
        return list(self._keys)

    @property
    def plies_without_progress(self) -> int:
        """Moves since the last irreversible one, the first position's own clock included."""
        return self._since[-1]

    def legal_moves(self) -> list[int]:
        """The legal moves; empty when the game is over."""
        return [] if self.verdict().over else self._playable()

    def playable(self) -> list[int]:
        """As `legal_moves`, also those after a draw that a player may claim but does not."""
        return self._playable() if self.claimable() else self.legal_moves()

    def _playable(self) -> list[int]:
        moves = self.game.moves(self.position)
        if self.game.rules.constant("REPETITION") != "illegal":
            return moves
        return [
            m for m in moves if self.game.key(self.game.play(self.position, m)) not in self._keys
        ]

    def play(self, move: int) -> None:
        """Make a legal move."""
        if move not in self.legal_moves():
            raise MoveError(f"{move} is not a legal move here")
        self._make(move)

    def _make(self, move: int) -> None:
        irreversible = self.game.irreversible(self.position, move)
        self.positions.append(self.game.play(self.position, move))
        self.moves.append(move)
        self._keys.append(self.game.key(self.position))
        self._since.append(0 if irreversible else self._since[-1] + 1)

    def play_text(self, text: str) -> None:
        """Make the moves of a line such as `11-15 23-19`; an error names the one that fails."""
        for word in self.game.split_moves(text):
            self._pass_silently(word)
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
        """Make a move of a record, also where a draw could have been claimed before it."""
        self._pass_silently(text)
        self._refuse_if_ended()
        self.follow(self.game.parse_move(self.position, text))

    def follow(self, move: int) -> None:
        """As `follow_text`, for a move that is known already."""
        self._refuse_if_ended()
        if move not in self._playable():
            raise MoveError("the move brings an earlier position back")
        self._make(move)

    def _refuse_if_ended(self) -> None:
        verdict = self.verdict()
        if verdict.over and not self.claimable():
            raise MoveError(f"the game is over ({verdict.reason})")

    def claimable(self) -> bool:
        """Whether the game is over only by a draw that players claim: repetition, no progress."""
        verdict = self.verdict()
        if verdict.value != DRAW or self.game.outcome(self.position) != ONGOING:
            return False
        return bool(self._playable()) and not self.game.drawn(self.position)

    def _pass_silently(self, word: str) -> None:
        """Make a forced pass that the record leaves out."""
        if not self.game.rules.constant("SILENT_PASS"):
            return
        legal = self.legal_moves()
        if len(legal) == 1 and self.game.move_text(self.position, legal[0]) == "pass":
            try:
                self.game.parse_move(self.position, word)
            except MoveError:
                self.play(legal[0])

    def occurrences(self) -> int:
        """How often the present position has stood on the board, this time included."""
        return self._keys.count(self._keys[-1])

    def verdict(self) -> Verdict:
        """How the game stands now."""
        game, position = self.game, self.position
        value = game.outcome(position)
        if value != ONGOING:
            return Verdict(value, self._why(value))
        moves = self._playable()
        if not moves:
            return Verdict(game.stuck(position), "the side to move has no move")
        if game.drawn(position):
            return Verdict(DRAW, "a draw by rule")
        repetition = game.rules.constant("REPETITION")
        if repetition in ("draw", "loss"):
            count = game.rules.constant("REPETITION_COUNT")
            if self.occurrences() >= count:
                worth = DRAW if repetition == "draw" else self._worth_of_repeating()
                return Verdict(worth, f"the position occurred {count} times", by_path=True)
        limit = game.rules.constant("NO_PROGRESS_LIMIT")
        if limit is not None and self._since[-1] >= limit:
            return Verdict(DRAW, f"{limit} plies without progress", by_path=True)
        return Verdict(ONGOING, "")

    def _why(self, value: float) -> str:
        """What an outcome that the rules tell means, in words that are right in every game."""
        if value == DRAW:
            return "a draw by rule"
        if value not in (WIN, LOSS):
            return "the final score decides"
        if not self.moves:
            return f"the side to move has {'won' if value == WIN else 'lost'}"
        winner = self.turn if value == WIN else 1 - self.turn
        wins = winner == self.turn_at(len(self.moves) - 1)
        return f"the last move {'wins' if wins else 'loses'} the game"

    def _worth_of_repeating(self) -> int:
        """The side that made the last move loses."""
        previous = self.game.turn(self.positions[-2]) if self.moves else None
        same_side = previous is not None and previous == self.game.turn(self.position)
        return LOSS if same_side else WIN
