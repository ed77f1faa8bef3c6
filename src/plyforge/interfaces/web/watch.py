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
from plyforge.core.game import Game
from plyforge.core.history import History
from plyforge.engine.result import score_text
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.house import House
from plyforge.interfaces.web.lanes import Job, Sent, Stop
from plyforge.interfaces.web.opponents import LatePlayer
from plyforge.interfaces.web.players import MOVE_SECONDS, choices, seat
from plyforge.interfaces.web.schema import Message, many, optional, text, whole
from plyforge.interfaces.web.view import board_fields, move_fields
from plyforge.match.openings import Source
from plyforge.match.players import Choice
from plyforge.match.referee import House as Rules
from plyforge.match.session import End, Session

_GRACE: Final = 1.0
"""Seconds beyond its time until a player is stopped from outside."""
_MOST_NAME: Final = 80
_MOST_DESCRIPTION: Final = 200
_MOST_OPENING: Final = 12
_MOST_SEED: Final = 2**31 - 1


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
        most = Rules().most_plies
        if self.session.end is None and len(self.session.history.moves) >= most:
            return End("1/2-1/2", f"the limit of {most} moves")
        return self.session.end

    def prepare(self, stop: Stop) -> Iterator[Sent]:
        """Make the players, which may mean compiling, and tell how the game begins."""
        with self._alone:
            for seat in self.session.seats:
                if isinstance(seat.player, LatePlayer) and not stop.is_set():
                    seat.player.prepare()
        yield self.state()

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
        session, side = self.session, self.session.turn
        player, started = session.seats[side].player, time.perf_counter()
        assert player is not None
        with stop.calling(player.close):
            choice = session.reply()
        took = time.perf_counter() - started
        history = session.history
        last = None if choice is None else move_fields(history)[-1]
        return {
            "type": "watch-move",
            "ply": len(history.moves),
            "side": side,
            "move": None if last is None else {**last, **_opinion(choice), "seconds": took},
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
            "players": [seat.name for seat in session.seats],
            "opening": self.opening,
            "turn": session.turn,
            "moves": move_fields(session.history),
            "end": self._end_fields(),
            **board_fields(session.history),
        }

    def _end_fields(self) -> dict[str, Any] | None:
        end = self.end
        if end is None:
            return None
        winner = None if end.winner is None else self.session.game.players[end.winner]
        return {"result": end.result, "reason": end.reason, "winner": winner, "score": end.score}


def _opinion(choice: Choice | None) -> dict[str, Any]:
    """What a player thinks of its move, in its own view."""
    if choice is None:
        return {}
    score = choice.score
    known = score is not None and math.isfinite(score)
    return {
        "score": score_text(score) if score is not None and known else None,
        "depth": choice.depth,
        "nodes": choice.nodes,
    }


def watched(
    house: House, game: Game, players: tuple[str, str], opening: int = 0, seed: int = 0
) -> Watched:
    """A game between two described players, from the start or after some random moves."""
    first, second = (seat(house, game, told) for told in players)
    return Watched(Session(game, (first, second), _begun(game, opening, seed), seed), opening)


def _begun(game: Game, plies: int, seed: int) -> History:
    if not plies:
        return game.history()
    for opening in Source("random", plies).openings(game, seed):
        return opening.history(game)
    raise PlyforgeError(f"{game.title} has no games of {plies} moves and more; take fewer")


# Messages


def begin(client: Client, given: dict[str, Any]) -> None:
    """Two players sit down."""
    client.stop()
    first, second = given["players"] if len(given["players"]) == 2 else _refuse_players()
    game = client.house.game(given["game"])
    found = watched(client.house, game, (first, second), given["opening"], given["seed"])
    client.kept[_KEPT] = found
    client.work(found.prepare, lane=client.house.movers)


def _refuse_players() -> tuple[str, str]:
    raise PlyforgeError("two players play; describe two, as engine:level=5 and random")


def move(client: Client, given: dict[str, Any]) -> None:
    """The next move."""
    found = _kept(client)
    if found.asked.is_set():
        return
    found.asked.set()
    try:
        client.work(_moving(found, given["ply"]), MOVE_SECONDS + _GRACE, client.house.movers)
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
    client.send({"type": "watch-choices", **choices(), "opening": _MOST_OPENING})


_KEPT: Final = "watch"
MESSAGES: Final = {
    "watch-choices": Message({}, offer),
    "watch-begin": Message(
        {
            "game": text(_MOST_NAME),
            "players": many(text(_MOST_DESCRIPTION), 2),
            "opening": optional(whole(0, _MOST_OPENING), 0),
            "seed": optional(whole(0, _MOST_SEED), 0),
        },
        begin,
    ),
    "watch-move": Message({"ply": whole(0, 100_000)}, move),
    "watch-stop": Message({}, stop),
}
