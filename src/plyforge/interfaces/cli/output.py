"""What commands share in printing: one console, JSON as the last line."""

import json
from typing import Any

from rich.console import Console


def console() -> Console:
    """Standard output; not wrapped where it is no terminal, so that other tools can read it."""
    return Console(highlight=False, soft_wrap=True)


def print_json(fields: dict[str, Any]) -> None:
    """One JSON object on one line."""
    print(json.dumps(fields, ensure_ascii=False))


def columns(texts: list[str], width: int) -> str:
    """Short texts side by side, as many in a row as fit.

    >>> print(columns(["a1", "b10", "c1"], 10))
    a1   b10
    c1
    """
    wide = max((len(text) for text in texts), default=0) + 2
    most = max(1, (width + 2) // wide)
    rows = (texts[i : i + most] for i in range(0, len(texts), most))
    return "\n".join("".join(f"{text:<{wide}}" for text in row).rstrip() for row in rows)
