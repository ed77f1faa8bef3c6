"""The interface through which matches, experiments and learning run jobs in other processes.

An executor runs one function, the work, on many jobs at the same time: in processes of this machine
(`pool`), one after the other in this process (`serial`), or on other machines (`cluster`).  What
callers may rely on, and every executor must give:

- **Jobs are values.**  The work, a job and its result are pickled, and a job means the same on
  every machine: it names built-in games, or files of the user that travel by content
  (`user_files`).  While the work runs, it reads these files by the names that the user gave them,
  and errors name the user's file and line.
- **Every job has one result**, in any order, unless it is cancelled: a value, or the reason why
  there is none.  The caller's own object comes back in `JobResult.job`.
- **A job costs only itself.**  If the work raises an exception, if its worker dies, or if a stage
  takes longer than the job itself allowed (`Report`), this job fails and the others continue; a
  worker that died or hangs is replaced.  Only a `PlyforgeError` ends everything: the user can
  correct it, and the other jobs would fail too.
- **Workers keep nothing that changes a result.**  A worker runs one job at a time.  Any of them may
  get any job, so results do not depend on the number of workers.
- **Nothing is left behind.**  Leaving the `with` block of a queue, by an exception or Ctrl-C too,
  ends its workers; so does the end of this process, even by `kill -9`.  Ctrl-C is raised here and
  not in the workers.

An executor that runs jobs in this process cannot protect it: there, a job that hangs or kills the
process takes everything with it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from plyforge.jobs.user_files import UserFile

Report = Callable[[str, float | None], None]
"""Called by a running job with its stage and the seconds that the stage may take."""


class Work(Protocol):
    """The function that works on a job; other processes must be able to import it."""

    def __call__(self, job: Any, report: Report, /) -> Any: ...


@dataclass(frozen=True)
class JobResult:
    """A job with its result, or with the reason why there is none."""

    job: Any
    result: Any = None
    failure: str | None = None
    """Why there is no result: `died`, `hung` or `raised`."""
    stage: str = ""
    """The last stage that the job reported."""
    detail: str = ""
    code: int | None = None
    """The exit code of a process that died, negative for a signal."""


class JobQueue(Protocol):
    """Jobs of one work function, and their results as they finish."""

    def submit(self, job: Any) -> int:
        """Hand over a job; return its number.  It waits if all workers are busy."""

    def results(self) -> Iterator[JobResult]:
        """Yield results as jobs finish, until no job is left; jobs may be submitted meanwhile.

        Leaving the loop loses nothing: a later call yields the other results.
        """

    def cancel(self, number: int) -> None:
        """Forget a job, which then has no result; if it runs, end its worker.

        A job that has had its result is not affected.
        """


class Executor(Protocol):
    """Runs jobs; the module's docstring lists what it guarantees."""

    @property
    def workers(self) -> int:
        """How many jobs run at the same time; it may change while they run."""

    @property
    def place(self) -> str:
        """Where jobs run, for people: `2 nodes, 8 workers`; empty for this machine."""

    def open(self, work: Work, files: Sequence[UserFile] = ()) -> AbstractContextManager[JobQueue]:
        """Return a queue for jobs of `work`.

        Each worker receives the `files` once, by content, for all its jobs.  Workers start when
        there are jobs for them, and end with the `with` block.
        """


def run_jobs(
    executor: Executor,
    work: Work,
    jobs: Iterable[Any],
    files: Sequence[UserFile] = (),
    limit: int | None = None,
) -> Iterator[JobResult]:
    """Run jobs, at most `limit` at the same time; yield their results as they finish.

    A job is taken from `jobs` only when a worker is free for it, after the caller has seen the last
    result.  Leaving the loop cancels the jobs that are running.
    """
    waiting = iter(jobs)
    running = 0
    with executor.open(work, files) as queue:

        def submit() -> None:
            nonlocal running
            workers = executor.workers if limit is None else min(limit, executor.workers)
            for job in islice(waiting, max(0, workers - running)):
                queue.submit(job)
                running += 1

        submit()
        for result in queue.results():
            yield result
            running -= 1
            submit()
