"""Experiments: one file each, found by its name or given by its path.

| name in the file | what it is |
|---|---|
| `TITLE`, `SOURCE` | what the experiment is about, and who published it |
| `cases(seed, count)` | the positions: `count` of them, more beginning with fewer |
| `variations()` | the configurations, the baseline first |
| `POSITIONS`, `DEPTHS` | how many positions, and which depths, unless told otherwise |
| `QUICK` | the same two for a first look |
| `METRICS` | the figures that the tables show: name and heading |
| `measure(case, variation, depth)` | a measurement, if not `measured` |
| `wanted(number, variation, depth)` | whether a measurement is to be made; all, if left out |
| `GROUPS` | names of games or kinds, if positions of several take turns: a table for each |
| `TOGETHER` | how many positions in a row are of one game; intervals draw whole games |
| `REPEATS` | how often each search is timed; 1 if left out |
| `findings(data)`, `charts(data)`, `tables(data)` | what the report says |
| `NOTES` | what a reader should know besides |

All but the first four have defaults.
"""

import importlib
import pkgutil
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final

from plyforge.core.errors import UnknownName
from plyforge.game.loading import import_file
from plyforge.lab import experiments
from plyforge.lab.cases import Case
from plyforge.lab.charts import Chart
from plyforge.lab.data import Data, Measurement
from plyforge.lab.experimentfile import ExperimentFile
from plyforge.lab.findings import Finding
from plyforge.lab.measuring import measured
from plyforge.lab.variations import Variation
from plyforge.match.tables import Table

_METRICS: Final = (
    ("leaves", "leaves"),
    ("interior", "interior nodes"),
    ("transpositions", "transpositions"),
)


@dataclass(frozen=True)
class Experiment:
    """What an experiment's file says, with defaults for what it does not."""

    reference: str
    """The name or path by which another process finds it."""
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
    findings: Callable[[Data], Sequence[Finding]]
    charts: Callable[[Data], Sequence[Chart]]
    tables: Callable[[Data], Sequence[Table]] | None
    digest: str
    """Of the text that measures: another one makes another run, another report does not."""
    command: str
    """What runs it again."""
    groups: tuple[str, ...] = ()
    """The first position is of the first group, the second of the second, and so on in turn."""
    together: int = 1
    """How many positions in a row are of one game."""

    @property
    def baseline(self) -> Variation:
        return self.variations[0]

    def data(self, measurements: Sequence[Measurement]) -> Data:
        """Measurements of this experiment, to be looked at."""
        names = tuple(variation.name for variation in self.variations)
        return Data(measurements, names, self.groups, self.together)

    def variation(self, name: str) -> Variation:
        return next(one for one in self.variations if one.name == name)


def names() -> list[str]:
    """The built-in experiments."""
    return sorted(
        info.name.replace("_", "-")
        for info in pkgutil.iter_modules(experiments.__path__)
        if not info.name.startswith("_")
    )


def experiment(reference: str) -> Experiment:
    """An experiment by its name or by the path of its file."""
    if reference.endswith(".py"):
        module = import_file(Path(reference), "give the path of an experiment's file")
        return read(reference, Path(reference).stem, module)
    if reference not in names():
        raise UnknownName("experiment", reference, names())
    module = importlib.import_module(f"{experiments.__name__}.{reference.replace('-', '_')}")
    return read(reference, reference, module)


def read(reference: str, name: str, module: ModuleType) -> Experiment:
    """A module as an experiment, or an error that says what is missing or wrong in it."""
    file = ExperimentFile(reference, module)
    file.require("TITLE", "SOURCE", "cases", "variations")
    depths = file.depths("DEPTHS", (6,))
    positions = file.count("POSITIONS", 20)
    own = file.has("measure")
    return Experiment(
        reference=reference,
        name=name,
        title=file.text("TITLE"),
        source=file.text("SOURCE"),
        positions=positions,
        depths=depths,
        quick=file.scale("QUICK", (min(positions, 5), depths[:2])),
        repeats=file.count("REPEATS", 1),
        metrics=file.pairs("METRICS", () if own else _METRICS),
        notes=file.text("NOTES"),
        cases=file.lister("cases", Case),
        variations=file.variations(),
        measure=file.measure() if own else measured,
        wanted=file.function("wanted", lambda number, variation, depth: True),
        findings=file.lister("findings", Finding),
        charts=file.lister("charts", Chart),
        tables=file.lister("tables", Table) if file.has("tables") else None,
        digest=file.digest,
        command=f"lab run {shlex.quote(reference)}",
        groups=file.texts("GROUPS"),
        together=file.count("TOGETHER", 1),
    )
