"""The time to compile a game the first time, and to load it from the cache afterwards.

Both are `load` and a first `perft`, or a first search of one ply, in a new process, after
`import numba`: with an empty cache, and with the kernel in it.  A third figure is the part of the
latter that loads the kernel.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.clock import MeasurementError, Settings, run_child
from benchmarks.table import Row
from benchmarks.targets import (
    CACHED_SECONDS,
    COLD_SEARCH_SECONDS,
    COLD_SECONDS,
    LOAD_SECONDS,
    Target,
)

GAMES = (
    "tictactoe",
    "connect4",
    "checkers",
    "giveaway",
    "othello",
    "hex",
    "andantino",
    "kalah",
    "chess",
    "pig",
    "backgammon",
)
QUICK_GAMES = ("tictactoe", "connect4", "checkers")

COLD_ROUNDS = 2
CACHED_ROUNDS = 3

LOAD = """
import json, sys, time
import numba
cpu, wall = time.process_time(), time.perf_counter()
import plyforge
game = plyforge.load(sys.argv[1])
if sys.argv[2] == "perft":
    start = game.initial()
    ready = time.process_time()
    game.perft(start, 1)
    kernel = time.process_time() - ready
else:
    engine = plyforge.Engine(game, entries=256)
    from plyforge.search import searcher
    ready = time.process_time()
    engine.prepare()
    kernel = time.process_time() - ready
    start = game.history()
    while start.chance_outcomes():
        start.play(start.legal_moves()[0])
    engine.analyse(start, depth=1)
cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
print(json.dumps({"cpu": cpu, "wall": wall, "kernel": kernel}))
"""


def environment(cache: str, checkout: Path | None = None) -> dict[str, str]:
    """Return this process's environment with all compiled files in `cache`.

    `checkout` is the folder of another version of the source, to be run instead of this one.
    """
    variables = dict(os.environ)
    # Modules are compiled to bytecode at most once, as in an installation.
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    variables["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "plyforge-bytecode")
    # Numba's own folder, too: helpers cached beside their source would make a cold start look warm.
    variables |= {"PLYFORGE_CACHE": cache, "NUMBA_CACHE_DIR": cache}
    if checkout is not None:
        variables["PYTHONPATH"] = str(checkout / "src")
    return variables


def time_loads(
    game: str, kernel: str, rounds: int, checkout: Path | None = None, start: Path | None = None
) -> list[dict[str, float]]:
    """Load the game in new processes with one cache, a copy of `start`; return their times."""
    with tempfile.TemporaryDirectory() as cache:
        if start is not None:
            shutil.copytree(start, cache, dirs_exist_ok=True)
        command = [sys.executable, "-c", LOAD, game, kernel]
        env = environment(cache, checkout)
        outputs = [run_child(command, env=env).output for _ in range(rounds)]
    return [json.loads(output.splitlines()[-1]) for output in outputs]


def row(
    game: str, case: str, target: Target, runs: list[dict[str, float]], part: str = "cpu"
) -> Row:
    """Return a row with the minimum CPU seconds of the runs, or of a part of them."""
    best = min(runs, key=lambda run: run[part])
    note = f"wall {best['wall']:.2f} s" if part == "cpu" else ""
    return Row("compile", game, case, ours=best[part], unit="s", target=target, note=note)


def rows(settings: Settings) -> Iterator[Row]:
    """Yield three rows per game and kernel; a quick run compiles only one search."""
    for game in QUICK_GAMES if settings.quick else GAMES:
        yield from _kernel_rows(game, "perft", COLD_SECONDS, CACHED_SECONDS, settings)
        if not settings.quick or game == QUICK_GAMES[-1]:
            yield from _kernel_rows(game, "search", COLD_SEARCH_SECONDS, CACHED_SECONDS, settings)


def _kernel_rows(
    game: str, kernel: str, cold_target: Target, cached_target: Target, settings: Settings
) -> Iterator[Row]:
    rounds = min(COLD_ROUNDS, settings.rounds)
    try:
        cold = [time_loads(game, kernel, 1)[0] for _ in range(rounds)]
        cached = time_loads(game, kernel, 1 + CACHED_ROUNDS)[1:]
    except MeasurementError as error:
        yield Row("compile", game, f"{kernel}, cold", unit="s", target=cold_target, note=str(error))
        return
    yield row(game, f"cold: load, compile, {kernel} 1", cold_target, cold)
    yield row(game, f"the same from the cache, {kernel}", cached_target, cached)
    yield row(game, f"loading the stored {kernel} kernel", LOAD_SECONDS, cached, "kernel")
