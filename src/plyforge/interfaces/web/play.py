"""Messages of the page on which people play."""

from collections.abc import Iterator
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine import Engine
from plyforge.engine.clock import Clock
from plyforge.engine.levels import LEVELS
from plyforge.game.game import Game, History
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.clocks import Clocks
from plyforge.interfaces.web.opponents import clocked_seat, level_seat, timed_seat
from plyforge.interfaces.web.schema import (
    Check,
    Message,
    Optional,
    choice,
    fields,
    number,
    optional,
    text,
    whole,
)
from plyforge.interfaces.web.shared_games import SharedGame
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.view import arrow, board_fields
from plyforge.interfaces.web.workers import Job, Sent, Stop
from plyforge.match.session import Seat, Session
from plyforge.records.record import GameRecord

HINT_SECONDS: Final = 1.0
HINT_MIB: Final = 8.0
MAX_NAME: Final = 80
MAX_MOVE: Final = 200
MAX_POSITION: Final = 4000
MAX_RECORD: Final = 200_000
SIDES: Final = {"first": [0], "second": [1], "both": [0, 1], "none": []}


def new(client: Client, given: dict[str, Any]) -> None:
    """Begin a game in a shared of its own."""
    client.server.shared_games.open(_made(client.server, given), client)


def _made(
    server: ServerState, given: dict[str, Any], record: GameRecord | None = None
) -> SharedGame:
    """A shared for a game: from its start, from a position, or as it was recorded."""
    name = given["game"]
    game = server.game(name)
    clock = None
    if given["minutes"] is not None:
        clock = Clock(60 * given["minutes"], given["increment"])
    people = SIDES[given["side"]]
    first, second = (
        Seat() if side in people else _seat(server, game, given, clock) for side in (0, 1)
    )
    history = None
    if given["position"]:
        history = game.history(game.parse(given["position"]))
    session = Session(game, (first, second), history, given["seed"])
    if record is not None:
        session.load(record)
    clocks = None if clock is None else Clocks(clock.left, clock.increment)
    return SharedGame(server, name, session, clocks)


def _seat(server: ServerState, game: Game, given: dict[str, Any], clock: Clock | None) -> Seat:
    if clock is not None:
        return clocked_seat(server, game, clock)
    if given["seconds"] is not None:
        return timed_seat(server, game, given["seconds"])
    return level_seat(server, game, given["level"])


def join(client: Client, given: dict[str, Any]) -> None:
    """Come back to a game."""
    shared = client.server.shared_games.find(given["key"])
    if shared is None:
        client.send({"type": "gone", "key": given["key"]})
    else:
        shared.enter(client)


def move(client: Client, given: dict[str, Any]) -> None:
    """A person's move; `ply` says after how many moves it was meant to be made."""
    shared = _current_game(client)
    with shared.lock:
        session = shared.session
        if given["ply"] != len(session.history.moves):
            client.send(shared.state(client))
            return
        if not session.waits_for_person:
            raise PlyforgeError("it is not your turn")
        session.play_text(given["text"])
        shared.changed(moved=True)


def undo(client: Client, given: dict[str, Any]) -> None:
    """Take the last turn back."""
    shared = _current_game(client)
    with shared.lock:
        if shared.out_of_time:
            raise PlyforgeError("no time is left; begin another game")
        shared.interrupt()
        shared.session.undo()
        shared.changed()


def redo(client: Client, given: dict[str, Any]) -> None:
    """Make a turn again that was taken back."""
    shared = _current_game(client)
    with shared.lock:
        shared.interrupt()
        shared.session.redo()
        shared.changed()


def resign(client: Client, given: dict[str, Any]) -> None:
    """Give the game up."""
    shared = _current_game(client)
    with shared.lock:
        shared.session.resign()
        shared.interrupt()
        shared.changed()


def claim(client: Client, given: dict[str, Any]) -> None:
    """Claim a draw."""
    shared = _current_game(client)
    with shared.lock:
        shared.session.claim_draw()
        shared.changed()


def hint(client: Client, given: dict[str, Any]) -> None:
    """Search a little, and show the best move as an arrow."""
    shared = _current_game(client)
    with shared.lock:
        if not shared.session.waits_for_person:
            raise PlyforgeError("a hint is for the side to move, which must be yours")
        history = shared.session.history.copy()
    turned = shared.turned(client)
    client.work(_hint(client.server, history, turned), pool=client.server.move_workers)


def _hint(server: ServerState, history: History, turned: bool) -> Job:
    game, position = history.game, history.position

    def job(stop: Stop) -> Iterator[Sent]:
        with server.building(game):
            engine = Engine(game, hash=HINT_MIB)
            engine.prepare()
        with stop.calling(engine.stop):
            best = engine.analyse(history, time=HINT_SECONDS).move
        yield {
            "type": "hint",
            "ply": len(history.moves),
            "text": game.move_text(position, best),
            **board_fields(history, [arrow(history, best)], turned),
        }

    return job


def turn(client: Client, given: dict[str, Any]) -> None:
    """Show the board from its other side."""
    client.turned = not client.turned
    if client.shared_game is not None:
        with client.shared_game.lock:
            client.send(client.shared_game.state(client))


def save(client: Client, given: dict[str, Any]) -> None:
    """The game as a file's text."""
    shared = _current_game(client)
    with shared.lock:
        record = shared.session.record()
    client.send({"type": "record", "text": shared.session.game.write_game(record)})


def open_record(client: Client, given: dict[str, Any]) -> None:
    """Go on with the first game of a file's text: in the shared at hand, or in a `new` one.

    It is read before anything else is done, so a text that is no game changes nothing.
    """
    server, wish = client.server, given["new"]
    if wish is not None:
        record = _first_game(server.game(wish["game"]), given["text"])
        server.shared_games.open(_made(server, wish, record), client)
        return
    shared = _current_game(client)
    record = _first_game(shared.session.game, given["text"])
    with shared.lock:
        shared.interrupt()
        shared.session.load(record)
        shared.changed()


def _first_game(game: Game, written: str) -> GameRecord:
    records: list[GameRecord] = game.read_games(written)
    if not records:
        raise PlyforgeError("the file holds no game")
    return records[0]


def _current_game(client: Client) -> SharedGame:
    if client.shared_game is None:
        raise PlyforgeError("no game is open on this page; begin one")
    return client.shared_game


_NEW: Final[dict[str, Check | Optional]] = {
    "game": text(MAX_NAME),
    "side": choice(*SIDES),
    "level": optional(whole(1, LEVELS), 5),
    "seconds": optional(number(0.05, 30)),
    "minutes": optional(number(0.05, 180)),
    "increment": optional(number(0, 60), 0.0),
    "position": optional(text(MAX_POSITION)),
    "seed": optional(whole(0, 2**31 - 1), 0),
}
MESSAGES: Final = {
    "new": Message(_NEW, new),
    "join": Message({"key": text(MAX_NAME)}, join),
    "move": Message({"text": text(MAX_MOVE), "ply": whole(0, 100_000)}, move),
    "undo": Message({}, undo),
    "redo": Message({}, redo),
    "resign": Message({}, resign),
    "claim": Message({}, claim),
    "hint": Message({}, hint),
    "turn": Message({}, turn),
    "save": Message({}, save),
    "open": Message(
        {"text": text(MAX_RECORD), "new": optional(fields(**_NEW))}, open_record, slow=True
    ),
}
