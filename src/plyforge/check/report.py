"""The result of a check: problems, remarks and statistics."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["problem", "remark"]


@dataclass(frozen=True)
class Problem:
    """One mistake, where it was first seen; a remark may be intended."""

    severity: Severity
    hook: str
    message: str
    position: str | None = None
    move: str | None = None
    file: str | None = None
    line: int | None = None
    times: int = 1
    """How often it was seen."""


@dataclass
class Statistics:
    """How much was played and compared."""

    games: int = 0
    positions: int = 0
    moves: int = 0
    longest_game: int = 0
    max_moves: int = 0
    ends_by_outcome: int = 0
    ends_without_move: int = 0
    compile_seconds: float = 0.0
    compiled: bool = False
    """Whether the compiled backend was compared."""


@dataclass
class Report:
    """Everything that one check found, in order."""

    game: str
    problems: list[Problem] = field(default_factory=list)
    statistics: Statistics = field(default_factory=Statistics)
    complete: bool = False
    """Whether the check was completed; False if the rules hung or crashed."""

    @property
    def passed(self) -> bool:
        """Whether only remarks were found."""
        return all(problem.severity == "remark" for problem in self.problems)

    def passes(self, strict: bool = False) -> bool:
        """Return whether no problem was found; if `strict`, no remark either."""
        return not self.problems if strict else self.passed


@dataclass(frozen=True)
class Place:
    """A line of the author's code."""

    file: str
    line: int


class Recorder:
    """Records mistakes: passes on the first of each kind and counts the others."""

    def __init__(self, emit: Callable[[Problem], object]) -> None:
        self._emit = emit
        self._numbers: dict[tuple[str, str], int] = {}
        self.times: list[int] = []
        self.position: str | None = None
        """The text of the position that is being checked."""
        self.move: str | None = None

    def problem(self, hook: str, kind: str, message: str, place: Place | None = None) -> None:
        """Record a mistake; `kind` distinguishes the mistakes of one hook."""
        self._record("problem", hook, kind, message, place)

    def remark(self, hook: str, kind: str, message: str, place: Place | None = None) -> None:
        """Record something that looks like a mistake but may be intended."""
        self._record("remark", hook, kind, message, place)

    def has(self, hook: str) -> bool:
        """Return whether a mistake of the hook was recorded."""
        return any(name == hook for name, _ in self._numbers)

    def set_context(self, position: str | None, move: str | None = None) -> None:
        """Set the position and the move that the next problems are about."""
        self.position, self.move = position, move

    def _record(
        self, severity: Severity, hook: str, kind: str, message: str, place: Place | None
    ) -> None:
        number = self._numbers.setdefault((hook, kind), len(self.times))
        if number < len(self.times):
            self.times[number] += 1
            return
        self.times.append(1)
        file, line = (place.file, place.line) if place else (None, None)
        self._emit(Problem(severity, hook, message, self.position, self.move, file, line))
