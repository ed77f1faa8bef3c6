"""Write docs/results: a report of every experiment, and a page of all claims.

python -m scripts.results_page [--db FILE ...] [--results FOLDER]

The reports are made from the raw figures in the folder. With --db, the figures of the newest runs
in these files replace them first; if several files have a run of an experiment, the first counts.
The section of the page that says what differs, and why, is written by hand and kept.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from plyforge.interfaces.cli.lab_report import report_of, write_report
from plyforge.lab import raw_figures
from plyforge.lab.experiment import experiment_names, load_experiment
from plyforge.lab.findings import Finding
from plyforge.lab.store import LabStore
from plyforge.match.tables import Table

RESULTS = Path(__file__).parents[1] / "docs" / "results"
HANDWRITTEN = "## What differs, and why"
_HEAD = """# Published claims, and what we found

Written by `python -m scripts.results_page`. Every row links to a report with its sizes, intervals,
pictures, and the reason for a verdict. A claim is *not comparable* where the source leaves open
what it depends on, where ours is at another depth, or where our interval is too wide to tell.
The raw figures of `mtd-real` are in `mtd-real.csv.gz`, and so on; the same command writes the
reports again from them. [Matches](matches.md) also test the engine.
"""


def import_runs(files: Sequence[str], results: Path, experiments: Sequence[str]) -> None:
    """Write the raw figures of the runs that these files have."""
    for name in experiments:
        for file in files:
            with LabStore.open_read_only(file) as store:
                report = report_of(load_experiment(name), store) if store.runs(name) else None
            if report is not None:
                raw_figures.write(report, results)
                break


def _handwritten_section(page: Path) -> str:
    """Return the section of the page that is written by hand."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    _, heading, rest = text.partition(HANDWRITTEN)
    return heading + rest.partition("\n## ")[0].rstrip() + "\n" if heading else ""


def write_pages(results: Path, experiments: Sequence[str]) -> None:
    """Write the reports of the experiments that have raw figures, and the page of their claims."""
    rows: list[tuple[str, Finding]] = []
    for name in experiments:
        if raw_figures.exists(name, results):
            report = raw_figures.load_report(name, results)
            write_report(report, "md", results)
            rows += [(name, finding) for finding in report.findings]
    table = Table(
        ("experiment", "claim", "published", "found", "verdict"),
        tuple((f"[{n}]({n}.md)", f.claim, f.published, f.found, f.verdict) for n, f in rows),
    )
    counts = Counter(finding.verdict for _, finding in rows)
    summary = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    parts = [_HEAD, f"{len(rows)} claims: {summary}.\n"]
    page = results / "README.md"
    parts += [_handwritten_section(page), "## All claims\n", table.markdown()]
    page.write_text("\n".join(part for part in parts if part), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", nargs="+", default=[], help="take the newest runs of these files")
    parser.add_argument("--results", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    import_runs(arguments.db, arguments.results, experiment_names())
    write_pages(arguments.results, experiment_names())


if __name__ == "__main__":
    main()
