"""Messages of the page on which people play."""

from collections.abc import Iterator
from typing import Final

import msgspec

from plyforge.core.errors import PlyforgeError
from plyforge.engine import Engine
from plyforge.engine.clock import Clock
from plyforge.game.game import Game, History
from plyforge.interfaces.web import incoming
from plyforge.interfaces.web.client import Client
from plyforge.interfaces.web.clocks import Clocks
from plyforge.interfaces.web.handlers import Handler, Handlers
from plyforge.interfaces.web.opponents import clocked_seat, level_seat, timed_seat
from plyforge.interfaces.web.outgoing import GameGone, HintView, RecordView
from plyforge.interfaces.web.players import make_seat
from plyforge.interfaces.web.protocol import Outgoing
from plyforge.interfaces.web.shared_games import SharedGame
from plyforge.interfaces.web.state import ServerState
from plyforge.interfaces.web.view import arrow, board_fields
from plyforge.interfaces.web.workers import Job, Stop
from plyforge.match.session import Seat, Session
from plyforge.records.record import GameRecord
from plyforge.search.options import PLAY

HINT_SECONDS: Final = 1.0
HINT_MIB: Final = 8.0
_SIDES: Final[dict[incoming.People, tuple[int, ...]]] = {
    "first": (0,),
    "second": (1,),
    "both": (0, 1),
    "none": (),
}


def new(server: ServerState, client: Client, message: incoming.NewGame) -> None:
    """Start a game."""
    _open(server, client, _make_game(server, message))


def _open(server: ServerState, client: Client, made: SharedGame) -> None:
    game = server.shared_games.add(made)
    game.store()
    client.started_games.append(game.key)
    client.join(game)
    server.shared_games.drop_old(client.started_games)


def _make_game(
    server: ServerState,
    options: incoming.GameOptions,
    record: GameRecord | None = None,
    key: str | None = None,
    left: tuple[float, ...] | None = None,
) -> SharedGame:
    """Make a game: from its start, from a position, or as it was recorded."""
    game = server.catalog.game(options.game)
    clock = None
    if options.minutes is not None:
        clock = Clock(60 * options.minutes, options.increment)
    people = _SIDES[options.side]
    first, second = (
        Seat() if side in people else _engine_seat(server, game, options, clock) for side in (0, 1)
    )
    history = game.history(game.parse(options.position)) if options.position else None
    session = Session(game, (first, second), history, options.seed)
    if record is not None:
        session.load(record)
    clocks = None if clock is None else Clocks(clock.left, clock.increment, left=left)
    plain_options = incoming.GameOptions(**msgspec.structs.asdict(options))
    pool, seconds, file = server.move_workers, server.limits.move_seconds, server.game_file
    save = (lambda key, game: None) if file is None else file.save
    return SharedGame(plain_options, session, clocks, pool, seconds, key, save)


def _engine_seat(
    server: ServerState, game: Game, options: incoming.GameOptions, clock: Clock | None
) -> Seat:
    if clock is not None:
        return clocked_seat(server.catalog, game, clock)
    if options.player is not None:
        return make_seat(server, game, options.player)
    if options.seconds is not None:
        return timed_seat(server.catalog, game, options.seconds)
    return level_seat(server.catalog, game, options.level)


def join(server: ServerState, client: Client, message: incoming.Join) -> None:
    """Show a game that is in progress, or that the server has stored."""
    game = server.shared_games.find(message.key)
    if game is not None:
        client.join(game)
        return
    stored = None if server.game_file is None else server.game_file.find(message.key)
    if stored is None:
        client.send(GameGone(key=message.key, reason="the server does not have this game"))
        return
    _reopen(server, client, message.key, stored.options, stored.game_record(), stored.left)


def reopen(server: ServerState, client: Client, message: incoming.Reopen) -> None:
    """Show a game from what a page knows of it, unless another page has reopened it already."""
    game = server.shared_games.find(message.key)
    if game is not None:
        client.join(game)
        return
    record = GameRecord(
        message.moves,
        message.result,
        message.start,
        {"Termination": message.reason} if message.reason else {},
        {one.ply: one.text for one in message.comments},
    )
    _reopen(server, client, message.key, message.options, record, message.left)


def _reopen(
    server: ServerState,
    client: Client,
    key: str,
    options: incoming.GameOptions,
    record: GameRecord,
    left: tuple[float, ...] | None,
) -> None:
    try:
        game = _make_game(server, options, record, key, left)
    except PlyforgeError as error:
        client.send(GameGone(key=key, reason=f"the game cannot be opened here: {error}"))
    else:
        _open(server, client, game)


def move(server: ServerState, client: Client, message: incoming.MakeMove) -> None:
    """Make a move for a person, unless the page shows an earlier position."""
    game = _current_game(client)
    with game.lock:
        session = game.session
        if message.ply != len(session.history.moves):
            client.send(game.state(client))
            return
        if not (session.waits_for_person or session.waits_for_chance):
            raise PlyforgeError("it is not your turn")
        session.play_text(message.text)
        game.update(moved=True)


def undo(server: ServerState, client: Client, message: incoming.Undo) -> None:
    """Take back the last turn."""
    game = _current_game(client)
    with game.lock:
        if game.out_of_time:
            raise PlyforgeError("no time is left; start another game")
        game.interrupt()
        game.session.undo()
        game.update()


def redo(server: ServerState, client: Client, message: incoming.Redo) -> None:
    """Replay a turn that was taken back."""
    game = _current_game(client)
    with game.lock:
        game.interrupt()
        game.session.redo()
        game.update()


def resign(server: ServerState, client: Client, message: incoming.Resign) -> None:
    """Resign the game."""
    game = _current_game(client)
    with game.lock:
        game.session.resign()
        game.interrupt()
        game.update()


def claim(server: ServerState, client: Client, message: incoming.Claim) -> None:
    """Claim a draw."""
    game = _current_game(client)
    with game.lock:
        game.session.claim_draw()
        game.update()


def hint(server: ServerState, client: Client, message: incoming.Hint) -> None:
    """Search for a moment, and show the best move as an arrow."""
    game = _current_game(client)
    with game.lock:
        if not game.session.waits_for_person:
            raise PlyforgeError("hints are given only when it is a person's turn")
        history = game.session.history.copy()
    turned = game.turned_for(client)
    client.start(_hint(server, history, turned), pool=server.move_workers)


def _hint(server: ServerState, history: History, turned: bool) -> Job:
    game, position = history.game, history.position

    def job(stop: Stop) -> Iterator[Outgoing]:
        with server.catalog.building(game):
            engine = Engine(game, preset=PLAY, hash=HINT_MIB)
            engine.prepare()
        with stop.calling(engine.stop):
            best = engine.analyse(history, time=HINT_SECONDS).move
        yield HintView(
            ply=len(history.moves),
            text=game.readable_move(position, best),
            **board_fields(history, [arrow(history, best)], turned),
        )

    return job


def turn_board(server: ServerState, client: Client, message: incoming.TurnBoard) -> None:
    """Show the board from its other side."""
    client.turned = not client.turned
    if client.shared_game is not None:
        with client.shared_game.lock:
            client.send(client.shared_game.state(client))


def save(server: ServerState, client: Client, message: incoming.Save) -> None:
    """Send the game as the text of a file."""
    game = _current_game(client)
    with game.lock:
        record = game.session.record()
    client.send(RecordView(text=game.session.game.write_game(record)))


def open_record(server: ServerState, client: Client, message: incoming.OpenRecord) -> None:
    """Continue the first game of a file.

    The text is read before anything else, so one that is not a game changes nothing.
    """
    if message.new is not None:
        record = _first_game(server.catalog.game(message.new.game), message.text)
        _open(server, client, _make_game(server, message.new, record))
        return
    game = _current_game(client)
    record = _first_game(game.session.game, message.text)
    with game.lock:
        game.interrupt()
        game.session.load(record)
        game.update()


def _first_game(game: Game, text: str) -> GameRecord:
    records: list[GameRecord] = game.read_games(text)
    if not records:
        raise PlyforgeError("the file contains no game")
    return records[0]


def _current_game(client: Client) -> SharedGame:
    if client.shared_game is None:
        raise PlyforgeError("no game is open on this page; start one")
    return client.shared_game


HANDLERS: Final[Handlers] = {
    incoming.NewGame: Handler(new),
    incoming.Join: Handler(join, slow=True),
    incoming.Reopen: Handler(reopen, slow=True),
    incoming.MakeMove: Handler(move),
    incoming.Undo: Handler(undo),
    incoming.Redo: Handler(redo),
    incoming.Resign: Handler(resign),
    incoming.Claim: Handler(claim),
    incoming.Hint: Handler(hint),
    incoming.TurnBoard: Handler(turn_board),
    incoming.Save: Handler(save),
    incoming.OpenRecord: Handler(open_record, slow=True),
}
