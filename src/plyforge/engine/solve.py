"""Solving: searching until the result is proved."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyforge.core.scores import SCORE_LIMIT, outcome_name
from plyforge.engine.engine import Engine, Root
from plyforge.engine.result import Info, SearchResult, int_if_whole


@dataclass(frozen=True)
class Solution:
    """The result of perfect play, for the side to move."""

    result: SearchResult
    is_average: bool = False
    """Whether chance decides: the value is then the expected one."""

    @property
    def solved(self) -> bool:
        return self.result.proved

    @property
    def value(self) -> float | int | None:
        """The final score, or 1 for a win, 0 for a draw, -1 for a loss; None if not solved."""
        if not self.solved:
            return None
        score = self.result.score
        if abs(score) > SCORE_LIMIT:
            return 1 if score > 0 else -1
        return int_if_whole(score)

    @property
    def outcome(self) -> str | None:
        """`win`, `draw` or `loss`; None if not solved, or if chance decides."""
        return outcome_name(self.result.score) if self.solved and not self.is_average else None

    def fields(self, pv: list[str]) -> dict[str, Any]:
        """Return the fields that the command line prints."""
        result = self.result
        return {
            "value": self.value,
            "outcome": self.outcome,
            "solved": self.solved,
            "best": pv[0],
            "pv": pv,
            "nodes": result.nodes,
            "leaves": result.counts.leaves,
            "depth": result.depth,
            "seconds": result.seconds,
        }


def solve(
    engine: Engine,
    position: Root = None,
    *,
    time: float | None = None,
    nodes: int | None = None,
    report: Callable[[Info], None] | None = None,
    catch_interrupt: bool = False,
) -> Solution:
    """Search until the result is proved or a limit is reached; the options must be exact.

    `catch_interrupt` is that of `Engine.analyse`.
    """
    if engine.options.get("database"):
        # One ply is enough for a position that is in it, even if the way to win is not seen.
        result = engine.analyse(position, depth=1, use_book="proved")
        if result.proved:
            return Solution(result, engine.game.has_chance())
    result = engine.analyse(
        position,
        time=time,
        nodes=nodes,
        report=report,
        use_book="proved",
        catch_interrupt=catch_interrupt,
    )
    return Solution(result, engine.game.has_chance())
