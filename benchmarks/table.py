"""The table of all comparisons, and its three forms: terminal, JSON, Markdown."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from rich.table import Table

from benchmarks.targets import Target

HEADINGS = (
    "comparison",
    "game",
    "case",
    "nodes",
    "plyforge",
    "rival",
    "ratio",
    "target",
    "met",
    "note",
)
NUMERIC = {"nodes", "plyforge", "rival", "ratio", "target"}


@dataclass(frozen=True)
class Row:
    """One measured case. `None` is a figure that could not be measured; the note says why."""

    comparison: str
    game: str
    case: str
    nodes: int | None = None
    ours: float | None = None
    theirs: float | None = None
    unit: str = "nodes/s"
    ratio: float | None = None
    target: Target | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is reached; `None` without a target or a figure."""
        figure = self.ours if self.unit == "s" else self.ratio
        if self.target is None or figure is None:
            return None
        return self.target.is_met(figure)

    def cells(self) -> tuple[str, ...]:
        """Return the cells as text, in the order of `HEADINGS`."""
        return (
            self.comparison,
            self.game,
            self.case,
            "" if self.nodes is None else f"{self.nodes:,}",
            _format_figure(self.ours, self.unit),
            _format_figure(self.theirs, self.unit),
            "" if self.ratio is None else f"{self.ratio:.3g}",
            "" if self.target is None else str(self.target),
            {None: "", True: "yes", False: "no"}[self.met],
            self.note,
        )


def _format_figure(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    if unit != "nodes/s":
        return f"{value:.3g} {unit}"
    for size, prefix in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:,.3g} {prefix}/s"
    return f"{value:.3g} /s"


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in text.splitlines() if "model name" in line]
    return models[0] if models else platform.machine()


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def environment_facts() -> dict[str, str | None]:
    """Return what the figures depend on besides the code."""
    packages = ("plyforge", "numba", "llvmlite", "numpy", "open_spiel", "chess", "easyAI")
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": _processor(),
        "system": platform.system(),
        "python": platform.python_version(),
        **{package: _version(package) for package in packages},
    }


def terminal_table(rows: Sequence[Row]) -> Table:
    """Return the table for a terminal."""
    table = Table(title="Plyforge compared with others (CPU time)")
    for heading in HEADINGS:
        table.add_column(heading, justify="right" if heading in NUMERIC else "left")
    for row in rows:
        style = {None: None, True: "green", False: "red"}[row.met]
        table.add_row(*row.cells(), style=style)
    return table


def markdown(rows: Sequence[Row], facts: dict[str, str | None], quick: bool) -> str:
    """Return the table as a Markdown page."""
    lines = ["# Benchmarks", "", "CPU time; a ratio above 1 means Plyforge is faster.", ""]
    if quick:
        lines += ["A quick run: one round on small trees, so the figures are rough.", ""]
    lines += [", ".join(f"{name} {value}" for name, value in facts.items() if value), ""]
    lines.append("| " + " | ".join(HEADINGS) + " |")
    lines.append("|" + "|".join("--:" if h in NUMERIC else "---" for h in HEADINGS) + "|")
    lines += ["| " + " | ".join(_escape(cell) for cell in row.cells()) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _escape(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", " ")


def store(rows: Sequence[Row], folder: Path, name: str, quick: bool) -> list[Path]:
    """Write `name`.json and `name`.md to the folder, and create it if necessary."""
    facts = environment_facts()
    folder.mkdir(parents=True, exist_ok=True)
    entries: list[dict[str, Any]] = [asdict(row) | {"met": row.met} for row in rows]
    document = {"quick": quick, "environment": facts, "rows": entries}
    as_json, as_markdown = folder / f"{name}.json", folder / f"{name}.md"
    as_json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    as_markdown.write_text(markdown(rows, facts, quick), encoding="utf-8")
    return [as_json, as_markdown]
