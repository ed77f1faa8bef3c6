"""Small games in files of their own, and fresh processes to play them in."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TAKE_AWAY = """
from typing import NamedTuple

from plyforge.rules import u64

MAX_MOVES = 8
MOST = 3


class Position(NamedTuple):
    left: int
    taken: int


def initial():
    return Position(12, 0)


def moves(position):
    for take in range(1, MOST + 1):
        if take <= position.left:
            yield take


def play(position, move):
    return Position(position.left - move, position.taken + move)
"""
"""Take 1 to MOST from a heap of 12: small, and every constant shows in the counts."""

CHILD = """
import json, sys, warnings
task = json.loads(sys.argv[1])
exec(task["before"])
import plyforge
from plyforge.compilation.notices import Notices
report = []
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for name in task["games"]:
        told = []
        game = plyforge.load(name, notices=Notices(told.append))
        start = game.initial()
        report.append({
            "compiled": game.perft(start, task["depth"]),
            "python": game.perft(start, task["depth"], backend="python"),
            "fresh": any(text.startswith("compiling") for text in told),
            "told": "".join(told),
        })
print(json.dumps({"games": report, "warnings": [str(w.message) for w in caught]}))
"""


class Workshop:
    """A folder with games and a cache, and processes that count in them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"

    def write(self, name: str, source: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        return path

    def game(self, name: str = "game", source: str = TAKE_AWAY, **siblings: str) -> Path:
        """A game in a folder of its own, with sibling modules."""
        for sibling, text in siblings.items():
            self.write(f"{name}/{sibling}.py", text)
        return self.write(f"{name}/game.py", source)

    def start(
        self, *games: Path | str, depth: int = 4, before: str = "", **environment: str
    ) -> "subprocess.Popen[str]":
        """A fresh process that counts both ways, from each game in turn."""
        task = {"games": [str(game) for game in games], "depth": depth, "before": before}
        return subprocess.Popen(
            [sys.executable, "-c", CHILD, json.dumps(task)],
            env={**os.environ, "PLYFORGE_CACHE": str(self.cache), **environment},
            cwd=self.folder,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, *games: Path | str, **options: Any) -> dict[str, Any]:
        """What the process reported; the counts of both backends are always compared."""
        return finished(self.start(*games, **options))

    def entries(self) -> list[Path]:
        return sorted(self.cache.glob("*.kernel"))


def finished(process: "subprocess.Popen[str]") -> dict[str, Any]:
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    report: dict[str, Any] = json.loads(output.splitlines()[-1])
    for game in report["games"]:
        assert game["compiled"] == game["python"], game
    return report


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


@pytest.fixture(scope="module")
def shared_workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("workshop"))


@pytest.fixture
def private_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that no other test has filled, for kernels built in this process."""
    from plyforge.compilation import kernel

    folder = tmp_path / "cache"
    monkeypatch.setenv("PLYFORGE_CACHE", str(folder))
    monkeypatch.setattr(kernel, "_compiled", {})
    return folder


@pytest.fixture
def load(workshop: Workshop, private_cache: Path) -> Callable[..., Any]:
    """A game of this process from the text of its file; what is said goes to `game.told`."""
    import plyforge
    from plyforge.compilation.notices import Notices

    def load(source: str, name: str = "game", **siblings: str) -> Any:
        told: list[str] = []
        game = plyforge.load(
            str(workshop.game(name, source, **siblings)), notices=Notices(told.append)
        )
        game.told = told  # type: ignore[attr-defined]
        return game

    return load
