"""Levels 1 to 20: an engine that people can beat.

A level limits the nodes of a search, and up to level 15 also plays moves that are worse than the
best: the lower the level, the worse.  How much worse is a share of the difference between the best
and the worst move of the position.  Only moves that were searched are played.  The same seed gives
the same move.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.hashing import mix
from plyforge.core.randomness import Stream
from plyforge.engine.clock import Clock
from plyforge.engine.engine import Engine
from plyforge.engine.result import Info, Line
from plyforge.game.game import History

LEVELS: Final = 20
_FIRST_FULL_LEVEL: Final = 16
"""The first level that always plays the best move."""
_FIRST_NODES: Final = 30
_GROWTH: Final = 1.9
"""The nodes of a level, relative to the level below."""
_MAX_MARGIN: Final = 0.5
"""The margin of level 1."""
_COMPARISON_DEPTH: Final = 3
_COMPARISON_NODES: Final = 4000


@dataclass(frozen=True)
class Level:
    """The limits of a level."""

    nodes: int
    margin: float
    """How much worse than the best a move may be, as a share of the way to the worst."""


def level(number: int) -> Level:
    """Return a level by its number."""
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= LEVELS:
        raise PlyforgeError(f"level must be an integer between 1 and {LEVELS}, not {number!r}")
    nodes = int(_FIRST_NODES * _GROWTH ** (number - 1))
    margin = _MAX_MARGIN * max(0, _FIRST_FULL_LEVEL - number) / (_FIRST_FULL_LEVEL - 1)
    return Level(nodes, margin)


def choose(
    engine: Engine,
    root: History,
    number: int,
    seed: int = 0,
    *,
    time: float | None = None,
    clock: Clock | None = None,
    report: Callable[[Info], None] | None = None,
    catch_interrupt: bool = False,
) -> int:
    """Return the move that a level plays.

    `time` and `clock` limit the search further, and `report` is called after every iteration of it.
    Ctrl-C raises `KeyboardInterrupt`; with `catch_interrupt` the best move so far is returned.
    """
    limits = level(number)
    result = engine.analyse(
        root,
        nodes=limits.nodes,
        time=time,
        clock=clock,
        line_budget=0,
        report=report,
        catch_interrupt=catch_interrupt,
    )
    interrupted = result.interrupted
    if result.bound == "none":
        # Stopped before the first move had a score; one ply takes no time.
        result = engine.analyse(root, depth=1)
    best, legal = result.move, root.legal_moves()
    if limits.margin == 0 or len(legal) == 1 or interrupted:
        return best
    lines = _compare_moves(engine, root, min(limits.nodes, _COMPARISON_NODES), catch_interrupt)
    if lines is None:
        return best
    minimum, maximum = engine.game.rules.constant("EVALUATION_RANGE")
    scores = {line.pv[0]: min(max(line.score, minimum), maximum) for line in lines}
    highest = max(scores.values())
    lowest_allowed = highest - limits.margin * (highest - min(scores.values()))
    allowed = [move for move in legal if scores[move] >= lowest_allowed or move == best]
    return allowed[Stream(mix(seed, len(root.moves))).below(len(allowed))]


def _compare_moves(
    engine: Engine, root: History, nodes: int, catch_interrupt: bool
) -> tuple[Line, ...] | None:
    """Return a line for every legal move, all of the same depth; None after an interrupt."""
    complete: list[Info] = []

    def keep(info: Info) -> None:
        if all(line.depth == info.depth for line in info.lines):
            complete.append(info)

    count = len(root.legal_moves())
    # Most of the time goes to starting searches, so the depth is tried at once.  If that takes too
    # many nodes, the comparison is as deep as they allow.
    for first_depth in (_COMPARISON_DEPTH, None):
        result = engine.analyse(
            root,
            depth=_COMPARISON_DEPTH,
            nodes=nodes,
            multipv=count,
            line_budget=0,
            report=keep,
            first_depth=first_depth,
            catch_interrupt=catch_interrupt,
        )
        if result.interrupted:
            return None
        if complete:
            break
    if not complete:
        return engine.analyse(root, depth=1, multipv=count).lines
    return complete[-1].lines
