"""Experiments, one file each.

| name in the file | meaning |
|---|---|
| `TITLE`, `SOURCE` | the subject, and the publication |
| `QUESTION` | what is to be found out, in a sentence or two, for the abstract |
| `cases(seed, count)` | the positions; a larger `count` only adds positions |
| `variations()` | the configurations, the baseline first |
| `POSITIONS`, `DEPTHS` | the default number of positions, and the default depths |
| `QUICK` | the same two for a quick run |
| `METRICS` | the figures that get a table: name and heading |
| `measure(case, variation, depth)` | one measurement; default: `measure_search` |
| `wanted(number, variation, depth)` | whether to make a measurement; default: always |
| `GROUPS` | names of games or kinds whose positions alternate; each gets its own tables |
| `TOGETHER` | how many consecutive positions come from one game; intervals resample games |
| `DEFAULTS` | a table of fixed defaults for its searches; default: the present ones |
| `uses_threads(variation)` | whether a configuration searches with several threads |
| `REPEATS` | how often each search is timed; default: 1 |
| `claims()` | published statements, and the rule by which each is judged |
| `charts(data)`, `tables(data)` | the content of the report |
| `METHOD`, `THREATS`, `NOTES` | prose: how it is measured, what may be wrong, anything else |

All but the first four have defaults.
"""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Final

from plyforge.lab.cases import Case
from plyforge.lab.charts import Chart
from plyforge.lab.claims import Claim
from plyforge.lab.data import Data, Measurement
from plyforge.lab.experimentfile import ExperimentFile
from plyforge.lab.measuring import measure_search
from plyforge.lab.variations import Variation
from plyforge.match.tables import Table

_METRICS: Final = (
    ("leaves", "leaves"),
    ("interior", "interior nodes"),
    ("transpositions", "transpositions"),
)


@dataclass(frozen=True)
class Experiment:
    """The content of an experiment's file, with defaults filled in."""

    reference: str
    """The name or path by which another process loads it."""
    name: str
    title: str
    source: str
    positions: int
    depths: tuple[int, ...]
    quick: tuple[int, tuple[int, ...]]
    repeats: int
    metrics: tuple[tuple[str, str], ...]
    """The name and heading of each figure that gets a table; if empty, every figure gets one."""
    notes: str
    cases: Callable[[int, int], list[Case]]
    variations: tuple[Variation, ...]
    measure: Callable[[Case, Variation, int], dict[str, float]]
    wanted: Callable[[int, Variation, int], bool]
    claims: tuple[Claim, ...]
    charts: Callable[[Data], Sequence[Chart]]
    tables: Callable[[Data], Sequence[Table]] | None
    digest: str
    """A hash of the code that measures; changed prose does not change it."""
    command: str
    """The command that runs it, without `plyforge`."""
    groups: tuple[str, ...] = ()
    """Position i belongs to group i modulo the number of groups."""
    together: int = 1
    """How many consecutive positions come from one game."""
    question: str = ""
    method: str = ""
    threats: str = ""
    uses_threads: Callable[[Variation], bool] = lambda variation: False
    """Whether a configuration searches with several threads.  Its counts then differ from time to
    time, and nothing else should run while it is measured."""
    with_variations: Callable[[Sequence[Variation]], "Experiment"] | None = None
    """If configurations come from present defaults: make the experiment with those of an old run,
    so that its measurements can be reported and repeated after defaults have changed."""

    @property
    def one_at_a_time(self) -> bool:
        """Whether measurements must not be made side by side."""
        return any(map(self.uses_threads, self.variations))

    @property
    def baseline(self) -> Variation:
        return self.variations[0]

    def data(self, measurements: Sequence[Measurement]) -> Data:
        """Arrange measurements of this experiment for reports."""
        names = tuple(variation.name for variation in self.variations)
        own_file = self.reference.endswith(".py")
        return Data(measurements, names, self.groups, self.together, strict=own_file)

    def variation(self, name: str) -> Variation:
        return next(variation for variation in self.variations if variation.name == name)


def read_module(reference: str, name: str, module: ModuleType) -> Experiment:
    """Read an experiment from a module; raise an error if something is missing or wrong."""
    file = ExperimentFile(reference, module)
    file.require("TITLE", "SOURCE", "cases", "variations")
    depths = file.depths("DEPTHS", (6,))
    positions = file.count("POSITIONS", 20)
    has_measure = file.has("measure")
    return Experiment(
        reference=reference,
        name=name,
        title=file.text("TITLE"),
        source=file.text("SOURCE"),
        positions=positions,
        depths=depths,
        quick=file.scale("QUICK", (min(positions, 5), depths[:2])),
        repeats=file.count("REPEATS", 1),
        metrics=file.metrics(() if has_measure else _METRICS),
        notes=file.text("NOTES"),
        cases=file.cases(),
        variations=file.variations(),
        measure=file.measure() if has_measure else measure_search,
        wanted=file.function("wanted", lambda number, variation, depth: True),
        claims=file.claims(),
        charts=file.list_function("charts", Chart),
        tables=file.list_function("tables", Table) if file.has("tables") else None,
        digest=file.digest,
        command=f"lab run {shlex.quote(reference)}",
        groups=file.texts("GROUPS"),
        together=file.count("TOGETHER", 1),
        question=file.text("QUESTION"),
        method=file.text("METHOD"),
        threats=file.text("THREATS"),
        uses_threads=file.function("uses_threads", lambda variation: False),
    )
