"""CPU time of work in this process and in child processes."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CHILD_TIMEOUT = 900.0
"""Wall-clock seconds after which a child process counts as hung."""


RESULTS = Path(__file__).with_name("results")


class MeasurementError(Exception):
    """A contender cannot be measured; the message says why."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run."""

    quick: bool = False
    results: Path = RESULTS
    """The folder for the pages of comparisons."""
    against: Path | None = None
    """The folder of another checkout to compare with."""

    @property
    def rounds(self) -> int:
        """The number of times each contender is measured; the best counts."""
        return 1 if self.quick else 5

    @property
    def min_seconds(self) -> float:
        """The minimum CPU seconds of a sample in this process."""
        return 0.1 if self.quick else 0.7


@dataclass(frozen=True)
class Sample:
    """One count of a tree: its size and the CPU seconds it took."""

    nodes: int
    seconds: float

    @property
    def rate(self) -> float:
        """Nodes per CPU second."""
        return self.nodes / self.seconds


Contender = Callable[[], Sample]
"""Counts the tree once and returns the sample."""


def in_process(count: Callable[[], int], min_seconds: float) -> Contender:
    """Return a contender that calls `count` for at least `min_seconds`, and averages."""

    def sample() -> Sample:
        calls, nodes = 0, 0
        start = time.process_time()
        while True:
            nodes = count()
            calls += 1
            elapsed = time.process_time() - start
            if elapsed >= min_seconds:
                return Sample(nodes, elapsed / calls)

    return sample


def interleave(contenders: Sequence[Contender], rounds: int) -> list[Sample]:
    """Return the best sample of each contender, measured in turns: A B A B.

    Other load on the machine can only add time, so the best sample is the most accurate one; taking
    turns spreads slow periods over both sides.
    """
    taken: list[list[Sample]] = [[] for _ in contenders]
    for _ in range(rounds):
        for samples, contender in zip(taken, contenders, strict=True):
            samples.append(contender())
    for samples in taken:
        if len({sample.nodes for sample in samples}) != 1:
            raise MeasurementError(f"a contender returned different counts: {samples}")
    return [min(samples, key=lambda sample: sample.seconds) for samples in taken]


@dataclass(frozen=True)
class ChildResult:
    """The result of a child process that ended without an error."""

    output: str
    cpu: float
    wall: float


def run_child(
    command: Sequence[str], *, stdin: str = "", env: Mapping[str, str] | None = None
) -> ChildResult:
    """Run a command; raise `MeasurementError` if it cannot start or fails."""
    try:
        import resource
    except ImportError as error:  # Windows has no per-child accounting in the standard library
        raise MeasurementError("CPU time of a child process needs a Unix system") from error

    def children() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    name = Path(command[0]).name
    cpu, wall = children(), time.perf_counter()
    try:
        done = subprocess.run(
            command,
            input=stdin,
            env=env,
            capture_output=True,
            text=True,
            check=True,
            timeout=CHILD_TIMEOUT,
        )
    except subprocess.CalledProcessError as error:
        reason = last_line(error.stderr or error.stdout) or f"exit code {error.returncode}"
        # Stored tables carry no paths of the machine they were measured on.
        raise MeasurementError(f"{name} failed: {reason.replace(command[0], name)}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MeasurementError(f"{name} did not finish: {type(error).__name__}") from error
    return ChildResult(done.stdout, children() - cpu, time.perf_counter() - wall)


def last_line(text: str | None) -> str:
    """Return the last line of what a process wrote, which says why it failed."""
    lines = (text or "").strip().splitlines()
    return lines[-1] if lines else ""
