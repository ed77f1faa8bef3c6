"""What a user waits for: compiling a game the first time, and loading it afterwards.

Both are `load` and a first `perft`, or a first search of one ply, in a fresh process, after
`import numba`: with an empty cache, and with the kernel in it.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator

from benchmarks.bars import CACHED_SECONDS, COLD_SEARCH_SECONDS, COLD_SECONDS, Bar
from benchmarks.clock import Missing, Settings, run_child
from benchmarks.table import Row

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
    """This process's environment with every compiled file kept in `cache`."""
    # Numba's own folder moves too: helpers cached beside their source would make cold look warm.
    return {**os.environ, "PLYFORGE_CACHE": cache, "NUMBA_CACHE_DIR": cache}


def loads(game: str, kernel: str, rounds: int) -> list[dict[str, float]]:
    """Load the game in fresh processes with one cache, empty at first."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-c", LOAD, game, kernel]
        env = environment(cache)
        outputs = [run_child(command, env=env).output for _ in range(rounds)]
    return [json.loads(output.splitlines()[-1]) for output in outputs]


def row(game: str, case: str, bar: Bar, runs: list[dict[str, float]]) -> Row:
    """The least CPU seconds of some runs."""
    best = min(runs, key=lambda run: run["cpu"])
    note = f"wall {best['wall']:.2f} s"
    return Row("compile", game, case, ours=best["cpu"], unit="s", bar=bar, note=note)


def rows(settings: Settings) -> Iterator[Row]:
    """Two rows per game and kernel; a quick run compiles but one search."""
    for game in QUICK_GAMES if settings.quick else GAMES:
        yield from _kernel_rows(game, "perft", COLD_SECONDS, CACHED_SECONDS, settings)
        if not settings.quick or game == QUICK_GAMES[-1]:
            yield from _kernel_rows(game, "search", COLD_SEARCH_SECONDS, CACHED_SECONDS, settings)


def _kernel_rows(
    game: str, kernel: str, cold_bar: Bar, cached_bar: Bar, settings: Settings
) -> Iterator[Row]:
    rounds = min(COLD_ROUNDS, settings.rounds)
    try:
        cold = [loads(game, kernel, 1)[0] for _ in range(rounds)]
        cached = loads(game, kernel, 1 + CACHED_ROUNDS)[1:]
    except Missing as missing:
        yield Row("compile", game, f"{kernel}, cold", unit="s", bar=cold_bar, note=str(missing))
        return
    yield row(game, f"cold: load, compile, {kernel} 1", cold_bar, cold)
    yield row(game, f"the same from the cache, {kernel}", cached_bar, cached)
