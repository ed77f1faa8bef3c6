"""The engine: finds the best move of a position within limits.

>>> import plyforge
>>> engine = plyforge.Engine("tictactoe")
>>> result = engine.analyse(depth=9)
>>> result.score, result.proved, engine.text(result)
(0.0, True, 'b2')
"""

from plyforge.engine.analysis import INTERACTIVE_LINE_BUDGET
from plyforge.engine.clock import Clock
from plyforge.engine.driver import Driver
from plyforge.engine.drivers import DRIVERS
from plyforge.engine.engine import Engine
from plyforge.engine.expectation import Expectation, expect
from plyforge.engine.result import Info, Line, Progress, SearchResult, score_text
from plyforge.engine.window_search import WindowSearch
from plyforge.search.parameters import Parameter

__all__ = [
    "DRIVERS",
    "INTERACTIVE_LINE_BUDGET",
    "Clock",
    "Driver",
    "Engine",
    "Expectation",
    "Info",
    "Line",
    "Parameter",
    "Progress",
    "SearchResult",
    "WindowSearch",
    "expect",
    "score_text",
]
