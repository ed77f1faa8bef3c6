"""The commands of `plyforge play`, and its output."""

import shlex
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.engine import Engine, score_text
from plyforge.game.game import Game
from plyforge.interfaces.cli.evaluation import print_evaluation
from plyforge.interfaces.cli.output import columns, console
from plyforge.interfaces.cli.seats import DEFAULT_LEVEL, SIDES, level_description, level_seat
from plyforge.match.files import check_output, read_records, write_text
from plyforge.match.session import End, Session, people_of
from plyforge.search.options import PLAY

HINT_SECONDS: Final = 1.0
HINT_MIB: Final = 16.0


class Terminal:
    """Shows a session and executes commands."""

    def __init__(self, session: Session, name: str) -> None:
        self.session = session
        self.game = session.game
        self._name = name
        """The game as named on the command line."""
        self._out = console()
        self._engine: Engine | None = None
        self.stale = True
        """Whether the board has changed since it was shown."""
        self.paused = False
        """Whether the players wait although one of them is to move."""
        self.has_quit = False
        """Whether the person has quit."""

    def say(self, text: str, end: str = "\n") -> None:
        self._out.print(text, end=end, markup=False)

    def greet(self) -> None:
        sides = zip(self.game.players, self.session.seats, strict=True)
        players = ", ".join(f"{side}: {seat.name}" for side, seat in sides)
        self.say(f"{self.game.title}; {players}")
        self.say("enter a move, or 'help'\n")

    def execute(self, line: str) -> None:
        """Execute a command."""
        word, _, argument = line.partition(" ")
        commands = find_commands(word)
        if len(commands) != 1:
            names = " or ".join(f"'{command.name}'" for command in commands)
            problem = f"may be {names}" if commands else "is not a command; 'help' lists them"
            raise PlyforgeError(f"'{clip(word)}' {problem}")
        (command,) = commands
        argument = argument.strip()
        if argument and not command.argument:
            raise PlyforgeError(f"'{command.name}' takes no argument; remove '{clip(argument)}'")
        if not argument and command.argument and not command.argument.startswith("["):
            raise PlyforgeError(f"enter '{command.name} {command.argument}'")
        command.action(self, argument)

    # Commands that show something

    def show(self) -> None:
        self.stale = False
        session, players = self.session, self.game.players
        self.say(f"{self.game.board(session.history.position)}\n")
        last, end = session.last_move(), session.end
        verb = "rolled" if session.last_was_chance else "played"
        before = "" if last is None else f"{players[last[0]]} {verb} {last[1]}; "
        if end is not None:
            self.say(f"{before}game over: {_describe_end(self.game, end)}")
            return
        mover = players[session.turn]
        if session.waits_for_chance:
            self.say(f"{before}chance moves for {mover}")
            return
        self.say(f"{before}{mover} to move")
        if session.must_pass() and session.waits_for_person:
            self.say(f"{mover} can only pass; press Enter")
        claim = session.claimable()
        if claim is not None:
            self.say(f"a draw can be claimed ({claim}): enter 'draw', or play on")

    def board(self, argument: str) -> None:
        self.show()

    def position(self, argument: str) -> None:
        self.say(self.game.text(self.session.history.position))

    def moves(self, argument: str) -> None:
        texts = [self.session.move_text(move) for move in self.session.legal_moves()]
        self.say(columns(texts, shutil.get_terminal_size().columns) or "none: the game is over")

    def help(self, argument: str) -> None:
        self.say("A move as the game writes it ('moves' lists them), or a command:")
        for command in COMMANDS:
            if command.name == "draw" and not _allows_claims(self.game):
                continue
            self.say(f"  {f'{command.name} {command.argument}':<12} {command.help}")
        self.say(
            "Commands can be abbreviated, except draw, new, quit and resign.\n"
            "A word that is also a move is the move; with '/' before it, it is the command."
        )

    def hint(self, argument: str) -> None:
        self._refuse_if_over()
        if self.session.claimable() is not None:
            raise PlyforgeError("the engine would claim the draw here; enter 'draw'")
        if self._engine is None:
            self._engine = Engine(self.game, preset=PLAY, hash=HINT_MIB)
        root = self.session.history
        result = self._engine.analyse(root, time=HINT_SECONDS, catch_interrupt=True)
        best, *others = self._engine.line_texts(root, result.pv)
        then = f", then {' '.join(others)}" if others else ""
        self.say(f"{best} ({score_text(result.score)}){then}")

    def evaluation(self, argument: str) -> None:
        print_evaluation(self._out, self.game, self.session.history.position)

    # Commands that change the game

    def undo(self, argument: str) -> None:
        self.session.undo(_parse_integer(argument or "1"))
        self._mark_changed()

    def redo(self, argument: str) -> None:
        self.session.redo(_parse_integer(argument or "1"))
        self._mark_changed()

    def _mark_changed(self) -> None:
        """Show the board again; if only players play, pause them."""
        self.stale, self.paused = True, not self.session.people

    def go(self, argument: str) -> None:
        if not self.session.waits_for_player:
            raise PlyforgeError("no player is to move; 'go' continues after a pause")
        self.paused = False

    def level(self, argument: str) -> None:
        others = [side for side in (0, 1) if side not in self.session.people]
        if not others:
            raise PlyforgeError("two people play; only the engine has a level")
        for side in others:
            seat, old = level_seat(self.game, _parse_integer(argument)), self.session.seats[side]
            self.session.seat(side, seat)
            if old.player is not None:
                old.player.close()
            self.say(f"{self.game.players[side]}: {seat.name}")

    def swap(self, argument: str) -> None:
        if len(self.session.people) == 2:
            raise PlyforgeError("two people play: change seats instead")
        self.session.swap()
        self._mark_changed()
        self.greet()

    def resign(self, argument: str) -> None:
        self.session.resign()
        self.stale = True

    def draw(self, argument: str) -> None:
        self.session.claim_draw()
        self.stale = True

    def new(self, argument: str) -> None:
        self.print_resume_command()
        self.session.restart()
        self.stale, self.paused = True, False

    def save(self, argument: str) -> None:
        self._save(argument, overwrite=False)

    def overwrite(self, argument: str) -> None:
        self._save(argument, overwrite=True)

    def _save(self, name: str, overwrite: bool) -> None:
        path = _path(name)
        check_output(path, overwrite, f"write 'save! {name}'")
        write_text(path, self.game.write_game(self.session.record()))
        self.say(f"wrote {path}; '{shlex.join(self._call('--load', str(path)))}' resumes it")

    def load(self, argument: str) -> None:
        records = read_records(_path(argument), self.game)
        self.print_resume_command()
        self.session.load(records[-1])
        people = self.session.people
        if len(people) == 1 and people_of(self.game, records[-1]) == [1 - people[0]]:
            self.session.swap()
        if len(records) > 1:
            self.say(f"the last of {len(records)} games")
        self._mark_changed()

    def quit(self, argument: str) -> None:
        self.has_quit = True

    def _refuse_if_over(self) -> None:
        end = self.session.end
        if end is not None:
            raise PlyforgeError(f"the game is over ({end.reason}); 'undo' takes a move back")

    # On leaving a game

    def print_resume_command(self) -> None:
        """Print the command that resumes an unfinished game."""
        history = self.session.history
        if self.session.end is not None or not history.moves:
            return
        record = self.session.record()
        words = self._call() if record.start is None else self._call("--position", record.start)
        self.say(f"to resume: {shlex.join([*words, '--moves', ' '.join(record.moves)])}")

    def _call(self, *more: str) -> list[str]:
        """Return the command that plays this game with these players."""
        people, words = self.session.people, ["plyforge", "play", self._name]
        if people != SIDES["first"]:
            words += ["--side", next(word for word, sides in SIDES.items() if sides == people)]
        others = [seat.name for seat in self.session.seats if seat.player is not None]
        if set(others) - {level_description(DEFAULT_LEVEL)}:
            words += [word for name in others for word in ("--opponent", name)]
        return [*words, *more]


@dataclass(frozen=True)
class Command:
    """A command: its name, its argument and its action."""

    name: str
    argument: str
    help: str
    action: Callable[[Terminal, str], None]
    in_full: bool = False
    """Whether it cannot be abbreviated, so that a typing error does not end a game."""


COMMANDS: Final = (
    Command("moves", "", "the legal moves", Terminal.moves),
    Command("undo", "[N]", "take back to your previous turn, or N turns", Terminal.undo),
    Command("redo", "[N]", "redo what was taken back", Terminal.redo),
    Command("hint", "", "the move of the engine, after at most a second", Terminal.hint),
    Command("eval", "", "the evaluation of the position", Terminal.evaluation),
    Command("board", "", "show the board again", Terminal.board),
    Command("position", "", "the position in the game's notation", Terminal.position),
    Command("level", "N", "play against the engine at a level from 1 to 20", Terminal.level),
    Command("swap", "", "change sides", Terminal.swap),
    Command("go", "", "continue after a pause", Terminal.go),
    Command("draw", "", "claim a draw", Terminal.draw, in_full=True),
    Command("resign", "", "resign the game", Terminal.resign, in_full=True),
    Command("new", "", "begin a new game", Terminal.new, in_full=True),
    Command("save", "FILE", "write the game to a new file", Terminal.save),
    Command(
        "save!",
        "FILE",
        "the same, overwriting an existing file",
        Terminal.overwrite,
        in_full=True,
    ),
    Command("load", "FILE", "resume a game from a file", Terminal.load),
    Command("help", "", "this list", Terminal.help),
    Command("quit", "", "quit", Terminal.quit, in_full=True),
)


def find_commands(word: str) -> list[Command]:
    """Return the commands that a word may mean."""
    word = word.lower()
    exact = [command for command in COMMANDS if command.name == word]
    return exact or [c for c in COMMANDS if word and c.name.startswith(word) and not c.in_full]


def _describe_end(game: Game, end: End) -> str:
    """Describe how a game has ended."""
    won = "a draw" if end.winner is None else f"{game.players[end.winner]} has won"
    by = "" if end.score is None else f" by {abs(end.score):g}"
    return f"{won}{by}: {end.reason}"


def _allows_claims(game: Game) -> bool:
    """Whether draws can be claimed in the game."""
    rules = game.rules
    return rules.constant("REPETITION") == "draw" or rules.constant("NO_PROGRESS_LIMIT") is not None


def _parse_integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise PlyforgeError(f"'{clip(text)}' is not an integer") from None


def _path(name: str) -> Path:
    try:
        return Path(name).expanduser()
    except RuntimeError as error:  # an unknown user
        raise PlyforgeError(f"'{clip(name)}': {error}") from None
