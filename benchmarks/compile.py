"""The time to compile a game the first time, and to load it from the cache afterwards.

Both are `load` and a first `perft`, or a first search of one ply, in a new process, after
`import numba`: with an empty cache, and with the kernel in it.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator

from benchmarks.clock import MeasurementError, Settings, run_child
from benchmarks.table import Row
from benchmarks.targets import CACHED_SECONDS, COLD_SEARCH_SECONDS, COLD_SECONDS, Target

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
    game.perft(game.initial(), 1)
else:
    plyforge.Engine(game, entries=256).analyse(depth=1)
print(json.dumps({"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}))
"""


def environment(cache: str) -> dict[str, str]:
    """Return this process's environment with all compiled files in `cache`."""
    # Numba's own folder, too: helpers cached beside their source would make a cold start look warm.
    return {**os.environ, "PLYFORGE_CACHE": cache, "NUMBA_CACHE_DIR": cache}


def time_loads(game: str, kernel: str, rounds: int) -> list[dict[str, float]]:
    """Load the game in new processes with one cache, empty at first; return their times."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-c", LOAD, game, kernel]
        env = environment(cache)
        outputs = [run_child(command, env=env).output for _ in range(rounds)]
    return [json.loads(output.splitlines()[-1]) for output in outputs]


def row(game: str, case: str, target: Target, runs: list[dict[str, float]]) -> Row:
    """Return a row with the minimum CPU seconds of the runs."""
    best = min(runs, key=lambda run: run["cpu"])
    note = f"wall {best['wall']:.2f} s"
    return Row("compile", game, case, ours=best["cpu"], unit="s", target=target, note=note)


def rows(settings: Settings) -> Iterator[Row]:
    """Yield two rows per game and kernel; a quick run compiles only one search."""
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
