"""The Universal Chess Interface: graphical interfaces and match programs drive the engine.

One thread reads commands.  It answers at once what must not wait: `uci`, `stop`, `ponderhit`,
`quit`, and `isready` during a search.  All else is done in order by a second thread, which also
searches; it imports the engine and compiles kernels when it first needs them, so that `uciok` comes
early.  Nothing here is particular to chess: moves and positions are texts of the game.
"""

import os
import queue
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from plyforge import __version__
from plyforge.core.errors import MoveError, PlyforgeError, clip

if TYPE_CHECKING:
    from plyforge.engine import Engine, Info, SearchResult
    from plyforge.engine.pondering import Pondering
    from plyforge.game.game import Game, History

MAX_LINE: Final = 1 << 20
"""The length at which a line of input is split, in bytes."""
_PROGRESS_INTERVAL: Final = 0.5
"""Seconds between two reports within an iteration."""
_SWITCH_INTERVAL: Final = 0.0005
"""Seconds after which Python lets another thread run: the reader must not wait for long."""
_TIME_TO_ANSWER: Final = 0.5
"""Seconds that a running search has to answer after `quit`."""
_ELO_OF_LEVEL_0: Final = 400
_ELO_PER_LEVEL: Final = 100
"""The scale of `UCI_Elo`: a step of the engine's levels.  It was not measured."""
_LEVELS: Final = 20
NO_MOVE: Final = "(none)"


# Options


@dataclass(frozen=True)
class Option:
    """An option that a client can set."""

    name: str
    kind: str
    """`spin`, `check`, `combo`, `string` or `button`."""
    default: Any = None
    minimum: int = 0
    maximum: int = 0
    choices: tuple[str, ...] = ()

    def declaration(self) -> str:
        """Return the line that declares the option.

        >>> Option("Threads", "spin", 1, 1, 256).declaration()
        'option name Threads type spin default 1 min 1 max 256'
        """
        words = [f"option name {self.name} type {self.kind}"]
        if self.kind == "check":
            words.append(f"default {str(self.default).lower()}")
        elif self.kind != "button":
            words.append(f"default {self.default or '<empty>'}")
        if self.kind == "spin":
            words.append(f"min {self.minimum} max {self.maximum}")
        words += [f"var {choice}" for choice in self.choices]
        return " ".join(words)

    def read(self, text: str) -> Any:
        """Return the value that a text means, or raise an error."""
        if self.kind == "spin":
            value = _integer(text)
            if value is None or not self.minimum <= value <= self.maximum:
                raise PlyforgeError(
                    f"{self.name} must be an integer between {self.minimum} and {self.maximum},"
                    f" not '{clip(text)}'"
                )
            return value
        if self.kind == "check":
            if text.lower() not in ("true", "false"):
                raise PlyforgeError(f"{self.name} must be true or false, not '{clip(text)}'")
            return text.lower() == "true"
        if self.kind == "combo":
            if text.lower() not in self.choices:
                known = ", ".join(self.choices)
                raise PlyforgeError(f"{self.name} must be one of {known}, not '{clip(text)}'")
            return text.lower()
        return "" if text == "<empty>" else text


_METHODS: Final = (
    *("shared-table", "lazy", "abdada", "root-split", "pv-split", "ybwc", "dynamic", "aphid"),
)
"""The parallel methods; `search.parallel.methods`, which describes them, loads much more."""

OPTIONS: Final = (
    Option("Hash", "spin", 64, 1, 65536),
    Option("Clear Hash", "button"),
    Option("Threads", "spin", 1, 1, 256),
    Option("Parallel", "combo", _METHODS[0], choices=_METHODS),
    Option("MultiPV", "spin", 1, 1, 256),
    Option("Move Overhead", "spin", 20, 0, 5000),
    Option("Preset", "combo", "play", choices=("exact", "play", "koneru")),
    Option("Evaluation", "string", ""),
    Option("Ponder", "check", False),
    Option("UCI_AnalyseMode", "check", False),
    Option("UCI_LimitStrength", "check", False),
    Option(
        "UCI_Elo",
        "spin",
        1500,
        _ELO_OF_LEVEL_0 + _ELO_PER_LEVEL,
        _ELO_OF_LEVEL_0 + _ELO_PER_LEVEL * _LEVELS,
    ),
)
_ENGINE_OPTIONS: Final = ("hash", "threads", "parallel", "preset", "evaluation")
"""Options that need another `Engine`."""


def level_of(elo: int) -> int:
    """Return the level that stands for a rating.

    >>> level_of(500), level_of(1540), level_of(2400)
    (1, 11, 20)
    """
    return min(max(round((elo - _ELO_OF_LEVEL_0) / _ELO_PER_LEVEL), 1), _LEVELS)


# The command `go`


@dataclass
class Go:
    """The arguments of `go`; times are in milliseconds."""

    numbers: dict[str, int] = field(default_factory=dict)
    """`wtime`, `btime`, `winc`, `binc`, `movestogo`, `depth`, `nodes`, `mate` and `movetime`."""
    moves: list[str] = field(default_factory=list)
    """Those of `searchmoves`."""
    ponder: bool = False
    infinite: bool = False

    @classmethod
    def parse(cls, words: Sequence[str]) -> "Go":
        """Read the words after `go`; what cannot be read is ignored.

        >>> Go.parse("wtime 1000 depth x searchmoves e2e4 d2d4 nodes 5 ponder".split())
        Go(numbers={'wtime': 1000, 'nodes': 5}, moves=['e2e4', 'd2d4'], ponder=True, infinite=False)
        """
        go, rest = cls(), list(words)
        while rest:
            word = rest.pop(0)
            if word in ("ponder", "infinite"):
                setattr(go, word, True)
            elif word == "searchmoves":
                while rest and rest[0] not in _GO_WORDS:
                    go.moves.append(rest.pop(0))
            elif word in _GO_NUMBERS and rest and rest[0] not in _GO_WORDS:
                value = _integer(rest.pop(0))
                if value is not None:
                    go.numbers[word] = value
        return go

    def depth(self) -> int | None:
        """Return the limit in plies; a mate in N moves takes 2 N - 1."""
        depth, mate = self.numbers.get("depth"), self.numbers.get("mate")
        plies = [] if depth is None else [depth]
        if mate is not None:
            plies.append(2 * abs(mate) - 1)
        return min(max(min(plies), 1), _MAX_PLIES) if plies else None

    def nodes(self) -> int | None:
        nodes = self.numbers.get("nodes")
        return None if nodes is None else max(nodes, 1)

    def seconds(self, overhead: float) -> float | None:
        """Return the time for the move, `overhead` seconds less than given but at least half."""
        milliseconds = self.numbers.get("movetime")
        if milliseconds is None:
            return None
        seconds = milliseconds / 1000
        return max(seconds - overhead, seconds / 2, 0.001)

    def clock_values(self, side: int, overhead: float) -> tuple[float, float, int | None] | None:
        """Return the side's time left, increment and moves to go; None without a clock."""
        names = ("wtime", "btime") if side == 0 else ("btime", "wtime")
        left = next((self.numbers[name] for name in names if name in self.numbers), None)
        if left is None:
            return None
        increment = max(self.numbers.get("winc" if side == 0 else "binc", 0), 0) / 1000
        moves = self.numbers.get("movestogo", 0)
        return max(left / 1000 - overhead, 0.001), increment, moves if moves > 0 else None


_MAX_PLIES: Final = 250
_GO_NUMBERS: Final = (
    *("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime"),
)
_GO_WORDS: Final = (*_GO_NUMBERS, "searchmoves", "ponder", "infinite")


class Search:
    """One `go`: what the reader needs to know of it while it waits, runs and ends."""

    def __init__(self, go: Go) -> None:
        self.go = go
        self.received = perf_counter()
        self.begun = False
        self.stopped = False
        self.finished = threading.Event()
        self.may_answer = threading.Event()
        """Set once `bestmove` may be sent: not before `stop` or `ponderhit` if one is needed."""
        self.waiting_isready = 0
        """The number of `isready` that came before the search began."""
        self._hit = False
        self._engine: Engine | None = None
        self._pondering: Pondering | None = None
        if not (go.ponder or go.infinite):
            self.may_answer.set()

    def attach(self, engine: "Engine", pondering: "Pondering | None") -> None:
        """Connect the search with the engine that runs it."""
        self._engine, self._pondering = engine, pondering
        if self._hit and pondering is not None:
            pondering.hit()

    def stop(self) -> None:
        """Stop it.  One that is just starting misses that, and looks at `stopped` later."""
        self.stopped = True
        self.may_answer.set()
        if self._engine is not None:
            self._engine.stop()

    def ponder_hit(self) -> None:
        """Let its time count from now."""
        self._hit = True
        if self._pondering is not None:
            self._pondering.hit()
        if not self.go.infinite:
            self.may_answer.set()


# Output


class Output:
    """Writes lines of the protocol, from any thread."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def line(self, text: str, unless: Callable[[], bool] = lambda: False) -> None:
        """Write a line; nothing if `unless` is true by then."""
        data = " ".join(text.split("\n")).encode("utf-8", "replace") + b"\n"
        with self._lock:
            if unless():
                return
            try:
                self._stream.write(data)
                self._stream.flush()
            except (OSError, ValueError):  # nobody reads any more
                os._exit(1)

    def string(self, text: str) -> None:
        """Write a text for people."""
        printable = "".join(letter if letter.isprintable() else " " for letter in text)
        self.line(f"info string {' '.join(printable.split())}")


# The thread that searches


class EngineHost:
    """The game, the engine, the options and the position; used by one thread."""

    def __init__(self, game: str, output: Output) -> None:
        self._name = game
        self._output = output
        self._values: dict[str, Any] = {option.name.lower(): option.default for option in OPTIONS}
        self._game: Game | None = None
        self._engine: Engine | None = None
        self._engine_values: tuple[Any, ...] = ()
        self._position: Position | None = None
        """None if the last one could not be read."""
        self._has_position = False
        self._seed = _random_seed()
        """The seed of the moves of levels: another one for each game."""

    def _load_game(self) -> "Game":
        if self._game is None:
            from plyforge.compilation.notices import Notices
            from plyforge.games import load

            self._output.string(f"loading {self._name}")
            try:
                self._game = load(self._name, notices=Notices(self._output.string))
            except PlyforgeError as error:
                self._output.string(f"error: {error}")
                sys.stderr.write(f"plyforge: {error}\n")
                sys.stderr.flush()
                os._exit(2)
        return self._game

    def load(self) -> "Engine":
        """Return an engine with the present options; it is compiled and ready."""
        from plyforge.engine import Engine

        values = tuple(self._values[name] for name in _ENGINE_OPTIONS)
        if self._engine is not None and values == self._engine_values:
            return self._engine
        size, threads, parallel, preset, evaluation = values
        game, old = self._load_game(), self._engine
        self._engine = None  # before the new one takes memory
        try:
            engine = Engine(
                game,
                preset=preset,
                hash=size,
                threads=threads,
                parallel=parallel,
                evaluation=evaluation or None,
                notices=game.notices,
            )
            # The first search also imports and caches what later ones need.
            engine.analyse(depth=1)
            engine.clear()
        except PlyforgeError as error:
            self._output.string(f"error: {error}")
            if old is None and values == tuple(_default(name) for name in _ENGINE_OPTIONS):
                sys.stderr.write(f"plyforge: {error}\n")
                sys.stderr.flush()
                os._exit(2)
            back = self._engine_values or tuple(_default(name) for name in _ENGINE_OPTIONS)
            changed = [n for n, a, b in zip(_ENGINE_OPTIONS, values, back, strict=True) if a != b]
            self._output.string(f"{', '.join(changed)} set back to the value before")
            self._values.update(zip(_ENGINE_OPTIONS, back, strict=True))
            self._engine = old
            return self.load()
        self._engine, self._engine_values = engine, values
        return engine

    def is_ready(self) -> None:
        self.load()
        self._output.line("readyok")

    def new_game(self) -> None:
        self._seed = _random_seed()
        self.clear()

    def clear(self) -> None:
        """Forget the results of earlier searches."""
        if self._engine is not None:
            self._engine.clear()

    def set_option(self, words: Sequence[str]) -> None:
        name, value = _name_and_value(words)
        option = next((one for one in OPTIONS if one.name.lower() == name.lower()), None)
        if option is None:
            known = ", ".join(one.name for one in OPTIONS)
            self._output.string(f"error: unknown option '{clip(name)}'; known: {known}")
        elif option.kind == "button":
            self.clear()
        else:
            try:
                self._values[option.name.lower()] = option.read(value)
            except PlyforgeError as error:
                self._output.string(f"error: {error}")

    def set_position(self, words: Sequence[str]) -> None:
        """Read `startpos` or `fen TEXT`, and the moves."""
        place = words.index("moves") if "moves" in words else len(words)
        head, moves = list(words[:place]), list(words[place + 1 :])
        text = None if head[:1] == ["startpos"] else " ".join(head[1:])
        self._has_position = True
        try:
            if head[:1] not in (["startpos"], ["fen"]):
                raise PlyforgeError("write position startpos or position fen, then moves")
            game, old = self._load_game(), self._position
            self._position = None
            if old is not None and old.text == text:
                self._position = old.continued(moves)
            if self._position is None:
                self._position = Position.start(game, text).followed(moves)
        except PlyforgeError as error:
            self._position = None
            self._output.string(f"error: {error}")

    # Searching

    def search(self, search: Search, begin: Callable[[], None]) -> None:
        """Search and answer; there is an answer whatever happens.

        `begin` is called when the engine is ready.
        """
        answer = NO_MOVE
        try:
            engine = self.load()
            begin()
            if not self._has_position:
                self.set_position(["startpos"])
            answer = self._find_answer(engine, search)
        except PlyforgeError as error:
            self._output.string(f"error: {error}")
            answer = self._any_move()
        except Exception as error:
            self._output.string(f"error: {type(error).__name__}: {error}")
            answer = self._any_move()
        search.may_answer.wait()
        self._output.line(f"bestmove {answer}")

    def _any_move(self) -> str:
        """Return a legal move after an error, if there is one."""
        try:
            return NO_MOVE if self._position is None else self._position.first_move() or NO_MOVE
        except Exception:
            return NO_MOVE

    def _find_answer(self, engine: "Engine", search: Search) -> str:
        position = self._position
        if position is None:
            self._output.string("error: there is no position to search")
            return NO_MOVE
        root = position.root()
        if not root.legal_moves():
            score = "mate 0" if position.is_lost() else "cp 0"
            self._output.line(f"info depth 0 score {score}")
            return position.first_move() or NO_MOVE
        moves = self._root_moves(root, search.go.moves)
        limited = self._values["uci_limitstrength"] and not self._values["uci_analysemode"]
        if limited and moves is None:
            return self._choose_by_level(engine, root, search)
        result = self._analyse(engine, root, moves, search)
        texts = engine.line_texts(root, result.pv[:2])
        return " ponder ".join(texts)

    def _root_moves(self, root: "History", texts: list[str]) -> list[int] | None:
        moves = []
        for text in texts:
            try:
                move = root.game.parse_move(root.position, text)
            except MoveError:
                move = -1
            if move in root.legal_moves():
                moves.append(move)
            else:
                self._output.string(f"error: searchmoves: '{clip(text)}' is not a legal move")
        return moves or None

    def _time_limits(self, search: Search, root: "History") -> dict[str, Any]:
        """Return the limits of time, less what has passed since the command came."""
        from plyforge.engine.clock import Clock

        late = 0.0 if search.go.ponder else perf_counter() - search.received
        overhead = self._values["move overhead"] / 1000 + late
        seconds = search.go.seconds(overhead)
        values = search.go.clock_values(root.turn, overhead)
        if values is None:
            return {"time": seconds}
        left, increment, moves = values
        return {"clock": Clock(left, increment, seconds, moves)}

    def _analyse(
        self, engine: "Engine", root: "History", moves: list[int] | None, search: Search
    ) -> "SearchResult":
        from plyforge.engine.pondering import Pondering

        go = search.go
        pondering = Pondering() if go.ponder else None
        limits = {} if go.infinite else self._time_limits(search, root)
        printer = _Printer(self._output, engine, root)
        mate = go.numbers.get("mate")

        def report(info: "Info") -> None:
            printer.print_info(info)
            if search.stopped or (mate is not None and _is_mate_in(info.score, mate)):
                engine.stop()

        search.attach(engine, pondering)
        with printer:
            result = engine.analyse(
                root,
                depth=None if go.infinite else go.depth(),
                nodes=None if go.infinite else go.nodes(),
                moves=moves,
                multipv=self._values["multipv"],
                report=report,
                pondering=pondering,
                **limits,
            )
        printer.print_info(result)
        return result

    def _choose_by_level(self, engine: "Engine", root: "History", search: Search) -> str:
        """Return the move of a level; while it could ponder, it does nothing."""
        from plyforge.engine.levels import choose

        if search.go.ponder:
            search.may_answer.wait()
            search.received = perf_counter()
        printer = _Printer(self._output, engine, root)

        def report(info: "Info") -> None:
            printer.print_info(info)
            if search.stopped:
                engine.stop()

        search.attach(engine, None)
        number = level_of(self._values["uci_elo"])
        limits = {} if search.go.infinite else self._time_limits(search, root)
        move = choose(engine, root, number, self._seed, report=report, **limits)
        return engine.game.move_text(root.position, move)


class Position:
    """A position of the protocol: a start, and the moves from it."""

    def __init__(self, history: "History", text: str | None, moves: list[str]) -> None:
        self._history = history
        self.text = text
        """The text of the start; None for the usual one."""
        self._moves = moves

    @classmethod
    def start(cls, game: "Game", text: str | None) -> "Position":
        return cls(game.history(None if text is None else game.parse(text)), text, [])

    def continued(self, moves: list[str]) -> "Position | None":
        """Return the position after these moves of the game; None if they differ early.

        Clients send the whole game before every move, and playing it again takes time.
        """
        known = len(self._moves)
        if len(self._history.moves) != known or moves[:known] != self._moves:
            return None
        return Position(self._history.copy(), self.text, list(self._moves)).followed(moves[known:])

    def followed(self, moves: Iterable[str]) -> "Position":
        """Make moves; clients play on where the rules only allow to claim a draw."""
        for word in moves:
            history, game = self._history, self._history.game
            try:
                move = game.parse_move(history.position, word)
                if history.claimable() or not history.verdict().over:
                    history.follow(move)
                elif move in self._moves_after_draw():
                    self._history = game.history(game.play(history.position, move))
                else:
                    raise MoveError(f"the game is over ({history.verdict().reason})")
            except MoveError as error:
                number = len(self._moves) + 1
                raise MoveError(f"move {number}, '{clip(word)}': {error}") from None
            self._moves.append(word)
        return self

    def _moves_after_draw(self) -> list[int]:
        """Return the moves of a position; none if the game was won, or nobody can move."""
        from plyforge.core.scores import ONGOING

        game, position = self._history.game, self._history.position
        return [] if game.outcome(position) != ONGOING else game.moves(position)

    def root(self) -> "History":
        """Return the history to search: without its past if only that has ended the game."""
        history = self._history
        if history.legal_moves() or not history.claimable():
            return history
        game, position = history.game, history.position
        start, clocks = game.initial(), game.rules.constant("CLOCKS")
        if clocks and hasattr(position, "_replace"):
            position = position._replace(**{name: getattr(start, name) for name in clocks})
        return game.history(position)

    def first_move(self) -> str | None:
        """Return a move, even if the game is drawn; None if there is none."""
        moves = self._history.legal_moves() or self._moves_after_draw()
        game = self._history.game
        return game.move_text(self._history.position, moves[0]) if moves else None

    def is_lost(self) -> bool:
        return self._history.verdict().name == "loss"


class _Printer:
    """Prints what a search finds: each iteration, and its progress from time to time."""

    def __init__(self, output: Output, engine: "Engine", root: "History") -> None:
        from plyforge.engine.centipawns import centipawns_per_unit, moves_to_mate

        self._output, self._engine, self._root = output, engine, root
        # Another evaluation has another range.
        ratio = root.game.evaluation_limit / engine.game.evaluation_limit
        self._scale = centipawns_per_unit(root.game) * ratio
        self._moves_to_mate = moves_to_mate
        self._ended = threading.Event()
        self._printed: Info | None = None

    def __enter__(self) -> None:
        threading.Thread(target=self._print_progress, name="uci-progress", daemon=True).start()

    def __exit__(self, *error: object) -> None:
        self._ended.set()

    def score(self, value: float) -> str:
        mate = self._moves_to_mate(value)
        return f"cp {round(value * self._scale)}" if mate is None else f"mate {mate}"

    def print_info(self, info: "Info") -> None:
        """Print all lines of an iteration, unless they were just printed."""
        old, self._printed = self._printed, info
        if info.bound == "none" or (old and old.lines == info.lines):
            return
        counts = self._counts(info.nodes, info.seconds)
        for number, line in enumerate(info.lines, 1):
            bound = " lowerbound" if line.bound == "lower" else ""
            moves = " ".join(self._engine.line_texts(self._root, line.pv))
            self._output.line(
                f"info depth {line.depth} multipv {number} score {self.score(line.score)}{bound}"
                f" {counts} pv {moves}"
            )

    def _counts(self, nodes: int, seconds: float) -> str:
        full = round(1000 * self._engine.table_fill())
        speed = round(nodes / max(seconds, 1e-6))
        return f"nodes {nodes} nps {speed} hashfull {full} time {round(1000 * seconds)}"

    def _print_progress(self) -> None:
        """Print the move that is being searched, and the bounds of the score so far."""
        while not self._ended.wait(_PROGRESS_INTERVAL):
            progress = self._engine.progress()
            if progress is None:
                continue
            words = [f"info depth {progress.depth}"]
            if abs(progress.lower) != float("inf"):
                words.append(f"score {self.score(progress.lower)} lowerbound")
            elif abs(progress.upper) != float("inf"):
                words.append(f"score {self.score(progress.upper)} upperbound")
            words.append(self._counts(progress.nodes, progress.seconds))
            if progress.move is not None:
                text = self._engine.game.move_text(self._root.position, progress.move)
                words.append(f"currmove {text} currmovenumber {progress.move_number}")
            self._output.line(" ".join(words), unless=self._ended.is_set)


# The thread that reads


class UciServer:
    """Reads commands, answers those that must not wait, and hands on the others."""

    def __init__(self, game: str, output: Output) -> None:
        self._title = f"Plyforge {__version__}" + ("" if game == "chess" else f" ({game})")
        self._output = output
        self._host = EngineHost(game, output)
        self._tasks: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._searches: list[Search] = []
        """Those without an answer, the oldest first."""

    def run(self, lines: Iterable[bytes]) -> None:
        """Carry out commands until `quit` or the end of the input."""
        threading.Thread(target=self._work, name="uci-engine", daemon=True).start()
        for line in lines:
            if not self.handle(line.decode("utf-8", "replace")):
                break
        for search in self._pending():
            search.stop()
            if search.begun:
                search.finished.wait(_TIME_TO_ANSWER)

    def handle(self, line: str) -> bool:
        """Carry out a command; return False if it is `quit`."""
        words = line.split()
        place = next((n for n, word in enumerate(words) if word in self._COMMANDS), None)
        if place is None:
            if words:
                self._output.string(f"unknown command '{clip(' '.join(words))}'")
            return True
        command, arguments = words[place], words[place + 1 :]
        if command == "quit":
            return False
        self._COMMANDS[command](self, arguments)
        return True

    def _uci(self, words: list[str]) -> None:
        self._output.line(f"id name {self._title}")
        self._output.line("id author the Plyforge authors")
        for option in OPTIONS:
            self._output.line(option.declaration())
        self._output.line("uciok")

    def _is_ready(self, words: list[str]) -> None:
        with self._lock:
            first = self._searches[0] if self._searches else None
            if first is not None and not first.begun:
                first.waiting_isready += 1
                return
        if first is None:
            self._tasks.put(self._host.is_ready)
        else:
            self._output.line("readyok")

    def _set_option(self, words: list[str]) -> None:
        self._tasks.put(lambda: self._host.set_option(words))

    def _new_game(self, words: list[str]) -> None:
        self._tasks.put(self._host.new_game)

    def _position(self, words: list[str]) -> None:
        self._tasks.put(lambda: self._host.set_position(words))

    def _go(self, words: list[str]) -> None:
        search = Search(Go.parse(words))
        with self._lock:
            if any(not other.may_answer.is_set() for other in self._searches):
                self._output.string("error: a search is running; send stop first")
                return
            self._searches.append(search)
        self._tasks.put(lambda: self._search(search))

    def _stop(self, words: list[str]) -> None:
        for search in self._pending():
            search.stop()

    def _ponder_hit(self, words: list[str]) -> None:
        for search in self._pending():
            search.ponder_hit()

    def _ignore(self, words: list[str]) -> None:
        pass

    _COMMANDS: Final[dict[str, Callable[["UciServer", list[str]], None]]] = {
        "uci": _uci,
        "isready": _is_ready,
        "setoption": _set_option,
        "ucinewgame": _new_game,
        "position": _position,
        "go": _go,
        "stop": _stop,
        "ponderhit": _ponder_hit,
        "debug": _ignore,
        "register": _ignore,
        "quit": _ignore,
    }

    def _pending(self) -> list[Search]:
        with self._lock:
            return list(self._searches)

    # In the thread that searches

    def _work(self) -> None:
        while True:
            task = self._tasks.get()
            try:
                task()
            except Exception as error:
                self._output.string(f"error: {type(error).__name__}: {error}")

    def _search(self, search: Search) -> None:
        def begin() -> None:
            with self._lock:
                search.begun = True
                waiting, search.waiting_isready = search.waiting_isready, 0
            for _ in range(waiting):
                self._output.line("readyok")

        try:
            self._host.search(search, begin)
        finally:
            with self._lock:
                self._searches.remove(search)
            search.finished.set()
            begin()


def main(game: str = "chess") -> None:
    """Run the command `plyforge uci`, without the imports of the command line."""
    try:
        run(game)
    except PlyforgeError as error:
        sys.stderr.write(f"plyforge: {error}\n")
        sys.exit(2)


def run(game: str) -> None:
    """Speak the protocol on standard input and output until `quit`; then the process ends."""
    _check_name(game)
    # What rules or libraries print must not come between the lines of the protocol.
    protocol = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.setswitchinterval(_SWITCH_INTERVAL)
    code = 0
    try:
        source = sys.stdin.buffer
        UciServer(game, Output(protocol)).run(iter(lambda: source.readline(MAX_LINE), b""))
    except KeyboardInterrupt:
        code = 130
    # Not an ordinary exit, which would wait for a kernel that is being compiled.
    os._exit(code)


def _check_name(game: str) -> None:
    """Raise an error if there is no such game; a known one is not imported yet."""
    import importlib.util
    import pkgutil

    package = importlib.util.find_spec("plyforge.games")
    folders = package.submodule_search_locations if package is not None else None
    names = [module.name for module in pkgutil.iter_modules(folders)]
    if game.partition(":")[0] not in names:
        from plyforge.games import load

        load(game)


def _random_seed() -> int:
    return int.from_bytes(os.urandom(7))


def _default(name: str) -> Any:
    return next(option.default for option in OPTIONS if option.name.lower() == name)


def _integer(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def _name_and_value(words: Sequence[str]) -> tuple[str, str]:
    """Split the arguments of `setoption`.

    >>> _name_and_value("name Move Overhead value 50".split())
    ('Move Overhead', '50')
    """
    rest = list(words[1:] if words[:1] == ["name"] else words)
    place = rest.index("value") if "value" in rest else len(rest)
    return " ".join(rest[:place]), " ".join(rest[place + 1 :])


def _is_mate_in(score: float, moves: int) -> bool:
    """Return whether a score is a forced win in at most so many moves (a loss if negative)."""
    from plyforge.engine.centipawns import moves_to_mate

    found = moves_to_mate(score)
    return found is not None and found != 0 and found * moves > 0 and abs(found) <= abs(moves)
