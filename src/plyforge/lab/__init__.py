"""The laboratory: experiments that measure searches and compare them with published results.

An experiment is one file, and imports what it needs from here.
"""

from plyforge.lab import statistics
from plyforge.lab.cases import Case, game_cases, mixed_cases, random_cases
from plyforge.lab.charts import Chart, Series
from plyforge.lab.claims import (
    Claim,
    Equals,
    Exactly,
    LessThan,
    MoreThan,
    NotComparable,
    Within,
    format_estimate,
)
from plyforge.lab.data import Data
from plyforge.lab.measuring import measure_search, open_engine
from plyforge.lab.statistics import Estimate
from plyforge.lab.variations import Variation

__all__ = [
    "Case",
    "Chart",
    "Claim",
    "Data",
    "Equals",
    "Estimate",
    "Exactly",
    "LessThan",
    "MoreThan",
    "NotComparable",
    "Series",
    "Variation",
    "Within",
    "format_estimate",
    "game_cases",
    "measure_search",
    "mixed_cases",
    "open_engine",
    "random_cases",
    "statistics",
]
