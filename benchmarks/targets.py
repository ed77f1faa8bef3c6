"""The target of each comparison. Missing one is reported; it is not an error."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A limit on a row's figure: its ratio, or its seconds where there is no rival."""

    limit: float
    at_least: bool = True

    def is_met(self, figure: float) -> bool:
        """Whether the figure is on the right side of the limit."""
        return figure >= self.limit if self.at_least else figure <= self.limit

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.limit:g}"


COLD_SECONDS = Target(5.0, at_least=False)
COLD_SEARCH_SECONDS = Target(12.0, at_least=False)
COMPILE_RATIO = Target(0.5, at_least=False)
SPEED_RATIO = Target(0.94)
SPEED_RATIO_OF_ALL = Target(0.98)
LOAD_SECONDS = Target(0.1, at_least=False)
STOP_SECONDS = Target(0.005, at_least=False)
MANY_THREADS_STOP_SECONDS = Target(0.03, at_least=False)
"""More threads than cores."""
TWO_THREADS_RATIO = Target(1.5)
MESSAGE_SECONDS = Target(1e-6, at_least=False)
UCIOK_SECONDS = Target(1.0, at_least=False)
CACHED_SECONDS = Target(0.3, at_least=False)
WINDOW_SECONDS = Target(35e-6, at_least=False)
ANALYSE_SECONDS = Target(0.3e-3, at_least=False)
PACK_SECONDS = Target(20e-6, at_least=False)
CLEAR_SECONDS = Target(3e-3, at_least=False)
ENGINE_SECONDS = Target(5e-3, at_least=False)
SET_WEIGHTS_SECONDS = Target(1e-3, at_least=False)
ACCUMULATOR_SECONDS = Target(6e-9, at_least=False)
LOOKUP_SECONDS = {8: Target(102e-9, at_least=False), 10: Target(241e-9, at_least=False)}
"""By the number of cells of a pattern."""
DATA_RATIO = Target(0.94)
NET_RATIO = Target(0.5)
PAGE_SECONDS = Target(0.5, at_least=False)
NO_ERRORS = Target(0.0, at_least=False)
REPLY_SECONDS = Target(0.5, at_least=False)
FIRST_LINE_SECONDS = Target(2.0, at_least=False)
MEMORY_RATIO = Target(1.2, at_least=False)
LEDUC_RATIO = Target(5.0)

RATIOS: dict[tuple[str, str], Target] = {
    ("cpp_twin", "checkers"): Target(0.8),
    ("cpp_twin", "othello"): Target(0.8),
    ("spiel", "connect4"): Target(40.0),
    ("spiel", "checkers"): Target(40.0),
    ("spiel", "othello"): Target(40.0),
    ("spiel", "hex"): Target(40.0),
    ("stockfish", "chess"): Target(1.3),
    ("pychess", "chess"): Target(500.0),
    ("generators", "checkers"): Target(0.85),
    ("generators", "connect4"): Target(0.95),
    ("user_file", "connect4"): Target(0.95),
    ("search_spiel", "connect4"): Target(40.0),
    ("search_easyai", "connect4"): Target(1000.0),
    ("search_twin", "checkers"): Target(1.0),
    ("threads", "checkers"): Target(1.6),
    ("memory", "connect4"): Target(1.05, at_least=False),
    ("efficiency", "othello"): Target(1.2, at_least=False),
    ("efficiency", "checkers"): Target(3.0, at_least=False),
    ("efficiency", "connect4"): Target(2.3, at_least=False),
    ("pruning", "othello"): Target(30.0),
    ("pruning", "checkers"): Target(35.0),
    ("pruning", "connect4"): Target(200.0),
    ("learning", "NumPy"): Target(1.0),
    ("learning", "torch"): Target(1.0),
    ("selfplay", "python"): Target(100.0),
}
"""By comparison and game: the minimum ratio of our speed to the rival's, or a limit on leaves."""
