"""Write docs/reference/api.md from the docstrings of what `plyforge` exports."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plyforge

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "api.md"

HEAD = """# The Python interface

This page is written by `python scripts/api_page.py` from the docstrings. Everything here is
imported from `plyforge`; whatever is wrong with a caller's input raises `PlyforgeError`, whose
text names the value and the remedy.

Single calls run the author's functions as they are; `perft`, `divide` and `Engine` compile them, on
first use, and keep the machine code for later starts.
"""


def _signature(function: Any) -> str:
    """Parameters with their defaults; annotations print differently in each Python."""
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    shown = (
        p.name if p.default is inspect.Parameter.empty else f"{p.name}={p.default!r}"
        for p in parameters
    )
    return f"({', '.join(shown)})"


def _members(kind: type) -> Iterator[str]:
    """One line for each public method and property, those of base classes first."""
    members: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith("plyforge"):
            members |= vars(base)
    for name, member in members.items():
        if name.startswith("_") or not (inspect.isfunction(member) or isinstance(member, property)):
            continue
        summary = (inspect.getdoc(member) or "").split("\n\n")[0].replace("\n", " ")
        call = name if isinstance(member, property) else f"{name}{_signature(member)}"
        yield f"- `{call}`" + (f": {summary}" if summary else "")


def page() -> str:
    """The page's text."""
    parts = [HEAD]
    for function in (plyforge.load, plyforge.names):
        summary = inspect.getdoc(function) or ""
        parts.append(f"## `plyforge.{function.__name__}{_signature(function)}`\n\n{summary}\n")
    for kind in (
        plyforge.Game,
        plyforge.History,
        plyforge.Verdict,
        plyforge.Picture,
        plyforge.Engine,
        plyforge.Info,
        plyforge.SearchResult,
        plyforge.Clock,
    ):
        summary = (inspect.getdoc(kind) or "").split("\n\n")[0].replace("\n", " ")
        parts.append(
            f"## `plyforge.{kind.__name__}`\n\n{summary}\n\n" + "\n".join(_members(kind)) + "\n"
        )
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
