"""Messages of the page on which users watch two players.

The page asks for each move, so a paused game holds no worker, and the page sets the pace.
"""

import math
import threading
import time
from collections.abc import Iterator
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine.result import score_text
from plyforge.game.game import Game, History
from plyforge.interfaces.drawing.pieces import colours
from plyforge.interfaces.web import incoming, outgoing
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.handlers import Handler, Handlers
from plyforge.interfaces.web.incoming import MAX_WATCHED_MOVES
from plyforge.interfaces.web.opponents import LazyPlayer
from plyforge.interfaces.web.outgoing import (
    WatchedMove,
    WatchMoveMade,
    WatchState,
    WatchStopped,
)
from plyforge.interfaces.web.players import MOVE_SECONDS, choices, make_seat
from plyforge.interfaces.web.protocol import Outgoing
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.view import board_fields, moves_made
from plyforge.interfaces.web.workers import Job, Stop
from plyforge.match.openings import OpeningSource
from plyforge.match.players import Choice
from plyforge.match.session import End, Session
from plyforge.records.record import GameRecord

_GRACE: Final = 1.0
"""Seconds beyond its time limit after which a player is stopped from outside."""
_DATA_KEY: Final = "watched game"


class WatchedGame:
    """A game between two players that a page shows."""

    def __init__(self, session: Session, opening: int) -> None:
        self.session = session
        self.opening = opening
        """The number of random moves before the players began."""
        self.move_requested = threading.Event()
        """Set while a move is queued or being chosen."""
        self._lock = threading.Lock()

    @property
    def end(self) -> End | None:
        """The end of the game; None while it is in progress."""
        if self.session.end is None and len(self.session.history.moves) >= MAX_WATCHED_MOVES:
            return End("1/2-1/2", f"the limit of {MAX_WATCHED_MOVES} moves")
        return self.session.end

    def prepare(self, stop: Stop) -> None:
        """Make the players, which may mean compiling."""
        with self._lock:
            for seat in self.session.seats:
                if isinstance(seat.player, LazyPlayer) and not stop.is_set():
                    seat.player.prepare()

    def move(self, stop: Stop, seen: int) -> Iterator[Outgoing]:
        """Let the player to move make its move; `seen` is how many moves the page knows."""
        message: Outgoing
        try:
            with self._lock:
                if self.end is not None or seen != len(self.session.history.moves):
                    message = self.state()
                else:
                    message = self._make_move(stop)
        finally:
            self.move_requested.clear()
        yield message

    def _make_move(self, stop: Stop) -> WatchMoveMade:
        session = self.session
        player, started = session.seats[session.turn].player, time.perf_counter()
        assert player is not None
        with stop.calling(player.close):
            choice = session.reply()
        seconds = time.perf_counter() - started
        history = session.history
        move = None
        if choice is not None and history.moves:
            last = moves_made(history)[-1]
            move = WatchedMove(
                side=last.side, text=last.text, seconds=seconds, **_choice_fields(choice)
            )
        return WatchMoveMade(
            ply=len(history.moves), move=move, end=self._end_view(), **board_fields(history)
        )

    def state(self) -> WatchState:
        """Return the whole game so far."""
        session = self.session
        return WatchState(
            title=session.game.title,
            sides=list(session.game.players),
            colours=list(colours(session.game.players)),
            players=[seat.name for seat in session.seats],
            opening=self.opening,
            turn=session.turn,
            moves=moves_made(session.history),
            boards=self._opening_boards(),
            end=self._end_view(),
            **board_fields(session.history),
        )

    def _opening_boards(self) -> list[str]:
        """Draw the positions before the players began, which the page has not seen."""
        history = self.session.history
        plies = range(min(self.opening, len(history.moves)) + 1)
        return [board_fields(history.at(ply))["board"] for ply in plies]

    def _end_view(self) -> outgoing.End | None:
        end = self.end
        if end is None:
            return None
        winner = None if end.winner is None else self.session.game.players[end.winner]
        return outgoing.End(result=end.result, reason=end.reason, winner=winner, score=end.score)


def _choice_fields(choice: Choice) -> dict[str, Any]:
    """Return the player's score, from its own perspective, with depth and nodes."""
    score = choice.score
    return {
        "score": None if score is None or not math.isfinite(score) else score_text(score),
        "depth": choice.depth,
        "nodes": choice.nodes,
    }


def make_game(server: ServerState, message: incoming.WatchBegin) -> WatchedGame:
    """Make a game between two described players.

    It starts after random moves, or after the moves that the page had seen before its connection
    was lost.
    """
    game = server.catalog.game(message.game)
    if len(message.players) != 2:
        raise PlyforgeError(
            "a game needs two players, such as engine:level=5 and random,"
            f" not {len(message.players)}"
        )
    first, second = (make_seat(server, game, text) for text in message.players)
    history = _opening(game, message.opening, message.seed)
    if message.moves is not None:
        history = game.replay(GameRecord(message.moves))
    session = Session(game, (first, second), history, message.seed)
    return WatchedGame(session, message.opening)


def _opening(game: Game, plies: int, seed: int) -> History:
    if not plies:
        return game.history()
    for opening in OpeningSource("random", plies).openings(game, seed):
        return opening.history(game)
    raise PlyforgeError(f"no game of {game.title} has {plies} moves or more; choose fewer")


# Messages


def begin(server: ServerState, client: Client, message: incoming.WatchBegin) -> None:
    """Start a game between two players."""
    client.data.pop(_DATA_KEY, None)

    def job(stop: Stop) -> Iterator[Outgoing]:
        game = make_game(server, message)
        game.prepare(stop)
        client.data[_DATA_KEY] = game
        yield game.state()

    client.start(job, pool=server.move_workers)


def move(server: ServerState, client: Client, message: incoming.WatchMove) -> None:
    """Make the next move."""
    game = _current_game(client)
    if game.move_requested.is_set():
        return
    game.move_requested.set()
    try:
        client.start(_move(game, message.ply), MOVE_SECONDS + _GRACE, server.move_workers)
    except PlyforgeError:
        game.move_requested.clear()
        raise


def _move(game: WatchedGame, seen: int) -> Job:
    return lambda stop: game.move(stop, seen)


def stop(server: ServerState, client: Client, message: incoming.WatchStop) -> None:
    """End the game."""
    client.data.pop(_DATA_KEY, None)
    client.stop()
    client.send(WatchStopped())


def _current_game(client: Client) -> WatchedGame:
    game = client.data.get(_DATA_KEY)
    if not isinstance(game, WatchedGame):
        raise PlyforgeError("this page watches no game; start one")
    return game


def send_choices(server: ServerState, client: Client, message: incoming.WatchChoices) -> None:
    """Send the players to choose from."""
    client.send(choices(server.drivers))


HANDLERS: Final[Handlers] = {
    incoming.WatchChoices: Handler(send_choices),
    incoming.WatchBegin: Handler(begin),
    incoming.WatchMove: Handler(move),
    incoming.WatchStop: Handler(stop),
}
