"""Tables of text, as Markdown, CSV and HTML."""

import csv
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Headings and rows of text; the first column is names, the others are mostly numbers."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""

    def markdown(self) -> str:
        separator = "|---|" + "--:|" * (len(self.headings) - 1)
        lines = [_line(self.headings), separator, *(_line(row) for row in self.rows)]
        return "\n".join(lines) + "\n"

    def csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.headings)
        writer.writerows(self.rows)
        return out.getvalue()

    def _repr_html_(self) -> str:
        return self.html()

    def html(self) -> str:
        def cells(tag: str, row: Sequence[str]) -> str:
            return "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row)

        head = f"<thead><tr>{cells('th', self.headings)}</tr></thead>"
        body = "".join(f"<tr>{cells('td', row)}</tr>\n" for row in self.rows)
        caption = f"<caption>{html.escape(self.title)}</caption>" if self.title else ""
        return f"<table>{caption}{head}<tbody>\n{body}</tbody></table>\n"


def _line(cells: Sequence[str]) -> str:
    escaped = [" ".join(cell.replace("|", "\\|").split("\n")) for cell in cells]
    return f"| {' | '.join(escaped)} |"
