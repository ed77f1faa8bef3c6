"""Open a run of any method."""

from plyforge.jobs.executor import Executor
from plyforge.learn.automatic import AutomaticRun
from plyforge.learn.feature_selection import GeneticRun
from plyforge.learn.game_file import is_game_file
from plyforge.learn.pattern_runs import PatternRun
from plyforge.learn.plan import AUTO, EVOLUTION, GENETIC, MMTO, PATTERNS, LearningPlan
from plyforge.learn.recorded_runs import RecordedRun
from plyforge.learn.runs import LearningRun
from plyforge.learn.store import LearningStore
from plyforge.learn.teacher import TeacherRun
from plyforge.learn.weight_evolution import EvolutionRun


def open_run(
    plan: LearningPlan, store: LearningStore, name: str, executor: Executor
) -> LearningRun:
    """Return the run with this name, new or stored; raise an error if its plan is another."""
    kinds: dict[str, type[LearningRun]] = {
        AUTO: AutomaticRun,
        GENETIC: GeneticRun,
        EVOLUTION: EvolutionRun,
        MMTO: TeacherRun,
        PATTERNS: PatternRun,
    }
    usual = RecordedRun if is_game_file(plan.data) else LearningRun
    return kinds.get(plan.method, usual)(plan, store, name, executor)
