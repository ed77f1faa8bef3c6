"""A game between sides that are players or people, with moves taken back: what a terminal or a
page shows.

Nothing here prints or waits for anybody: whoever owns a session asks whose turn it is, and hands
in a person's move or lets a player choose one.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Final

from plyforge.core.errors import MoveError, PlyforgeError, clip
from plyforge.engine.clock import Clock
from plyforge.game.game import Game, History
from plyforge.game.replay import record_of, result_of, score_of
from plyforge.match.players import Choice, Interruptible, Player
from plyforge.records.record import GameRecord

PERSON: Final = "a person"
_WINS: Final = ("1-0", "0-1")
"""The results by the side that has won."""
_DRAW: Final = "1/2-1/2"
_REASON_TAG: Final = "Termination"


@dataclass(frozen=True)
class Seat:
    """Who has a side: a player, or a person where there is none."""

    player: Player | None = None
    name: str = PERSON


@dataclass(frozen=True)
class End:
    """How a game has ended: the result in view of the first side, and why."""

    result: str
    reason: str
    score: float | None = None
    """The final score in view of the first side, in games that have one."""

    @property
    def winner(self) -> int | None:
        """0 or 1; None for a draw."""
        return None if self.result == _DRAW else _WINS.index(self.result)


class Session:
    """A game in progress, and what was taken back from it.

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
        """The moves taken back, the next one to be made again last."""
        self._given: End | None = None
        """An end that the rules do not tell: somebody resigned, or claimed a draw."""
        self._source = GameRecord(())
        """The record that the game was loaded from."""
        self._seed = seed
        self._begin()

    def _begin(self) -> None:
        for number, seat in enumerate(self.seats):
            if seat.player is not None:
                seat.player.begin(self._seed + number)

    # How it stands

    @property
    def turn(self) -> int:
        return self.history.turn

    @property
    def end(self) -> End | None:
        """How the game has ended; None while it goes on.

        A person may go on where a draw could be claimed; a player always claims it.
        """
        if self._given is not None:
            return self._given
        verdict = self.history.verdict()
        if not verdict.over or (self._is_person(self.turn) and self.history.claimable()):
            return None
        return End(result_of(self.history), verdict.reason, score_of(self.history))

    @property
    def waits_for_person(self) -> bool:
        """Whether a person is to move."""
        return self._is_person(self.turn) and self.end is None

    @property
    def waits_for_player(self) -> bool:
        """Whether a player is to move: `reply` lets it."""
        return not self._is_person(self.turn) and self.end is None

    @property
    def people(self) -> list[int]:
        """The sides that people have."""
        return [side for side in (0, 1) if self._is_person(side)]

    def _is_person(self, side: int) -> bool:
        return self.seats[side].player is None

    def legal_moves(self) -> list[int]:
        """The moves that can be made now."""
        return [] if self.end is not None else self.history.playable()

    def claimable(self) -> str | None:
        """Why the side to move may claim a draw; None if it may not."""
        if self.end is None and self.history.claimable():
            return self.history.verdict().reason
        return None

    def must_pass(self) -> bool:
        """Whether the only move is to pass."""
        legal = self.legal_moves()
        return len(legal) == 1 and self.move_text(legal[0]) == "pass"

    def move_text(self, move: int) -> str:
        """A move of the present position as players write it."""
        return self.game.move_text(self.history.position, move)

    def last_move(self) -> tuple[int, str] | None:
        """Who made the last move, and the move as players write it."""
        plies = len(self.history.moves)
        if not plies:
            return None
        before, move = self.history.positions[-2], self.history.moves[-1]
        return self.history.turn_at(plies - 1), self.game.move_text(before, move)

    # Moves

    def find_move(self, text: str) -> int:
        """The legal move that a text means, or an error that says which there are."""
        self._refuse_if_ended()
        move = self.game.parse_move(self.history.position, text)
        if move not in self.legal_moves():
            raise MoveError(f"'{clip(text)}' is not legal: it brings an earlier position back")
        return move

    def play_text(self, text: str) -> None:
        """Make a move for the side to move."""
        self.play(self.find_move(text))

    def play(self, move: int) -> None:
        """As `play_text`, for a move that is known."""
        self._refuse_if_ended()
        after = self.history.copy()
        after.follow(move)
        if self._undone[-1:] == [move]:
            self._undone.pop()
        else:
            self._undone.clear()
        # In one step, so that an interrupt leaves the game before the move or after it.
        self.history = after

    def reply(
        self,
        hurry: bool = True,
        clock: Clock | None = None,
        guard: AbstractContextManager[object] | None = None,
    ) -> Choice | None:
        """Let the player to move choose and make its move; None if it loses by a fault.

        With `hurry`, a player that can plays its best move so far when Ctrl-C interrupts it;
        otherwise the interrupt is raised.  `clock` is what is left on the player's.
        While it thinks, others may change the game: whoever does holds `guard`, and then the move
        comes too late and is not made.
        """
        asked, player = self.history, self.seats[self.turn].player
        if player is None or self.end is not None:
            raise PlyforgeError("no player is to move; ask 'waits_for_player' first")
        fault, choice = "", None
        try:
            choice = _chosen(player, asked, hurry, clock)
        except Exception as error:
            fault = f"it failed: {clip(f'{type(error).__name__}: {error}')}"
        with guard or nullcontext():
            if self.history is not asked or self.end is not None:
                return None
            if choice is not None and choice.move not in asked.legal_moves():
                fault = f"its move {clip(repr(choice.move))} is not legal"
            if choice is None or fault:
                self.lose(self.turn, fault)
                return None
            self.play(int(choice.move))
            return choice

    def disregard(self) -> None:
        """A move that a player is still thinking about will not be made."""
        self.history = self.history.copy()

    def lose(self, side: int, fault: str) -> None:
        """A side loses by something that is no move: a fault, or its time."""
        told = f"{self.game.players[side]} ({self.seats[side].name}) loses: {fault}"
        self._given = End(_WINS[1 - side], told)

    def _refuse_if_ended(self) -> None:
        end = self.end
        if end is not None:
            raise MoveError(f"the game is over ({end.reason}); take a move back, or begin anew")

    # Back and forth

    @property
    def can_undo(self) -> bool:
        """Whether a turn can be taken back."""
        return bool(self._turns_back())

    @property
    def can_redo(self) -> bool:
        """Whether a turn can be made again."""
        return bool(self._undone) and self._given is None

    def _turns_back(self) -> list[int]:
        """The plies at which going back may stop."""
        plies = range(len(self.history.moves) + (self._given is not None))
        return [number for number in plies if self._stops_at(self.history, number)]

    def undo(self, turns: int = 1) -> None:
        """Take moves back to a person's previous turn, or the last but one and so on.

        Where no people play, it is one move.  A person who has resigned takes back just that.
        """
        turns, stops = _count(turns), self._turns_back()
        if turns > len(stops):
            raise PlyforgeError(f"{_times(len(stops))} can be taken back, not {turns}")
        kept = stops[-turns]
        self._given = None
        self._undone += reversed(self.history.moves[kept:])
        self.history = self.history.at(kept)

    def redo(self, turns: int = 1) -> None:
        """Make moves again that were taken back, to a person's next turn or the last of them."""
        turns = _count(turns)
        if not self.can_redo:
            raise PlyforgeError("there is no move to make again; only 'undo' leaves some")
        whole = self.history.copy()
        for move in reversed(self._undone):
            whole.follow(move)
        known, now = len(whole.moves), len(self.history.moves)
        stops = [p for p in range(now + 1, known) if self._stops_at(whole, p)] + [known]
        if turns > len(stops):
            raise PlyforgeError(f"{_times(len(stops))} can be made again, not {turns}")
        self._undone = whole.moves[stops[turns - 1] :][::-1]
        self.history = whole.at(stops[turns - 1])

    def _stops_at(self, history: History, plies: int) -> bool:
        """Whether going back and forth stops there: at people's turns, if people play."""
        return not self.people or self._is_person(history.turn_at(plies))

    # Ends, and new beginnings

    def resign(self, side: int | None = None) -> None:
        """A side gives up: by default the one to move, or the only person."""
        self._refuse_if_ended()
        if side is None:
            side = self.people[0] if len(self.people) == 1 else self.turn
        self._given = End(_WINS[1 - side], f"{self.game.players[side]} resigned")

    def claim_draw(self) -> None:
        """The side to move claims a draw: by repetition, or for lack of progress."""
        self._refuse_if_ended()
        reason = self.claimable()
        if reason is None:
            raise PlyforgeError(
                "no draw can be claimed here: only after repetition, or for lack"
                " of progress, as the game's rules say"
            )
        self._given = End(_DRAW, reason)

    def swap(self) -> None:
        """The sides change their players."""
        self.seats = (self.seats[1], self.seats[0])

    def seat(self, side: int, seat: Seat) -> None:
        """Another player, or a person, takes a side."""
        if seat.player is not None:
            seat.player.begin(self._seed + side)
        self.seats = (seat, self.seats[1]) if side == 0 else (self.seats[0], seat)

    def restart(self) -> None:
        """A new game from the same start; a player at a level plays it in another way."""
        self._seed += len(self.seats)
        self._set(self._start)

    def _set(self, history: History, given: End | None = None) -> None:
        self.history, self._start = history, history.at(0)
        self._undone, self._given, self._source = [], given, GameRecord(())
        self._begin()

    def close(self) -> None:
        """No more moves: the players go."""
        for seat in self.seats:
            if seat.player is not None:
                seat.player.close()

    # Records

    def record(self) -> GameRecord:
        """The game as a record; what a loaded one told besides its moves is kept."""
        end, source = self.end, self._source
        names = {side: seat.name for side, seat in zip(self.game.players, self.seats, strict=True)}
        old = {k: v for k, v in source.tags.items() if k not in ("Score", _REASON_TAG)}
        told = record_of(self.history, old | names)
        if self._given is not None:
            told.tags[_REASON_TAG] = self._given.reason
        same = _common(source.moves, told.moves)
        return replace(
            told,
            result="*" if end is None else end.result,
            comments={n: text for n, text in source.comments.items() if n <= same},
            marks={n: mark for n, mark in source.marks.items() if n <= same},
        )

    def load(self, record: GameRecord) -> None:
        """Go on with a recorded game where it stood."""
        history, given = self.game.replay(record), None
        own = history.verdict().over and not history.claimable()
        if record.result != "*" and not own:
            given = End(record.result, record.tags.get(_REASON_TAG, "so the record says"))
        self._set(history, given)
        self._source = record


def people_of(game: Game, record: GameRecord) -> list[int]:
    """The sides that people had in a recorded session; empty if the record does not tell."""
    return [side for side in (0, 1) if record.tags.get(game.players[side]) == PERSON]


def _chosen(player: Player, history: History, hurry: bool, clock: Clock | None) -> Choice:
    if hurry and isinstance(player, Interruptible):
        return player.choose_until_interrupted(history, clock)
    return player.choose(history, clock)


def _common(some: tuple[str, ...], others: tuple[str, ...]) -> int:
    """How many moves two games have in common."""
    for number, (one, other) in enumerate(zip(some, others, strict=False)):
        if one != other:
            return number
    return min(len(some), len(others))


def _count(turns: int) -> int:
    if isinstance(turns, bool) or not isinstance(turns, int) or turns < 1:
        raise PlyforgeError(f"{turns!r} is no number of turns; give 1 or more")
    return turns


def _times(number: int) -> str:
    return {0: "nothing", 1: "only one turn"}.get(number, f"only {number} turns")
