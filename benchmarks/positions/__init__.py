"""Fixed midgame positions, one per line, written by `make.py`."""

from __future__ import annotations

from pathlib import Path


def position_texts(game: str) -> list[str]:
    """Return the positions of a game."""
    file = Path(__file__).with_name(f"{game}.txt")
    return file.read_text(encoding="utf-8").splitlines()
