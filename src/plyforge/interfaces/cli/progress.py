"""Progress of a long command: a bar on standard error, for terminals only."""

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from rich import progress as rich_progress
from rich.console import Console
from rich.text import Text

from plyforge.interfaces.cli.output import format_duration
from plyforge.jobs.executor import Executor

_NOTE_INTERVAL: Final = 0.25
"""Minimum seconds between two calls of `note`, which may be slow."""
_SPEED_PERIOD: Final = 3600.0
"""Seconds of work from which the rate is estimated: a single game may take minutes."""


class Progress:
    """A progress bar with rate and time left; silent where standard error is not a terminal.

        with Progress("games") as progress:
            progress.start(total=100)
            for done in play():
                progress.update(done)

    Nothing is written to standard output, and the bar is removed at the end.  If an executor is
    given that uses other machines, the bar shows how many.
    """

    def __init__(self, unit: str, executor: Executor | None = None) -> None:
        self._executor = executor
        self._live = sys.stderr is not None and sys.stderr.isatty()
        self._next_note = 0.0
        self._bar = rich_progress.Progress(
            rich_progress.BarColumn(bar_width=20),
            _CountColumn(unit),
            console=Console(stderr=True, highlight=False),
            transient=True,
            speed_estimate_period=_SPEED_PERIOD,
            redirect_stdout=False,  # it would end up on standard error
            disable=not self._live,
        )
        self._task = self._bar.add_task("", total=None, note="")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def prepare(self, text: str) -> None:
        """Show what happens before the work starts."""
        self._bar.update(self._task, description=text)
        self._bar.start()

    def start(self, total: int | None, done: int = 0) -> None:
        """Start counting; `done` of `total` were finished earlier. The total may be unknown."""
        self._bar.reset(self._task, total=total, completed=done, description="")
        self._bar.start()

    def set_total(self, total: int) -> None:
        """Change the total, which may grow while the work goes on."""
        self._bar.update(self._task, total=total)

    def update(self, done: int, note: Callable[[], str] | None = None) -> None:
        """Set how much is done; `note` returns a text to show after the figures."""
        self._bar.update(self._task, completed=done)
        if self._live and time.monotonic() >= self._next_note:
            texts = [self._executor.place if self._executor else "", note() if note else ""]
            self._bar.update(self._task, note=", ".join(filter(None, texts)))
            self._next_note = time.monotonic() + _NOTE_INTERVAL

    def print(self, text: str) -> None:
        """Print a line that remains when the bar is removed, also if there is no terminal."""
        if self._live:
            self._bar.console.print(text, markup=False, soft_wrap=True)
        elif sys.stderr is not None:
            sys.stderr.write(f"{text}\n")


class _CountColumn(rich_progress.ProgressColumn):
    """`12 of 100 games, 3.4/s, 26 s left`, and the note."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: rich_progress.Task) -> Text:
        if task.description:
            return Text(task.description)
        total = "" if task.total is None else f" of {task.total:,.0f}"
        parts = [f"{task.completed:,.0f}{total} {self._unit}"]
        if task.speed:
            parts.append(format_rate(task.speed))
        if task.speed and task.time_remaining is not None:
            parts.append(f"{format_duration(task.time_remaining)} left")
        return Text(", ".join([*parts, *filter(None, [task.fields["note"]])]))


def format_rate(per_second: float) -> str:
    """Format a rate for people.

    >>> format_rate(1234.5), format_rate(3.42), format_rate(0.05)
    ('1,234/s', '3.4/s', '20.0 s each')
    """
    if per_second < 1:
        return f"{1 / per_second:.1f} s each"
    return f"{per_second:,.0f}/s" if per_second >= 10 else f"{per_second:.1f}/s"
