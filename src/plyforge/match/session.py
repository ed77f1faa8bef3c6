"""A game in progress between people and players, with undo and redo.

A session neither prints nor waits: its owner asks whose turn it is, and then makes a person's move
or lets a player choose one.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Final

from plyforge.core.errors import MoveError, PlyforgeError, clip
from plyforge.core.hashing import mix
from plyforge.core.randomness import Stream
from plyforge.engine.clock import Clock
from plyforge.game.chance import draw_outcome
from plyforge.game.game import Game, History
from plyforge.game.replay import record_of, result_of, score_of
from plyforge.match.players import Choice, Interruptible, Player
from plyforge.records.record import GameRecord

PERSON: Final = "a person"
_WINS: Final = ("1-0", "0-1")
"""The results, by the winning side."""
_DRAW: Final = "1/2-1/2"
_REASON_TAG: Final = "Termination"


@dataclass(frozen=True)
class Seat:
    """Who plays a side: a player, or a person if there is none."""

    player: Player | None = None
    name: str = PERSON


@dataclass(frozen=True)
class End:
    """How a game has ended: the result, from the first side's perspective, and the reason."""

    result: str
    reason: str
    score: float | None = None
    """The final score for the first side, in games that have one."""

    @property
    def winner(self) -> int | None:
        """The winning side, 0 or 1; None for a draw."""
        return None if self.result == _DRAW else _WINS.index(self.result)


class Session:
    """A game in progress, and the moves taken back from it.

    >>> import plyforge
    >>> session = Session(plyforge.load("tictactoe"), (Seat(), Seat()))
    >>> session.play_text("b2")
    >>> session.undo()
    >>> session.redo()
    >>> session.record().moves
    ('b2',)
    """

    def __init__(
        self,
        game: Game,
        seats: tuple[Seat, Seat],
        history: History | None = None,
        seed: int = 0,
    ) -> None:
        self.game = game
        self.seats = seats
        self.history = game.history() if history is None else history
        self._start = self.history.at(0)
        self._undone: list[int] = []
        """The moves taken back; the next one to redo is the last."""
        self._declared_end: End | None = None
        """An end that does not follow from the moves: a resignation, a claimed draw, a fault."""
        self._source = GameRecord(())
        """The record that the game was loaded from."""
        self._seed = seed
        self._begin()

    def _begin(self) -> None:
        for number, seat in enumerate(self.seats):
            if seat.player is not None:
                seat.player.begin(self._seed + number)

    # State

    @property
    def turn(self) -> int:
        return self.history.turn

    @property
    def end(self) -> End | None:
        """How the game has ended; None if it is not over.

        A person may play on where a draw can be claimed; a player always claims it.
        """
        if self._declared_end is not None:
            return self._declared_end
        verdict = self.history.verdict()
        if not verdict.over or (self._is_person(self.turn) and self.history.claimable()):
            return None
        return End(result_of(self.history), verdict.reason, score_of(self.history))

    @property
    def waits_for_chance(self) -> bool:
        """Whether chance is to move; `roll` draws an outcome, `play` makes a chosen one."""
        return self.game.is_chance(self.history.position) and self.end is None

    @property
    def waits_for_person(self) -> bool:
        """Whether a person is to move."""
        return self._is_person(self.turn) and self.end is None and not self.waits_for_chance

    @property
    def waits_for_player(self) -> bool:
        """Whether a player is to move; `reply` makes its move."""
        return not self._is_person(self.turn) and self.end is None and not self.waits_for_chance

    @property
    def people(self) -> list[int]:
        """The sides that people play."""
        return [side for side in (0, 1) if self._is_person(side)]

    def _is_person(self, side: int) -> bool:
        return self.seats[side].player is None

    def legal_moves(self) -> list[int]:
        """Return the moves that can be made now."""
        return [] if self.end is not None else self.history.playable()

    def claimable(self) -> str | None:
        """Return why the side to move may claim a draw; None if it may not."""
        if self.end is None and self.history.claimable():
            return self.history.verdict().reason
        return None

    def must_pass(self) -> bool:
        """Whether the only move is to pass."""
        legal = self.legal_moves()
        return len(legal) == 1 and self.move_text(legal[0]) == "pass"

    def move_text(self, move: int) -> str:
        """Return the text of a move of the current position."""
        return self.game.move_text(self.history.position, move)

    def last_move(self) -> tuple[int, str] | None:
        """Return the side that made the last move, and its text; None before the first move."""
        plies = len(self.history.moves)
        if not plies:
            return None
        before, move = self.history.positions[-2], self.history.moves[-1]
        return self.history.turn_at(plies - 1), self.game.move_text(before, move)

    @property
    def last_was_chance(self) -> bool:
        """Whether the last move was an outcome of chance."""
        return bool(self.history.moves) and self.game.is_chance(self.history.positions[-2])

    # Moves

    def find_move(self, text: str) -> int:
        """Return the legal move of a text; an error lists the legal moves."""
        self._check_ongoing()
        move = self.game.parse_move(self.history.position, text)
        if move not in self.legal_moves():
            raise MoveError(f"'{clip(text)}' is not legal: it repeats an earlier position")
        return move

    def play_text(self, text: str) -> None:
        """Make the move of a text for the side to move."""
        self.play(self.find_move(text))

    def play(self, move: int) -> None:
        """Make a move for the side to move."""
        self._check_ongoing()
        after = self.history.copy()
        after.follow(move)
        if self._undone[-1:] == [move]:
            self._undone.pop()
        else:
            self._undone.clear()
        # In one assignment, so that an interrupt leaves the game before or after the move.
        self.history = after

    def roll(self) -> int:
        """Draw an outcome of chance, make it and return it.

        It depends on the seed and the number of moves: taking a move back does not change it.
        """
        outcomes = self.history.chance_outcomes()
        if not outcomes or self.end is not None:
            raise PlyforgeError("chance is not to move; check 'waits_for_chance' first")
        stream = Stream(mix(self._seed, len(self.history.moves)))
        outcome = draw_outcome(outcomes, stream)
        self.play(outcome)
        return outcome

    def reply(
        self,
        interruptible: bool = True,
        clock: Clock | None = None,
        guard: AbstractContextManager[object] | None = None,
    ) -> Choice | None:
        """Let the player to move choose and make its move; None if it loses by a fault.

        With `interruptible`, a player that can be interrupted plays its best move so far on Ctrl-C;
        otherwise the interrupt is raised.  `clock` is the player's clock.  Code that changes the
        game in another thread holds `guard` meanwhile; the player's move then comes too late and is
        not made.
        """
        before, player = self.history, self.seats[self.turn].player
        if player is None or self.end is not None:
            raise PlyforgeError("no player is to move; check 'waits_for_player' first")
        fault, choice = "", None
        try:
            choice = _choose(player, before, interruptible, clock)
        except Exception as error:
            fault = f"it failed: {clip(f'{type(error).__name__}: {error}')}"
        with guard or nullcontext():
            if self.history is not before or self.end is not None:
                return None
            if choice is not None and choice.move not in before.legal_moves():
                fault = f"its move {clip(repr(choice.move))} is not legal"
            if choice is None or fault:
                self.lose(self.turn, fault)
                return None
            self.play(int(choice.move))
            return choice

    def discard_reply(self) -> None:
        """Discard the move that a player is still thinking about."""
        self.history = self.history.copy()

    def lose(self, side: int, fault: str) -> None:
        """Let a side lose by a fault or on time."""
        reason = f"{self.game.players[side]} ({self.seats[side].name}) loses: {fault}"
        self._declared_end = End(_WINS[1 - side], reason)

    def _check_ongoing(self) -> None:
        end = self.end
        if end is not None:
            raise MoveError(
                f"the game is over ({end.reason}); take a move back, or begin a new game"
            )

    # Undo and redo

    @property
    def can_undo(self) -> bool:
        """Whether a turn can be taken back."""
        return any(self._stops_at(self.history, number) for number in self._undo_plies())

    @property
    def can_redo(self) -> bool:
        """Whether a turn can be redone."""
        return bool(self._undone) and self._declared_end is None

    def _undo_stops(self) -> list[int]:
        """Return the plies at which undo may stop."""
        return [number for number in self._undo_plies() if self._stops_at(self.history, number)]

    def _undo_plies(self) -> range:
        """Return the plies before the current position, and its own if it ends the game."""
        return range(len(self.history.moves) + (self._declared_end is not None))

    def undo(self, turns: int = 1) -> None:
        """Take moves back to a person's previous turn, or `turns` turns.

        Where only players play, a turn is one move.  After a resignation at a person's
        turn, one turn takes back only the resignation.
        """
        turns, stops = _check_turns(turns), self._undo_stops()
        if turns > len(stops):
            raise PlyforgeError(f"{_format_turns(len(stops))} can be taken back, not {turns}")
        kept = stops[-turns]
        self._declared_end = None
        self._undone += reversed(self.history.moves[kept:])
        self.history = self.history.at(kept)

    def redo(self, turns: int = 1) -> None:
        """Redo moves that were taken back, to a person's next turn or the last of them."""
        turns = _check_turns(turns)
        if not self.can_redo:
            raise PlyforgeError("there is no move to redo")
        whole = self.history.copy()
        for move in reversed(self._undone):
            whole.follow(move)
        known, now = len(whole.moves), len(self.history.moves)
        stops = [p for p in range(now + 1, known) if self._stops_at(whole, p)] + [known]
        if turns > len(stops):
            raise PlyforgeError(f"{_format_turns(len(stops))} can be redone, not {turns}")
        self._undone = whole.moves[stops[turns - 1] :][::-1]
        self.history = whole.at(stops[turns - 1])

    def _stops_at(self, history: History, plies: int) -> bool:
        """Whether undo and redo stop there: at people's turns, if people play."""
        if self.game.is_chance(history.positions[plies]):
            return False
        return not self.people or self._is_person(history.turn_at(plies))

    # Ends and new games

    def resign(self, side: int | None = None) -> None:
        """Let a side resign: by default the only person, or else the side to move."""
        self._check_ongoing()
        if side is None:
            side = self.people[0] if len(self.people) == 1 else self.turn
        self._declared_end = End(_WINS[1 - side], f"{self.game.players[side]} resigned")

    def claim_draw(self) -> None:
        """Claim a draw for the side to move: by repetition, or by lack of progress."""
        self._check_ongoing()
        reason = self.claimable()
        if reason is None:
            raise PlyforgeError(
                "no draw can be claimed here: it needs repetition or lack of progress, as the"
                " game's rules define them"
            )
        self._declared_end = End(_DRAW, reason)

    def swap(self) -> None:
        """Exchange the players of the two sides."""
        self.seats = (self.seats[1], self.seats[0])

    def seat(self, side: int, seat: Seat) -> None:
        """Give a side to another player, or to a person."""
        if seat.player is not None:
            seat.player.begin(self._seed + side)
        self.seats = (seat, self.seats[1]) if side == 0 else (self.seats[0], seat)

    def restart(self) -> None:
        """Begin a new game from the same start, with another seed."""
        self._seed += len(self.seats)
        self._set(self._start)

    def _set(self, history: History, declared_end: End | None = None) -> None:
        self.history, self._start = history, history.at(0)
        self._undone, self._declared_end, self._source = [], declared_end, GameRecord(())
        self._begin()

    def close(self) -> None:
        """Close the players."""
        for seat in self.seats:
            if seat.player is not None:
                seat.player.close()

    # Records

    def comments(self) -> dict[int, str]:
        """Return the comments of the loaded record on moves that are still those of the game."""
        made = record_of(self.history).moves if self._source.comments else ()
        same = _count_common(self._source.moves, made)
        return {n: text for n, text in self._source.comments.items() if n <= same}

    def record(self) -> GameRecord:
        """Return the game as a record; tags and comments of a loaded record are kept."""
        end, source = self.end, self._source
        names = {side: seat.name for side, seat in zip(self.game.players, self.seats, strict=True)}
        old = {k: v for k, v in source.tags.items() if k not in ("Score", _REASON_TAG)}
        record = record_of(self.history, old | names)
        if self._declared_end is not None:
            record.tags[_REASON_TAG] = self._declared_end.reason
        same = _count_common(source.moves, record.moves)
        return replace(
            record,
            result="*" if end is None else end.result,
            comments={n: text for n, text in source.comments.items() if n <= same},
            marks={n: mark for n, mark in source.marks.items() if n <= same},
        )

    def load(self, record: GameRecord) -> None:
        """Resume a recorded game."""
        history, declared = self.game.replay(record), None
        own = history.verdict().over and not history.claimable()
        if record.result != "*" and not own:
            declared = End(record.result, record.tags.get(_REASON_TAG, "as recorded"))
        self._set(history, declared)
        self._source = record


def people_of(game: Game, record: GameRecord) -> list[int]:
    """Return the sides that people played in a recorded session; empty if it is not known."""
    return [side for side in (0, 1) if record.tags.get(game.players[side]) == PERSON]


def _choose(player: Player, history: History, interruptible: bool, clock: Clock | None) -> Choice:
    if interruptible and isinstance(player, Interruptible):
        return player.choose_until_interrupted(history, clock)
    return player.choose(history, clock)


def _count_common(some: tuple[str, ...], others: tuple[str, ...]) -> int:
    """Return the number of moves that two games have in common at their start."""
    for number, (one, other) in enumerate(zip(some, others, strict=False)):
        if one != other:
            return number
    return min(len(some), len(others))


def _check_turns(turns: int) -> int:
    if isinstance(turns, bool) or not isinstance(turns, int) or turns < 1:
        raise PlyforgeError(f"{turns!r} is not a number of turns; give 1 or more")
    return turns


def _format_turns(number: int) -> str:
    return {0: "nothing", 1: "only one turn"}.get(number, f"only {number} turns")
