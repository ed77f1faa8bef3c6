"""The report of a run: abstract, method, results, threats to validity, and the raw figures."""

import csv
import html
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Final

from plyforge.lab.charts import Chart
from plyforge.lab.claims import VERDICTS, Finding, format_estimate, judge_claims
from plyforge.lab.data import Data, Measurement
from plyforge.lab.experiment import Experiment
from plyforge.lab.measuring import measure_search
from plyforge.lab.store import LabStore, Run
from plyforge.lab.variations import DEFAULT_ENTRIES, Variation
from plyforge.match.tables import Table

_STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color:#222;background:#fff}table{border-collapse:collapse;margin:1rem 0}"
    "td,th{padding:.25rem .6rem;border-bottom:1px solid #ddd;text-align:right}"
    "td:first-child,th:first-child{text-align:left}caption{text-align:left;font-weight:600}"
    "figure{margin:1rem 0}svg{max-width:100%;height:auto}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}td,th{border-color:#444}}"
)
_HEADINGS: Final = {"seconds": "time", "fixed_seconds": "fixed cost"}
_RULES: Final = (
    "A claim is reproduced or refuted by the rule that was stated for it. Verdicts that rest on a"
    " test are corrected for the number of tests (Holm 1979): one false verdict among them has a"
    " probability of at most 5 %. A verdict that the correction takes away becomes undecided."
)
_INTERVALS: Final = (
    "Intervals are 95 %, from the jackknife over {unit} and Student's distribution; ratios are"
    " paired by position."
)
COLUMNS: Final = ("position", "configuration", "depth", "repeat")
"""The columns that identify a measurement, before those of its figures."""
PREFIX: Final = "measured_"
"""Goes before the heading of a figure whose name is in `COLUMNS`."""
_CHANGED: Final = (
    "The experiment has changed since this run. The report shows the means of the run, without"
    " verdicts and charts."
)
_MAX_SETTINGS: Final = 24
"""A longer list of configurations is left to the experiment's file."""

Block = str | Table | Chart


@dataclass(frozen=True)
class Sample:
    """The measurements of a run."""

    run: Run
    measurements: Sequence[Measurement]

    @property
    def seed(self) -> int:
        return int(self.run.about["seed"])


@dataclass(frozen=True)
class Report:
    """The report of a run."""

    experiment: Experiment
    run: Run
    measurements: Sequence[Measurement]
    others: Sequence[Sample] = ()
    """Runs of the same experiment with other seeds, to be shown beside this one."""

    @classmethod
    def of(
        cls,
        experiment: Experiment,
        run: Run,
        measurements: Sequence[Measurement],
        others: Sequence[Sample] = (),
    ) -> "Report":
        """Report a run; without findings and charts if the experiment has changed since then."""
        if run.about["digest"] != experiment.digest:
            others = ()
            experiment = replace(
                experiment_without_file(run),
                title=experiment.title,
                source=experiment.source,
                notes=_CHANGED,
                command=experiment.command,
            )
        return cls(experiment, run, measurements, others)

    @property
    def stem(self) -> str:
        """The name of the report's files, without endings."""
        return re.sub(r"[ /:\\]", "-", self.experiment.name)

    @cached_property
    def data(self) -> Data:
        return self.experiment.data(self.measurements)

    @cached_property
    def findings(self) -> list[Finding]:
        """The verdict on each claim; undecided where the run of another seed contradicts it."""
        found = judge_claims(self.experiment.claims, self.data)
        for sample in self.others:
            other = self._other_findings[sample.seed]
            found = [
                _confirm(ours, its, sample.seed) for ours, its in zip(found, other, strict=True)
            ]
        return found

    @cached_property
    def _other_findings(self) -> dict[int, list[Finding]]:
        claims = self.experiment.claims
        return {
            sample.seed: judge_claims(claims, self.experiment.data(sample.measurements))
            for sample in self.others
        }

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
    def findings_table(self) -> Table:
        """Claims, published figures, ours, those of other seeds, and verdicts."""
        seeds = [f"seed {sample.seed}" for sample in self.others]
        headings = ("claim", "published", "found", *seeds, "verdict", "reason")
        rows = []
        for number, one in enumerate(self.findings):
            others = [self._other_findings[sample.seed][number].figure for sample in self.others]
            found = (one.claim.published, one.figure, *others)
            rows.append((_statement(one), *found, one.verdict, one.reason))
        return Table(headings, tuple(rows))

    @property
    def about(self) -> str:
        """The origin of the figures, in a sentence."""
        about = self.run.about
        unit = "positions" if self.experiment.together == 1 else "whole games"
        return (
            f"Seed {about['seed']}, Plyforge {about['version']}, {about['machine']};"
            f" positions: {self._positions or 'none yet'}. {_INTERVALS.format(unit=unit)}"
            f"{self._times}"
        )

    @property
    def _positions(self) -> str:
        """How many positions were searched to each depth."""
        return ", ".join(
            f"{len({m.case for m in self.measurements if m.depth == depth}):,} at depth {depth}"
            for depth in self.data.depths
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
        return (
            f" Times are {which}, as ratios to the first configuration in the same run;"
            f" {self._fixed_cost}."
        )

    @property
    def _fixed_cost(self) -> str:
        """What is not in the times, and how long it takes."""
        data = self.data
        fixed = [
            value
            for depth in data.depths
            for name in data.variations_at(depth)
            for value in data.values(name, depth, "fixed_seconds", (name,))
        ]
        if not fixed:
            return "they include the fixed cost of each search"
        middle = 1000 * sorted(fixed)[len(fixed) // 2]
        return (
            "they are processor time of the search itself, without a fixed cost whose median is"
            f" {middle:.2g} ms"
        )

    # Sections

    @property
    def _abstract(self) -> Iterator[Block]:
        if self.experiment.question:
            yield " ".join(self.experiment.question.split())
        counts = Counter(finding.verdict for finding in self.findings)
        if counts:
            verdicts = ", ".join(f"{counts[v]} {v}" for v in VERDICTS if counts[v])
            yield f"Of {len(self.findings)} claims: {verdicts}."

    @property
    def _method(self) -> Iterator[Block]:
        yield from _paragraphs(self.experiment.method)
        yield self.about
        if len(self.experiment.variations) <= _MAX_SETTINGS:
            yield configurations_table(self.experiment.variations)
        if self.experiment.claims:
            yield f"{_RULES} {self._registration}"
            yield rules_table(self.findings)

    @property
    def _registration(self) -> str:
        """Whether the rules are those that were stored when the run was started."""
        registered = self.run.about.get("claims")
        if registered is None:
            return "The rules were not stored with this run."
        changed = [c for c in self.experiment.claims if c.registered not in registered]
        when = f"when the run was started ({self.run.about.get('begun', self.run.created)})"
        if not changed:
            return f"All rules were stored {when}."
        names = "; ".join(claim.statement for claim in changed)
        return f"Rules were stored {when}; stated or changed after that: {names}."

    @property
    def _results(self) -> Iterator[Block]:
        if self.findings:
            yield self.findings_table
        yield from self.charts
        yield from self.tables

    @property
    def _origin(self) -> Iterator[Block]:
        about = self.run.about
        fields = {
            "commit": about.get("commit"),
            "processor": about.get("processor"),
            "versions": about.get("libraries"),
            "begun": about.get("begun"),
            "ended": about.get("ended"),
            "running time": about.get("running_time"),
        }
        known = "; ".join(f"{name}: {value}" for name, value in fields.items() if value)
        if known:
            yield f"{known[0].upper()}{known[1:]}."
        if self.experiment.command:
            yield f"Repeat it with `plyforge {self.experiment.command} --seed {about['seed']}`."

    @property
    def sections(self) -> list[tuple[str, list[Block]]]:
        """Headings, each with paragraphs, tables and charts; without empty sections."""
        parts = (
            ("Abstract", self._abstract),
            ("Method", self._method),
            ("Results", self._results),
            ("Threats to validity", _paragraphs(self.experiment.threats)),
            ("Notes", _paragraphs(self.experiment.notes)),
            ("Origin", self._origin),
        )
        return [(title, blocks) for title, part in parts if (blocks := list(part))]

    @property
    def prose(self) -> list[str]:
        """What the experiment's file says about itself, by paragraphs."""
        one = self.experiment
        texts = (one.question, one.method, one.threats, one.notes)
        return [str(paragraph) for text in texts for paragraph in _paragraphs(text)]

    # Formats

    def markdown(self, pictures: Sequence[str] = ()) -> str:
        """Return the report as Markdown; `pictures` are the files of the charts."""
        parts = [f"# {self.experiment.title}", "", f"Source: {self.experiment.source}.", ""]
        files = iter(pictures)
        for title, blocks in self.sections:
            parts += [f"## {title}", ""]
            for block in blocks:
                if isinstance(block, Chart):
                    file = next(files, None)
                    parts += [f"![{block.title}]({file})", ""] if file else []
                elif isinstance(block, Table):
                    parts += [f"### {block.title}", ""] if block.title else []
                    parts += [block.markdown()]
                else:
                    parts += [block, ""]
        return "\n".join(parts)

    def html(self, pictures: Sequence[str] = ()) -> str:
        """Return the report as one HTML page; `pictures` are the contents of SVG files."""
        title = html.escape(self.experiment.title)
        parts = [f"<h1>{title}</h1>", f"<p>Source: {html.escape(self.experiment.source)}.</p>"]
        images = iter(pictures)
        for heading, blocks in self.sections:
            parts.append(f"<h2>{heading}</h2>")
            for block in blocks:
                if isinstance(block, Chart):
                    image = next(images, None)
                    parts += [f"<figure>{_svg_element(image)}</figure>"] if image else []
                elif isinstance(block, Table):
                    parts.append(block.html())
                else:
                    parts.append(f"<p>{html.escape(block)}</p>")
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
            "findings": [finding.fields() for finding in self.findings],
            "tables": [asdict(table) for table in self.tables],
        }


def _confirm(ours: Finding, other: Finding, seed: int) -> Finding:
    """Return the finding; undecided if the run of another seed contradicts it."""
    decided = {"reproduced", "refuted"}
    if ours.verdict != other.verdict and {ours.verdict, other.verdict} == decided:
        reason = f"{ours.verdict} here, {other.verdict} with seed {seed}"
        reasons = "; ".join(text for text in (ours.reason, reason) if text)
        return replace(ours, verdict="undecided", reason=reasons)
    return ours


def other_seeds(experiment: Experiment, store: LabStore, run: Run) -> list[Sample]:
    """Return the newest run of each other seed, made by the same code."""
    newest: dict[int, Run] = {}
    for other in store.runs(experiment.name):
        same = other.about["digest"] == run.about["digest"]
        if same and other.about["seed"] != run.about["seed"] and store.count(other):
            newest[other.about["seed"]] = other
    return [Sample(other, store.measurements(other)) for _, other in sorted(newest.items())]


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
        claims=(),
        charts=empty,
        tables=None,
        digest=run.about["digest"],
        command="",
    )


def rules_table(findings: Sequence[Finding]) -> Table:
    """Say of each claim what is measured, and by which rule it is judged."""
    rows = tuple(
        (_statement(one), one.claim.metric, one.claim.rule.describe(one.claim.unit))
        for one in findings
    )
    return Table(("claim", "measured", "rule"), rows, "Rules")


def _statement(finding: Finding) -> str:
    place = ", ".join(part for part in (finding.claim.source, finding.claim.place) if part)
    return f"{finding.claim.statement} ({place})" if place else finding.claim.statement


def configurations_table(variations: Sequence[Variation]) -> Table:
    """Show the options of each configuration."""
    rows = []
    for variation in variations:
        options = variation.to_dict()
        changes = [f"+{name}" for name in options["on"]] + [f"-{name}" for name in options["off"]]
        changes += [f"{name}={_brief(value)}" for name, value in options["settings"].items()]
        changes += [f"step {name}" for name in options["steps"]]
        if options["entries"] != DEFAULT_ENTRIES:
            changes.append(f"{options['entries']:,} entries")
        if options["evaluation"]:
            name = getattr(variation.evaluation, "__name__", options["evaluation"])
            changes.append(f"evaluation {name}")
        changes += [f"{name}={value}" for name, value in options["extra"].items()]
        preset = options["preset"] + (f" of {options['defaults']}" if options["defaults"] else "")
        rows.append((variation.name, str(options["driver"]), preset, " ".join(changes)))
    headings = ("configuration", "driver", "preset", "changes")
    return Table(headings, tuple(rows), "Configurations")


def _brief(value: object) -> str:
    return "+".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)


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


def _paragraphs(text: str) -> Iterator[Block]:
    for paragraph in text.strip().split("\n\n"):
        if paragraph.strip():
            yield paragraph.strip()


def _svg_element(picture: str) -> str:
    """Return the SVG element without the declarations before it, for use in a page."""
    return re.sub(r"\A.*?(?=<svg)", "", picture, count=1, flags=re.DOTALL)


def _has_points(chart: Chart) -> bool:
    return any(series.x for series in chart.series)
