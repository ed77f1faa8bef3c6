"""External engines that speak the Universal Chess Interface, as players.

`uci:COMMAND` starts a command.  Positions and moves are sent in the game's notation, which in chess
is that of the protocol; other games need an engine that knows it, such as `plyforge uci GAME`.
"""

import shlex
import shutil
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.engine.centipawns import centipawns_per_unit, score_of_mate
from plyforge.engine.clock import Clock
from plyforge.game.game import Game, History
from plyforge.match.players.description import Description
from plyforge.match.players.external import ExternalError, ExternalProcess
from plyforge.match.players.limits import MoveLimits
from plyforge.match.players.player import Choice

START_SECONDS: Final = 60.0
"""The time for `uciok` and `readyok`: an engine may have to compile or to read large files."""
MOVE_SECONDS: Final = 290.0
"""The time for a move without a limit of time; a match allows a little more."""
_MARGIN: Final = 0.2
"""Seconds that an answer may be late before the engine is ended; a match allows a little more."""
_OPTION: Final = "option."
_MAX_NODES: Final = 1 << 62


class UciPlayer:
    """Plays the moves of an external engine; its program runs from the first game to `close`."""

    def __init__(
        self, game: Game, command: Sequence[str], options: Mapping[str, str], limits: MoveLimits
    ) -> None:
        self._game = game
        self._command = list(command)
        self._options = dict(options)
        self._limits = limits
        self._process: ExternalProcess | None = None
        self._scale = centipawns_per_unit(game)
        self.seconds = limits.time

    def warm_up(self) -> None:
        try:
            self._start()
        except PlyforgeError as error:
            raise PlyforgeError(f"uci:{shlex.join(self._command)}: {error}") from None

    def begin(self, seed: int) -> None:
        process = self._start()
        try:
            process.send("ucinewgame", "isready")
            self._wait_for(process, "readyok", monotonic() + START_SECONDS)
        except BaseException:
            self._kill()
            raise

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close("quit")

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def _start(self) -> ExternalProcess:
        """Return the running program, or start it."""
        if self._process is not None:
            return self._process
        process = self._process = ExternalProcess(self._command)
        try:
            deadline = monotonic() + START_SECONDS
            process.send("uci")
            declared = self._wait_for(process, "uciok", deadline)
            self._check_options(declared)
            for name, value in self._options.items():
                process.send(f"setoption name {name} value {value}")
            process.send("isready")
            self._wait_for(process, "readyok", deadline)
        except BaseException:
            self._kill()
            raise
        return process

    def _check_options(self, lines: list[str]) -> None:
        names = [name for line in lines if (name := _option_name(line)) is not None]
        for name in self._options:
            if name.lower() not in [known.lower() for known in names]:
                raise PlyforgeError(
                    f"the engine has no option '{clip(name)}'; it has {', '.join(names) or 'none'}"
                )

    def _wait_for(self, process: ExternalProcess, word: str, deadline: float) -> list[str]:
        """Return the lines before the one that begins with a word, which is the last one."""
        lines: list[str] = []
        while True:
            try:
                line = process.receive(deadline)
            except ExternalError as error:
                raise ExternalError(f"{error}; '{word}' was expected") from None
            if line.split()[:1] == [word]:
                return [*lines[-_MAX_LINES:], line]
            if line.startswith(("option ", "info ")):
                lines = [*lines[-_MAX_LINES:], line]

    def choose(self, history: History, clock: Clock | None) -> Choice:
        process = self._start()
        try:
            process.discard()
            process.send(self._position_command(history), self._go_command(clock))
            deadline = monotonic() + self._allowed(clock)
            lines = self._wait_for(process, "bestmove", deadline)
        except BaseException:
            self._kill()
            raise
        score, depth, nodes = _read_info(lines[:-1], self._scale)
        return Choice(self._read_move(history, lines[-1]), score, depth, nodes)

    def _allowed(self, clock: Clock | None) -> float:
        limit = clock.left if clock is not None else self.seconds
        return MOVE_SECONDS if limit is None else limit + _MARGIN

    def _position_command(self, history: History) -> str:
        game, positions = self._game, history.positions
        texts = [game.move_text(positions[n], move) for n, move in enumerate(history.moves)]
        start, usual = game.text(positions[0]), game.text(game.initial())
        words = "startpos" if start == usual else f"fen {start}"
        return f"position {words}" + (f" moves {' '.join(texts)}" if texts else "")

    def _go_command(self, clock: Clock | None) -> str:
        limits, words = self._limits, ["go"]
        if clock is not None:
            # The clock of the other side is not known here; engines look at their own.
            left, increment = max(1, int(1000 * clock.left)), int(1000 * clock.increment)
            words += [f"wtime {left} btime {left} winc {increment} binc {increment}"]
        if limits.depth is not None:
            words.append(f"depth {limits.depth}")
        if limits.nodes is not None:
            words.append(f"nodes {limits.nodes}")
        seconds = clock.max_per_move if clock is not None else limits.time
        if seconds is not None:
            words.append(f"movetime {max(1, int(1000 * seconds))}")
        return " ".join(words)

    def _read_move(self, history: History, line: str) -> int:
        words = line.split()
        text = words[1] if len(words) > 1 else ""
        for move in history.legal_moves():
            if self._game.move_text(history.position, move).lower() == text.lower():
                return move
        raise PlyforgeError(f"its answer '{clip(line)}' is not a legal move")


_MAX_LINES: Final = 500
"""Lines that are kept while an answer is awaited."""


def _option_name(line: str) -> str | None:
    """Return the name that a line declares.

    >>> _option_name("option name Move Overhead type spin default 10 min 0 max 5000")
    'Move Overhead'
    """
    words = line.split()
    if words[:2] != ["option", "name"]:
        return None
    end = words.index("type") if "type" in words else len(words)
    return " ".join(words[2:end])


def _read_info(lines: list[str], scale: float) -> tuple[float | None, int | None, int | None]:
    """Return score, depth and nodes of the last lines that report them."""
    score: float | None = None
    depth: int | None = None
    nodes: int | None = None
    for line in lines:
        words = line.split()
        if words[:1] != ["info"] or "string" in words[:2]:
            continue
        nodes = _number_after(words, "nodes", nodes)
        if "multipv" in words and _number_after(words, "multipv", 1) != 1:
            continue
        if "score" in words and "upperbound" not in words and "lowerbound" not in words:
            depth = _number_after(words, "depth", depth)
            mate, centipawns = _number_after(words, "mate"), _number_after(words, "cp")
            if mate is not None:
                score = score_of_mate(mate)
            elif centipawns is not None:
                score = centipawns / scale
    if nodes is not None and not 0 <= nodes < _MAX_NODES:
        nodes = None
    return score, depth, nodes


def _number_after(words: list[str], name: str, default: int | None = None) -> int | None:
    try:
        return int(words[words.index(name) + 1])
    except (ValueError, IndexError):
        return default


def uci_player(game: Game, description: Description, limits: MoveLimits) -> UciPlayer:
    settings = description.settings
    options = {
        name.removeprefix(_OPTION): value
        for name, value in settings.items()
        if name.startswith(_OPTION)
    }
    description.reject_unknown(
        ["depth", "nodes", "time", *(f"{_OPTION}{name}" for name in options)]
    )
    try:
        command = shlex.split(description.main or "")
    except ValueError as error:
        raise PlyforgeError(f"player '{description}': the command: {error}") from None
    if not command:
        raise PlyforgeError(
            "player 'uci' needs a command, as uci:stockfish or"
            " 'uci:\"my-engine --uci\",option.Hash=16,time=1'"
        )
    if shutil.which(command[0]) is None:
        raise PlyforgeError(
            f"player '{description}': there is no program '{clip(command[0])}'; give its path, or"
            " install it"
        )
    own = MoveLimits(
        description.integer("depth"), description.integer("nodes"), description.number("time")
    )
    if not own.any and not limits.any:
        raise PlyforgeError(
            f"player '{description}' has no limit; give one, as uci:{clip(command[0])},time=1 (in a"
            " match, --depth, --nodes, --time and --clock set one for all players)"
        )
    if own.time is not None and limits.clock is not None:
        raise PlyforgeError(
            f"player '{description}': give a time per move or a clock for the game, not both"
        )
    return UciPlayer(game, command, options, own if own.any else limits)
