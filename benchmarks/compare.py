"""Comparing Plyforge with a rival on one tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from benchmarks.clock import Contender, MeasurementError, Settings, in_process, interleave
from benchmarks.table import Row
from benchmarks.targets import RATIOS

Preparation = Callable[[], Contender]
"""Prepares a contender (loads, compiles, warms up), or raises `MeasurementError`."""


def plyforge_perft(game: str, depth: int, position: str | None, settings: Settings) -> Contender:
    """Return our perft of the tree, compiled beforehand; without `position`, from the start."""
    with _convert_errors():
        import plyforge

        rules = plyforge.load(game)
        root = rules.initial() if position is None else rules.parse(position)
        rules.perft(root, 1)

    def count() -> int:
        with _convert_errors():
            return int(rules.perft(root, depth))

    return in_process(count, settings.min_seconds)


@contextmanager
def _convert_errors() -> Iterator[None]:
    """Turn errors of our side into `MeasurementError`, so that other rows are still measured."""
    try:
        yield
    except Exception as error:
        raise MeasurementError(f"plyforge: {error}") from error


def compare(
    comparison: str,
    game: str,
    case: str,
    *,
    rival: Preparation,
    ours: Preparation | None = None,
    depth: int,
    nodes: int,
    settings: Settings,
    position: str | None = None,
    rival_nodes: int | None = None,
    note: str = "",
) -> Row:
    """Measure both sides in turns and return the row.

    `ours` is our perft unless given. `nodes` is the known size of the tree. A ratio is given only
    if both sides count exactly that many; `rival_nodes` is the rival's own number where its rules
    count differently, and makes the ratio one of nodes per second instead of time.
    """
    problems: list[str] = []
    contenders: dict[str, Contender] = {}
    preparations: dict[str, Preparation] = {
        "ours": ours or (lambda: plyforge_perft(game, depth, position, settings)),
        "theirs": rival,
    }
    for side, prepare in preparations.items():
        try:
            contenders[side] = prepare()
        except MeasurementError as error:
            problems.append(str(error))

    try:
        best = interleave(list(contenders.values()), settings.rounds)
    except MeasurementError as error:
        problems.append(str(error))
        best, contenders = [], {}
    samples = dict(zip(contenders, best, strict=True))

    expected = {"ours": nodes, "theirs": nodes if rival_nodes is None else rival_nodes}
    for side, sample in samples.items():
        if sample.nodes != expected[side]:
            name = "plyforge" if side == "ours" else "rival"
            problems.append(f"{name} counts {sample.nodes}, expected {expected[side]}: no ratio")

    mine, theirs = samples.get("ours"), samples.get("theirs")
    ratio = None
    if mine is not None and theirs is not None and not problems:
        ratio = mine.rate / theirs.rate
    return Row(
        comparison,
        game,
        case,
        nodes=nodes,
        ours=None if mine is None else mine.rate,
        theirs=None if theirs is None else theirs.rate,
        ratio=ratio,
        target=RATIOS.get((comparison, game)),
        note="; ".join([*problems, *([note] if note else [])]),
    )
