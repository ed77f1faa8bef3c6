"""Small games in files, and fresh processes that load them."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.processes import popen

TAKE_AWAY = """
from typing import NamedTuple

from plyforge.rules import u64

MAX_MOVES = 8
LIMIT = 3


class Position(NamedTuple):
    left: int
    taken: int


def initial():
    return Position(12, 0)


def moves(position):
    for take in range(1, LIMIT + 1):
        if take <= position.left:
            yield take


def play(position, move):
    return Position(position.left - move, position.taken + move)
"""
"""Take 1 to LIMIT from a heap of 12: small, and every constant changes the counts."""

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
        messages = []
        game = plyforge.load(name, notices=Notices(messages.append))
        start = game.initial()
        report.append({
            "compiled": game.perft(start, task["depth"]),
            "python": game.perft(start, task["depth"], backend="python"),
            "fresh": any(text.startswith("compiling") for text in messages),
            "messages": "".join(messages),
        })
print(json.dumps({"games": report, "warnings": [str(w.message) for w in caught]}))
"""


class Sandbox:
    """A folder with games and a cache, and processes that count moves in them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"

    def write(self, name: str, source: str) -> Path:
        """Write a file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        return path

    def game(self, name: str = "game", source: str = TAKE_AWAY, **siblings: str) -> Path:
        """Write a game to a folder, with sibling modules."""
        for sibling, text in siblings.items():
            self.write(f"{name}/{sibling}.py", text)
        return self.write(f"{name}/game.py", source)

    def start(
        self, *games: Path | str, depth: int = 4, before: str = "", **environment: str
    ) -> "subprocess.Popen[str]":
        """Start a process that counts in both backends, in each game in turn."""
        task = {"games": [str(game) for game in games], "depth": depth, "before": before}
        return popen(
            [sys.executable, "-c", CHILD, json.dumps(task)],
            env={**os.environ, "PLYFORGE_CACHE": str(self.cache), **environment},
            cwd=self.folder,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, *games: Path | str, **options: Any) -> dict[str, Any]:
        """Return what such a process reports, after comparing the counts of both backends."""
        return wait_for(self.start(*games, **options))

    def entries(self) -> list[Path]:
        return sorted(self.cache.glob("*.kernel"))


def wait_for(process: "subprocess.Popen[str]") -> dict[str, Any]:
    """Return the report of a process when it ends."""
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    report: dict[str, Any] = json.loads(output.splitlines()[-1])
    for game in report["games"]:
        assert game["compiled"] == game["python"], game
    return report


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)


@pytest.fixture(scope="module")
def shared_sandbox(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    return Sandbox(tmp_path_factory.mktemp("sandbox"))


@pytest.fixture
def private_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for kernels built in this process."""
    from plyforge.compilation import kernel

    folder = tmp_path / "cache"
    monkeypatch.setenv("PLYFORGE_CACHE", str(folder))
    monkeypatch.setattr(kernel, "_compiled", {})
    return folder


@pytest.fixture
def load(sandbox: Sandbox) -> Callable[..., Any]:
    """Load a game from the text of its file; notices go to `game.messages`.

    Kernels come from the cache of all tests; with `private_cache` a test compiles its own.
    """
    import plyforge
    from plyforge.compilation.notices import Notices

    def load(source: str, name: str = "game", **siblings: str) -> Any:
        messages: list[str] = []
        game = plyforge.load(
            str(sandbox.game(name, source, **siblings)), notices=Notices(messages.append)
        )
        game.messages = messages  # type: ignore[attr-defined]
        return game

    return load
