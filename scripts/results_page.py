"""Write docs/results: the report of every experiment that has a run, and a page of all claims.

python -m scripts.results_page [--db FILE]
"""

import argparse
import gzip
from collections import Counter
from pathlib import Path

from plyforge.core.tables import Table
from plyforge.interfaces.cli.lab_report import told
from plyforge.lab.experiment import experiment, names
from plyforge.lab.findings import Finding
from plyforge.lab.report import Report
from plyforge.lab.store import LabStore

RESULTS = Path(__file__).parents[1] / "docs" / "results"
_LARGE = 1 << 20
_HEAD = """# Published claims, and what we found

Written by `python -m scripts.results_page`. Every row links to a report with its sizes, intervals,
pictures and raw figures; a claim is *not comparable* where the source leaves open what it depends
on, or our interval is too wide to tell. Intervals take positions for independent; those of one game
are not quite, which makes them somewhat too narrow. Raw figures of over a megabyte are packed
(`.csv.gz`). [Checks of the engine by matches](matches.md) have a page
of their own.
"""


def _pack(file: Path) -> None:
    """Pack a large file; the same text gives the same file."""
    if file.stat().st_size > _LARGE:
        packed = gzip.compress(file.read_bytes(), mtime=0)
        file.with_suffix(".csv.gz").write_bytes(packed)
        file.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", default="lab.db")
    given = parser.parse_args()
    rows: list[tuple[str, Finding]] = []
    for name in names():
        with LabStore(given.db) as store:
            runs = store.runs(name)
            if not runs:
                continue
            report = Report(experiment(name), runs[-1], store.measurements(runs[-1]))
        told(name, "md", None, str(RESULTS), given.db, overwrite=True)
        _pack(RESULTS / f"{name}.csv")
        rows += [(name, finding) for finding in report.findings]
    table = Table(
        ("experiment", "claim", "published", "found", "verdict"),
        tuple((f"[{n}]({n}.md)", f.claim, f.published, f.found, f.verdict) for n, f in rows),
    )
    counts = Counter(finding.verdict for _, finding in rows)
    summary = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    page = f"{_HEAD}\n{len(rows)} claims: {summary}.\n\n{table.markdown()}"
    (RESULTS / "README.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
