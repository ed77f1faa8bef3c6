"""The bars: what each comparison should reach. Missing one is reported, never an error."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bar:
    """A limit on a row's figure: its ratio, or its seconds where there is no rival."""

    limit: float
    at_least: bool = True

    def met(self, figure: float) -> bool:
        """Whether the figure is on the right side of the limit."""
        return figure >= self.limit if self.at_least else figure <= self.limit

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.limit:g}"


COLD_SECONDS = Bar(5.0, at_least=False)
COLD_SEARCH_SECONDS = Bar(20.0, at_least=False)
STOP_SECONDS = Bar(0.005, at_least=False)
CACHED_SECONDS = Bar(0.3, at_least=False)
PAGE_SECONDS = Bar(0.5, at_least=False)
NO_ERRORS = Bar(0.0, at_least=False)

RATIOS: dict[tuple[str, str], Bar] = {
    ("cpp_twin", "checkers"): Bar(0.8),
    ("cpp_twin", "othello"): Bar(0.8),
    ("spiel", "connect4"): Bar(40.0),
    ("spiel", "checkers"): Bar(40.0),
    ("spiel", "othello"): Bar(40.0),
    ("spiel", "hex"): Bar(40.0),
    ("stockfish", "chess"): Bar(1.3),
    ("pychess", "chess"): Bar(500.0),
    ("generators", "checkers"): Bar(0.85),
    ("generators", "connect4"): Bar(0.95),
    ("user_file", "connect4"): Bar(0.95),
    ("search_spiel", "connect4"): Bar(40.0),
    ("search_easyai", "connect4"): Bar(1000.0),
    ("search_twin", "checkers"): Bar(0.9),
    ("threads", "checkers"): Bar(1.6),
    ("memory", "connect4"): Bar(1.05, at_least=False),
    ("efficiency", "othello"): Bar(1.2, at_least=False),
    ("efficiency", "checkers"): Bar(3.0, at_least=False),
    ("efficiency", "connect4"): Bar(2.3, at_least=False),
    ("pruning", "othello"): Bar(30.0),
    ("pruning", "checkers"): Bar(35.0),
    ("pruning", "connect4"): Bar(200.0),
}
"""By comparison and game: the least ratio of our speed to theirs, or a limit on leaves."""
