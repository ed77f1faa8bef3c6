"""Fixed costs: what a search costs besides its nodes, in CPU seconds.

Every figure comes from a process of its own. `PLYFORGE_BASELINE=FOLDER`, the folder of an older
checkout, adds its figures as those of a rival, measured in turns with ours.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.clock import MeasurementError, Settings, run_child
from benchmarks.table import Row
from benchmarks.targets import ANALYSE_SECONDS, CLEAR_SECONDS, ENGINE_SECONDS, WINDOW_SECONDS

GAMES = ("checkers", "connect4", "othello", "chess")
QUICK_GAMES = ("checkers",)
CASES = {
    "one window search, depth 1": WINDOW_SECONDS,
    "analyse(depth=1)": ANALYSE_SECONDS,
    "clear a full table of 64 MiB": CLEAR_SECONDS,
    "a new engine": ENGINE_SECONDS,
}
SOURCES = Path(__file__).parents[1] / "src"

MEASURE = """
import json, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
import plyforge

def cpu(work, calls, before=None, blocks=int(sys.argv[2])):
    best = float("inf")
    for _ in range(blocks):
        if before is not None:
            before()
        started = time.process_time()
        for _ in range(calls):
            work()
        best = min(best, (time.process_time() - started) / calls)
    return best

game = plyforge.load(sys.argv[1])
engine, root = plyforge.Engine(game, hash=64), game.history()
engine.analyse(root, depth=1)
words = engine.searcher.table.words
print(json.dumps([
    cpu(lambda: engine.search(root, depth=1), 200),
    cpu(lambda: engine.analyse(depth=1), 50),
    cpu(engine.clear, 1, lambda: words.fill(1)),
    cpu(lambda: plyforge.Engine(game, hash=64).prepare(), 5),
]))
"""


def rows(settings: Settings) -> Iterator[Row]:
    """Yield a row per game and cost."""
    baseline = os.environ.get("PLYFORGE_BASELINE")
    folders = [SOURCES] if baseline is None else [SOURCES, Path(baseline) / "src"]
    for game in QUICK_GAMES if settings.quick else GAMES:
        try:
            ours, theirs = _best(game, folders, settings)
        except MeasurementError as missing:
            yield Row("fixed", game, "fixed costs", unit="s", note=str(missing))
            continue
        for number, (case, target) in enumerate(CASES.items()):
            mine, rival = ours[number], theirs[number] if theirs else None
            ratio = None if rival is None else rival / mine
            yield Row("fixed", game, case, None, mine, rival, "s", ratio=ratio, target=target)


def _best(
    game: str, folders: list[Path], settings: Settings
) -> tuple[list[float], list[float] | None]:
    """Return the least figures of ours and of the baseline, if there is one."""
    for folder in folders:  # the first process may have to compile
        _figures(game, folder, 1)
    rounds = [
        [_figures(game, folder, settings.rounds) for folder in folders]
        for _ in range(settings.rounds)
    ]
    best = [
        [min(figures) for figures in zip(*samples, strict=True)]
        for samples in zip(*rounds, strict=True)
    ]
    return best[0], best[1] if len(best) > 1 else None


def _figures(game: str, folder: Path, blocks: int) -> list[float]:
    env = {**os.environ, "PYTHONPATH": str(folder)}
    output = run_child([sys.executable, "-c", MEASURE, game, str(blocks)], env=env).output
    figures: list[float] = json.loads(output.splitlines()[-1])
    return figures
