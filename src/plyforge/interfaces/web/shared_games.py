"""Games in progress on the server, each shared by the pages that show it.

A game outlives the connection of its page: a page that comes back with its key resumes it.
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from typing import Final, Protocol

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.drawing.pieces import colours
from plyforge.interfaces.web.clocks import Clocks
from plyforge.interfaces.web.game_file import StoredGame
from plyforge.interfaces.web.incoming import GameOptions
from plyforge.interfaces.web.opponents import LazyPlayer
from plyforge.interfaces.web.outgoing import Comment, Controls, End, Error, GameState, Move
from plyforge.interfaces.web.protocol import Outgoing
from plyforge.interfaces.web.view import (
    board_fields,
    is_at_top,
    last_ply,
    legal_moves,
    moves_made,
    start_text,
)
from plyforge.interfaces.web.workers import Job, Stop, Task, WorkerPool
from plyforge.match.session import Session
from plyforge.records import plain

_KEY_BYTES: Final = 15
_MAX_STARTED: Final = 3
"""Maximum games kept that one page has started, including the current one."""
_FLAG_MARGIN: Final = 0.02
"""Seconds after which a clock is checked again: timers may be early."""


class Viewer(Protocol):
    """A page that shows a game."""

    turned: bool

    @property
    def closed(self) -> bool:
        """Whether its connection has ended."""

    def send(self, message: Outgoing) -> None:
        """Send a message to it."""


class SharedGame:
    """A session, its clocks, the pages that show it, and the player that thinks."""

    def __init__(
        self,
        options: GameOptions,
        session: Session,
        clocks: Clocks | None,
        pool: WorkerPool,
        move_seconds: float,
        key: str | None = None,
        save: Callable[[str, Callable[[], StoredGame]], None] = lambda key, game: None,
    ) -> None:
        self.key = secrets.token_urlsafe(_KEY_BYTES) if key is None else key
        self.options = options
        self.session = session
        self._save = save
        self.lock = threading.RLock()
        self._clocks = clocks
        self._pool, self._move_seconds = pool, move_seconds
        self._viewers: set[Viewer] = set()
        people = session.people
        self._turned = len(people) == 1 and is_at_top(session.game, people[0])
        """Whether the board is turned so that the only person's side is at the bottom."""
        self._known_moves: tuple[list[int], list[Move]] = ([], [])
        self._task: Task | None = None
        self._flag: threading.Timer | None = None
        self._left_at = time.monotonic()

    # Viewers

    def join(self, viewer: Viewer) -> None:
        """Add a page, and send it the game."""
        with self.lock:
            self._viewers.add(viewer)
            if viewer.closed:  # its connection ended while its message was being answered
                self.leave(viewer)
                return
            self._roll()
            if self._flag is None:
                self._run_clock(moved=False)
            viewer.send(self.state(viewer))
            self.resume()

    def leave(self, viewer: Viewer) -> None:
        """Remove a page; when none is left, the player stops thinking."""
        with self.lock:
            self._viewers.discard(viewer)
            if not self._viewers:
                self._left_at = time.monotonic()
                self.interrupt()
                self._release_players()

    def _release_players(self) -> None:
        """Free the players' tables: many games may wait for their pages."""
        for player in self._lazy_players():
            player.release()

    def _lazy_players(self) -> list[LazyPlayer]:
        players = [seat.player for seat in self.session.seats]
        return [player for player in players if isinstance(player, LazyPlayer)]

    @property
    def idle_seconds(self) -> float:
        """Seconds for which no page has shown the game.

        This does not take the lock, which a game whose rules never return holds forever.
        """
        left_at = self._left_at
        return 0.0 if self._viewers else time.monotonic() - left_at

    def _send(self, message: Outgoing) -> None:
        """Send a message to all pages."""
        with self.lock:
            for viewer in self._viewers:
                viewer.send(message)

    # The game

    def update(self, moved: bool = False) -> None:
        """Send the changed game to all pages, and let a player think."""
        with self.lock:
            self._roll()
            self._run_clock(moved)
            for viewer in self._viewers:
                viewer.send(self.state(viewer))
            self.store()
            self.resume()

    def _roll(self) -> None:
        """Draw the outcomes of chance, unless people enter them."""
        while self.options.chance == "roll" and self.session.waits_for_chance:
            self.session.roll()

    def _rolled(self) -> str:
        """Return the text of the latest outcome of chance, if no move has been made since."""
        last = self.session.last_move()
        return last[1] if last is not None and self.session.last_was_chance else ""

    def store(self) -> None:
        """Store the game in the server's file, which writes it later."""
        with self.lock:
            clocks = self._clocks
            left = None if clocks is None else (clocks.left(0), clocks.left(1))
            # A move replaces the history of the session, so the copy stays as it is.
            self._save(self.key, partial(_stored, self.options, copy(self.session), left))

    def resume(self) -> None:
        """Let the player to move think, unless it is already thinking."""
        with self.lock:
            if self._task is not None or not self._viewers:
                return
            if self.session.waits_for_player:
                self._submit(self._reply)
            else:
                self._prepare_player()

    def _prepare_player(self) -> None:
        """Make the player while a person thinks: that may mean compiling."""
        players = self._lazy_players()
        if players and self.session.end is None and not players[0].requested:
            self._submit(lambda stop: _prepare(players[0]))

    def interrupt(self) -> None:
        """End the thinking of a player, whose move will not be made."""
        with self.lock:
            task, self._task = self._task, None
            self.session.discard_reply()
            if self._flag is not None:
                self._flag.cancel()
                self._flag = None
        if task is not None:
            task.stop.set()

    def _submit(self, job: Job) -> None:
        task = Task(job, self._send, self._move_seconds)

        def on_end() -> None:
            with self.lock:
                if self._task is task:
                    self._task = None
                    self.resume()
                if not self._viewers:  # it may have made a player for pages that have gone
                    self._release_players()

        task.on_end = on_end
        self._task = task
        try:
            self._pool.submit(task)
        except PlyforgeError as error:
            self._task = None
            self._send(Error(text=str(error)))

    def _reply(self, stop: Stop) -> Iterator[Outgoing]:
        session = self.session
        with self.lock:
            if stop.is_set() or not session.waits_for_player:
                return
            side, player = session.turn, session.seats[session.turn].player
            clock = None if self._clocks is None else self._clocks.for_player(side)
        with stop.calling(lambda: player.close() if player is not None else None):
            choice = session.reply(clock=clock, guard=self.lock)
        if choice is not None or session.end is not None:
            self.update(moved=True)
        yield from ()

    # Time

    def _run_clock(self, moved: bool) -> None:
        """Run the clock of the side to move, and set a timer for its end."""
        clocks, session = self._clocks, self.session
        if clocks is None:
            return
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        side = None if session.end is not None else session.turn
        if moved:
            clocks.switch_to(side)
        else:
            clocks.run(side)
        if side is not None:
            self._flag = threading.Timer(clocks.left(side) + _FLAG_MARGIN, self._check_flag)
            self._flag.daemon = True
            self._flag.start()

    @property
    def out_of_time(self) -> bool:
        """Whether a clock has run out: then no move can be taken back."""
        return self._clocks is not None and min(self._clocks.left(side) for side in (0, 1)) <= 0

    def _check_flag(self) -> None:
        with self.lock:
            if self._clocks is None or self.session.end is not None:
                return
            side = self._clocks.expired
            if side is not None:
                self.interrupt()
                self.session.lose(side, "no time is left")
                self.update()

    # Views

    def turned_for(self, viewer: Viewer) -> bool:
        """Return whether a page sees the board from its other side."""
        return viewer.turned != self._turned

    def _moves_made(self) -> list[Move]:
        """Return the moves made so far; those that were sent before are remembered."""
        history, (known, views) = self.session.history, self._known_moves
        pairs = enumerate(zip(known, history.moves, strict=False))
        same = next((n for n, (one, other) in pairs if one != other), None)
        if same is None:
            same = min(len(known), len(history.moves))
        views = [*views[:same], *moves_made(history, same)]
        self._known_moves = list(history.moves), views
        return views

    def state(self, viewer: Viewer) -> GameState:
        """Return everything that a page shows of the game."""
        session, game = self.session, self.session.game
        end, moves = session.end, self._moves_made()
        last = last_ply(session.history)
        return GameState(
            key=self.key,
            game=self.options.game,
            options=self.options,
            title=game.title,
            players=list(game.players),
            colours=list(colours(game.players)),
            seats=[seat.name for seat in session.seats],
            people=session.people,
            turn=session.turn,
            start=start_text(session.history),
            moves=moves,
            comments=[Comment(ply=n, text=text) for n, text in session.comments().items()],
            last=None if last is None else moves[last],
            opening=session.history.opening,
            end=None
            if end is None
            else End(result=end.result, reason=end.reason, winner=end.winner, score=end.score),
            thinking=session.waits_for_player,
            chance=session.waits_for_chance,
            rolled=self._rolled(),
            legal=legal_moves(session.history, session.legal_moves())
            if session.waits_for_person or session.waits_for_chance
            else [],
            can=Controls(
                undo=session.can_undo and not self.out_of_time,
                redo=session.can_redo,
                claim=session.claimable(),
            ),
            clocks=None if self._clocks is None else self._clocks.state(),
            **board_fields(session.history, turned=self.turned_for(viewer)),
        )


class SharedGames:
    """All games in progress, by their keys."""

    def __init__(self, max_games: int) -> None:
        self._max_games = max_games
        self._games: dict[str, SharedGame] = {}
        self._lock = threading.Lock()

    def add(self, game: SharedGame) -> SharedGame:
        """Add a game and return it, or the one that has its key already.

        If there are too many, drop the one that no page has shown for longest.  It is stored, and
        opened again when a page asks for it.
        """
        with self._lock:
            if game.key in self._games:
                return self._games[game.key]
            if len(self._games) >= self._max_games:
                oldest = max(self._games.values(), key=lambda one: one.idle_seconds)
                if not oldest.idle_seconds:
                    raise PlyforgeError(
                        f"the server is full: pages show all of its {len(self._games)} games;"
                        " try again later"
                    )
                self._close(oldest.key)
            self._games[game.key] = game
            return game

    def drop_old(self, started: list[str]) -> None:
        """Drop the oldest of the games that one page has started and no page shows."""
        with self._lock:
            for key in started[:-_MAX_STARTED]:
                if key in self._games and self._games[key].idle_seconds > 0:
                    self._close(key)
            del started[:-_MAX_STARTED]

    def drop_idle(self, kept: int) -> None:
        """Drop the games that no page has shown for longest, except for some: they are stored."""
        with self._lock:
            idle = sorted(
                (g for g in self._games.values() if g.idle_seconds), key=lambda g: -g.idle_seconds
            )
            for game in idle[: max(0, len(idle) - kept)]:
                self._close(game.key)

    def _close(self, key: str) -> None:
        self._games.pop(key).session.close()

    def find(self, key: str) -> SharedGame | None:
        """Return the game with a key; None if it is gone."""
        with self._lock:
            return self._games.get(key)


def _stored(options: GameOptions, session: Session, left: tuple[float, float] | None) -> StoredGame:
    return StoredGame(options, plain.write(options.game, session.record()), left)


def _prepare(player: LazyPlayer) -> Iterator[Outgoing]:
    player.prepare()
    yield from ()
