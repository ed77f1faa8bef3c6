"""`plyforge play`: a person at the terminal against a player, or two of either."""

import secrets
from pathlib import Path
from typing import Final

from plyforge.core.errors import MoveError, PlyforgeError
from plyforge.game.files import full_name
from plyforge.game.game import Game
from plyforge.interfaces.cli.keyboard import Keyboard
from plyforge.interfaces.cli.playcommands import Terminal, named
from plyforge.interfaces.cli.positions import open_game
from plyforge.interfaces.cli.seats import SIDES, SeatOptions
from plyforge.match.files import read_file
from plyforge.match.players import Interruptible
from plyforge.match.session import Session, people_of
from plyforge.records.record import GameRecord

EXIT_INTERRUPTED = 130
_COMMAND_SIGNS: Final = ("/", ":")
"""What may stand before a command, to tell it from a move of the same name."""


def run(
    name: str | None,
    position: str | None,
    moves: str | None,
    file: str | None,
    options: SeatOptions,
    seed: int | None,
) -> int:
    """Play; 130 if an interrupt ended it, else 0."""
    game, session = _session(name, position, moves, file, options, seed)
    return Loop(session, name or full_name(game)).run()


def _session(
    name: str | None,
    position: str | None,
    moves: str | None,
    file: str | None,
    options: SeatOptions,
    seed: int | None,
) -> tuple[Game, Session]:
    record: GameRecord | None = None
    if file is not None:
        if position is not None or moves is not None:
            raise PlyforgeError("--load has a game of its own; leave --position and --moves out")
        game, records = read_file(Path(file), name)
        record = records[-1]
    elif name is None:
        raise PlyforgeError("which game? name one ('plyforge games' lists them), or --load a file")
    else:
        game = open_game(name)
    # As a record, whose moves may go on where a draw could have been claimed.
    opening = GameRecord(tuple(game.split_moves(moves or "")), start=position)
    history = game.replay(opening)
    people = options.people(game)
    if people is None:
        people = (people_of(game, record) if record else []) or SIDES["first"]
    if seed is None:
        seed = secrets.randbelow(2**32)
    session = Session(game, options.seats(game, people), history, seed)
    if record is not None:
        session.load(record)
    return game, session


class Loop:
    """Shows the board, reads a line, does what it says."""

    def __init__(self, session: Session, name: str) -> None:
        self._desk = Terminal(session, name)
        self._session, self._game = session, session.game
        self._keyboard = Keyboard()

    def run(self) -> int:
        """Play until somebody quits; 130 after an interrupt, else 0."""
        self._desk.greet()
        code = 0
        try:
            while not self._desk.left:
                try:
                    self._step()
                except KeyboardInterrupt:
                    self._interrupted()
        except KeyboardInterrupt:
            self._desk.say("")
            code = EXIT_INTERRUPTED
        finally:
            self._desk.tell_how_to_go_on()
            self._session.close()
        return code

    # One turn

    def _step(self) -> None:
        thinks = self._session.waits_for_player and not self._desk.paused
        # A person is shown the board after the reply; who only watches, after every move.
        if self._desk.stale and not (thinks and self._session.people):
            self._desk.show()
        if thinks:
            self._reply()
            return
        line = self._keyboard.read(self._prompt(), self._desk.say)
        if line is None:
            self._desk.left = True
            return
        try:
            self._execute(line)
        except PlyforgeError as error:
            self._desk.say(str(error))

    def _prompt(self) -> str:
        if self._session.end is not None:
            return "> "
        return f"{self._game.players[self._session.turn]}> "

    def _reply(self) -> None:
        session = self._session
        live = self._keyboard.interactive and bool(session.people)
        if live:
            hurry = isinstance(session.seats[session.turn].player, Interruptible)
            told = "; Ctrl-C makes it move " if hurry else " "
            self._desk.say(f"{self._game.players[session.turn]} thinks{told}", end="")
        session.reply(hurry=bool(session.people))
        if live:
            self._desk.say("")
        self._desk.stale = True
        last = session.last_move()
        if session.waits_for_player and session.people and last is not None:
            self._desk.say(f"{self._game.players[last[0]]} played {last[1]}")

    def _interrupted(self) -> None:
        """Ctrl-C: ask whether to quit; another one ends it."""
        if not self._keyboard.interactive:
            raise KeyboardInterrupt
        self._desk.say("")
        if not self._session.people:
            self._desk.paused = True
        answer = self._keyboard.read("quit? (yes or no) ", self._desk.say)
        self._desk.left = answer is None or answer.lower() in ("y", "yes")

    def _execute(self, line: str) -> None:
        """Make a move, or do what a command says; a move comes before a command."""
        if line.startswith(_COMMAND_SIGNS):
            self._desk.execute(line[1:].strip())
            return
        if not line:
            if self._session.must_pass():
                self._move(self._session.legal_moves()[0])
            return
        try:
            move = self._session.find_move(line)
        except MoveError as error:
            if named(line.split()[0]):
                self._desk.execute(line)
                return
            raise MoveError(f"{error} ('help' lists the commands)") from error
        self._move(move)

    def _move(self, move: int) -> None:
        self._session.play(move)
        self._desk.stale = True
