"""The report of a run: findings, charts, tables, and the raw figures."""

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
from plyforge.lab.findings import TOLERANCE, Finding, format_estimate
from plyforge.lab.measuring import measure_search
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
    f"A published number is reproduced if ours is within {100 * TOLERANCE:g} % of it, or if our"
    " interval contains it. Where another rule applies, the last column says so."
)
COLUMNS: Final = ("position", "configuration", "depth", "repeat")
"""The columns that identify a measurement, before those of its figures."""
PREFIX: Final = "measured_"
"""Goes before the heading of a figure whose name is in `COLUMNS`."""
_CHANGED: Final = (
    "The experiment has changed since this run. The report shows the means of the run, without"
    " verdicts and charts."
)


@dataclass(frozen=True)
class Report:
    """The report of a run."""

    experiment: Experiment
    run: Run
    measurements: Sequence[Measurement]

    @classmethod
    def of(cls, experiment: Experiment, run: Run, measurements: Sequence[Measurement]) -> "Report":
        """Report a run; without findings and charts if the experiment has changed since then."""
        if run.about["digest"] != experiment.digest:
            experiment = replace(
                experiment_without_file(run),
                title=experiment.title,
                source=experiment.source,
                notes=_CHANGED,
                command=experiment.command,
            )
        return cls(experiment, run, measurements)

    @cached_property
    def data(self) -> Data:
        return self.experiment.data(self.measurements)

    @cached_property
    def findings(self) -> list[Finding]:
        return list(self.experiment.findings(self.data))

    @cached_property
    def charts(self) -> list[Chart]:
        return [chart for chart in self.experiment.charts(self.data) if _has_points(chart)]

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
        """The origin of the figures, in a sentence."""
        data = self.data
        counts = ", ".join(
            f"{len({m.case for m in self.measurements if m.depth == depth})} at depth {depth}"
            for depth in data.depths
        )
        about = self.run.about
        return (
            f"Seed {about['seed']}, Plyforge {about['version']}, {about['machine']};"
            f" positions: {counts or 'none yet'}. Intervals are 95 %, by bootstrap over"
            f" {'positions' if self.experiment.together == 1 else 'whole games'};"
            f" ratios are paired.{self._times}"
        )

    @property
    def _times(self) -> str:
        """What the times are, in a sentence."""
        if "seconds" not in self.data.metrics:
            return ""
        searches = Counter((m.case, m.variation, m.depth) for m in self.measurements)
        smallest, largest = min(searches.values()), max(searches.values())
        if largest == 1:
            which = "those of single searches"
        else:
            times = f"{largest}" if smallest == largest else f"{smallest} to {largest}"
            which = f"medians of {times} interleaved searches"
        return f" Times are {which}, as ratios to the first configuration in the same run."

    def markdown(self, pictures: Sequence[str] = ()) -> str:
        """Return the report as Markdown; `pictures` are the files of the charts."""
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
        """Return the report as one HTML page; `pictures` are the contents of SVG files."""
        title = html.escape(self.experiment.title)
        parts = [f"<h1>{title}</h1>", f"<p>Source: {html.escape(self.experiment.source)}.</p>"]
        parts.append(f"<p>{html.escape(self.about)}</p>")
        if self.findings:
            parts += ["<h2>Published and found</h2>", f"<p>{html.escape(_RULE)}</p>"]
            parts += [findings_table(self.findings).html()]
        parts += [f"<figure>{_svg_element(picture)}</figure>" for picture in pictures]
        parts += [table.html() for table in self.tables]
        if self.experiment.notes:
            notes = html.escape(self.experiment.notes.strip()).split("\n\n")
            parts += ["<h2>Notes</h2>", *(f"<p>{note}</p>" for note in notes)]
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f"<style>{_STYLE}</style></head><body>\n" + "\n".join(parts) + "\n</body></html>\n"
        )

    def csv(self) -> str:
        """Return the raw measurements, one per line; every column has its own name."""
        names = list(
            dict.fromkeys(name for measurement in self.measurements for name in measurement.values)
        )
        headings = [f"{PREFIX}{name}" if name in COLUMNS else name for name in names]
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*COLUMNS, *headings])
        for measurement in self.measurements:
            row = [measurement.case, measurement.variation, measurement.depth, measurement.repeat]
            writer.writerow([*row, *(measurement.values.get(name, "") for name in names)])
        return out.getvalue()

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data for JSON."""
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


def experiment_without_file(run: Run) -> Experiment:
    """Return an experiment for a run whose file is not available: no findings, no charts."""

    def empty(*_: object) -> list[Any]:
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
        cases=empty,
        variations=tuple(Variation(str(options["name"])) for options in run.about["variations"]),
        measure=measure_search,
        wanted=lambda number, variation, depth: False,
        findings=empty,
        charts=empty,
        tables=None,
        digest=run.about["digest"],
        command="",
    )


def findings_table(findings: Sequence[Finding]) -> Table:
    rows = tuple((f.claim, f.published, f.found, f.verdict, f.why) for f in findings)
    return Table(("claim", "published", "found", "verdict", "why"), rows)


def metric_tables(data: Data, metrics: Sequence[tuple[str, str]]) -> list[Table]:
    """Make one table of means per metric; times are ratios to the first configuration."""
    headings = ("", *(f"depth {depth}" for depth in data.depths))
    tables = []
    for metric, title in metrics:
        if metric == "seconds":
            title = f"{title}, over {data.variations[0]}"
        rows = tuple(
            (name, *_cells(data, name, metric))
            for name in data.variations
            if any(name in data.variations_at(depth) for depth in data.depths)
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
        cells.append("" if estimate is None else format_estimate(estimate))
    return cells


def _svg_element(picture: str) -> str:
    """Return the SVG element without the declarations before it, for use in a page."""
    return re.sub(r"\A.*?(?=<svg)", "", picture, count=1, flags=re.DOTALL)


def _has_points(chart: Chart) -> bool:
    return any(series.x for series in chart.series)
