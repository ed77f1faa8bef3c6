"""Write docs/results: a report of every experiment, and a page of all claims.

python -m scripts.results_page [--db FILE ...] [--results FOLDER]

The reports are made from the raw figures in the folder. With --db, the figures of the newest run of
each seed in these files are added first, or replace those that are there. The section of the page
that says what differs, and why, is written by hand and kept.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from plyforge.interfaces.cli.lab_report import write_report
from plyforge.lab import raw_figures
from plyforge.lab.catalog import experiment_names, load_experiment
from plyforge.lab.claims import VERDICTS, Finding
from plyforge.lab.report import Report
from plyforge.lab.store import LabStore
from plyforge.match.tables import Table

RESULTS = Path(__file__).parents[1] / "docs" / "results"
HANDWRITTEN = "## What differs, and why"
DOCUMENTS = {
    "Mańdziuk and Osman 2004": "Alpha-beta search enhancements with a real-value game-state"
    " evaluation function, ICGA Journal 27",
    "Kishimoto and Müller": "An update on game tree research, tutorial 3: alpha-beta search and"
    " enhancements",
    "Duarte, Otsuka and Julia 2009": "Improvement obtained by ordering the tree-search of an agent"
    " for draughts which learns by reinforcement",
    "Koneru": "Alpha beta search on Andantino",
    "Buro and Tuero 2024": "CMPUT 350, AI part 4: adversarial search",
}
"""The documents whose statements are tested, by the beginning of the source of a claim."""
UNTESTED = (
    (
        "Duarte, Otsuka and Julia 2009",
        "table 1: 14 games between each two of three players that learn; ordering wins more and"
        " loops less",
        "nothing learns here yet",
    ),
    (
        "Kishimoto and Müller",
        "selective search: quiescence, null move, futility, late move reductions",
        "described without figures; `selective-chess` and others measure what each is worth",
    ),
    (
        "Kishimoto and Müller",
        "selective search: ProbCut, realization probabilities, singular extensions",
        "described without figures; built, and matches show what ProbCut is worth in Othello",
    ),
    (
        "Kishimoto and Müller",
        "MMTO learns 40 million weights; tables that are distributed; a master and many slaves",
        "built, without figures to compare: [learning](../learn.md),"
        " [several processes](../search/distributed.md), [master](../search/master.md)",
    ),
    (
        "Kishimoto and Müller",
        "figure 8 compares the times of enhancements",
        "a picture without its data",
    ),
    (
        "Buro and Tuero 2024",
        "regression and pattern tables make the strongest evaluations",
        "`regression-fit` tests how weights are found, not how strong they are",
    ),
    (
        "Buro and Tuero 2024",
        "results of programs against champions of checkers, chess, Othello, Go and poker",
        "history, not an experiment",
    ),
)
"""Statements without an experiment: document, statement, and why."""
_HEAD = """# Published claims, and what we found

Written by `python -m scripts.results_page`. Every statement of five documents that can be tested
has a row: the published figure, ours with its 95 % interval, and a verdict by a rule that was
committed before the data were measured. The data are those of seed 1, measured after that (seed 2
where a run with seed 1 was ended early and configurations were changed: `parallel-...`, `star`);
*seed 0* shows the sample that was there before. A verdict marked *(seed 0)* rests on that sample
alone, which was known when its rule was written, until the experiment has been run with seed 1. How
verdicts are made is [explained with the laboratory](../lab.md#how-verdicts-are-made). The raw
figures are beside the reports, such as `mtd-real.seed-1.csv.gz`, with the text of every position;
`plyforge lab verify docs/results` measures a sample of them again. [Matches](matches.md) also test
the engine.
"""


@dataclass(frozen=True)
class Row:
    """A finding, the report that has it, and the document that claims it."""

    report: Report
    finding: Finding
    number: int
    """Its place in the report."""

    @property
    def source(self) -> str:
        return self.finding.claim.source or self.report.experiment.source

    @property
    def verdict(self) -> str:
        """The verdict; what only the sample of seed 0 says is marked, since its rule came later."""
        first_only = self.report.run.about["seed"] == 0 and self.finding.verdict != "not measured"
        return f"{self.finding.verdict} (seed 0)" if first_only else self.finding.verdict

    def cells(self) -> tuple[str, ...]:
        one, name = self.finding, self.report.experiment.name
        ours, first = one.figure, ""
        if self.report.run.about["seed"] == 0:
            ours, first = "", one.figure
        elif self.report.others:
            first = self.report.findings_table.rows[self.number][3]
        return (
            f"[{one.claim.statement}]({name}.md)",
            one.claim.place,
            one.claim.published,
            ours,
            first,
            self.verdict,
            one.reason,
        )


def import_runs(files: Sequence[str], results: Path, experiments: Iterable[str]) -> None:
    """Write the raw figures of the newest run of each experiment and seed in these files."""
    for name in experiments:
        experiment = load_experiment(name)
        for file in files:
            with LabStore.open_read_only(file) as store:
                for run in store.runs(name):
                    if run.about["digest"] == experiment.digest and store.count(run):
                        made = store.measurements(run)
                        raw_figures.write(Report(experiment, store.add_times(run), made), results)


def _handwritten_section(page: Path) -> str:
    """Return the section of the page that is written by hand."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    _, heading, rest = text.partition(HANDWRITTEN)
    return heading + rest.partition("\n## ")[0].rstrip() + "\n" if heading else ""


def write_pages(results: Path, experiments: Sequence[str]) -> None:
    """Write the reports of the experiments that have raw figures, and the page of their claims."""
    reports = [
        raw_figures.load_report(name, results)
        for name in experiments
        if raw_figures.exists(name, results)
    ]
    for report in reports:
        write_report(report, "md", results)
    page = results / "README.md"
    page.write_text(claims_page(reports, _handwritten_section(page)), encoding="utf-8")


def claims_page(reports: Sequence[Report], handwritten: str) -> str:
    """Return the page of all claims."""
    rows = [
        Row(report, finding, number)
        for report in reports
        for number, finding in enumerate(report.findings)
    ]
    by_document = {name: [r for r in rows if r.source.startswith(name)] for name in DOCUMENTS}
    others = [row for row in rows if not row.source.startswith(tuple(DOCUMENTS))]
    tested = [row for part in by_document.values() for row in part]
    parts = [_HEAD, f"{_count('statements of the documents', tested)}\n", handwritten]
    for name, part in by_document.items():
        if part:
            parts += [f"## {name}: {DOCUMENTS[name]}\n", _table(part)]
    if others:
        parts += ["## Other literature\n", f"{_count('statements', others)}\n"]
        parts += [_table(others, with_source=True)]
    parts += ["## Stated, but not tested\n"]
    parts += [Table(("document", "statement", "why not"), UNTESTED).markdown()]
    parts += ["## Reports\n", "Each has measurements without a verdict, too.\n"]
    parts += [f"- [{one.experiment.title}]({one.experiment.name}.md)" for one in reports]
    return "\n".join(part for part in parts if part) + "\n"


def _count(what: str, rows: Sequence[Row]) -> str:
    counts = Counter(row.verdict for row in rows)
    names = [*VERDICTS, *(f"{verdict} (seed 0)" for verdict in VERDICTS)]
    verdicts = ", ".join(f"{counts[name]} {name}" for name in names if counts[name])
    return f"{len(rows)} {what}: {verdicts}."


def _table(rows: Sequence[Row], with_source: bool = False) -> str:
    headings = ("statement", "place", "published", "ours", "seed 0", "verdict", "reason")
    cells = [row.cells() for row in rows]
    if with_source:
        headings = (headings[0], "source", *headings[1:])
        cells = [(c[0], row.source, *c[1:]) for c, row in zip(cells, rows, strict=True)]
    return Table(headings, tuple(cells)).markdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", nargs="+", default=[], help="take the newest runs of these files")
    parser.add_argument("--results", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    import_runs(arguments.db, arguments.results, experiment_names())
    write_pages(arguments.results, experiment_names())


if __name__ == "__main__":
    main()
