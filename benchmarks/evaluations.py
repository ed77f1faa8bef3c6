"""Evaluations with weights that are read at run time, compared with weights as constants.

Both evaluate the children of every position of the same games. The ratio is that of whole rounds,
with listing and playing moves, as in a search. Weights in memory have 64 bits here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np

import plyforge
from benchmarks.clock import Contender, MeasurementError, Settings, in_process, interleave
from benchmarks.table import Row
from plyforge.compilation.hooks_api import floats, moves, play, pointer
from plyforge.compilation.kernel import Kernel, build
from plyforge.evaluate import Evaluation, evaluation_of, quantise

GAMES = ("checkers", "othello", "chess", "connect4")
PRECISIONS = ("int16", "float32")
CALLS, QUICK_CALLS = 400_000, 40_000
_WALK = """
def walk(position, table, count):
    at, buffer = pointer(table), pointer(pointer(table)[0])
    total, done, start = 0.0, 0, position
    while done < count:
        found = moves(position, buffer)
        if found == 0:
            position = start
            continue
        for index in range(found):
            child = play(position, buffer[index])
            total += evaluate(child{arguments})
        done += found
        position = play(position, buffer[done * 7 % found])
    return total
"""


def rows(settings: Settings) -> Iterator[Row]:
    calls = QUICK_CALLS if settings.quick else CALLS
    for name in GAMES:
        game = plyforge.load(name)
        hand = evaluation_of(game)
        for stored in (quantise(hand, precision) for precision in PRECISIONS):
            kind = "integer" if stored.weights.integral else "real"
            linked = [_Linked(game, stored, data, calls, settings) for data in (True, False)]
            if linked[0].value != linked[1].value:
                raise MeasurementError(f"{name}: the sums of all values differ")
            data, constants = interleave([one.sample for one in linked], settings.rounds)
            yield Row(
                "evaluations",
                name,
                f"{kind} weights as data against constants",
                nodes=data.nodes,
                ours=data.rate,
                theirs=constants.rate,
                unit="calls/s",
                ratio=data.rate / constants.rate,
            )


class _Linked:
    """An evaluation linked in one way, compiled."""

    def __init__(
        self, game: Any, evaluation: Evaluation, data: bool, calls: int, settings: Settings
    ) -> None:
        numbers = evaluation.form.data(evaluation.weights)
        whole = bool(np.issubdtype(numbers.dtype, np.integer))
        words, arguments = "pointer" if whole else "floats", ""
        evaluate: Callable[..., Any] = evaluation.evaluate
        if data:
            arguments = f", {words}(at[1]), floats(at[2])"
            evaluate = evaluation.form.link_data(evaluation.weights, None, __file__)
        self._buffers = [
            np.zeros(4096, np.int64),
            numbers.astype(np.int64 if whole else np.float64),
            np.array(evaluation.weights.scales),
        ]
        self._table = np.array([buffer.ctypes.data for buffer in self._buffers], np.int64)
        scope: dict[str, Any] = {
            "__name__": __name__, "evaluate": evaluate, "moves": moves, "play": play,
            "pointer": pointer, "floats": floats,
        }  # fmt: skip
        exec(_WALK.format(arguments=arguments), scope)
        walk = scope["walk"]
        assert isinstance(walk, FunctionType)
        kernel = Kernel("walk", walk, "float64(position, address, int64)")
        call = build(kernel, game.rules, game.position_type).call
        start, address = game.initial(), self._table.ctypes.data
        self.value = call(start, address, calls)

        def count() -> int:
            call(start, address, calls)
            return calls

        self.sample: Contender = in_process(count, settings.min_seconds)
