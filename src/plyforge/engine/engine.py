"""The public engine: a game, options, memory; positions in, results out."""

import math
import queue
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from time import monotonic
from typing import Any, Final

from plyforge.compilation.interruptible import run
from plyforge.compilation.kernel import Backend
from plyforge.compilation.notices import Notices
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.engine.analysis import LINE_NODES, Analysis
from plyforge.engine.clock import Clock
from plyforge.engine.drivers import Driver
from plyforge.engine.drivers import driver as driver_named
from plyforge.engine.helper_threads import HelperThreads
from plyforge.engine.limits import Limits, validate_depth
from plyforge.engine.result import Info, Progress, SearchResult
from plyforge.game.evaluations import Evaluation, with_evaluation
from plyforge.game.game import Game, History
from plyforge.games import load
from plyforge.search.hashtable import MIN_ENTRIES, HashTable
from plyforge.search.kernels.context import DEEPER_TIMESTAMP, STOP
from plyforge.search.options import Options, preset
from plyforge.search.searcher import Searcher, WindowResult

MAX_THREADS: Final = 256
_STOP_AGAIN: Final = 0.1
"""Seconds until a search is told again to stop: one that was just beginning may not have heard."""

Root = Any
"""A position, its text, or a `History` whose earlier positions count for repetition."""


class Engine:
    """Searches positions of one game.

    `driver`, `preset`, `on`, `off` and `settings` say how; `hash` (MiB) or `entries` how large the
    transposition table is; `evaluation` a file, a name or a function in place of the game's own.
    What one analysis has learned serves the next.
    """

    def __init__(
        self,
        game: Game | str,
        *,
        driver: str = "pvs",
        preset: str = "exact",
        on: Iterable[str] = (),
        off: Iterable[str] = (),
        settings: Mapping[str, Any] | None = None,
        hash: float | None = None,
        entries: int | None = None,
        threads: int = 1,
        evaluation: Evaluation | None = None,
        backend: Backend | None = None,
        notices: Notices | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else load(game, backend)
        if evaluation is not None:
            self.game = with_evaluation(self.game, evaluation)
        self.driver = driver_named(driver)
        base = preset_for(self.game, preset)
        self.options = options_for(self.driver, base, on, off, settings)
        stamped = self.options.code("replace") == DEEPER_TIMESTAMP
        table = HashTable.sized(hash, entries, stamped)
        if not self.options.has("table"):
            table = HashTable.sized(entries=MIN_ENTRIES)
        self.searcher = Searcher(
            self.game,
            self.options,
            table,
            backend=backend or self.game.backend,
            notices=notices or self.game.notices,
        )
        self.searcher.prune(self.driver.name != "minimax")
        self._team = (
            HelperThreads(self.searcher, threads) if validate_threads(threads) > 1 else None
        )
        self._busy = threading.Lock()
        self._analysis: Analysis | None = None
        """The one under way."""

    def root(self, position: Root = None) -> History:
        """A position in whatever form, as a game in progress."""
        if isinstance(position, History):
            theirs, ours = position.game.rules, self.game.rules
            if theirs.file != ours.file:
                raise PlyforgeError(
                    f"the position is of {theirs.name}, but this engine searches {ours.name}"
                )
            return position
        if isinstance(position, str):
            position = self.game.parse(position)
        return self.game.history(position)

    def search(
        self,
        position: Root,
        low: float = float("-inf"),
        high: float = float("inf"),
        depth: int = 1,
    ) -> WindowResult:
        """One search, `depth` plies deep: the piece of which drivers are made.

        At most `low`, the value is an upper bound; at least `high`, a lower one; between them it is
        exact.  No driver, no deepening; the table keeps what it learns.
        """
        validate_depth(depth)
        with self._alone():
            searcher = self.searcher
            searcher.set_root(self.root(position))
            searcher.choose(None)
            searcher.ready()
            return run(lambda: searcher.search(low, high, depth), searcher.context, STOP)

    def analyse(
        self,
        position: Root = None,
        *,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        clock: Clock | None = None,
        moves: Iterable[int] | None = None,
        multipv: int = 1,
        guess: float = 0.0,
        line_budget: int = LINE_NODES,
        report: Callable[[Info], None] | None = None,
        catch_interrupt: bool = False,
    ) -> SearchResult:
        """Search deeper and deeper until a limit is reached or the result is proved.

        `moves` are the root moves to search (default: all), `multipv` the number of best lines to
        return, `guess` the value at which drivers that take a guess start, `line_budget` the nodes
        that completing a line may take after a stop.  `report` is called after every iteration, in
        the thread that searches.  Ctrl-C stops the analysis and raises `KeyboardInterrupt`; with
        `catch_interrupt` the result reached so far is returned instead, marked `interrupted`.
        """
        limits = Limits(depth, time, nodes, clock)
        chosen = _chosen(moves)
        if isinstance(multipv, bool) or not isinstance(multipv, int) or multipv < 1:
            raise PlyforgeError(f"multipv {multipv!r}: give the number of lines, at least 1")
        if not math.isfinite(guess):
            raise PlyforgeError(f"guess {guess!r}: give a value that the search may find")
        with self._alone():
            root = self.root(position)
            analysis = Analysis(
                self.searcher,
                self.driver,
                root,
                limits,
                team=self._team,
                chosen=chosen,
                lines=multipv,
                guess=guess,
                line_budget=line_budget,
                report=report,
            )
            interrupted = False
            self._analysis = analysis
            try:
                with limits.alarm(len(root.moves), self.stop):
                    run(analysis.run, self.searcher.context, STOP)
            except KeyboardInterrupt:
                if not catch_interrupt:
                    raise
                interrupted = True
            finally:
                self._analysis = None
            return replace(analysis.result(), interrupted=interrupted)

    def infos(
        self, position: Root = None, *, until: threading.Event | None = None, **limits: Any
    ) -> Iterator[Info]:
        """Yield each `Info` of an analysis as it comes; the last one is the `SearchResult`.

        Leaving the loop stops the search, and so does `until` once it is set; a later call goes on
        with what the table has learned.
        """
        with closing(self._told(position, until, None, limits)) as told:
            for info in told:
                assert isinstance(info, Info)
                yield info

    def live(
        self,
        position: Root = None,
        *,
        every: float,
        until: threading.Event | None = None,
        **limits: Any,
    ) -> Iterator[Info | Progress]:
        """As `infos`, with a `Progress` whenever nothing else was told for so many seconds."""
        if not every > 0:
            raise PlyforgeError(f"every {every!r}: give the seconds between figures, more than 0")
        return self._told(position, until, every, limits)

    def progress(self) -> Progress | None:
        """How far a running analysis has got; any thread may ask.  None if there is none."""
        analysis = self._analysis
        return None if analysis is None else analysis.progress()

    def _told(
        self,
        position: Root,
        until: threading.Event | None,
        every: float | None,
        limits: dict[str, Any],
    ) -> Generator[Info | Progress, None, None]:
        """Analyse in a thread of its own, and tell what comes of it."""
        found: queue.SimpleQueue[Info | BaseException] = queue.SimpleQueue()

        def work() -> None:
            try:
                found.put(self.analyse(position, report=found.put, **limits))
            except BaseException as error:
                found.put(error)

        thread = threading.Thread(target=work, name="plyforge-analysis")
        thread.start()
        patience = None if until is None else _STOP_AGAIN
        if every is not None:
            patience = min(_STOP_AGAIN, every)
        ended, told = False, monotonic()
        try:
            while not ended:
                try:
                    info = found.get(timeout=patience)
                except queue.Empty:
                    if until is not None and until.is_set():
                        self.stop()
                    if every is not None and monotonic() - told >= every:
                        told = monotonic()
                        if (progress := self.progress()) is not None:
                            yield progress
                    continue
                told = monotonic()
                ended = isinstance(info, (SearchResult, BaseException))
                if isinstance(info, BaseException):
                    raise info
                yield info
        finally:
            # Not once it has ended by itself: a search under way would be somebody else's.
            while not ended and thread.is_alive():
                self.stop()
                thread.join(_STOP_AGAIN)
            thread.join()

    def stop(self) -> None:
        """Make a running search return at once; any thread may call this."""
        self.searcher.stop()

    def clear(self) -> None:
        """Forget what earlier searches have learned."""
        with self._alone():
            self.searcher.clear()
            if self._team is not None:
                self._team.clear()

    def text(self, result: SearchResult) -> str:
        """The best move as players write it."""
        root = self.searcher.root if result.root is None else result.root
        return self.game.move_text(root.position, result.move)

    def line_texts(self, root: History, line: Iterable[int]) -> list[str]:
        """The moves of a line as players write them."""
        texts, position = [], root.position
        for move in line:
            texts.append(self.game.move_text(position, move))
            position = self.game.play(position, move)
        return texts

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One search at a time: an engine's memory is one searcher's."""
        if not self._busy.acquire(blocking=False):
            raise PlyforgeError("this engine is searching already; stop it first, or make another")
        try:
            yield
        finally:
            self._busy.release()


def validate_threads(threads: int) -> int:
    """A number of threads, or an error that says which there may be."""
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise PlyforgeError(f"threads {threads!r} is no whole number")
    if not 1 <= threads <= MAX_THREADS:
        raise PlyforgeError(f"threads {threads} is out of range; it goes from 1 to {MAX_THREADS}")
    return threads


def _chosen(moves: Iterable[int] | None) -> list[int] | None:
    if moves is None:
        return None
    chosen = list(dict.fromkeys(moves))
    if not chosen:
        raise PlyforgeError("no root move is allowed; name at least one, or leave them out")
    return chosen


def _listed(name: str, switches: Iterable[str]) -> list[str]:
    if isinstance(switches, str):
        raise PlyforgeError(f"{name} = '{switches}': give a list, as ['{switches}']")
    return list(switches)


def preset_for(game: Game, name: str) -> Options:
    """A preset with the changes that the game's `SEARCH` asks for."""
    options, wishes = Options.preset(name), game.rules.constant("SEARCH")
    if preset(name).as_printed:
        return options
    try:
        unknown = set(wishes) - {"on", "off", "set"}
        if unknown:
            raise PlyforgeError(f"it has the key '{min(unknown)}'; the keys are on, off and set")
        return options.changed(wishes.get("on", ()), wishes.get("off", ()), wishes.get("set"))
    except PlyforgeError as error:
        raise GameFileError(f"{game.rules.file}: SEARCH: {error}") from error


def options_for(
    driver: Driver,
    options: Options,
    on: Iterable[str],
    off: Iterable[str],
    settings: Mapping[str, Any] | None,
) -> Options:
    """Options with changes, and with what the driver's name says."""
    on, off = _listed("on", on), _listed("off", off)
    if driver.name == "pvs" and "pvs" in off:
        raise PlyforgeError("the driver 'pvs' needs the switch 'pvs'; take the driver 'alphabeta'")
    if driver.name == "minimax":
        options = options.changed(off=["all"])
    elif driver.name == "alphabeta":
        options = options.changed(off=["pvs"])
    options = options.changed(on, off, settings)
    return options.changed(on=["pvs"]) if driver.name == "pvs" else options
