"""A run in words: verdicts, tables, pictures, and the raw figures."""

import csv
import html
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Final

from plyforge.lab.charts import Chart
from plyforge.lab.data import Data, Measurement
from plyforge.lab.experiment import Experiment
from plyforge.lab.findings import TOLERANCE, Finding, shown
from plyforge.lab.measuring import measured
from plyforge.lab.store import Run
from plyforge.lab.variations import Variation
from plyforge.match.tables import Table

_STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color:#222;background:#fff}table{border-collapse:collapse;margin:1rem 0}"
    "td,th{padding:.25rem .6rem;border-bottom:1px solid #ddd;text-align:right}"
    "td:first-child,th:first-child{text-align:left}caption{text-align:left;font-weight:600}"
    "figure{margin:1rem 0}svg{max-width:100%;height:auto}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}td,th{border-color:#444}}"
)
_HEADINGS: Final = {"seconds": "time"}
_RULE: Final = (
    f"A published number counts as reproduced if ours is within {100 * TOLERANCE:g} % of it, or if"
    " it lies in our interval; where another rule holds, the last column says so."
)
COLUMNS: Final = ("position", "configuration", "depth", "repeat")
"""The columns that identify a measurement, before those of its figures."""
PREFIX: Final = "measured_"
"""Goes before the heading of a figure whose name is in `COLUMNS`."""
_CHANGED: Final = (
    "The experiment measures something else since then: here are the means of the run, without"
    " verdicts and pictures."
)


@dataclass(frozen=True)
class Report:
    """All that is said of a run."""

    experiment: Experiment
    run: Run
    measurements: Sequence[Measurement]

    @classmethod
    def of(cls, found: Experiment, run: Run, measurements: Sequence[Measurement]) -> "Report":
        """What an experiment says of a run; if it has measured otherwise then, what the run tells
        by itself."""
        if run.about["digest"] != found.digest:
            found = replace(
                without_file(run),
                title=found.title,
                source=found.source,
                notes=_CHANGED,
                command=found.command,
            )
        return cls(found, run, measurements)

    @cached_property
    def data(self) -> Data:
        return self.experiment.data(self.measurements)

    @cached_property
    def findings(self) -> list[Finding]:
        return list(self.experiment.findings(self.data))

    @cached_property
    def charts(self) -> list[Chart]:
        return [chart for chart in self.experiment.charts(self.data) if _drawable(chart)]

    @cached_property
    def tables(self) -> list[Table]:
        data = self.data
        if self.experiment.tables is not None:
            return list(self.experiment.tables(data))
        metrics = self.experiment.metrics or [
            (name, _HEADINGS.get(name, name)) for name in data.metrics
        ]
        if not data.groups:
            return metric_tables(data, metrics)
        return [
            replace(table, title=f"{group}: {table.title}")
            for group in data.groups
            for table in metric_tables(data.part(group), metrics)
        ]

    @property
    def about(self) -> str:
        """Where the figures come from, in a sentence."""
        data = self.data
        counts = ", ".join(
            f"{len({m.case for m in self.measurements if m.depth == depth})} at depth {depth}"
            for depth in data.depths
        )
        told = self.run.about
        return (
            f"Seed {told['seed']}, Plyforge {told['version']}, {told['machine']};"
            f" positions: {counts or 'none yet'}. Intervals are 95 %, by bootstrap over"
            f" {'positions' if self.experiment.together == 1 else 'whole games'};"
            f" ratios are paired.{self._times}"
        )

    @property
    def _times(self) -> str:
        """What times are, in a sentence."""
        if "seconds" not in self.data.metrics:
            return ""
        searches = Counter((one.case, one.variation, one.depth) for one in self.measurements)
        least, most = min(searches.values()), max(searches.values())
        if most == 1:
            which = "those of single searches"
        else:
            times = f"{most}" if least == most else f"{least} to {most}"
            which = f"medians of {times} interleaved searches"
        return f" Times are {which}, as ratios to the first configuration in the same run."

    def markdown(self, pictures: Sequence[str] = ()) -> str:
        """The report; `pictures` are the files of the charts."""
        parts = [f"# {self.experiment.title}", "", f"Source: {self.experiment.source}.", ""]
        parts += [self.about, ""]
        if self.findings:
            parts += ["## Published and found", "", _RULE, ""]
            parts += [findings_table(self.findings).markdown()]
        for chart, picture in zip(self.charts, pictures, strict=False):
            parts += [f"![{chart.title}]({picture})", ""]
        for table in self.tables:
            parts += [f"### {table.title}", ""] if table.title else []
            parts += [table.markdown()]
        if self.experiment.notes:
            parts += ["## Notes", "", self.experiment.notes.strip(), ""]
        command = f"plyforge {self.experiment.command} --seed {self.run.about['seed']}"
        parts += [f"Repeat it with `{command}`.", ""]
        return "\n".join(parts)

    def html(self, pictures: Sequence[str] = ()) -> str:
        """The report as one page; `pictures` are SVG texts."""
        title = html.escape(self.experiment.title)
        parts = [f"<h1>{title}</h1>", f"<p>Source: {html.escape(self.experiment.source)}.</p>"]
        parts.append(f"<p>{html.escape(self.about)}</p>")
        if self.findings:
            parts += ["<h2>Published and found</h2>", f"<p>{html.escape(_RULE)}</p>"]
            parts += [findings_table(self.findings).html()]
        parts += [f"<figure>{_embedded(picture)}</figure>" for picture in pictures]
        parts += [table.html() for table in self.tables]
        if self.experiment.notes:
            notes = html.escape(self.experiment.notes.strip()).split("\n\n")
            parts += ["<h2>Notes</h2>", *(f"<p>{note}</p>" for note in notes)]
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f"<style>{_STYLE}</style></head><body>\n" + "\n".join(parts) + "\n</body></html>\n"
        )

    def csv(self) -> str:
        """The raw measurements, one a line; no two columns have the same name."""
        names = list(dict.fromkeys(name for made in self.measurements for name in made.values))
        headings = [f"{PREFIX}{name}" if name in COLUMNS else name for name in names]
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*COLUMNS, *headings])
        for made in self.measurements:
            row = [made.case, made.variation, made.depth, made.repeat]
            writer.writerow([*row, *(made.values.get(name, "") for name in names)])
        return out.getvalue()

    def fields(self) -> dict[str, Any]:
        """The report as one JSON object."""
        data = self.data
        return {
            "experiment": self.experiment.name,
            "source": self.experiment.source,
            "run": self.run.id,
            "about": self.run.about,
            "positions": {
                str(depth): len({m.case for m in self.measurements if m.depth == depth})
                for depth in data.depths
            },
            "findings": [asdict(finding) for finding in self.findings],
            "tables": [asdict(table) for table in self.tables],
        }


def without_file(run: Run) -> Experiment:
    """What a run tells of its experiment by itself, where the file is not at hand: names and means,
    no verdicts."""

    def nothing(*_: object) -> list[Any]:
        return []

    return Experiment(
        reference=run.experiment,
        name=run.experiment,
        title=run.experiment,
        source="",
        positions=1,
        depths=(),
        quick=(1, ()),
        repeats=1,
        metrics=(),
        notes="",
        cases=nothing,
        variations=tuple(Variation(str(told["name"])) for told in run.about["variations"]),
        measure=measured,
        wanted=lambda number, variation, depth: False,
        findings=nothing,
        charts=nothing,
        tables=None,
        digest=run.about["digest"],
        command="",
    )


def findings_table(findings: Sequence[Finding]) -> Table:
    rows = tuple((f.claim, f.published, f.found, f.verdict, f.why) for f in findings)
    return Table(("claim", "published", "found", "verdict", "why"), rows)


def metric_tables(data: Data, metrics: Sequence[tuple[str, str]]) -> list[Table]:
    """Means by configuration and depth, one table a metric; times as ratios to the first one."""
    headings = ("", *(f"depth {depth}" for depth in data.depths))
    tables = []
    for metric, title in metrics:
        if metric == "seconds":
            title = f"{title}, over {data.variations[0]}"
        rows = tuple(
            (name, *_cells(data, name, metric))
            for name in data.variations
            if any(name in data.at(depth) for depth in data.depths)
        )
        if metric in data.metrics:
            tables.append(Table(headings, rows, title))
    return tables


def _cells(data: Data, name: str, metric: str) -> list[str]:
    cells = []
    for depth in data.depths:
        if metric == "seconds":
            estimate = data.ratio(name, data.variations[0], depth, metric)
        else:
            estimate = data.mean(name, depth, metric)
        cells.append("" if estimate is None else shown(estimate))
    return cells


def _embedded(picture: str) -> str:
    """An SVG file's element: the declarations before it have no place in a page."""
    return re.sub(r"\A.*?(?=<svg)", "", picture, count=1, flags=re.DOTALL)


def _drawable(chart: Chart) -> bool:
    return any(series.x for series in chart.series)
