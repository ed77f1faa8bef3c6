"""Messages of the page on which one watches two players.

A page asks for one move after the other: so nobody holds a worker while it pauses, and how fast a
game goes is its own affair.
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
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.opponents import LazyPlayer
from plyforge.interfaces.web.players import MOVE_SECONDS, choices, seat
from plyforge.interfaces.web.schema import Message, many, optional, text, whole
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.view import board_fields, move_fields
from plyforge.interfaces.web.workers import Job, Sent, Stop
from plyforge.match.openings import OpeningSource
from plyforge.match.players import Choice
from plyforge.match.referee import MatchRules
from plyforge.match.session import End, Session
from plyforge.records.record import GameRecord

_GRACE: Final = 1.0
"""Seconds beyond its time until a player is stopped from outside."""
_MAX_NAME: Final = 80
_MAX_DESCRIPTION: Final = 200
_MAX_MOVE: Final = 200
_MAX_MOVES: Final = MatchRules().max_plies
_MAX_OPENING: Final = 12
_MAX_SEED: Final = 2**31 - 1


class Watched:
    """A game between two players that a page looks at."""

    def __init__(self, session: Session, opening: int) -> None:
        self.session = session
        self.opening = opening
        """How many moves were made at random before the players began."""
        self.asked = threading.Event()
        """Set while a move is on its way."""
        self._alone = threading.Lock()

    @property
    def end(self) -> End | None:
        most = _MAX_MOVES
        if self.session.end is None and len(self.session.history.moves) >= most:
            return End("1/2-1/2", f"the limit of {most} moves")
        return self.session.end

    def prepare(self, stop: Stop) -> None:
        """Make the players, which may mean compiling."""
        with self._alone:
            for seat in self.session.seats:
                if isinstance(seat.player, LazyPlayer) and not stop.is_set():
                    seat.player.prepare()

    def move(self, stop: Stop, seen: int) -> Iterator[Sent]:
        """Let the player to move make its move; `seen` is how many moves the page knows."""
        try:
            with self._alone:
                session = self.session
                if self.end is not None or seen != len(session.history.moves):
                    told = self.state()
                else:
                    told = self._moved(stop)
        finally:
            self.asked.clear()
        yield told

    def _moved(self, stop: Stop) -> Sent:
        session = self.session
        player, started = session.seats[session.turn].player, time.perf_counter()
        assert player is not None
        with stop.calling(player.close):
            choice = session.reply()
        took = time.perf_counter() - started
        history, last = session.history, session.last_move()
        moved = None
        if choice is not None and last is not None:
            moved = {"side": last[0], "text": last[1], "seconds": took, **_opinion(choice)}
        return {
            "type": "watch-move",
            "ply": len(history.moves),
            "move": moved,
            "end": self._end_fields(),
            **board_fields(history),
        }

    def state(self) -> Sent:
        """The whole game so far."""
        session = self.session
        return {
            "type": "watch",
            "title": session.game.title,
            "sides": list(session.game.players),
            "colours": list(colours(session.game.players)),
            "players": [seat.name for seat in session.seats],
            "opening": self.opening,
            "turn": session.turn,
            "moves": move_fields(session.history),
            "boards": self._opening_boards(),
            "end": self._end_fields(),
            **board_fields(session.history),
        }

    def _opening_boards(self) -> list[str]:
        """The positions before the players began, which a page has not seen."""
        history = self.session.history
        plies = range(min(self.opening, len(history.moves)) + 1)
        return [board_fields(history.at(ply))["board"] for ply in plies]

    def _end_fields(self) -> dict[str, Any] | None:
        end = self.end
        if end is None:
            return None
        winner = None if end.winner is None else self.session.game.players[end.winner]
        return {"result": end.result, "reason": end.reason, "winner": winner, "score": end.score}


def _opinion(choice: Choice) -> dict[str, Any]:
    """What a player thinks of its move, in its own view."""
    score = choice.score
    return {
        "score": None if score is None or not math.isfinite(score) else score_text(score),
        "depth": choice.depth,
        "nodes": choice.nodes,
    }


def watched(server: ServerState, given: dict[str, Any]) -> Watched:
    """A game between two described players: from the start, after some random moves, or after the
    moves that a page has seen before its connection was lost."""
    game, told, seed = server.game(given["game"]), given["players"], given["seed"]
    if len(told) != 2:
        raise PlyforgeError("two players play; describe two, as engine:level=5 and random")
    first, second = (seat(server, game, one) for one in told)
    history, opening = _begun(game, given["opening"], seed), given["opening"]
    if given["moves"] is not None:
        history = game.replay(GameRecord(tuple(given["moves"])))
    return Watched(Session(game, (first, second), history, seed), opening)


def _begun(game: Game, plies: int, seed: int) -> History:
    if not plies:
        return game.history()
    for opening in OpeningSource("random", plies).openings(game, seed):
        return opening.history(game)
    raise PlyforgeError(f"{game.title} has no games of {plies} moves and more; take fewer")


# Messages


def begin(client: Client, given: dict[str, Any]) -> None:
    """Two players sit down."""
    client.kept.pop(_KEPT, None)

    def job(stop: Stop) -> Iterator[Sent]:
        found = watched(client.server, given)
        found.prepare(stop)
        client.kept[_KEPT] = found
        yield found.state()

    client.work(job, pool=client.server.move_workers)


def move(client: Client, given: dict[str, Any]) -> None:
    """The next move."""
    found = _kept(client)
    if found.asked.is_set():
        return
    found.asked.set()
    try:
        client.work(_moving(found, given["ply"]), MOVE_SECONDS + _GRACE, client.server.move_workers)
    except PlyforgeError:
        found.asked.clear()
        raise


def _moving(found: Watched, seen: int) -> Job:
    return lambda stop: found.move(stop, seen)


def stop(client: Client, given: dict[str, Any]) -> None:
    """No more of this game."""
    client.kept.pop(_KEPT, None)
    client.stop()
    client.send({"type": "watch-stopped"})


def _kept(client: Client) -> Watched:
    found = client.kept.get(_KEPT)
    if not isinstance(found, Watched):
        raise PlyforgeError("no game is watched on this page; begin one")
    return found


def offer(client: Client, given: dict[str, Any]) -> None:
    """Tell what may be chosen."""
    client.send({"type": "watch-choices", **choices(), "opening": _MAX_OPENING})


_KEPT: Final = "watch"
MESSAGES: Final = {
    "watch-choices": Message({}, offer),
    "watch-begin": Message(
        {
            "game": text(_MAX_NAME),
            "players": many(text(_MAX_DESCRIPTION), 2),
            "moves": optional(many(text(_MAX_MOVE), _MAX_MOVES)),
            "opening": optional(whole(0, _MAX_OPENING), 0),
            "seed": optional(whole(0, _MAX_SEED), 0),
        },
        begin,
    ),
    "watch-move": Message({"ply": whole(0, 100_000)}, move),
    "watch-stop": Message({}, stop),
}
