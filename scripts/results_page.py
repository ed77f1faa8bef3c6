"""Write docs/results: the report of every experiment that has a run, and a page of all claims.

python -m scripts.results_page [--db FILE ...] [--results FOLDER]

Of several files the first one that has a run of an experiment gives its report.  The section of the
page that says what differs, and why, is written by hand there and kept.
"""

import argparse
import gzip
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from plyforge.interfaces.cli.lab_report import report_of, told
from plyforge.lab.experiment import experiment, names
from plyforge.lab.findings import Finding
from plyforge.lab.report import Report
from plyforge.lab.store import LabStore
from plyforge.match.tables import Table

RESULTS = Path(__file__).parents[1] / "docs" / "results"
BY_HAND = "## What differs, and why"
_LARGE = 1 << 20
_HEAD = """# Published claims, and what we found

Written by `python -m scripts.results_page`. Every row links to a report with its sizes, intervals,
pictures, raw figures, and the reason for a verdict; a claim is *not comparable* where the source
leaves open what it depends on, where ours is at another depth, or where our interval is too wide to
tell. Raw figures of over a megabyte are packed (`.csv.gz`). [Checks of the engine by
matches](matches.md) have a page of their own.
"""


def _pack(file: Path) -> None:
    """Pack a large file; the same text gives the same file, and one form is left of it."""
    packed = file.with_suffix(".csv.gz")
    packed.unlink(missing_ok=True)
    if file.stat().st_size > _LARGE:
        packed.write_bytes(gzip.compress(file.read_bytes(), mtime=0))
        file.unlink()


def _report(name: str, files: Sequence[str]) -> tuple[str, Report] | None:
    """The report of an experiment, and the file its run is in."""
    for file in files:
        with LabStore(file) as store:
            if store.runs(name):
                return file, report_of(experiment(name), store)
    return None


def _by_hand(page: Path) -> str:
    """The section that is not made from runs, as the page has it."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    _, heading, rest = text.partition(BY_HAND)
    return heading + rest.partition("\n## ")[0].rstrip() + "\n" if heading else ""


def written(files: Sequence[str], results: Path, wanted: Sequence[str]) -> None:
    """Write the reports of these experiments, and the page of all their claims."""
    rows: list[tuple[str, Finding]] = []
    for name in wanted:
        found = _report(name, files)
        if found is None:
            continue
        file, report = found
        told(name, "md", None, str(results), file, overwrite=True)
        _pack(results / f"{name}.csv")
        rows += [(name, finding) for finding in report.findings]
    table = Table(
        ("experiment", "claim", "published", "found", "verdict"),
        tuple((f"[{n}]({n}.md)", f.claim, f.published, f.found, f.verdict) for n, f in rows),
    )
    counts = Counter(finding.verdict for _, finding in rows)
    summary = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    parts = [_HEAD, f"{len(rows)} claims: {summary}.\n"]
    page = results / "README.md"
    parts += [_by_hand(page), "## All claims\n", table.markdown()]
    page.write_text("\n".join(part for part in parts if part), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", nargs="+", default=["lab.db"])
    parser.add_argument("--results", type=Path, default=RESULTS)
    given = parser.parse_args()
    written(given.db, given.results, names())


if __name__ == "__main__":
    main()
