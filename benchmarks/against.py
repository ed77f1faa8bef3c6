"""This checkout against another one: compile time and nodes a second of every game's search.

`python -m benchmarks --only against --against FOLDER`, where FOLDER is the other checkout.  Each
side runs in processes of its own, and both take turns, so that a slow period of the machine
affects both.  A ratio is the median of the ratios of neighbouring runs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import geometric_mean, median
from types import TracebackType

from benchmarks.clock import MeasurementError, Sample, Settings, last_line, run_child
from benchmarks.compile import GAMES, LOAD, QUICK_GAMES, environment, time_loads
from benchmarks.table import Row
from benchmarks.targets import COMPILE_RATIO, SPEED_RATIO, SPEED_RATIO_OF_ALL

THIS = Path(__file__).parents[1]

DEPTHS = {
    "tictactoe": 9,
    "connect4": 15,
    "checkers": 15,
    "giveaway": 17,
    "othello": 13,
    "hex": 4,
    "andantino": 13,
    "kalah": 15,
    "chess": 7,
}
COMPILE_ROUNDS = 3
SEARCH_ROUNDS = 15

SEARCH = """
import json, sys, time
import plyforge

name, depth, min_seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
engine = plyforge.Engine(name, entries=1 << 18)
engine.prepare()
for line in sys.stdin:
    searches, cpu, seconds = 0, time.process_time(), 0.0
    while seconds < min_seconds:
        engine.clear()
        result = engine.analyse(depth=depth)
        searches, seconds = searches + 1, time.process_time() - cpu
    print(json.dumps([result.nodes, seconds / searches]), flush=True)
"""


def rows(settings: Settings) -> Iterator[Row]:
    """Yield three rows per game and one for all games; none without another checkout."""
    if settings.against is None:
        return
    checkouts = (THIS, settings.against)
    ratios = []
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as start:
        # The kernel of another game, whose functions are used again.
        run_child([sys.executable, "-c", LOAD, "tree", "search"], env=environment(start, THIS))
        for game in QUICK_GAMES if settings.quick else GAMES:
            yield from _compile_rows(game, checkouts, Path(start), settings)
            row = _speed_row(game, checkouts, cache, settings)
            ratios += [] if row.ratio is None else [row.ratio]
            yield row
    if ratios:
        mean = geometric_mean(ratios)
        case = f"nodes/s, geometric mean of {len(ratios)} games"
        yield Row("against", "all", case, ratio=mean, target=SPEED_RATIO_OF_ALL)


def _compile_rows(
    game: str, checkouts: Sequence[Path], start: Path, settings: Settings
) -> Iterator[Row]:
    """Compare the CPU seconds of the first search, as first game and after another game."""
    rounds = 1 if settings.quick else COMPILE_ROUNDS
    cases = [f"compile CPU, {what}, median of {rounds}" for what in ("first game", "second game")]
    this, other = checkouts
    runs = ((this, None), (this, start), (other, None))
    try:
        times = [
            [time_loads(game, "search", 1, one, folder)[0]["cpu"] for one, folder in runs]
            for _ in range(rounds)
        ]
    except MeasurementError as missing:
        yield Row("against", game, cases[0], target=COMPILE_RATIO, note=str(missing))
        return
    *ours, theirs = (median(side) for side in zip(*times, strict=True))
    for index, case in enumerate(cases):
        ratio = median(time[index] / time[-1] for time in times)
        yield Row("against", game, case, None, ours[index], theirs, "CPU s", ratio, COMPILE_RATIO)


def _speed_row(game: str, checkouts: Sequence[Path], cache: str, settings: Settings) -> Row:
    """Compare searches of one position from an empty table, which visit the same nodes."""
    rounds = 3 if settings.quick else SEARCH_ROUNDS
    case = f"nodes/s, depth {DEPTHS[game]}, median of {rounds}"
    try:
        with ExitStack() as stack:
            sides = [
                stack.enter_context(_Searches(game, one, cache, settings.min_seconds))
                for one in checkouts
            ]
            pairs = [_measure(sides, number % 2 == 1) for number in range(rounds)]
    except MeasurementError as missing:
        return Row("against", game, case, target=SPEED_RATIO, note=str(missing))
    counts = sorted({sample.nodes for pair in pairs for sample in pair})
    ours, theirs = (median(one.rate for one in side) for side in zip(*pairs, strict=True))
    same = len(counts) == 1
    ratio = median(mine.rate / other.rate for mine, other in pairs) if same else None
    note = "" if same else f"node counts differ: {counts}"
    return Row(
        "against", game, case, counts[0], ours, theirs, ratio=ratio, target=SPEED_RATIO, note=note
    )


def _measure(sides: Sequence[_Searches], backwards: bool) -> list[Sample]:
    """Measure both sides in turn; which one is first changes, because load comes and goes."""
    samples = [side.measure() for side in (reversed(sides) if backwards else sides)]
    return samples[::-1] if backwards else samples


class _Searches:
    """A process that searches one game, in one checkout, when asked."""

    def __init__(self, game: str, checkout: Path, cache: str, min_seconds: float) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SEARCH, game, str(DEPTHS[game]), str(min_seconds)],
            env=environment(cache, checkout),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def measure(self) -> Sample:
        """Return the nodes of one search and the CPU seconds it takes."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            _, errors = self.process.communicate()
            raise MeasurementError(f"a search failed: {last_line(errors)}")
        return Sample(*json.loads(answer))

    def __enter__(self) -> _Searches:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.communicate()
