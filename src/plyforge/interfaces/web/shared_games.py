"""Games in progress on the server, each shared by the pages that show it.

A game outlives the connection of its page: a page that comes back with its key resumes it.
"""

import secrets
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.drawing.pieces import colours
from plyforge.interfaces.web.clocks import Clocks
from plyforge.interfaces.web.opponents import LazyPlayer
from plyforge.interfaces.web.view import (
    board_fields,
    has_top,
    legal_fields,
    move_fields,
    start_text,
)
from plyforge.interfaces.web.workers import Job, Sent, Stop, Task
from plyforge.match.session import Session

if TYPE_CHECKING:
    from plyforge.interfaces.web.client import Client
    from plyforge.interfaces.web.state import ServerState

_KEY_BYTES: Final = 15
_KEPT: Final = 3
"""Games that a page has begun and that are kept, the present one among them."""
_IDLE_SECONDS: Final = 60.0
"""A shared that nobody is in may go after this, when another is wanted."""


class SharedGame:
    """A session, the pages that look at it, and the player that thinks."""

    def __init__(
        self, server: "ServerState", name: str, session: Session, clocks: Clocks | None
    ) -> None:
        self.key = secrets.token_urlsafe(_KEY_BYTES)
        self.name = name
        self.session = session
        self.lock = threading.RLock()
        self._house = server
        self._clocks = clocks
        self._clients: set[Client] = set()
        people = session.people
        self._turned = len(people) == 1 and has_top(session.game, people[0])
        """The only person's side is to be below."""
        self._task: Task | None = None
        self._flag: threading.Timer | None = None
        self._left = time.monotonic()

    # Guests

    def enter(self, client: "Client") -> None:
        """A page comes in and sees how things stand."""
        if client.shared_game is not None and client.shared_game is not self:
            client.shared_game.leave(client)
        with self.lock:
            client.shared_game = self
            self._clients.add(client)
            if client.gone:  # its connection ended while its message was being answered
                self.leave(client)
                return
            if self._flag is None:
                self._time(moved=False)
            client.send(self.state(client))
            self.go_on()

    def leave(self, client: "Client") -> None:
        """A page goes; with the last one the player's thinking ends."""
        with self.lock:
            self._clients.discard(client)
            client.shared_game = None
            if not self._clients:
                self._left = time.monotonic()
                self.interrupt()
                self._release()

    def _release(self) -> None:
        """Many rooms may wait for their guests: their players' tables need not."""
        for player in self._late():
            player.release()

    def _late(self) -> list[LazyPlayer]:
        players = [seat.player for seat in self.session.seats]
        return [player for player in players if isinstance(player, LazyPlayer)]

    @property
    def empty_for(self) -> float:
        """Seconds for which nobody has been here.

        Without the lock, which rules that never return may hold: all rooms are asked this.
        """
        left = self._left
        return 0.0 if self._clients else time.monotonic() - left

    def tell(self, message: Sent) -> None:
        """Send something to everybody here."""
        with self.lock:
            for client in self._clients:
                client.send(message)

    # The game

    def changed(self, moved: bool = False) -> None:
        """The game has changed, by a move or otherwise: tell, and let a player go on."""
        with self.lock:
            self._time(moved)
            for client in self._clients:
                client.send(self.state(client))
            self.go_on()

    def go_on(self) -> None:
        """Let the player to move think, unless it does."""
        with self.lock:
            if self._task is not None or not self._clients:
                return
            if self.session.waits_for_player:
                self._submit(self._reply)
            else:
                self._prepare()

    def _prepare(self) -> None:
        """Make the players while a person thinks: that may mean compiling."""
        late = self._late()
        if late and self.session.end is None and not late[0].tried:
            self._submit(lambda stop: _prepared(late[0]))

    def interrupt(self) -> None:
        """End the thinking of a player, whose move will not be made."""
        with self.lock:
            task, self._task = self._task, None
            self.session.disregard()
            if self._flag is not None:
                self._flag.cancel()
                self._flag = None
        if task is not None:
            task.stop.set()

    def _submit(self, job: Job) -> None:
        task = Task(job, self.tell, self._house.bounds.move_seconds)

        def ended() -> None:
            with self.lock:
                if self._task is task:
                    self._task = None
                    self.go_on()
                if not self._clients:  # what was made for those who have gone
                    self._release()

        task.ended = ended
        self._task = task
        try:
            self._house.move_workers.submit(task)
        except PlyforgeError as error:
            self._task = None
            self.tell({"type": "error", "text": str(error)})

    def _reply(self, stop: Stop) -> Iterator[Sent]:
        session = self.session
        with self.lock:
            if stop.is_set() or not session.waits_for_player:
                return
            side, player = session.turn, session.seats[session.turn].player
            clock = None if self._clocks is None else self._clocks.for_player(side)
        with stop.calling(lambda: player.close() if player is not None else None):
            choice = session.reply(clock=clock, guard=self.lock)
        if choice is not None or session.end is not None:
            self.changed(moved=True)
        yield from ()

    # Time

    def _time(self, moved: bool) -> None:
        """Let the right clock run, and notice when it has run out."""
        clocks, session = self._clocks, self.session
        if clocks is None:
            return
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        side = None if session.end is not None else session.turn
        if moved:
            clocks.moved(side)
        else:
            clocks.run(side)
        if side is not None:
            self._flag = threading.Timer(clocks.left(side) + _FLAG_MARGIN, self._fall)
            self._flag.daemon = True
            self._flag.start()

    @property
    def out_of_time(self) -> bool:
        """Whether a clock has run out: then no move can be taken back."""
        return self._clocks is not None and min(self._clocks.left(side) for side in (0, 1)) <= 0

    def _fall(self) -> None:
        with self.lock:
            if self._clocks is None or self.session.end is not None:
                return
            side = self._clocks.fallen
            if side is not None:
                self.interrupt()
                self.session.lose(side, "no time is left")
                self.changed()

    # What a page sees

    def turned(self, client: "Client") -> bool:
        """Whether a page sees the board from its other side."""
        return client.turned != self._turned

    def state(self, client: "Client") -> dict[str, Any]:
        """Everything a page shows of the game."""
        session, game = self.session, self.session.game
        end, last = session.end, session.last_move()
        return {
            "type": "state",
            "key": self.key,
            "game": self.name,
            "title": game.title,
            "players": list(game.players),
            "colours": list(colours(game.players)),
            "seats": [seat.name for seat in session.seats],
            "people": session.people,
            "turn": session.turn,
            "start": start_text(session.history),
            "moves": move_fields(session.history),
            "last": None if last is None else {"side": last[0], "text": last[1]},
            "end": None
            if end is None
            else {
                "result": end.result,
                "reason": end.reason,
                "winner": end.winner,
                "score": end.score,
            },
            "thinking": session.waits_for_player,
            "legal": legal_fields(session.history, session.legal_moves())
            if session.waits_for_person
            else [],
            "can": {
                "undo": session.can_undo and not self.out_of_time,
                "redo": session.can_redo,
                "claim": session.claimable(),
            },
            "clocks": None if self._clocks is None else self._clocks.fields(),
            **board_fields(session.history, turned=self.turned(client)),
        }


class SharedGames:
    """All rooms of a server."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._games: dict[str, SharedGame] = {}
        self._lock = threading.Lock()

    def open(self, shared: SharedGame, client: "Client") -> None:
        """A page begins a game in a shared of its own.

        Of those that it began before only a few are kept; if the server is full, a shared that was
        left long ago has to go.
        """
        with self._lock:
            if len(self._games) >= self._most:
                oldest = max(self._games.values(), key=lambda one: one.empty_for)
                if oldest.empty_for < _IDLE_SECONDS:
                    raise PlyforgeError(
                        f"{len(self._games)} games are being played, which is the most here;"
                        " try again later"
                    )
                self._close(oldest.key)
            self._games[shared.key] = shared
            client.begun.append(shared.key)
        shared.enter(client)
        with self._lock:
            for key in client.begun[:-_KEPT]:
                if key in self._games and self._games[key].empty_for > 0:
                    self._close(key)
            del client.begun[:-_KEPT]

    def _close(self, key: str) -> None:
        self._games.pop(key).session.close()

    def find(self, key: str) -> SharedGame | None:
        """The shared with a key; None if it is gone."""
        with self._lock:
            return self._games.get(key)


def _prepared(player: LazyPlayer) -> Iterator[Sent]:
    player.prepare()
    yield from ()


_FLAG_MARGIN: Final = 0.02
"""Seconds after which a clock is looked at again: timers may be early."""
