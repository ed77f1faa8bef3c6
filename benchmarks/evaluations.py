"""Evaluations with weights that are read at run time: compared with constants, and by themselves.

Weights as data and as constants evaluate the children of every position of the same games; that
ratio is of whole rounds, with listing and playing moves. In searches it is of nodes a second, with
the same nodes. Nets over features of checkers, which are computed from scratch at every
evaluation, are compared with the hand evaluation by nodes a second of kernel time. The other rows
are nanoseconds, and the time of changing the weights of an engine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import plyforge
from benchmarks import lookups
from benchmarks.clock import (
    Contender,
    MeasurementError,
    Sample,
    Settings,
    in_process,
    interleave,
)
from benchmarks.table import Row
from benchmarks.targets import (
    ACCUMULATOR_SECONDS,
    DATA_RATIO,
    LOOKUP_SECONDS,
    NET_RATIO,
    SET_WEIGHTS_SECONDS,
)
from plyforge.compilation.hooks_api import advance, begin, evaluate, moves, play, pointer
from plyforge.compilation.kernel import Kernel, build
from plyforge.core import memory
from plyforge.core.memory import int16s, int32s, limited_dot, part, replace_rows
from plyforge.engine import Engine
from plyforge.evaluate import PRECISIONS, Evaluation, evaluation_of, quantise, with_evaluation
from plyforge.game.forms import replace_weights
from plyforge.game.game import Game
from plyforge.games.checkers import samuel, samuel_net

GAMES = ("checkers", "othello", "chess", "connect4")
SEARCHED = "checkers"
DEPTH, QUICK_DEPTH = 14, 10
NET_DEPTH = 8
NETS = (
    (samuel.NEURODRAUGHTS, 20),
    (tuple(samuel.FEATURES)[:28], 20),
    (tuple(samuel.FEATURES)[:28], 32),
)
"""Features and hidden units."""
CALLS, QUICK_CALLS = 400_000, 40_000
UNITS, ROWS = 64, 256
_UPDATE = "int64(position, address, address, address, int64, int64)"


def rows(settings: Settings) -> Iterator[Row]:
    calls = QUICK_CALLS if settings.quick else CALLS
    for changed in (1, 2):
        yield _accumulator(settings, changed, 10 * calls)
    for digits, target in LOOKUP_SECONDS.items():
        yield _lookups(settings, digits, target, calls)
    yield _set_weights(settings)
    yield from _searches(settings)
    yield from _nets(settings)
    for name in GAMES:
        game = plyforge.load(name)
        for precision in PRECISIONS:
            stored = quantise(evaluation_of(game), precision)
            sums: list[float] = []
            linked = [_walk(one, calls, settings, sums) for one in _both(game, stored)]
            if sums[0] != sums[1]:
                raise MeasurementError(f"{name}: the sums of all values differ")
            yield _ratio(name, f"{precision} weights as data against constants", linked, settings)


def _both(game: Game, stored: Evaluation) -> list[Game]:
    """Return a game with an evaluation as data, and as constants."""
    data = with_evaluation(game, stored)
    constants = replace(evaluation_of(data), as_data=False)
    return [data, game.with_rules(replace_weights(game.rules, constants))]


def _ratio(
    game: str, case: str, linked: list[Contender], settings: Settings, unit: str = "calls/s"
) -> Row:
    data, constants = interleave(linked, settings.rounds)
    if data.nodes != constants.nodes:
        raise MeasurementError(f"{game}: weights as data have another result than constants")
    ratio = data.rate / constants.rate
    rates = {"ours": data.rate, "theirs": constants.rate}
    target = DATA_RATIO if unit == "nodes/s" and "int16" in case else None
    return Row(
        "evaluations", game, case, data.nodes, unit=unit, ratio=ratio, target=target, **rates
    )


def walk(position: Any, addresses: Any, count: int) -> float:
    """Evaluate the children of positions of a game, `count` in all; return the sum."""
    at = pointer(addresses)
    buffer, states, weights = pointer(at[0]), at[1], at[2]
    total, done, start = 0.0, 0, position
    while done < count:
        found = moves(position, buffer)
        if found == 0:
            position = start
            continue
        begin(position, states, weights)
        for index in range(found):
            child = play(position, buffer[index])
            advance(states, 0, position, buffer[index], child, weights)
            total += evaluate(child, states, 1, weights)
        done += found
        position = play(position, buffer[done * 7 % found])
    return total


def _walk(game: Game, calls: int, settings: Settings, sums: list[float]) -> Contender:
    block = game.rules.weights
    buffer, states = np.zeros(4096, np.int64), game.rules.new_states(2)
    weights = 0 if block is None else block.words.ctypes.data
    table = np.array([buffer.ctypes.data, states.ctypes.data, weights], np.int64)
    kernel = Kernel("walk", walk, "float64(position, address, int64)")
    call = build(kernel, game.rules, game.position_type).call
    start = game.initial()

    sums.append(call(start, table.ctypes.data, calls))

    def count() -> int:
        call(start, table.ctypes.data, calls)
        return calls * bool(buffer.size + states.size)  # both must stay in memory

    return in_process(count, settings.min_seconds)


def _searches(settings: Settings) -> Iterator[Row]:
    depth = QUICK_DEPTH if settings.quick else DEPTH
    game = plyforge.load(SEARCHED)
    for precision in PRECISIONS:
        stored = quantise(evaluation_of(game), precision)
        linked = [_search(one, depth, settings) for one in _both(game, stored)]
        case = f"depth {depth}: {precision} weights as data against constants"
        yield _ratio(SEARCHED, case, linked, settings, "nodes/s")


def _search(game: Game, depth: int, settings: Settings) -> Contender:
    engine = Engine(game)
    engine.prepare()

    def count() -> int:
        engine.clear()
        return engine.analyse(depth=depth).nodes

    return in_process(count, settings.min_seconds)


def _nets(settings: Settings) -> Iterator[Row]:
    game = plyforge.load(SEARCHED)
    hand = _kernel_search(game, settings)
    for names, hidden in NETS:
        evaluation = quantise(samuel_net(names, hidden, seed=1))
        net = _kernel_search(with_evaluation(game, evaluation), settings)
        ours, theirs = interleave([net, hand], settings.rounds)
        case = f"depth {NET_DEPTH}: net {len(names)}-{hidden}-1 over features against hand"
        rates = {"ours": ours.rate, "theirs": theirs.rate, "ratio": ours.rate / theirs.rate}
        yield Row("evaluations", SEARCHED, case, ours.nodes, target=NET_RATIO, **rates)


def _kernel_search(game: Game, settings: Settings) -> Contender:
    """Search from the start, timed without what comes before and after the kernel."""
    engine = Engine(game)
    engine.prepare()

    def sample() -> Sample:
        calls, seconds, nodes = 0, 0.0, 0
        while seconds < settings.min_seconds:
            engine.clear()
            result = engine.analyse(depth=NET_DEPTH)
            nodes, seconds, calls = result.nodes, seconds + result.kernel_seconds, calls + 1
        return Sample(nodes, seconds / calls)

    return sample


def _set_weights(settings: Settings) -> Row:
    game = plyforge.load(SEARCHED)
    engine = Engine(game, evaluation=quantise(evaluation_of(game)), hash=64)
    vector = evaluation_of(game).vector
    best = float("inf")
    for number in range(5 * settings.rounds):
        engine.analyse(depth=8)
        started = time.process_time()
        engine.set_weights(vector * (1 + number / 100))
        best = min(best, time.process_time() - started)
    target = SET_WEIGHTS_SECONDS
    return Row("evaluations", SEARCHED, "other weights", ours=best, unit="s", target=target)


def update(
    position: Any, block: Any, sums: Any, changes: Any, changed_rows: int, count: int
) -> int:
    """Replace some rows in a sum of 64 int16, and multiply it with 64 weights, `count` times."""
    weights, changed = int16s(block, 64), int32s(changes, 0)
    total = 0
    for number in range(count):
        level = number & 31
        before, after = int16s(sums, 128 * level), int16s(sums, 128 * level + 128)
        replace_rows(after, before, weights, part(changed, (number & 255) * 4), changed_rows, 64)
        total += limited_dot(after, part(weights, 256 * 64), 0, 127, 64)
    return total


def _accumulator(settings: Settings, changed: int, count: int) -> Row:
    stream = np.random.default_rng(1)
    numbers = stream.integers(-8, 8, (ROWS + 1) * UNITS).astype(np.int16)
    block = memory.weight_block(numbers, (1.0,)).words
    sums = memory.new_block(33 * 2 * UNITS)
    changes = stream.integers(0, ROWS, (256, 4)).astype(np.int32)
    game = plyforge.load("tictactoe")
    kernel = Kernel("update", update, _UPDATE)
    call = build(kernel, game.rules, game.position_type).call
    addresses = [array.ctypes.data for array in (block, sums, changes)]

    def work() -> Any:
        return call(game.initial(), *addresses, changed, count)

    case = f"{UNITS} int16 sums: rows off {changed}, on {changed}, and the product with weights"
    note = "the target is for one row off, two on"
    return _seconds(case, work, count, ACCUMULATOR_SECONDS, settings, note)


def _lookups(settings: Settings, digits: int, target: Any, count: int) -> Row:
    game = lookups.game(digits)
    kernel = Kernel("lookups", lookups.run, "float64(position, address, int64)")
    call = build(kernel, game.rules, game.position_type).call
    assert game.rules.weights is not None
    address = game.rules.weights.words.ctypes.data

    def work() -> Any:
        return call(game.initial(), address, count)

    case = f"{lookups.COUNT} look-ups in as many int16 tables of 3^{digits}"
    return _seconds(case, work, count, target, settings)


def _seconds(
    case: str,
    work: Callable[[], Any],
    count: int,
    target: Any,
    settings: Settings,
    note: str = "",
) -> Row:
    """Return a row with the seconds of one of `count` repetitions."""

    def counted() -> int:
        work()
        return count

    (sample,) = interleave([in_process(counted, settings.min_seconds)], settings.rounds)
    seconds = sample.seconds / count
    return Row("evaluations", "", case, count, ours=seconds, unit="s", target=target, note=note)
