"""Build databases: slices in the order in which they need each other, through an executor.

Each job builds one slice from the files in the folder, verifies it and writes its file.  Finished
files are never written again, so an interrupted build resumes with the slices that are missing.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError, clip
from plyforge.database.builder import BuiltSlice, Finished, MissingSlices, SliceBuilder
from plyforge.database.files import (
    SUFFIXES,
    DatabaseError,
    Header,
    SliceFile,
    find_file,
    list_files,
    read_header,
    read_slice,
    write_slice,
)
from plyforge.database.fingerprint import rules_fingerprint
from plyforge.database.kernels.values import INVALID, LEFT_OUT, MAX_SCORE, WON
from plyforge.database.ranking import with_index
from plyforge.database.slices import Slice, find_slices
from plyforge.game.chance import reject_chance
from plyforge.game.game import Game
from plyforge.games import load
from plyforge.jobs.executor import Executor, JobResult
from plyforge.jobs.user_files import UserFile

_RESERVE: Final = 1 << 20
"""Bytes that stay free on the disk."""


@dataclass(frozen=True)
class Job:
    """One slice to build."""

    game: str
    slice: str
    folder: str
    memory: int | None
    """The bytes that the arrays of the slice may take."""
    method: str
    backend: str | None = None
    distances: bool = True


@dataclass(frozen=True)
class Built:
    """The result of a job: the header of the file that was written, or what is missing."""

    header: Header | None
    missing: tuple[Slice, ...] = ()
    method: str = ""
    """How it was built; empty for a file that was there before."""
    seconds: float = 0.0
    """The processor time of building and verifying it."""


def build_slice(job: Job, report: Any) -> Built:
    """Build, verify and write one slice; the work of an executor."""
    started = time.process_time()
    game = _load(job.game, job.backend)
    target = find_slices(game, job.slice)[0]
    folder = Path(job.folder)
    report(f"slice {target.name}", None)
    builder = _builder(game)
    finished: dict[int, Finished] = {}
    while True:
        try:
            built = builder.build(target, finished, job.memory, job.method)
            break
        except MissingSlices as missing:
            paths = {one: find_file(folder, one.name, job.distances) for one in missing.slices}
            absent = [one for one, path in paths.items() if path is None]
            if absent:
                return Built(None, tuple(absent))
            for path in filter(None, paths.values()):
                one = load_finished(read_slice(path, game), job.distances)
                finished[one.slice.code] = one
    leaves_out = _verify(builder, built, finished)
    header = _header(game, built, finished, leaves_out)
    if leaves_out:
        builder.leave_out(target, built.values)
    unstored = (built.values == INVALID) | (built.values == LEFT_OUT)
    header["stored"] = int(target.size - np.count_nonzero(unstored))
    if not job.distances:
        _require_outcomes(game, target, built.values[~unstored])
        header |= {"distances": False, "longest": 0, "longest_number": -1}
    require_space(folder, target.size)
    written = write_slice(folder, header, built.values).header
    return Built(written, (), built.method, time.process_time() - started)


def _require_outcomes(game: Game, target: Slice, values: NDArray[np.int16]) -> None:
    """Raise an error if values are not wins, draws and losses."""
    if np.any((values != 0) & (np.abs(values) <= MAX_SCORE)):
        raise PlyforgeError(
            f"{game.name} is played for points, and slice {target.name} has scores, which a file"
            " of wins, draws and losses cannot hold; build it without --wdl"
        )


_games: dict[tuple[str, str | None], Game] = {}
_builders: dict[int, tuple[Game, SliceBuilder]] = {}


def _load(name: str, backend: str | None) -> Game:
    if (name, backend) not in _games:
        _games[name, backend] = with_index(load(name, backend))  # type: ignore[arg-type]
    return _games[name, backend]


def _builder(game: Game) -> SliceBuilder:
    if id(game) not in _builders:
        _builders[id(game)] = game, SliceBuilder(game)
    return _builders[id(game)][1]


def load_finished(file: SliceFile, distances: bool = True) -> Finished:
    """Return the values of a file for the use of other slices; without distances if so wanted."""
    values = file.values()
    if not distances:
        values = np.where(np.abs(values) > MAX_SCORE, np.sign(values) * np.int16(WON), values)
    return Finished(file.header.slice, values, file.header.leaves_out)


def _verify(builder: SliceBuilder, built: BuiltSlice, finished: dict[int, Finished]) -> bool:
    """Raise an error if a value is wrong; return whether positions can be left out."""
    result = builder.verify(built.slice, built.values, finished)
    if result.wrong:
        raise PlyforgeError(
            f"slice {built.slice.name}: {result.wrong} values do not follow from those of their"
            f" children, first that of number {result.wrong_number}; nothing was written"
        )
    return result.leaves_out


def _header(
    game: Game, built: BuiltSlice, finished: dict[int, Finished], leaves_out: bool
) -> dict[str, Any]:
    """Return what is known about a slice that is complete."""
    values = built.values
    valid = values != INVALID
    scores = values[valid]
    decided = np.abs(scores.astype(np.int32)) > MAX_SCORE
    longest = int((WON - np.abs(scores[decided].astype(np.int32))).max(initial=0))
    won = valid & (values > MAX_SCORE)
    worst = int(np.argmin(np.where(won, values, np.int16(WON))))
    return {
        "game": game.name,
        "variant": game.variant or "",
        "fingerprint": rules_fingerprint(game),
        "name": built.slice.name,
        "code": built.slice.code,
        "size": built.slice.size,
        "positions": len(scores),
        "leaves_out": leaves_out,
        "distances": True,
        "wins": int(np.count_nonzero(scores > 0)),
        "draws": int(np.count_nonzero(scores == 0)),
        "losses": int(np.count_nonzero(scores < 0)),
        "longest": longest,
        "longest_number": built.slice.number(worst) if won[worst] else -1,
        "needed": tuple(sorted(finished)),
    }


def require_space(folder: Path, size: int) -> None:
    """Raise an error if a disk has no room for so many bytes."""
    free = shutil.disk_usage(folder).free
    if free < size + _RESERVE:
        raise DatabaseError(
            f"no room in '{clip(str(folder))}': the next file may take {size >> 20} MiB, and"
            f" {free >> 20} MiB are free"
        )


@dataclass
class _Plan:
    """Slices to build, and which of them wait for others."""

    wanted: dict[str, Slice] = field(default_factory=dict)
    waits: dict[str, set[str]] = field(default_factory=dict)
    """For each slice that waits: the names of those that it needs."""

    def ready(self, running: set[str], finished: set[str]) -> list[str]:
        """Return the slices that can be built, the largest first: the end waits for no single one.

        With two workers, slices of five pieces in checkers take 0.53 of the time of one.
        """
        names = [
            name
            for name in self.wanted
            if name not in running and not (self.waits.get(name, set()) - finished)
        ]
        return sorted(names, key=lambda name: -self.wanted[name].size)

    def check_cycle(self, name: str) -> None:
        """Raise an error if slices need each other."""
        seen: list[str] = []
        stack = [name]
        while stack:
            one = stack.pop()
            for needed in self.waits.get(one, ()):
                if needed == name:
                    raise DatabaseError(
                        f"the slices {name} and {one} lead to each other; a game has to put them"
                        " into one slice"
                    )
                if needed not in seen and needed in self.wanted:
                    seen.append(needed)
                    stack.append(needed)


Progress = Callable[[int, int, str], None]
"""Called with the places done, the places in all as far as they are known, and a message."""


def build_database(
    game: Game,
    source: str,
    texts: Iterable[str],
    folder: Path,
    executor: Executor,
    *,
    memory: int | None = None,
    method: str = "auto",
    distances: bool = True,
    files: tuple[UserFile, ...] = (),
    progress: Progress | None = None,
) -> list[Built]:
    """Build the slices that texts name, and those that they need; return all of them.

    `memory` is for all workers together, in bytes.
    """
    reject_chance(game, "an endgame database", "its values are wins, draws and losses")
    plan = _Plan({one.name: one for text in texts for one in find_slices(game, text)})
    folder = folder.resolve()
    prepare_folder(folder, game)
    share = None if memory is None else memory // max(executor.workers, 1)
    finished: dict[str, Built] = {}
    for name in list(plan.wanted):
        _take_finished(folder, name, game, distances, plan, finished)
    tell = progress or (lambda done, total, message: None)
    done = 0
    running: set[str] = set()
    backend = None if game.backend == "compiled" else game.backend

    def total() -> int:
        return done + sum(one.size for one in plan.wanted.values())

    with executor.open(build_slice, files) as queue:

        def submit() -> None:
            for name in plan.ready(running, set(finished)):
                if len(running) < executor.workers:
                    running.add(name)
                    job = Job(source, name, str(folder), share, method, backend, distances)
                    queue.submit(job)

        submit()
        tell(done, total(), "")
        while running:
            for result in queue.results():
                name = result.job.slice
                running.discard(name)
                built = _result(result)
                if built.header is None:
                    _add_missing(plan, result.job, built.missing, game, finished)
                else:
                    finished[name] = built
                    done += plan.wanted.pop(name).size
                    tell(done, total(), name)
                submit()
    return list(finished.values())


def _take_finished(
    folder: Path, name: str, game: Game, distances: bool, plan: _Plan, finished: dict[str, Built]
) -> None:
    path = find_file(folder, name, distances)
    if path is not None:
        finished[name] = Built(read_slice(path, game).header)
        plan.wanted.pop(name, None)


def _add_missing(
    plan: _Plan, job: Job, missing: tuple[Slice, ...], game: Game, finished: dict[str, Built]
) -> None:
    """Plan the slices that a job needs, and let it wait for them."""
    for one in missing:
        plan.waits.setdefault(job.slice, set()).add(one.name)
        if one.name not in plan.wanted and one.name not in finished:
            plan.wanted = {one.name: one, **plan.wanted}  # first: others need it
            _take_finished(Path(job.folder), one.name, game, job.distances, plan, finished)
    plan.check_cycle(job.slice)


def _result(result: JobResult) -> Built:
    if result.failure is None:
        built: Built = result.result
        return built
    name = result.job.slice
    if result.failure == "died":
        reason = (
            f"its process ended ({result.detail}); reduce --memory if the machine ran out of it"
        )
    else:
        reason = result.detail.strip().splitlines()[-1] if result.detail else result.failure
    raise DatabaseError(f"slice {name} could not be built: {reason}; the finished ones are kept")


def prepare_folder(folder: Path, game: Game) -> None:
    """Make the folder, remove what an interrupted build left, and refuse one of other rules."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for suffix in SUFFIXES:
            for path in folder.glob(f".*{suffix}.*"):
                path.unlink(missing_ok=True)
    except OSError as error:
        raise DatabaseError(f"'{clip(str(folder))}' cannot be used: {error.strerror}") from None
    if not os.access(folder, os.W_OK):
        raise DatabaseError(f"'{clip(str(folder))}' cannot be written")
    for path in list_files(folder)[:1]:
        header = read_header(path)
        if header.game != game.name or header.fingerprint != rules_fingerprint(game):
            raise DatabaseError(
                f"'{clip(str(folder))}' has a database of other rules ({path.name} is of"
                f" {clip(header.game)}{':' + header.variant if header.variant else ''});"
                " choose another folder"
            )
