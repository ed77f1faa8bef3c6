"""`plyforge database build`, `probe`, `stats` and `verify`."""

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.core.scores import SCORE_LIMIT
from plyforge.database.building import Built, build_database
from plyforge.database.files import path_of
from plyforge.database.folder import Database
from plyforge.database.ranking import with_index
from plyforge.database.slices import position_at, require_index
from plyforge.database.verification import verify_slices
from plyforge.engine import score_text
from plyforge.engine.database_check import check_samples
from plyforge.engine.limits import validate_depth
from plyforge.game.game import Game
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.executors import ExecutorOptions
from plyforge.interfaces.cli.output import console, format_duration, print_json, print_table
from plyforge.interfaces.cli.positions import open_game, open_history
from plyforge.interfaces.cli.progress import Progress
from plyforge.jobs.user_files import file_names, read_user_file
from plyforge.match.tables import Table
from plyforge.search.hashtable import physical_memory

METHODS: Final = ("auto", "retrograde", "passes")
_MIB: Final = 1 << 20
_LINE_INTERVAL: Final = 20.0
"""Seconds between two lines about the progress."""
_ESTIMATE_SHARE: Final = 0.01
"""The share of the places from which the time left is estimated."""


@dataclass(frozen=True)
class BuildOptions:
    """The options of a build, as typed."""

    game: str
    slices: list[str]
    folder: str | None
    memory: int | None
    method: str
    wdl: bool
    workers: ExecutorOptions
    backend: str | None
    json: bool


def run_build(options: BuildOptions) -> int:
    """Build slices, print what was built; return the exit code."""
    game = load_indexed(options.game, options.backend)
    if options.method not in METHODS:
        raise UnknownName("method", options.method, METHODS, lists_all=True)
    folder = folder_of(game, options.folder)
    memory = _memory(options.memory)
    executor = options.workers.choose(allow_zero=True)
    files = tuple(read_user_file(name) for name in file_names(options.game))
    with Progress("places", executor) as progress:
        report = _Report(progress)
        slices = build_database(
            game,
            options.game,
            options.slices,
            folder,
            executor,
            memory=memory,
            method=options.method,
            distances=not options.wdl,
            files=files,
            progress=report.update,
        )
    _print_slices(game, folder, slices, options.json)
    return exits.DONE


class _Report:
    """Shows the progress of a build; in a log, a line now and then."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._started = self._printed = 0.0
        self._first: int | None = None
        """The places done when the clock was started: kernels are compiled before the first."""

    def update(self, done: int, total: int, name: str) -> None:
        """Take note of the places that are done; `name` is the slice that was finished last."""
        now = time.monotonic()
        if not name:
            self._progress.start(total, done)
        elif self._first is None:
            self._first = done
            self._started = self._printed = now
            self._progress.start(total, done)
        self._progress.set_total(total)
        self._progress.update(done, lambda: name)
        if self._first is None or now - self._printed < _LINE_INTERVAL or done == self._first:
            return
        self._printed = now
        rate = (done - self._first) / (now - self._started)
        left = f", about {format_duration((total - done) / rate)} left"
        share = f"{done:,} of {total:,} places, {rate:,.0f}/s"
        estimate = left if done >= _ESTIMATE_SHARE * total else ""
        self._progress.print(f"{name} finished; {share}{estimate}")


def _memory(mib: int | None) -> int | None:
    if mib is None:
        memory = physical_memory()
        return None if memory is None else memory // 2
    if mib < 1:
        raise PlyforgeError(f"--memory must be at least 1 MiB, not {mib}")
    return mib * _MIB


def load_indexed(name: str, backend: str | None = None) -> Game:
    """Load a game whose positions can be numbered."""
    game = with_index(open_game(name, backend))
    require_index(game)
    return game


def folder_of(game: Game, folder: str | None) -> Path:
    """Return the folder of a database: as typed, or named after the game and its variant."""
    if folder is not None:
        return Path(folder)
    variant = re.sub(r"\W+", "-", f"-{game.variant}") if game.variant else ""
    return Path(f"{game.name}{variant}-database")


def _print_slices(game: Game, folder: Path, slices: list[Built], as_json: bool) -> None:
    rows = [_fields(game, folder, one) for one in slices]
    positions = sum(row["positions"] for row in rows)
    size = sum(row["bytes"] for row in rows)
    seconds = sum(one.seconds for one in slices)
    if as_json:
        print_json({
            "game": game.name, "folder": str(folder), "slices": rows, "positions": positions,
            "bytes": size, "seconds": round(seconds, 2),
        })  # fmt: skip
        return
    headings = ("slice", "positions", "wins", "draws", "losses", "longest", "bytes", "per byte")
    print_table(Table(headings, tuple(_cells(row) for row in rows)))
    out = console()
    time_used = f"; {format_duration(seconds)} of processor time" if seconds else ""
    out.print(
        f"{len(rows)} slices, {positions:,} positions, {size:,} bytes in {folder}"
        f" ({positions / max(size, 1):.2f} positions a byte){time_used}",
        markup=False,
    )
    longest = max(rows, key=lambda row: row["longest"] or 0, default=None)
    if longest is not None and longest["longest_position"] is not None:
        out.print(
            f"longest win: {longest['longest']} plies, {longest['longest_position']}", markup=False
        )


def _fields(game: Game, folder: Path, one: Built) -> dict[str, Any]:
    header = one.header
    assert header is not None
    fields: dict[str, Any] = {
        "name": header.name,
        "positions": header.positions,
        "wins": header.wins,
        "draws": header.draws,
        "losses": header.losses,
        "distances": header.distances,
        "longest": header.longest if header.distances else None,
        "longest_position": None
        if header.longest_number < 0
        else game.text(position_at(game, header.longest_number)),
        "stored": header.stored,
        "bytes": path_of(folder, header.name, header.distances).stat().st_size,
    }
    if one.method:
        fields |= {"method": one.method, "seconds": round(one.seconds, 2)}
    return fields


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    counts = (f"{row[name]:,}" for name in ("positions", "wins", "draws", "losses"))
    longest = "" if row["longest"] is None else f"{row['longest']:,}"
    density = f"{row['positions'] / max(row['bytes'], 1):.2f}"
    return row["name"], *counts, longest, f"{row['bytes']:,}", density


def run_stats(name: str, folder: str | None, as_json: bool) -> int:
    """Print the slices of a database; return the exit code."""
    game = load_indexed(name)
    database = Database.open(folder_of(game, folder), game)
    slices = [Built(file.header) for file in database.files.values()]
    _print_slices(game, database.folder, slices, as_json)
    return exits.DONE


def run_probe(
    name: str, folder: str | None, position: str | None, moves: str | None, as_json: bool
) -> int:
    """Print the value of a position and of its moves; return the exit code."""
    game = load_indexed(name)
    root = open_history(game, position, moves)
    database = Database.open(folder_of(game, folder), game)
    known = database.probe(root.position)
    lines = [] if known is None else database.best_moves(root.position)
    texts = [
        {
            "move": game.move_text(root.position, move),
            "outcome": value.outcome,
            "distance": value.distance,
            "score": value.value,
        }
        for move, value in lines
    ]
    if as_json:
        print_json({
            "game": game.name, "position": game.text(root.position), "known": known is not None,
            "outcome": None if known is None else known.outcome,
            "distance": None if known is None else known.distance,
            "score": None if known is None else known.value, "moves": texts,
        })  # fmt: skip
    else:
        out = console()
        if known is None:
            out.print(f"not in the database: {game.text(root.position)}", markup=False)
        else:
            out.print(f"{known.outcome}, score {score_text(known.value)}", markup=False)
        for (_, value), text in zip(lines, texts, strict=True):
            out.print(f"  {text['move']:<10} {value.outcome:<5} {score_text(value.value)}")
    return exits.DONE if known is not None else exits.FAILED


def run_verify(
    name: str,
    slices: list[str],
    folder: str | None,
    samples: int,
    depth: int,
    seed: int,
    backend: str | None,
    as_json: bool,
) -> int:
    """Verify slices, print the result; return the exit code."""
    if samples < 0:
        raise PlyforgeError(f"--samples must be at least 0, not {samples}")
    validate_depth(depth)
    game = load_indexed(name, backend)
    database = Database.open(folder_of(game, folder), game)
    out = console()
    positions = wrong = 0
    for check in verify_slices(database, slices or None):
        positions += check.positions
        wrong += check.wrong + check.counts_differ
        if not as_json:
            _print_check(game, check, out)
    searched = proved = contradicted = 0
    if samples:
        for sample in check_samples(database, samples, depth, seed, slices or None):
            searched += 1
            proved += sample.proved or abs(sample.search_value) > SCORE_LIMIT
            if not sample.right:
                contradicted += 1
                out.print(
                    f"wrong: {sample.slice}, {sample.text}: {score_text(sample.value)} in the"
                    f" database, {score_text(sample.search_value)} by a search of depth {depth}",
                    markup=False,
                )
    if as_json:
        print_json({
            "game": game.name, "positions": positions, "wrong": wrong, "samples": searched,
            "proved": proved, "contradicted": contradicted,
        })  # fmt: skip
    elif samples:
        out.print(
            f"{searched:,} positions searched {depth} plies deep: {proved:,} values proved,"
            f" {contradicted:,} contradictions",
            markup=False,
        )
    return exits.FAILED if wrong or contradicted else exits.DONE


def _print_check(game: Game, check: Any, out: Any) -> None:
    text = f"{check.header.name}: {check.positions:,} positions, "
    if check.right:
        proof = "all values follow from those of their children"
        if not check.header.distances:
            proof = "built again with the same results"
        out.print(f"{text}{proof}", markup=False)
        return
    position = position_at(game, check.wrong_number) if check.wrong else None
    first = f", first {game.text(position)}" if position is not None else ""
    out.print(f"{text}{check.wrong:,} wrong values{first}", markup=False)
