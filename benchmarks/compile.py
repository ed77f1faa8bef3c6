"""What a user waits for: compiling a game the first time, and loading it afterwards.

Cold is the whole command in a fresh process with an empty cache, interpreter and imports
included. Cached is `load` and a first `perft` in a fresh process, after the imports.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator

from benchmarks.bars import CACHED_SECONDS, COLD_SECONDS
from benchmarks.clock import Finished, Missing, Settings, run_child
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
start = time.process_time()
import plyforge
imported = time.process_time()
wall = time.perf_counter()
game = plyforge.load(sys.argv[1])
game.perft(game.initial(), 1)
print(json.dumps({
    "import": imported - start,
    "cpu": time.process_time() - imported,
    "wall": time.perf_counter() - wall,
}))
"""


def environment(cache: str) -> dict[str, str]:
    """This process's environment with every compiled file kept in `cache`."""
    # Numba's own folder moves too: helpers cached beside their source would make cold look warm.
    return {**os.environ, "PLYFORGE_CACHE": cache, "NUMBA_CACHE_DIR": cache}


def cold(game: str) -> Finished:
    """Run the command on an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "plyforge", "perft", game, "--depth", "2", "--json"]
        return run_child(command, env=environment(cache))


def cached(game: str) -> list[dict[str, float]]:
    """Load the game in fresh processes, once to fill the cache and then to be measured."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-c", LOAD, game]
        env = environment(cache)
        outputs = [run_child(command, env=env).output for _ in range(1 + CACHED_ROUNDS)]
    return [json.loads(output.splitlines()[-1]) for output in outputs[1:]]


def cold_row(game: str, settings: Settings) -> Row:
    """CPU seconds from an empty cache to the answer."""
    case = "cold, whole command"
    try:
        runs = [cold(game) for _ in range(min(COLD_ROUNDS, settings.rounds))]
    except Missing as missing:
        return Row("compile", game, case, unit="s", bar=COLD_SECONDS, note=str(missing))
    best = min(runs, key=lambda run: run.cpu)
    note = f"wall {best.wall:.2f} s"
    return Row("compile", game, case, ours=best.cpu, unit="s", bar=COLD_SECONDS, note=note)


def cached_row(game: str) -> Row:
    """CPU seconds to load a compiled game and use it once."""
    case = "from cache, after imports"
    try:
        runs = cached(game)
    except Missing as missing:
        return Row("compile", game, case, unit="s", bar=CACHED_SECONDS, note=str(missing))
    best = min(runs, key=lambda run: run["cpu"])
    note = f"wall {best['wall']:.2f} s; import plyforge {best['import']:.2f} s CPU"
    return Row("compile", game, case, ours=best["cpu"], unit="s", bar=CACHED_SECONDS, note=note)


def rows(settings: Settings) -> Iterator[Row]:
    """Two rows per game."""
    for game in QUICK_GAMES if settings.quick else GAMES:
        yield cold_row(game, settings)
        yield cached_row(game)
