"""Tuning: find good values of search parameters by games."""

from plyforge.match.tuning.parameters import read_parameters
from plyforge.match.tuning.plan import TuningPlan
from plyforge.match.tuning.spsa import Spsa, TunedParameter
from plyforge.match.tuning.store import TuningStore
from plyforge.match.tuning.tuner import Tuner

__all__ = ["Spsa", "TunedParameter", "Tuner", "TuningPlan", "TuningStore", "read_parameters"]
