"""The engine: finds the best move of a position within limits.

>>> import plyforge
>>> engine = plyforge.Engine("tictactoe")
>>> result = engine.analyse(depth=9)
>>> result.score, result.proved, engine.text(result)
(0.0, True, 'a1')
"""

from plyforge.engine.analysis import INTERACTIVE_LINE_BUDGET
from plyforge.engine.clock import Clock
from plyforge.engine.drivers import DRIVERS, Driver, WindowSearch
from plyforge.engine.engine import Engine
from plyforge.engine.result import Info, Line, Progress, SearchResult, score_text

__all__ = [
    "DRIVERS",
    "INTERACTIVE_LINE_BUDGET",
    "Clock",
    "Driver",
    "Engine",
    "Info",
    "Line",
    "Progress",
    "SearchResult",
    "WindowSearch",
    "score_text",
]
