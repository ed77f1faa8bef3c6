"""`plyforge book build`, `show` and `export`."""

import json
import time as clock
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.core.writing import write_atomically
from plyforge.engine import Engine, score_text
from plyforge.engine.book import BookMove, OpeningBook, open_book
from plyforge.engine.book.expansion import METHODS, Expanded, Expansion, Limits
from plyforge.engine.book.export import book_entries
from plyforge.engine.book.games import add_games
from plyforge.engine.book.solving import BookSolver
from plyforge.engine.book.store import SUFFIX
from plyforge.engine.limits import Limits as SearchLimits
from plyforge.game.game import Game, History
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.engines import EngineOptions
from plyforge.interfaces.cli.output import console, print_json
from plyforge.interfaces.cli.positions import open_game, open_history
from plyforge.interfaces.cli.progress import Progress
from plyforge.interfaces.cli.solve import exact_engine, with_own_settings
from plyforge.match.files import check_output, read_records

_STATUS_INTERVAL: Final = 60.0
"""Seconds between two lines about a long solution."""


@dataclass(frozen=True)
class BuildOptions:
    """The options of `plyforge book build`."""

    games: list[str]
    plies: int
    min_games: int
    expand: int
    method: str
    weight: float
    moves: str | None
    solve: int | None = None

    def check(self) -> None:
        """Reject impossible numbers and unknown methods."""
        if self.method not in METHODS:
            known = " or ".join(f"'{name}'" for name in METHODS)
            raise PlyforgeError(f"unknown method '{clip(self.method)}'; use {known}")
        if self.plies < 1:
            raise PlyforgeError(f"--plies must be at least 1, not {self.plies}")
        if self.min_games < 1:
            raise PlyforgeError(f"--min-games must be at least 1, not {self.min_games}")
        if self.expand < 0:
            raise PlyforgeError(f"--expand must be at least 0, not {self.expand}")
        if not 0 <= self.weight < float("inf"):
            raise PlyforgeError(f"--weight must be a number of at least 0, not {self.weight:g}")
        if self.solve is not None and self.solve < 1:
            raise PlyforgeError(f"--solve must be at least 1, not {self.solve}")
        if self.solve is not None and self.expand:
            raise PlyforgeError("--solve and --expand are different searches; give one of them")
        if not self.games and not self.expand and self.solve is None:
            raise PlyforgeError("nothing to add; give --games FILE, --expand N or --solve N")


def build_book(
    name: str,
    file: str,
    options: BuildOptions,
    depth: int | None,
    time: float | None,
    nodes: int | None,
    engine_options: EngineOptions,
    as_json: bool,
) -> int:
    """Add to a book, or make it; return the exit code."""
    options.check()
    limits = Limits(depth, time, nodes)
    SearchLimits(depth, time, nodes)  # checks them
    if engine_options.book is not None:
        raise PlyforgeError("--book is for playing from a book; here, FILE is the book")
    path = Path(file)
    if path.suffix != SUFFIX:
        raise PlyforgeError(f"'{clip(file)}' does not end in {SUFFIX}, as books must")
    game = open_game(name)
    root = open_history(game, None, options.moves)
    records = [record for one in options.games for record in read_records(Path(one), game)]
    engine = None
    if options.solve is not None:
        if limits != Limits():
            raise PlyforgeError("--solve searches to the end of the game; leave out the limits")
        engine = exact_engine(with_own_settings(engine_options, game), game)
    elif options.expand:
        engine = engine_options.with_learned(game).engine(game)
    check_output(path, overwrite=True)
    book = OpeningBook.open(game, path, writing=True)
    code = 0
    try:
        before = book.file.counts()
        if records:
            _add_games(book, records, options, as_json)
        if engine is not None and options.solve is not None:
            book.file.add_build({"solve": options.solve, "moves": options.moves})
            code = _solve(book, engine, root, options.solve, as_json)
        elif engine is not None:
            about = {"expand": options.expand, "method": options.method, "weight": options.weight}
            given = {"depth": depth, "time": time, "nodes": nodes, "moves": options.moves}
            about |= {key: value for key, value in given.items() if value is not None}
            book.file.add_build({**about, "preset": engine_options.preset})
            expansion = Expansion(
                *(book, engine, root, limits), method=options.method, weight=options.weight
            )
            code = _expand(expansion, game, options.expand, as_json)
        counts = book.file.counts()
    finally:
        book.close()
    added = counts["positions"] - before["positions"]
    if as_json:
        print_json({"file": str(path), "added": added, **counts})
    else:
        console().print(f"{path}: {added:,} positions added; {_counts_text(counts)}", markup=False)
    return code


def _add_games(book: OpeningBook, records: list, options: BuildOptions, as_json: bool) -> None:  # type: ignore[type-arg]
    about = {"games": options.games, "plies": options.plies, "min_games": options.min_games}
    book.file.add_build(about)
    with Progress("games") as progress:
        progress.start(total=len(records))
        added = skipped = 0
        for number, record in enumerate(records, 1):
            one, none = add_games(book, [record], options.plies)
            added, skipped = added + one, skipped + none
            progress.update(number)
    dropped = book.file.drop_rare(options.min_games) if options.min_games > 1 else 0
    if not as_json:
        text = f"{added:,} games added"
        text += f", {skipped:,} without a result left out" if skipped else ""
        text += f", {dropped:,} rare positions dropped" if dropped else ""
        console().print(text, markup=False)


def _solve(book: OpeningBook, engine: Engine, root: History, plies: int, as_json: bool) -> int:
    """Solve the moves of a position, printing each; return the exit code."""
    out, game, started = console(), book.game, clock.perf_counter()
    next_line = started + _STATUS_INTERVAL

    def report() -> None:
        nonlocal next_line
        progress.update(solver.searches)
        now = clock.perf_counter()
        if not as_json and now >= next_line:
            next_line = now + _STATUS_INTERVAL
            out.print(_status(solver, now - started), markup=False)

    with Progress("searches") as progress:
        progress.start(total=None)
        solver = BookSolver(book, engine, root, plies, report)
        try:
            for one in solver.run():
                if not as_json:
                    text = game.move_text(root.position, one.move)
                    status = _status(solver, clock.perf_counter() - started)
                    out.print(f"{text:<10} {score_text(one.score):<12} {status}", markup=False)
        except KeyboardInterrupt:
            return exits.INTERRUPTED
    return 0


def _status(solver: BookSolver, seconds: float) -> str:
    return (
        f"{solver.searches:,} searches in {seconds:,.0f} s; {solver.known:,} positions were known"
    )


def _expand(expansion: Expansion, game: Game, count: int, as_json: bool) -> int:
    """Expand positions, printing each; return the exit code."""
    out = console()
    done = 0

    def report(one: Expanded) -> None:
        nonlocal done
        done += 1
        if not as_json:
            texts, position = [], game.initial()
            for move in one.line:
                texts.append(game.move_text(position, move))
                position = game.play(position, move)
            proved = ", proved" if one.proved else ""
            out.print(
                f"{done:>6}  start {score_text(one.score)}{proved}  {one.searched:>3} searches "
                f" {' '.join(texts) or 'start'}",
                markup=False,
            )

    try:
        expanded = expansion.run(count, report)
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    if expanded < count and not as_json:
        out.print("nothing is left to expand", markup=False)
    return 0


def show_book(name: str, file: str, moves: str | None, as_json: bool) -> None:
    """Print the moves of a book in a position."""
    game = open_game(name)
    root = open_history(game, None, moves)
    book = open_book(game, file)
    found = book.moves(root)
    about: dict[str, object] = {}
    if isinstance(book, OpeningBook):
        builds = [{"when": when, **how} for how, when in book.file.builds()]
        about = {**book.file.counts(), "builds": builds}
    if as_json:
        print_json({"moves": [_fields(root, one) for one in found], **about})
        return
    out = console()
    if isinstance(book, OpeningBook):
        out.print(_counts_text(book.file.counts()), markup=False)
        for how, when in book.file.builds():
            out.print(f"built {when}: {json.dumps(how)}", markup=False)
    if not found:
        out.print("no moves in this position", markup=False)
        return
    out.print(f"{'move':<10} {'score':>12} {'depth':>5} {'games':>8} {'points':>7}")
    for one in found:
        score = "" if one.score is None else score_text(one.score) + ("!" if one.proved else "")
        points = "" if one.points is None else f"{100 * one.points:.1f} %"
        text = game.readable_move(root.position, one.move)
        depth = one.depth or ""
        out.print(f"{text:<10} {score:>12} {depth:>5} {one.games:>8,} {points:>7}", markup=False)
    if any(one.proved for one in found):
        out.print("! proved")


def _fields(root: History, one: BookMove) -> dict[str, object]:
    return {
        "move": root.game.move_text(root.position, one.move),
        "score": one.score,
        "score_text": None if one.score is None else score_text(one.score),
        "depth": one.depth,
        "proved": one.proved,
        "games": one.games,
        "points": one.points,
    }


def _counts_text(counts: dict[str, int]) -> str:
    return (
        f"{counts['positions']:,} positions, {counts['scored']:,} with scores"
        f" ({counts['proved']:,} proved), {counts['expanded']:,} expanded,"
        f" {counts['from_games']:,} from {counts['games']:,} games"
    )


def export_book(name: str, file: str, output: str, overwrite: bool, as_json: bool) -> None:
    """Write a book in the game's own format."""
    game = open_game(name)
    if "write_book" not in game.rules.hooks:
        raise PlyforgeError(f"{game.name} has no book format of its own")
    path = Path(output)
    check_output(path, overwrite)
    book = OpeningBook.open(game, Path(file))
    entries = book_entries(book)
    write_atomically(path, game.call_hook("write_book", entries))
    if as_json:
        print_json({"file": str(path), "positions": len(entries)})
    else:
        console().print(f"{path}: {len(entries):,} positions", markup=False)
