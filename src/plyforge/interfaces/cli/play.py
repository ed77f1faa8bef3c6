"""`plyforge play`: a person at the terminal against a player, or two of either."""

import secrets
import shlex
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from plyforge.core.errors import MoveError, PlyforgeError, clipped
from plyforge.core.game import Game
from plyforge.core.gamefiles import full_name
from plyforge.core.history import History
from plyforge.core.records import GameRecord, history_of
from plyforge.engine import Engine, Result, score_text
from plyforge.interfaces.cli.evaluation import print_evaluation
from plyforge.interfaces.cli.keyboard import Keyboard
from plyforge.interfaces.cli.output import columns, console
from plyforge.interfaces.cli.positions import open_game
from plyforge.interfaces.cli.seats import (
    DEFAULT_LEVEL,
    SIDES,
    SeatOptions,
    level_description,
    level_seat,
)
from plyforge.match.files import check_output, read_file, read_records, write_text
from plyforge.match.players import Interruptible
from plyforge.match.session import End, Session, people_of

EXIT_INTERRUPTED = 130
HINT_SECONDS: Final = 1.0
HINT_MIB: Final = 16.0
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
    history = history_of(game, opening)
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
        self._session = session
        self._game = session.game
        self._name = name
        """What the command line calls the game."""
        self._keyboard = Keyboard()
        self._out = console()
        self._engine: Engine | None = None
        self._stale = True
        """Whether the board has changed since it was shown."""
        self._paused = False
        """Whether the players wait although one of them is to move."""
        self._quit = False

    def run(self) -> int:
        """Play until somebody quits; 130 after an interrupt, else 0."""
        self._greet()
        code = 0
        try:
            while not self._quit:
                try:
                    self._step()
                except KeyboardInterrupt:
                    self._interrupted()
        except KeyboardInterrupt:
            self._say("")
            code = EXIT_INTERRUPTED
        finally:
            self._tell_how_to_go_on()
            self._session.close()
        return code

    def _say(self, text: str) -> None:
        self._out.print(text, markup=False)

    def _greet(self) -> None:
        sides = zip(self._game.players, self._session.seats, strict=True)
        told = ", ".join(f"{side}: {seat.name}" for side, seat in sides)
        self._say(f"{self._game.title}; {told}")
        self._say("write a move, or 'help'\n")

    # One turn

    def _step(self) -> None:
        thinks = self._session.waits_for_player and not self._paused
        # A person is shown the board after the reply; who only watches, after every move.
        if self._stale and not (thinks and self._session.people):
            self._show()
        if thinks:
            self._reply()
            return
        line = self._keyboard.read(self._prompt(), self._say)
        if line is None:
            self._quit = True
            return
        try:
            self._obey(line)
        except PlyforgeError as error:
            self._say(str(error))

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
            self._out.print(
                f"{self._game.players[session.turn]} thinks{told}", end="", markup=False
            )
        session.reply(hurry=bool(session.people))
        if live:
            self._say("")
        self._stale = True
        last = session.last_move()
        if session.waits_for_player and session.people and last is not None:
            self._say(f"{self._game.players[last[0]]} played {last[1]}")

    def _interrupted(self) -> None:
        """Ctrl-C: ask whether to quit; another one ends it."""
        if not self._keyboard.interactive:
            raise KeyboardInterrupt
        self._say("")
        if not self._session.people:
            self._paused = True
        answer = self._keyboard.read("quit? (yes or no) ", self._say)
        self._quit = answer is None or answer.lower() in ("y", "yes")

    def _obey(self, line: str) -> None:
        """Make a move, or do what a command says; a move comes before a command."""
        if line.startswith(_COMMAND_SIGNS):
            self._command(line[1:].strip())
            return
        if not line:
            if self._session.must_pass():
                self._move(self._session.legal_moves()[0])
            return
        try:
            move = self._session.find_move(line)
        except MoveError as error:
            if _named(line.split()[0]):
                self._command(line)
                return
            raise MoveError(f"{error} ('help' lists the commands)") from error
        self._move(move)

    def _move(self, move: int) -> None:
        self._session.play(move)
        self._stale = True

    def _command(self, line: str) -> None:
        word, _, argument = line.partition(" ")
        found = _named(word)
        if len(found) != 1:
            told = " or ".join(f"'{command.name}'" for command in found)
            problem = f"may be {told}" if found else "is no command; 'help' lists them"
            raise PlyforgeError(f"'{clipped(word)}' {problem}")
        (command,) = found
        argument = argument.strip()
        if argument and not command.argument:
            raise PlyforgeError(f"'{command.name}' stands alone, without '{clipped(argument)}'")
        if not argument and command.argument and not command.argument.startswith("["):
            raise PlyforgeError(f"write '{command.name} {command.argument}'")
        command.action(self, argument)

    # What is shown

    def _show(self) -> None:
        self._stale = False
        session, players = self._session, self._game.players
        self._say(f"{self._game.board(session.history.position)}\n")
        last, end = session.last_move(), session.end
        told = "" if last is None else f"{players[last[0]]} played {last[1]}; "
        if end is not None:
            self._say(f"{told}game over: {_words(self._game, end)}")
            return
        mover = players[session.turn]
        self._say(f"{told}{mover} to move")
        if session.must_pass() and session.waits_for_person:
            self._say(f"{mover} has no move but 'pass'; Enter is enough")
        claim = session.claimable()
        if claim is not None:
            self._say(f"a draw can be claimed ({claim}): 'draw', or play on")

    def board(self, argument: str) -> None:
        self._show()

    def position(self, argument: str) -> None:
        self._say(self._game.text(self._session.history.position))

    def moves(self, argument: str) -> None:
        texts = [self._session.move_text(move) for move in self._session.legal_moves()]
        self._say(columns(texts, shutil.get_terminal_size().columns) or "none: the game is over")

    def help(self, argument: str) -> None:
        self._say("A move as the game writes it ('moves' lists them), or a command:")
        for command in COMMANDS:
            if command.name == "draw" and not _knows_claims(self._game):
                continue
            self._say(f"  {f'{command.name} {command.argument}':<12} {command.help}")
        self._say(
            "The beginning of a word is enough, but draw, new, quit and resign are written out.\n"
            "A word that is a move, too, is the move; with '/' before it, it is the command."
        )

    def hint(self, argument: str) -> None:
        self._refuse_if_over()
        if self._session.claimable() is not None:
            raise PlyforgeError("the engine would claim the draw here: 'draw'")
        if self._engine is None:
            self._engine = Engine(self._game, hash=HINT_MIB)
        root = self._session.history
        result = _searched(self._engine, root)
        best, *others = self._engine.line_texts(root, result.pv)
        then = f", then {' '.join(others)}" if others else ""
        self._say(f"{best} ({score_text(result.score)}){then}")

    def evaluation(self, argument: str) -> None:
        print_evaluation(self._out, self._game, self._session.history.position)

    # What changes the game

    def undo(self, argument: str) -> None:
        self._session.undo(_whole(argument or "1"))
        self._changed()

    def redo(self, argument: str) -> None:
        self._session.redo(_whole(argument or "1"))
        self._changed()

    def _changed(self) -> None:
        """The board is another; players who are watched wait until they are told to go on."""
        self._stale, self._paused = True, not self._session.people

    def go(self, argument: str) -> None:
        if not self._session.waits_for_player:
            raise PlyforgeError("no player is to move; 'go' is for going on after a pause")
        self._paused = False

    def level(self, argument: str) -> None:
        others = [side for side in (0, 1) if side not in self._session.people]
        if not others:
            raise PlyforgeError("two people play: nobody has a level")
        for side in others:
            seat, old = level_seat(self._game, _whole(argument)), self._session.seats[side]
            self._session.seat(side, seat)
            if old.player is not None:
                old.player.close()
            self._say(f"{self._game.players[side]}: {seat.name}")

    def swap(self, argument: str) -> None:
        if len(self._session.people) == 2:
            raise PlyforgeError("two people play: change seats instead")
        self._session.swap()
        self._changed()
        self._greet()

    def resign(self, argument: str) -> None:
        self._session.resign()
        self._stale = True

    def draw(self, argument: str) -> None:
        self._session.claim_draw()
        self._stale = True

    def new(self, argument: str) -> None:
        self._tell_how_to_go_on()
        self._session.restart()
        self._stale, self._paused = True, False

    def save(self, argument: str) -> None:
        self._save(argument, overwrite=False)

    def save_over(self, argument: str) -> None:
        self._save(argument, overwrite=True)

    def _save(self, name: str, overwrite: bool) -> None:
        path = _path(name)
        check_output(path, overwrite, f"write 'save! {name}'")
        write_text(path, self._game.write_game(self._session.record()))
        self._say(f"wrote {path}; '{shlex.join(self._call('--load', str(path)))}' goes on with it")

    def load(self, argument: str) -> None:
        records = read_records(_path(argument), self._game)
        self._tell_how_to_go_on()
        self._session.load(records[-1])
        people = self._session.people
        if len(people) == 1 and people_of(self._game, records[-1]) == [1 - people[0]]:
            self._session.swap()
        if len(records) > 1:
            self._say(f"the last of {len(records)} games")
        self._changed()

    def quit(self, argument: str) -> None:
        self._quit = True

    def _refuse_if_over(self) -> None:
        end = self._session.end
        if end is not None:
            raise PlyforgeError(f"the game is over ({end.reason}); 'undo' takes a move back")

    # On leaving a game

    def _tell_how_to_go_on(self) -> None:
        """The moves of an unfinished game, as a command that goes on with it."""
        history = self._session.history
        if self._session.end is not None or not history.moves:
            return
        record = self._session.record()
        words = self._call() if record.start is None else self._call("--position", record.start)
        self._say(f"to go on: {shlex.join([*words, '--moves', ' '.join(record.moves)])}")

    def _call(self, *more: str) -> list[str]:
        """The command that plays this game between these sides."""
        people, words = self._session.people, ["plyforge", "play", self._name]
        if people != SIDES["first"]:
            words += ["--side", next(word for word, sides in SIDES.items() if sides == people)]
        others = [seat.name for seat in self._session.seats if seat.player is not None]
        if set(others) - {level_description(DEFAULT_LEVEL)}:
            words += [word for name in others for word in ("--opponent", name)]
        return [*words, *more]


@dataclass(frozen=True)
class Command:
    """A word, what stands behind it, and what it does."""

    name: str
    argument: str
    help: str
    action: Callable[[Loop, str], None]
    in_full: bool = False
    """Whether it must be written in full, lest a slip of the finger ends a game."""


COMMANDS: Final = (
    Command("moves", "", "the legal moves", Loop.moves),
    Command("undo", "[N]", "take back to your previous turn, or N turns", Loop.undo),
    Command("redo", "[N]", "make again what was taken back", Loop.redo),
    Command("hint", "", "what the engine would play, after a second at most", Loop.hint),
    Command("eval", "", "what the evaluation says of the position", Loop.evaluation),
    Command("board", "", "show the board again", Loop.board),
    Command("position", "", "the position in the game's notation", Loop.position),
    Command("level", "N", "the engine at level 1 to 20 is the opponent", Loop.level),
    Command("swap", "", "change sides", Loop.swap),
    Command("go", "", "watch on, after a pause", Loop.go),
    Command("draw", "", "claim a draw", Loop.draw, in_full=True),
    Command("resign", "", "give up", Loop.resign, in_full=True),
    Command("new", "", "begin anew", Loop.new, in_full=True),
    Command("save", "FILE", "write the game to a new file", Loop.save),
    Command("save!", "FILE", "the same; the file may exist", Loop.save_over, in_full=True),
    Command("load", "FILE", "go on with a game from a file", Loop.load),
    Command("help", "", "this list", Loop.help),
    Command("quit", "", "leave", Loop.quit, in_full=True),
)


def _searched(engine: Engine, root: History) -> Result:
    """What a short search finds, or what it has found when an interrupt ends it."""
    before = engine.latest
    try:
        return engine.analyse(root, time=HINT_SECONDS)
    except KeyboardInterrupt:
        if engine.latest is None or engine.latest is before:
            raise
        return engine.latest


def _named(word: str) -> list[Command]:
    """The commands that a word may mean."""
    word = word.lower()
    exact = [command for command in COMMANDS if command.name == word]
    return exact or [c for c in COMMANDS if word and c.name.startswith(word) and not c.in_full]


def _words(game: Game, end: End) -> str:
    """How a game has ended, in the game's own words."""
    won = "a draw" if end.winner is None else f"{game.players[end.winner]} has won"
    by = "" if end.score is None else f" by {abs(end.score):g}"
    return f"{won}{by}: {end.reason}"


def _knows_claims(game: Game) -> bool:
    """Whether draws can be claimed in the game."""
    rules = game.rules
    return rules.constant("REPETITION") == "draw" or rules.constant("NO_PROGRESS_LIMIT") is not None


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise PlyforgeError(f"'{clipped(text)}' is no whole number") from None


def _path(name: str) -> Path:
    try:
        return Path(name).expanduser()
    except RuntimeError as error:  # an unknown user
        raise PlyforgeError(f"'{clipped(name)}': {error}") from None
