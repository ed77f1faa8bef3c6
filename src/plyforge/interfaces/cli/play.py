"""`plyforge play`: a game at the terminal between people and players."""

import secrets
from pathlib import Path
from typing import Final

from plyforge.core.errors import MoveError, PlyforgeError
from plyforge.game.files import full_name
from plyforge.game.game import Game
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.keyboard import Keyboard
from plyforge.interfaces.cli.playcommands import Terminal, find_commands
from plyforge.interfaces.cli.positions import open_game
from plyforge.interfaces.cli.seats import SIDES, SeatOptions
from plyforge.match.files import read_file
from plyforge.match.players import Interruptible
from plyforge.match.session import Session, people_of
from plyforge.records.record import GameRecord

_COMMAND_SIGNS: Final = ("/", ":")
"""The signs before a command that has the same name as a move."""


def run(
    name: str | None,
    position: str | None,
    moves: str | None,
    file: str | None,
    options: SeatOptions,
    seed: int | None,
    enter_chance: bool = False,
) -> int:
    """Play; return 130 if an interrupt ended it, else 0."""
    game, session = _make_session(name, position, moves, file, options, seed)
    if enter_chance and not game.has_chance():
        raise PlyforgeError(f"--enter-chance is for games of chance, which {game.name} is not")
    return Loop(session, name or full_name(game), enter_chance).run()


def _make_session(
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
            raise PlyforgeError(
                "--load gives the position and moves; leave out --position and --moves"
            )
        game, records = read_file(Path(file), name)
        record = records[-1]
    elif name is None:
        raise PlyforgeError("name a game ('plyforge games' lists them), or --load a file")
    else:
        game = open_game(name)
    # Replayed as a record, because the moves may continue where a draw could be claimed.
    opening = GameRecord(tuple(game.split_moves(moves or "")), start=position)
    history = game.replay(opening)
    people = options.people(game)
    if people is None:
        people = (people_of(game, record) if record else []) or SIDES["first"]
    if record is not None:
        options = options.with_recorded_players(game, record, people)
    if seed is None:
        seed = secrets.randbelow(2**32)
    session = Session(game, options.seats(game, people), history, seed)
    if record is not None:
        session.load(record)
    return game, session


class Loop:
    """Shows the board, reads a line and executes it, until the person quits."""

    def __init__(self, session: Session, name: str, enter_chance: bool = False) -> None:
        self._enter_chance = enter_chance
        self._terminal = Terminal(session, name)
        self._session, self._game = session, session.game
        self._keyboard = Keyboard()

    def run(self) -> int:
        """Play until the person quits; return 130 after an interrupt, else 0."""
        self._terminal.greet()
        code = 0
        try:
            while not self._terminal.has_quit:
                try:
                    self._step()
                except KeyboardInterrupt:
                    self._handle_interrupt()
        except KeyboardInterrupt:
            self._terminal.say("")
            code = exits.INTERRUPTED
        finally:
            self._terminal.print_resume_command()
            self._session.close()
        return code

    # One turn

    def _step(self) -> None:
        if self._session.waits_for_chance and not self._enter_chance:
            self._roll()
            return
        thinks = self._session.waits_for_player and not self._terminal.paused
        # A person sees the board after the reply; a spectator sees it after every move.
        if self._terminal.stale and not (thinks and self._session.people):
            self._terminal.show()
        if thinks:
            self._reply()
            return
        line = self._keyboard.read(self._prompt(), self._terminal.say)
        if line is None:
            self._terminal.has_quit = True
            return
        try:
            self._execute(line)
        except PlyforgeError as error:
            self._terminal.say(str(error))

    def _prompt(self) -> str:
        if self._session.end is not None:
            return "> "
        if self._session.waits_for_chance:
            return f"chance for {self._game.players[self._session.turn]}> "
        return f"{self._game.players[self._session.turn]}> "

    def _roll(self) -> None:
        """Draw an outcome of chance and show it."""
        self._session.roll()
        last = self._session.last_move()
        if last is not None:
            self._terminal.say(f"{self._game.players[last[0]]} rolls {last[1]}")
        self._terminal.stale = True

    def _reply(self) -> None:
        session = self._session
        live = self._keyboard.interactive and bool(session.people)
        if live:
            interruptible = isinstance(session.seats[session.turn].player, Interruptible)
            hint = "; Ctrl-C makes it move " if interruptible else " "
            self._terminal.say(f"{self._game.players[session.turn]} thinks{hint}", end="")
        session.reply(interruptible=bool(session.people))
        if live:
            self._terminal.say("")
        self._terminal.stale = True
        last = session.last_move()
        if session.waits_for_player and session.people and last is not None:
            self._terminal.say(f"{self._game.players[last[0]]} played {last[1]}")

    def _handle_interrupt(self) -> None:
        """Ask whether to quit; another interrupt quits."""
        if not self._keyboard.interactive:
            raise KeyboardInterrupt
        self._terminal.say("")
        if not self._session.people:
            self._terminal.paused = True
        answer = self._keyboard.read("quit? (yes or no) ", self._terminal.say)
        self._terminal.has_quit = answer is None or answer.lower() in ("y", "yes")

    def _execute(self, line: str) -> None:
        """Make a move, or execute a command; a move has precedence."""
        if line.startswith(_COMMAND_SIGNS):
            self._terminal.execute(line[1:].strip())
            return
        if not line:
            if self._session.must_pass():
                self._move(self._session.legal_moves()[0])
            return
        try:
            move = self._session.find_move(line)
        except MoveError as error:
            if find_commands(line.split()[0]):
                self._terminal.execute(line)
                return
            raise MoveError(f"{error} ('help' lists the commands)") from error
        self._move(move)

    def _move(self, move: int) -> None:
        self._session.play(move)
        self._terminal.stale = True
