"""The laboratory: experiments that measure searches, and hold them against what was published.

An experiment is one file; what it needs is imported from here.
"""

from plyforge.lab import statistics
from plyforge.lab.cases import Case, game_cases, mixed_cases, random_cases
from plyforge.lab.charts import Chart, Series
from plyforge.lab.data import Data
from plyforge.lab.findings import Finding, judged, level, shown
from plyforge.lab.measuring import measured, opened
from plyforge.lab.statistics import Estimate
from plyforge.lab.variations import Variation

__all__ = [
    "Case",
    "Chart",
    "Data",
    "Estimate",
    "Finding",
    "Series",
    "Variation",
    "game_cases",
    "judged",
    "level",
    "measured",
    "mixed_cases",
    "opened",
    "random_cases",
    "shown",
    "statistics",
]
