"""The public engine: searches positions of a game, and returns results."""

import math
import os
import queue
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from copy import copy
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any, Final, Literal

from plyforge.compilation.interruptible import run
from plyforge.compilation.kernel import Backend, BuiltKernel
from plyforge.compilation.notices import Notices
from plyforge.core.errors import PlyforgeError
from plyforge.engine.analysis import LINE_BUDGET, Analysis, LineBudget
from plyforge.engine.book import Book, book_lines, open_book
from plyforge.engine.clock import Clock
from plyforge.engine.drivers import DEFAULT, DRIVERS, DriverLike, find_driver
from plyforge.engine.helper_threads import HelperThreads
from plyforge.engine.limits import Limits, validate_depth
from plyforge.engine.pondering import Pondering
from plyforge.engine.presets import evaluation_for, preset_for, uses_special_kernel
from plyforge.engine.result import Info, Line, Progress, SearchResult
from plyforge.engine.setup import SearchSetup, make_setup
from plyforge.evaluate import EvaluationChoice, evaluation_of, with_evaluation, with_weights
from plyforge.game.game import Game, History
from plyforge.games import GameSource, load
from plyforge.search.chance import require_steps_for_chance
from plyforge.search.counts import Counts
from plyforge.search.hashtable import MIN_ENTRIES, HashTable
from plyforge.search.kernels.table import DEEPER_TIMESTAMP
from plyforge.search.options import Options
from plyforge.search.parallel.methods import DEFAULT as DEFAULT_METHOD
from plyforge.search.parallel.methods import DISTRIBUTED_METHODS, LAZY, METHODS, find_method
from plyforge.search.parallel.searcher import ParallelSearcher, TeamSettings
from plyforge.search.request import SearchRequest, WindowResult, root_of, validate_root
from plyforge.search.searcher import Searcher, set_words
from plyforge.search.steps import BUILT_IN
from plyforge.search.steps.files import StepSource, load_step

MAX_THREADS: Final = 256
MAX_PROCESSES: Final = 4096
BOOK: Final = "book"
"""What a result names as its driver if its lines are from a book."""
_STOP_INTERVAL: Final = 0.1
"""Seconds between two calls of `stop`: a search that is just starting may miss the first."""

Root = Any
"""A position, its text, or a `History` whose earlier positions count for repetition."""


class Engine:
    """Searches positions of one game.

    `driver`, `preset`, `on`, `off` and `settings` choose the search; a driver is a name, a Python
    file, a function or a `Driver`, and `steps` are Python files with search steps of your own.
    Several `threads` search together by the method `parallel`, or several `processes` by one of the
    methods that exchange messages; call `close` after these.  `hash` (MiB) or `entries` is the
    size of the transposition table; `evaluation` is a file, a name or a function to use instead of
    the one that the game has, or names for the preset; `database` is the folder of an endgame
    database; positions with scores in the `book`, a file, are not searched.  An analysis uses what
    earlier ones left in the table.
    """

    def __init__(
        self,
        game: Game | GameSource,
        *,
        driver: DriverLike = DEFAULT,
        preset: str = "exact",
        on: Iterable[str] = (),
        off: Iterable[str] = (),
        settings: Mapping[str, Any] | None = None,
        steps: Iterable[StepSource] = (),
        hash: float | None = None,
        entries: int | None = None,
        threads: int = 1,
        parallel: str = DEFAULT_METHOD,
        processes: int = 1,
        evaluation: EvaluationChoice | None = None,
        book: Book | Path | str | None = None,
        database: str | os.PathLike[str] | None = None,
        backend: Backend | None = None,
        notices: Notices | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else load(game, backend)
        self.book = open_book(self.game, book) if isinstance(book, (str, Path)) else book
        self._of_preset = evaluation_for(self.game, preset) if evaluation is None else None
        if self._of_preset is not None:
            evaluation = self._of_preset.name
        if evaluation is not None:  # first: a preset leaves out what was fitted to another one
            self.game = with_evaluation(self.game, evaluation)
        self.driver = find_driver(driver)
        base = preset_for(self.game, preset, self.driver).with_steps(map(load_step, steps))
        chosen = dict(settings or {})
        if database is not None:
            chosen["database"] = os.fspath(database)
        self.options = self.driver.options(base, _as_list("on", on), _as_list("off", off), chosen)
        _check_hooks(self.game, self.options)
        if self.game.has_chance():
            require_steps_for_chance(self.options)
        self._threads = validate_threads(threads)
        self._method = find_method(parallel)
        self._processes = self._check_processes(processes)
        self._check_method()
        self._notices = notices or self.game.notices
        _warn_of_threads(self._threads, self._notices)
        stamped = self.options.code("replace") == DEEPER_TIMESTAMP
        if self._threads > 1 and set_words(self.game, self.options) > 0:
            # The sets of entries are not protected against races.
            self.options = self.options.changed(settings={"cycle-policy": "safe"})
        words = set_words(self.game, self.options)
        table = HashTable.sized(hash, entries, stamped, words)
        if not self.options.has("table"):
            table = HashTable.sized(entries=MIN_ENTRIES)
        self._evaluation = evaluation
        self._table = table
        self._backend = backend or self.game.backend
        self._built: BuiltKernel | None = None
        """The kernel, if another engine has built it already."""
        self._analysis: Analysis | None = None
        """The analysis that is running."""
        self._add_lock()

    def _add_lock(self) -> None:
        self._busy = threading.Lock()
        self._exclusive = _Exclusive(self._busy)

    @property
    def evaluation(self) -> str:
        """The name or file of the evaluation in use; empty for the game's own, or an object."""
        return self._evaluation if isinstance(self._evaluation, str) else ""

    def clone(self) -> "Engine":
        """Return an engine with the same settings and an empty table of its own.

        It takes over the kernel, so it is ready at once: the rules are not looked at again.  This
        engine may be searching meanwhile.
        """
        if self._built is None and "searcher" not in vars(self):
            self.prepare()
        built, table = self._built or self.searcher.kernel, self._table
        other = copy(self)
        for name in ("searcher", "_helpers"):
            vars(other).pop(name, None)
        other._table = HashTable(table.entries, stamped=len(table.stamps) == table.entries)
        other._built, other._analysis = built, None
        other._add_lock()
        return other

    @cached_property
    def searcher(self) -> Searcher:
        """The searcher; the first use compiles its kernel, unless that is in the cache."""
        parts: dict[str, Any] = {
            "backend": self._backend,
            "notices": self._notices,
            "specialised": uses_special_kernel(self.game, self.options),
            "built": self._built,
        }
        if self._method.distributed:
            from plyforge.engine.distributed.searcher import DistributedSearcher

            return DistributedSearcher(
                self.game,
                self.options,
                processes=self._processes,
                method=self._method.name,
                setup=self.setup(self._processes),
                **parts,
            )
        if self._threads > 1 and self._method.is_team:
            settings = TeamSettings(self._method, self._threads)
            return ParallelSearcher(
                self.game, self.options, self._table, settings=settings, **parts
            )
        searcher = Searcher(self.game, self.options, self._table, **parts)
        searcher.prune(self.driver.prunes)
        return searcher

    @property
    def threads(self) -> int:
        """The number of threads that search."""
        return self._threads

    @property
    def parallel(self) -> str:
        """The method by which several threads search."""
        return self._method.name

    @property
    def processes(self) -> int:
        """The number of processes that search."""
        return self._processes

    def close(self) -> None:
        """End the processes that it has started, if any; the engine cannot search any more."""
        searcher = vars(self).get("searcher")
        if self._method.distributed and searcher is not None:
            searcher.close()

    def _check_processes(self, processes: int) -> int:
        """Return the number of processes, if the method goes with it."""
        name, distributed = self._method.name, self._method.distributed
        if isinstance(processes, bool) or not isinstance(processes, int):
            raise PlyforgeError(f"processes must be an integer, not {processes!r}")
        if not 1 <= processes <= MAX_PROCESSES:
            raise PlyforgeError(f"processes must be between 1 and {MAX_PROCESSES}, not {processes}")
        if not distributed and processes > 1:
            known = ", ".join(DISTRIBUTED_METHODS)
            raise PlyforgeError(
                f"the parallel method '{name}' uses threads, not processes; set threads (--threads"
                f" {processes}), or choose a method for processes: {known}"
            )
        if not distributed:
            return 1
        if self._threads > 1:
            raise PlyforgeError(
                f"the parallel method '{name}' uses processes, not threads; set processes"
                f" (--processes {self._threads})"
            )
        from plyforge.compilation.mpi import load_library
        from plyforge.engine.distributed.searcher import mpi_size
        from plyforge.search.distributed.member import require_exact_steps

        load_library()
        require_exact_steps(self.options)
        if mpi_size() > 1 and processes not in (1, mpi_size()):
            raise PlyforgeError(
                f"mpiexec has started {mpi_size()} processes, and {processes} are asked for; leave"
                " --processes out, or give the same number to both"
            )
        processes = max(processes, mpi_size())
        if processes == 1:
            raise PlyforgeError(
                f"the parallel method '{name}' needs at least 2 processes; set processes"
                " (--processes 2)"
            )
        return processes

    @cached_property
    def _helpers(self) -> HelperThreads | None:
        if self._threads == 1 or self._method.is_team or self._method.distributed:
            return None
        return HelperThreads(self.searcher, self._threads, lazy=self._method.name == LAZY)

    def _check_method(self) -> None:
        """Reject a method that does not go with the driver or the switches."""
        if self._threads == 1 and not self._method.distributed:
            return
        name = self._method.name
        if self.game.has_chance() and (self._method.is_team or self._method.distributed):
            known = ", ".join(
                method.name
                for method in METHODS.values()
                if not (method.is_team or method.distributed)
            )
            raise PlyforgeError(
                f"the parallel method '{name}' does not go with a game of chance; these do: {known}"
            )
        if (self._method.is_team or self._method.distributed) and not self.driver.prunes:
            known = ", ".join(driver.name for driver in DRIVERS.values() if driver.prunes)
            raise PlyforgeError(
                f"the parallel method '{name}' does not go with the driver '{self.driver.name}',"
                f" which uses no windows; it goes with {known}"
            )
        if self._method.needs_table and not self.options.has("table"):
            raise PlyforgeError(
                f"the parallel method '{name}' does nothing without the switch 'table'; switch"
                " it on, or use another method, such as 'ybwc'"
            )

    def setup(self, parts: int = 1) -> SearchSetup:
        """Return what all its searches have in common, for processes on other machines.

        With `parts`, each of so many processes has a part of the table.
        """
        return make_setup(
            self.game,
            self.options,
            self._evaluation,
            backend=self._backend,
            entries=max(self._table.entries // parts, MIN_ENTRIES),
            prunes=self.driver.prunes,
        )

    def set_weights(self, weights: Any) -> None:
        """Use other weights for the evaluation from now on, and forget earlier searches.

        `weights` is a vector as long as the present one, an `Evaluation`, or a file of weights.
        Nothing is compiled if the engine's evaluation already has weights as data, as after
        `Engine(evaluation=...)` with an `Evaluation` or a file, and if the form and the type of the
        numbers stay the same.  A vector takes the type of the present weights: for an engine with
        int16 weights it is rounded as it is when it is saved.
        """
        with self._exclusive:
            before, self.game = self.game, with_weights(self.game, weights)
            self._evaluation = evaluation_of(self.game)
            hooks, old = self.game.rules.hooks, before.rules.hooks
            if hooks["evaluate"] is not old["evaluate"]:  # other code reads them
                vars(self).pop("searcher", None)
                vars(self).pop("_helpers", None)
                self._built = None
                self._table.clear()
            elif "searcher" in vars(self):
                self.searcher.set_weights(self.game)
                if self._helpers is not None:
                    self._helpers.set_weights(self.game)
                self.searcher.retire_values()

    def prepare(self) -> None:
        """Compile the search kernel now; otherwise the first search does."""
        with self._exclusive:
            assert self.searcher is not None

    def root(self, position: Root = None) -> History:
        """Return a position in any form as a game in progress."""
        root = self._root(position)
        if self._of_preset is not None:
            self._of_preset.check(root.position)
        return root

    def _root(self, position: Root) -> History:
        if isinstance(position, History):
            theirs, ours = position.game.rules, self.game.rules
            if theirs.file != ours.file:
                raise PlyforgeError(
                    f"the position is of {theirs.name}, but this engine searches {ours.name}"
                )
            return position
        if position is None:
            return self._start.copy()
        if isinstance(position, str):
            position = self.game.parse(position)
        return self.game.history(position)

    @cached_property
    def _start(self) -> History:
        """The start of the game; its copies share what the rules say about it."""
        start = self.game.history()
        start.verdict()
        return start

    def search(
        self,
        position: Root,
        low: float = float("-inf"),
        high: float = float("inf"),
        depth: int = 1,
        nodes: int | None = None,
    ) -> WindowResult:
        """Run one search, `depth` plies deep, without driver or deepening.

        A value of at most `low` is an upper bound, one of at least `high` a lower bound; between
        them it is exact.  The table keeps the results.  A search that would take more than `nodes`
        is stopped, and says so.
        """
        request = self.request(position, low, high, depth)
        with self._exclusive:
            searcher = self.searcher
            searcher.reset_stop(nodes)
            return run(lambda: searcher.search(request), searcher.stop)

    def request(
        self,
        position: Root,
        low: float = float("-inf"),
        high: float = float("inf"),
        depth: int = 1,
        moves: Iterable[int | str] | None = None,
    ) -> SearchRequest:
        """Return one search as data, which any process can carry out; `moves` as in `analyse`."""
        validate_depth(depth)
        root = self.root(position)
        root_moves = _root_moves(root, moves) or []
        if root_moves:
            validate_root(root, root_moves)
        return SearchRequest.of(root_of(root, self.game), low, high, depth, root_moves)

    def analyse(
        self,
        position: Root = None,
        *,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        clock: Clock | None = None,
        moves: Iterable[int | str] | None = None,
        multipv: int = 1,
        guess: float = 0.0,
        line_budget: LineBudget = LINE_BUDGET,
        report: Callable[[Info], None] | None = None,
        pondering: Pondering | None = None,
        first_depth: int | None = None,
        use_book: Literal["all", "proved", "none"] = "all",
        catch_interrupt: bool = False,
    ) -> SearchResult:
        """Search deeper and deeper until a limit is reached or the result is proved.

        `moves` are the root moves to search, as numbers or texts (default: all), `multipv` the
        number of best lines to return, `guess` the value at which drivers that take a guess start,
        `line_budget` the nodes that completing a line may take after a stop (with 0, lines are not
        completed), or a function that returns them then.  `report` is called after every iteration,
        in the thread that searches.  With `pondering`, `time` and `clock` count only once that is
        hit.  `first_depth` is the depth of the first iteration, to continue an analysis whose
        results are in the table.  Moves that the engine's book has scores for are returned without
        a search, unless `use_book` says that only proved ones are, or none.  Ctrl-C stops the
        analysis and raises `KeyboardInterrupt`; with `catch_interrupt` the result reached so far is
        returned instead, marked `interrupted`.
        """
        limits = Limits(depth, time, nodes, clock)
        if isinstance(multipv, bool) or not isinstance(multipv, int) or multipv < 1:
            raise PlyforgeError(f"multipv must be an integer of at least 1, not {multipv!r}")
        if not math.isfinite(guess):
            raise PlyforgeError(f"guess must be a finite number, not {guess!r}")
        if first_depth is not None:
            validate_depth(first_depth)
        with self._exclusive:
            root = self.root(position)
            root_moves = _root_moves(root, moves)
            validate_root(root, root_moves or ())
            if self.book is not None and use_book != "none" and root_moves is None:
                lines = book_lines(self.book, root, multipv, proved_only=use_book == "proved")
                if lines:
                    return _book_result(root, lines)
            analysis = Analysis(
                self.searcher,
                self.driver,
                root,
                limits,
                helpers=self._helpers,
                root_moves=root_moves,
                lines=multipv,
                guess=guess,
                line_budget=line_budget,
                report=report,
                pondering=pondering,
                first_depth=first_depth,
            )
            interrupted = False
            self._analysis = analysis
            try:
                with limits.alarm(len(root.moves), self.stop, pondering):
                    run(analysis.run, self.stop)
            except KeyboardInterrupt:
                if not catch_interrupt:
                    raise
                interrupted = True
            finally:
                self._analysis = None
            return analysis.result(interrupted, self._failure())

    def _failure(self) -> str:
        """Return why the processes of a distributed search have ended before their time, if so."""
        if not self._method.distributed:
            return ""
        return str(vars(self.searcher).get("failure", ""))

    def infos(
        self, position: Root = None, *, until: threading.Event | None = None, **limits: Any
    ) -> Iterator[Info]:
        """Yield each `Info` of an analysis as it comes; the last one is the `SearchResult`.

        Leaving the loop stops the search, and so does setting `until`.
        """
        with closing(self._stream(position, until, None, limits)) as reports:
            for info in reports:
                assert isinstance(info, Info)
                yield info

    def live(
        self,
        position: Root = None,
        *,
        interval: float,
        until: threading.Event | None = None,
        **limits: Any,
    ) -> Iterator[Info | Progress]:
        """Like `infos`, with a `Progress` whenever `interval` seconds pass without an `Info`."""
        if not interval > 0:
            raise PlyforgeError(f"interval must be a positive number of seconds, not {interval!r}")
        return self._stream(position, until, interval, limits)

    def progress(self) -> Progress | None:
        """Return the progress of the running analysis, or None; safe to call from any thread."""
        analysis = self._analysis
        return None if analysis is None else analysis.progress()

    def _stream(
        self,
        position: Root,
        until: threading.Event | None,
        interval: float | None,
        limits: dict[str, Any],
    ) -> Generator[Info | Progress, None, None]:
        """Analyse in another thread, and yield its reports."""
        reports: queue.SimpleQueue[Info | BaseException] = queue.SimpleQueue()

        def work() -> None:
            try:
                reports.put(self.analyse(position, report=reports.put, **limits))
            except BaseException as error:
                reports.put(error)

        thread = threading.Thread(target=work, name="plyforge-analysis")
        thread.start()
        timeout = None if until is None else _STOP_INTERVAL
        if interval is not None:
            timeout = min(_STOP_INTERVAL, interval)
        ended, reported = False, monotonic()
        try:
            while not ended:
                try:
                    report = reports.get(timeout=timeout)
                except queue.Empty:
                    if until is not None and until.is_set():
                        self.stop()
                    if interval is not None and monotonic() - reported >= interval:
                        reported = monotonic()
                        if (progress := self.progress()) is not None:
                            yield progress
                    continue
                reported = monotonic()
                ended = isinstance(report, (SearchResult, BaseException))
                if isinstance(report, BaseException):
                    raise report
                yield report
        finally:
            # Not once it has ended by itself: a running search would be another caller's.
            while not ended and thread.is_alive():
                self.stop()
                thread.join(_STOP_INTERVAL)
            thread.join()

    def stop(self) -> None:
        """Make a running search return at once; safe to call from any thread.

        Python code of a driver that does not search ends if this is called repeatedly.
        """
        if "searcher" in vars(self):
            self.searcher.stop()
        if (analysis := self._analysis) is not None:
            analysis.stop_driver()

    def table_fill(self) -> float:
        """Return the share of the table's entries in use, from a sample; safe in any thread."""
        return self._table.fill()

    def clear(self) -> None:
        """Forget the results of earlier searches."""
        with self._exclusive:
            # A new table is empty already; clearing it would only make the system provide it.
            if "searcher" not in vars(self) or not self.searcher.has_searched:
                return
            self.searcher.clear()
            if self._helpers is not None:
                self._helpers.clear()

    def text(self, result: SearchResult) -> str:
        """Return the best move in the game's notation."""
        if result.root is None:
            raise PlyforgeError("the result does not contain the position that was searched")
        return self.game.move_text(result.root.position, result.move)

    def line_texts(
        self, root: History, line: Iterable[int], *, readable: bool = False
    ) -> list[str]:
        """Return the moves of a line in the game's notation, or as pages show them."""
        texts, position = [], root.position
        to_text = self.game.readable_move if readable else self.game.move_text
        for move in line:
            texts.append(to_text(position, move))
            position = self.game.play(position, move)
        return texts


class _Exclusive:
    """Allows one search of an engine at a time: they share memory."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise PlyforgeError("this engine is searching already; stop it first, or make another")

    def __exit__(self, *error: object) -> None:
        self._lock.release()


def _book_result(root: History, lines: list[Line]) -> SearchResult:
    """Return the result of an analysis whose lines are from a book."""
    counts = Counts(steps={name: 0 for step in BUILT_IN for name in step.counters})
    return SearchResult(
        *(lines[0].depth, "exact", tuple(lines), counts, (), 0.0),
        driver=BOOK,
        stopped=False,
        line_nodes=0,
        root=root,
    )


def validate_threads(threads: int) -> int:
    """Return a number of threads if it is allowed, else raise an error."""
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise PlyforgeError(f"threads must be an integer, not {threads!r}")
    if not 1 <= threads <= MAX_THREADS:
        raise PlyforgeError(f"threads must be between 1 and {MAX_THREADS}, not {threads}")
    return threads


def _warn_of_threads(threads: int, notices: Notices) -> None:
    cores = usable_cores()
    if threads > cores:
        text = "one core" if cores == 1 else f"{cores} cores"
        notices.warn(
            f"{threads} threads, but this process can use {text}: more threads than cores make a"
            " search slower"
        )


def usable_cores() -> int:
    """Return the number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _root_moves(root: History, moves: Iterable[int | str] | None) -> list[int] | None:
    if moves is None:
        return None
    if isinstance(moves, str):
        moves = root.game.split_moves(moves)
    numbers = (
        root.game.parse_move(root.position, move) if isinstance(move, str) else move
        for move in moves
    )
    root_moves = list(dict.fromkeys(numbers))
    if not root_moves:
        raise PlyforgeError("no root move is allowed; name at least one, or leave them out")
    return root_moves


def _as_list(name: str, switches: Iterable[str]) -> list[str]:
    if isinstance(switches, str):
        raise PlyforgeError(f"{name} must be a list, as ['{switches}'], not '{switches}'")
    return list(switches)


def _check_hooks(game: Game, options: Options) -> None:
    """Reject a step that a user switched on if it would have no effect in this game."""
    for step in options.kernel_steps:
        missing = [hook for hook in step.hooks if hook not in game.rules.hooks]
        if missing and options.has(step.name):
            place = f"{step.file}: " if step.authored else ""
            raise PlyforgeError(
                f"{place}the step '{step.name}' needs the hook '{missing[0]}', which {game.name}"
                " does not define"
            )
