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
