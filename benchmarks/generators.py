"""`moves` as a generator, compared with the same moves written to a buffer by hand.

And a user's file, compared with the same built-in game: both must be equally fast.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import plyforge.games.connect4
from benchmarks.clock import Settings
from benchmarks.compare import compare, plyforge_perft
from benchmarks.table import Row

RULES = Path(__file__).with_name("rules")
CASES = {"connect4": (9, 39_394_572), "checkers": (11, 85_242_128)}
QUICK_CASES = {"connect4": (8, 5_673_234), "checkers": (9, 3_963_680)}


def rows(settings: Settings) -> Iterator[Row]:
    for game, (depth, nodes) in (QUICK_CASES if settings.quick else CASES).items():
        buffer = str(RULES / f"{game}_buffer.py")
        yield compare(
            "generators",
            game,
            f"start d{depth}, hand-written buffer",
            rival=partial(plyforge_perft, buffer, depth, None, settings),
            depth=depth,
            nodes=nodes,
            settings=settings,
        )
    depth, nodes = (QUICK_CASES if settings.quick else CASES)["connect4"]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "mine.py"
        source = Path(plyforge.games.connect4.__file__).read_text(encoding="utf-8")
        # A changed constant, so that it is not found in the cache.
        copy.write_text(source.replace("MAX_MOVES = 31", "MAX_MOVES = 32"), encoding="utf-8")
        yield compare(
            "user_file",
            "connect4",
            f"start d{depth}, the same rules as a user's file",
            rival=partial(plyforge_perft, str(copy), depth, None, settings),
            depth=depth,
            nodes=nodes,
            settings=settings,
        )
