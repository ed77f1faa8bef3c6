"""Solving by proof search."""

import threading
import time as clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from plyforge.compilation.interruptible import run
from plyforge.compilation.kernel import Backend
from plyforge.core.errors import UnknownName
from plyforge.core.scores import SCORE_LIMIT, outcome_name
from plyforge.engine.limits import Limits
from plyforge.engine.proof import Bounds, Question, find_bounds
from plyforge.engine.result import int_if_whole
from plyforge.game.game import Game, History
from plyforge.search.proof.methods import METHODS
from plyforge.search.proof.prover import Prover
from plyforge.search.request import SearchRoot, root_of

ALPHA_BETA: Final = "alpha-beta"
METHOD_NAMES: Final = (ALPHA_BETA, *METHODS)
_LINE_NODES: Final = 100_000
"""Nodes that may be searched for the line of best moves, after the result is known."""
_LINE_PLIES: Final = 200
_INTERVAL: Final = 1.0
"""Seconds between two reports."""


@dataclass(frozen=True)
class ProofProgress:
    """The state of a solution by proofs."""

    threshold: float
    """The present question: is the value at least this?"""
    proof: int
    """The root's proof number."""
    disproof: int
    bounds: Bounds
    nodes: int
    seconds: float


@dataclass(frozen=True)
class ProofSolution:
    """The result of perfect play for the side to move, or the bounds reached so far."""

    method: str
    bounds: Bounds
    questions: tuple[Question, ...]
    line: tuple[int, ...]
    """The best moves; where a move decides nothing, one that took long to refute."""
    seconds: float
    progress_limit: int | None
    """The game's limit of plies without progress."""
    interrupted: bool = False

    @property
    def solved(self) -> bool:
        return self.bounds.solved

    @property
    def value(self) -> float | int | None:
        """The final score, or 1 for a win, 0 for a draw, -1 for a loss; None if not solved."""
        if not self.solved:
            return None
        score = self.bounds.lower
        if abs(score) > SCORE_LIMIT:
            return 1 if score > 0 else -1
        return int_if_whole(score)

    @property
    def outcome(self) -> str | None:
        """`win`, `draw` or `loss`; None if not solved."""
        return outcome_name(self.bounds.lower) if self.solved else None

    @property
    def run(self) -> int:
        """The maximum number of plies without progress in the lines that prove the result."""
        value = self.value or 0
        return self.bounds.lower_run if value > 0 else self.bounds.upper_run if value < 0 else 0

    @property
    def exceeds_limit(self) -> bool:
        """Whether a win may take longer than the rules allow without progress.

        Proofs leave that limit out.  A draw stays one with it, and so does a win or a loss whose
        proof stays below it.
        """
        return self.progress_limit is not None and self.run >= self.progress_limit

    @property
    def nodes(self) -> int:
        return sum(question.result.nodes for question in self.questions)

    @property
    def fault(self) -> str:
        """Why the search could not go on, if so."""
        return self.questions[-1].result.fault if self.questions else ""

    def fields(self, pv: list[str]) -> dict[str, Any]:
        """Return the fields that the command line prints."""
        return {
            "value": self.value,
            "outcome": self.outcome,
            "solved": self.solved,
            "best": pv[0] if pv else None,
            "pv": pv,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "method": self.method,
            "lower": _bound(self.bounds.lower),
            "upper": _bound(self.bounds.upper),
            "run": self.run,
            "exceeds_limit": self.exceeds_limit,
            "questions": [
                {
                    "threshold": threshold_text(question.threshold),
                    "answer": question.result.answer,
                    "nodes": question.result.nodes,
                }
                for question in self.questions
            ],
        }


def _bound(value: float) -> float | int:
    """Return a bound as `value` returns values: 1 and -1 for a win and a loss."""
    if abs(value) > SCORE_LIMIT:
        return 1 if value > 0 else -1
    return int_if_whole(value)


def threshold_text(threshold: float) -> str:
    """Return what a question asks for, as `win`, `no loss` or `at least 4`."""
    if threshold == 0:
        return "no loss"
    if threshold > SCORE_LIMIT or 0 < threshold < 2.0**-100:
        return "win"
    return f"at least {int_if_whole(threshold)}"


def default_method(game: Game) -> str:
    """Return a game's own method, or df-pn where positions come back, else alpha-beta.

    A game of chance is for alpha-beta alone.
    """
    own = game.rules.constant("SOLVE").get("method")
    if own is not None:
        return validate_method(own)
    if game.has_chance() or game.rules.constant("REPETITION") is None:
        return ALPHA_BETA
    return "df-pn"


def validate_method(name: str) -> str:
    """Return the name of a method if there is one, else raise an error."""
    if name not in METHOD_NAMES:
        raise UnknownName("method", name, METHOD_NAMES)
    return name


def solve_by_proof(
    game: Game,
    root: History,
    method: str = "df-pn",
    *,
    time: float | None = None,
    nodes: int | None = None,
    hash: float | None = None,
    entries: int | None = None,
    database: str | None = None,
    report: Callable[[ProofProgress], None] | None = None,
    catch_interrupt: bool = False,
    backend: Backend | None = None,
    prover: Prover | None = None,
) -> ProofSolution:
    """Prove the value of a position by questions such as `does the side to move win?`.

    `database` is the folder of an endgame database.  `report` is called in another thread about
    once a second, and after every answer.  Ctrl-C raises `KeyboardInterrupt`, or with
    `catch_interrupt` returns the bounds reached so far.  A `prover` that has answered questions
    already can be given instead of a method, its memory and the database.
    """
    limits = Limits(time=time, nodes=nodes)
    if prover is None:
        prover = Prover(
            game, method, hash=hash, entries=entries, database=database, backend=backend
        )
    start = root_of(root, game)
    solver = _Solver(prover, start, report)
    interrupted = False
    try:
        with limits.alarm(len(root.moves), prover.stop), solver.reporting():
            run(lambda: solver.find_bounds(limits.nodes), prover.stop)
    except KeyboardInterrupt:
        if not catch_interrupt:
            raise
        interrupted = True
    seconds = clock.perf_counter() - solver.started
    prover.reset_stop()
    line = _find_line(prover, root, solver.bounds, solver.questions)
    limit = game.rules.constant("NO_PROGRESS_LIMIT")
    questions = tuple(solver.questions)
    return ProofSolution(
        prover.method.name, solver.bounds, questions, line, seconds, limit, interrupted
    )


class _Solver:
    """Asks the questions, and reports while they are being answered."""

    def __init__(
        self, prover: Prover, root: SearchRoot, report: Callable[[ProofProgress], None] | None
    ) -> None:
        self._prover = prover
        self._root = root
        self._report = report
        self.bounds = Bounds()
        self.questions: list[Question] = []
        self._asking = True
        self.started = clock.perf_counter()
        prover.reset_stop()

    def find_bounds(self, nodes: int | None) -> None:
        """Ask until the value is known, or the search is stopped."""
        find_bounds(
            self._prover,
            self._root,
            nodes,
            self.take_answer,
            bounds=self.bounds,
            questions=self.questions,
        )

    def take_answer(self) -> None:
        """Report an answer; its nodes are among those of the questions now."""
        self._asking = False
        self.tell()
        self._asking = True

    def tell(self) -> None:
        """Report the present state."""
        if self._report is not None:
            context = self._prover.context
            done = sum(question.result.nodes for question in self.questions)
            running = int(context.nodes) if self._asking else 0
            self._report(
                ProofProgress(
                    float(context.threshold),
                    int(context.root_proof),
                    int(context.root_disproof),
                    self.bounds,
                    done + running,
                    clock.perf_counter() - self.started,
                )
            )

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Report from time to time until the block ends."""
        if self._report is None:
            yield
            return
        ended = threading.Event()

        def tell_repeatedly() -> None:
            while not ended.wait(_INTERVAL):
                self.tell()

        thread = threading.Thread(target=tell_repeatedly, name="plyforge-progress", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


def _find_line(
    prover: Prover, root: History, bounds: Bounds, questions: list[Question]
) -> tuple[int, ...]:
    """Return the best moves, as far as the answers of the table lead; at least one move."""
    first = bounds.move if bounds.move is not None else root.legal_moves()[0]
    line, path = [first], root.copy()
    path.play(first)
    yes = [q.threshold for q in questions if q.result.answer is True]
    no = [q.threshold for q in questions if q.result.answer is False]
    if not bounds.solved or not prover.keeps_results:
        return tuple(line)
    left = _LINE_NODES
    while left > 0 and len(line) < _LINE_PLIES and not path.verdict().over:
        if path.occurrences() > 1:
            break
        mine = path.turn == root.turn
        threshold = max(yes) if yes and (mine or not no) else min(no)
        result = prover.prove(root_of(path, prover.game), threshold, root.turn, left)
        prover.reset_stop()
        left -= result.nodes
        if result.move is None or result.move not in path.legal_moves():
            break
        line.append(result.move)
        path.play(result.move)
    return tuple(line)
